output "url" {
  description = "Where the service answers."
  value       = aws_lambda_function_url.this.function_url
}

output "function_name" {
  description = "The function's name."
  value       = aws_lambda_function.this.function_name
}

output "function_arn" {
  description = "The function's ARN, for the policies of those who may call it."
  value       = aws_lambda_function.this.arn
}

output "role_arn" {
  description = "The function's role; with IAM authentication the database must let it in."
  value       = aws_iam_role.function.arn
}

output "log_group_name" {
  description = "Where the log is."
  value       = aws_cloudwatch_log_group.this.name
}

output "secret_arn" {
  description = "The secret with the database's password and the operators' token; null if there is neither."
  value       = one(aws_secretsmanager_secret.this[*].arn)
}

output "jdbc_url" {
  description = "The database as the function sees it, without credentials."
  value       = local.jdbc_url
}

output "database_security_group_id" {
  description = "The security group of the database that the module made; null without one."
  value       = one(aws_security_group.database[*].id)
}

output "namespace_state" {
  description = "The state of the namespace: `active` or `deleted`."
  value       = var.namespace_state
}
