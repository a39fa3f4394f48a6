output "url" {
  description = "Where the service answers, once it is ready."
  value       = terraform_data.service.output.url
}

output "log" {
  description = "The file of its log."
  value       = "${local.directory}/service.log"
}

output "namespace" {
  description = "The schema that it uses."
  value       = module.namespace.name
}
