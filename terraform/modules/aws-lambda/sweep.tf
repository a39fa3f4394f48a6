locals {
  sweeps = local.has_token && var.sweep_schedule != null

  # What Lambda would hand to the function for this request to its URL (payload format 2.0). The
  # scheduler invokes the function with it, so the sweep needs no door to the internet.
  sweep_request = {
    version         = "2.0"
    routeKey        = "$default"
    rawPath         = "/internal/sweep"
    rawQueryString  = ""
    headers         = { authorization = "Bearer ${coalesce(var.internal_token, "none")}", host = var.name }
    isBase64Encoded = false
    requestContext = {
      accountId    = local.account
      apiId        = "sweep"
      domainName   = var.name
      domainPrefix = var.name
      requestId    = "sweep"
      routeKey     = "$default"
      stage        = "$default"
      time         = "01/Jan/1970:00:00:00 +0000"
      timeEpoch    = 0
      http = {
        method    = "POST"
        path      = "/internal/sweep"
        protocol  = "HTTP/1.1"
        sourceIp  = "127.0.0.1"
        userAgent = "seatfast-sweep"
      }
    }
  }
}

resource "aws_scheduler_schedule" "sweep" {
  count = local.sweeps ? 1 : 0

  name                = "${var.name}-sweep"
  description         = "Tidies up expired holds of ${var.name}"
  schedule_expression = var.sweep_schedule
  kms_key_arn         = var.kms_key_arn

  flexible_time_window {
    mode = "OFF"
  }

  target {
    arn      = aws_lambda_function.this.arn
    role_arn = aws_iam_role.sweep[0].arn
    input    = jsonencode(local.sweep_request)

    # The next sweep does what this one could not.
    retry_policy {
      maximum_retry_attempts       = 0
      maximum_event_age_in_seconds = 60
    }
  }

  depends_on = [aws_iam_role_policy.sweep]
}

# The scheduler's invocations are asynchronous, and Lambda would repeat them on its own.
resource "aws_lambda_function_event_invoke_config" "this" {
  function_name                = aws_lambda_function.this.function_name
  maximum_retry_attempts       = 0
  maximum_event_age_in_seconds = 60
}

resource "aws_iam_role" "sweep" {
  count = local.sweeps ? 1 : 0

  name = "${var.name}-sweep"
  tags = var.tags

  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Action    = "sts:AssumeRole"
      Principal = { Service = "scheduler.amazonaws.com" }
      Condition = { StringEquals = { "aws:SourceAccount" = local.account } }
    }]
  })
}

resource "aws_iam_role_policy" "sweep" {
  count = local.sweeps ? 1 : 0

  name = "invoke"
  role = aws_iam_role.sweep[0].id

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = concat(
      [{ Effect = "Allow", Action = "lambda:InvokeFunction", Resource = aws_lambda_function.this.arn }],
      # The schedule's input is encrypted with the same key.
      [for key in var.kms_key_arn[*] : { Effect = "Allow", Action = "kms:Decrypt", Resource = key }],
    )
  })
}
