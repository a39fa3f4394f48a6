locals {
  has_secret = local.has_token || !var.database_iam
}

# For people and other programs that need them. The function gets both in its settings.
resource "aws_secretsmanager_secret" "this" {
  count = local.has_secret ? 1 : 0

  name                    = var.name
  description             = "Database password and operators' token of ${var.name}"
  kms_key_id              = var.kms_key_arn
  recovery_window_in_days = var.secret_recovery_days
  tags                    = var.tags
}

resource "aws_secretsmanager_secret_version" "this" {
  count = local.has_secret ? 1 : 0

  secret_id                = aws_secretsmanager_secret.this[0].id
  secret_string_wo_version = var.secrets_version
  secret_string_wo = jsonencode({
    username       = var.database_username
    password       = local.password
    internal_token = var.internal_token
  })
}
