output "url" {
  description = "Where the service answers."
  value       = google_cloud_run_v2_service.this.uri
}

output "service_name" {
  description = "The service's name."
  value       = google_cloud_run_v2_service.this.name
}

output "service_account_email" {
  description = "Who the service is."
  value       = google_service_account.service.email
}

output "password_secret_id" {
  description = "The secret with the database's password."
  value       = google_secret_manager_secret.password.secret_id
}

output "token_secret_id" {
  description = "The secret with the operators' token; null without one."
  value       = one(google_secret_manager_secret.token[*].secret_id)
}

output "jdbc_url" {
  description = "The database as the service sees it, without credentials."
  value       = local.jdbc_url
}

output "database_connection_name" {
  description = "The made database's name for the Cloud SQL Auth Proxy; null without one."
  value       = one(google_sql_database_instance.this[*].connection_name)
}

output "database_ca_certificate" {
  description = "The made database's certificate authority, to verify it from elsewhere; null without one."
  value       = one(google_sql_database_instance.this[*].server_ca_cert[0].cert)
}

output "namespace_state" {
  description = "The state of the namespace: `active` or `deleted`."
  value       = var.namespace_state
}
