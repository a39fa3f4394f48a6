output "url" {
  description = "Where the service answers."
  value       = module.seatfast.url
}

output "log" {
  description = "The file of its log."
  value       = module.seatfast.log
}
