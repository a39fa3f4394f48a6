output "name" {
  description = "The schema, once it is migrated or deleted."
  value       = terraform_data.change.output.name
}

output "state" {
  description = "active or deleted, once it is so."
  value       = terraform_data.change.output.state
}
