data "aws_caller_identity" "this" {}

data "aws_partition" "this" {}

data "aws_region" "this" {}

locals {
  in_vpc        = var.vpc != null
  makes_rds     = var.rds != null
  has_token     = nonsensitive(var.internal_token != null)
  password      = var.database_iam ? null : sensitive(trimspace(file(var.database_password_file)))
  jdbc_url      = local.makes_rds ? local.rds_jdbc_url : var.database.jdbc_url
  artifact_hash = filebase64sha256(var.artifact)

  identities = var.identities == null ? {} : {
    SEATFAST_IDENTITIES_ISSUER       = var.identities.issuer
    SEATFAST_IDENTITIES_AUDIENCE     = var.identities.audience
    SEATFAST_IDENTITIES_JWKS_URL     = var.identities.jwks_url
    SEATFAST_IDENTITIES_TENANT_CLAIM = var.identities.tenant_claim
  }

  settings = merge(var.environment, {
    QUARKUS_DATASOURCE_JDBC_URL      = local.jdbc_url
    QUARKUS_DATASOURCE_USERNAME      = var.database_username
    QUARKUS_DATASOURCE_JDBC_MAX_SIZE = tostring(var.connections_per_instance)
    # More transactions than connections would only wait for each other.
    SEATFAST_BATCH_TRANSACTIONS_MAX = tostring(min(8, var.connections_per_instance))
    SEATFAST_ACCESS                 = var.access
    SEATFAST_NAMESPACE              = var.namespace
    SEATFAST_NAMESPACE_STATE        = var.namespace_state
    SEATFAST_DEFAULT_CAPACITY       = tostring(var.default_capacity)
    # A function sleeps between requests, and a timer with it.
    SEATFAST_SWEEP_EVERY = "off"
    },
    var.database_iam ? { SEATFAST_DATABASE_AWS_IAM_REGION = data.aws_region.this.region } : {},
    var.database_iam ? {} : { QUARKUS_DATASOURCE_PASSWORD = local.password },
    { for name, value in local.identities : name => value if value != null },
    local.has_token ? { SEATFAST_INTERNAL_TOKEN = var.internal_token } : {},
  )
}

# Made before the function and without its help, so that Terraform also removes it.
resource "aws_cloudwatch_log_group" "this" {
  name              = "/aws/lambda/${var.name}"
  retention_in_days = var.log_retention_days
  kms_key_id        = var.kms_key_arn
  tags              = var.tags
}

resource "aws_lambda_function" "this" {
  function_name                  = var.name
  description                    = "Seatfast: reservations that never oversell"
  role                           = aws_iam_role.function.arn
  filename                       = var.artifact
  source_code_hash               = local.artifact_hash
  runtime                        = "provided.al2023"
  handler                        = "bootstrap"
  architectures                  = [var.architecture]
  memory_size                    = var.memory_mb
  timeout                        = var.timeout_s
  reserved_concurrent_executions = var.reserved_concurrency
  kms_key_arn                    = var.kms_key_arn
  tags                           = var.tags

  environment {
    variables = local.settings
  }

  logging_config {
    # The service writes JSON lines itself.
    log_format = "Text"
    log_group  = aws_cloudwatch_log_group.this.name
  }

  dynamic "vpc_config" {
    for_each = var.vpc[*]
    content {
      subnet_ids         = vpc_config.value.subnet_ids
      security_group_ids = concat(vpc_config.value.security_group_ids, aws_security_group.function[*].id)
    }
  }

  # A new version starts on a schema that fits it. On destroy the order is the reverse: first the
  # function goes, then the tombstone is written when no instance is running any more, then the database.
  depends_on = [
    aws_iam_role_policy.log,
    aws_iam_role_policy.key,
    aws_iam_role_policy.database,
    aws_iam_role_policy.network,
    aws_vpc_security_group_egress_rule.function,
    module.namespace,
  ]
}

resource "aws_lambda_function_url" "this" {
  function_name      = aws_lambda_function.this.function_name
  authorization_type = var.url_authorization
}

locals {
  callers = var.url_authorization == "NONE" ? toset(["*"]) : var.url_invokers
}

# Lambda asks for both permissions: to call the URL, and to invoke the function through it.
resource "aws_lambda_permission" "url" {
  for_each = local.callers

  action                 = "lambda:InvokeFunctionUrl"
  function_name          = aws_lambda_function.this.function_name
  principal              = each.value
  function_url_auth_type = var.url_authorization
}

resource "aws_lambda_permission" "invoke_through_url" {
  for_each = local.callers

  action                   = "lambda:InvokeFunction"
  function_name            = aws_lambda_function.this.function_name
  principal                = each.value
  invoked_via_function_url = true
}
