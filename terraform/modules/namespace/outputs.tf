output "name" {
  description = "The schema, once it is migrated or deleted."
  value       = var.name
  depends_on  = [terraform_data.change]
}

output "state" {
  description = "active or deleted, once it is so."
  value       = var.state
  depends_on  = [terraform_data.change]
}
