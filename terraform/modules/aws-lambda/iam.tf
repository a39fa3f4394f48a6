locals {
  account   = data.aws_caller_identity.this.account_id
  partition = data.aws_partition.this.partition
  region    = data.aws_region.this.region
  # Spelled out, because the role comes before the function that it names.
  function_arn = "arn:${local.partition}:lambda:${local.region}:${local.account}:function:${var.name}"

  database_resource_id = local.makes_rds ? one(aws_db_instance.this[*].resource_id) : try(var.database.iam_resource_id, null)
}

resource "aws_iam_role" "function" {
  name = "${var.name}-function"
  tags = var.tags

  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Action    = "sts:AssumeRole"
      Principal = { Service = "lambda.amazonaws.com" }
    }]
  })
}

# Without logs:CreateLogGroup: a late line of a deleted function must not bring its group back.
resource "aws_iam_role_policy" "log" {
  name = "log"
  role = aws_iam_role.function.id

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect   = "Allow"
      Action   = ["logs:CreateLogStream", "logs:PutLogEvents"]
      Resource = "${aws_cloudwatch_log_group.this.arn}:*"
    }]
  })
}

# The settings are encrypted with the key, and decrypted in the role's name.
resource "aws_iam_role_policy" "key" {
  count = var.kms_key_arn == null ? 0 : 1

  name = "key"
  role = aws_iam_role.function.id

  policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = "kms:Decrypt", Resource = var.kms_key_arn }]
  })
}

resource "aws_iam_role_policy" "database" {
  count = var.database_iam ? 1 : 0

  name = "database"
  role = aws_iam_role.function.id

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect   = "Allow"
      Action   = "rds-db:connect"
      Resource = "arn:${local.partition}:rds-db:${local.region}:${local.account}:dbuser:${local.database_resource_id}/${var.database_username}"
    }]
  })
}

# Lambda itself makes the network interfaces, in the role's name; the function's code may not.
resource "aws_iam_role_policy" "network" {
  count = local.in_vpc ? 1 : 0

  name = "network"
  role = aws_iam_role.function.id

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      {
        Effect   = "Allow"
        Action   = local.network_actions
        Resource = "*"
      },
      {
        Effect    = "Deny"
        Action    = local.network_actions
        Resource  = "*"
        Condition = { ArnEquals = { "lambda:SourceFunctionArn" = [local.function_arn] } }
      },
    ]
  })
}

locals {
  network_actions = [
    "ec2:AssignPrivateIpAddresses",
    "ec2:CreateNetworkInterface",
    "ec2:DeleteNetworkInterface",
    "ec2:DescribeNetworkInterfaces",
    "ec2:DescribeSubnets",
    "ec2:UnassignPrivateIpAddresses",
  ]
}
