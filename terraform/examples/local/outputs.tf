output "url" {
  description = "Where the service answers."
  value       = module.holdfast.url
}

output "log" {
  description = "The file of its log."
  value       = module.holdfast.log
}
