locals {
  rds_host = local.makes_rds ? one(aws_db_instance.this[*].address) : null
  rds_url  = local.makes_rds ? "jdbc:postgresql://${local.rds_host}:5432/${var.rds.database_name}?sslmode=verify-full" : null

  rds_jdbc_url         = local.makes_rds ? "${local.rds_url}&sslrootcert=${var.rds.ca_file_in_function}" : null
  rds_command_jdbc_url = local.makes_rds ? "${local.rds_url}&sslrootcert=${coalesce(var.rds.ca_file, var.rds.ca_file_in_function)}" : null
}

# The name of a last snapshot must be new each time, or the second destroy of a name fails.
resource "terraform_data" "created" {
  count = local.makes_rds ? 1 : 0

  input = formatdate("YYYYMMDDhhmmss", plantimestamp())

  lifecycle {
    ignore_changes = [input]
  }
}

resource "aws_db_subnet_group" "this" {
  count = local.makes_rds ? 1 : 0

  name       = var.name
  subnet_ids = var.rds.subnet_ids
  tags       = var.tags
}

resource "aws_db_instance" "this" {
  count = local.makes_rds ? 1 : 0

  identifier            = var.name
  engine                = "postgres"
  engine_version        = var.rds.engine_version
  instance_class        = var.rds.instance_class
  allocated_storage     = var.rds.storage_gb
  max_allocated_storage = var.rds.storage_gb_max
  storage_type          = "gp3"
  storage_encrypted     = true
  kms_key_id            = var.kms_key_arn
  multi_az              = var.rds.multi_az

  db_name  = var.rds.database_name
  username = var.database_iam ? "postgres" : var.database_username
  # With IAM nobody needs the administrator's password, so RDS makes and keeps one.
  manage_master_user_password         = var.database_iam ? true : null
  password_wo                         = local.password
  password_wo_version                 = var.database_iam ? null : var.secrets_version
  iam_database_authentication_enabled = var.database_iam

  db_subnet_group_name   = aws_db_subnet_group.this[0].name
  vpc_security_group_ids = aws_security_group.database[*].id
  publicly_accessible    = var.rds.publicly_accessible

  backup_retention_period    = var.rds.backup_days
  copy_tags_to_snapshot      = true
  auto_minor_version_upgrade = true
  apply_immediately          = true

  deletion_protection       = var.deletion_protection
  delete_automated_backups  = var.delete_automated_backups
  skip_final_snapshot       = var.skip_final_snapshot
  final_snapshot_identifier = "${var.name}-final-${terraform_data.created[0].output}"
  tags                      = var.tags
}

resource "aws_security_group" "database" {
  count = local.makes_rds ? 1 : 0

  name        = "${var.name}-database"
  description = "PostgreSQL of ${var.name}"
  vpc_id      = var.vpc.id
  tags        = var.tags
}

resource "aws_security_group" "function" {
  count = local.makes_rds ? 1 : 0

  name        = "${var.name}-function"
  description = "Function ${var.name}: may reach its database"
  vpc_id      = var.vpc.id
  tags        = var.tags

  # Lambda gives up a function's network interfaces up to half an hour after the function.
  timeouts {
    delete = "45m"
  }
}

resource "aws_vpc_security_group_egress_rule" "function" {
  count = local.makes_rds ? 1 : 0

  description                  = "To the database"
  security_group_id            = aws_security_group.function[0].id
  referenced_security_group_id = aws_security_group.database[0].id
  ip_protocol                  = "tcp"
  from_port                    = 5432
  to_port                      = 5432
}

resource "aws_vpc_security_group_ingress_rule" "function" {
  count = local.makes_rds ? 1 : 0

  description                  = "From the function"
  security_group_id            = aws_security_group.database[0].id
  referenced_security_group_id = aws_security_group.function[0].id
  ip_protocol                  = "tcp"
  from_port                    = 5432
  to_port                      = 5432
}

resource "aws_vpc_security_group_ingress_rule" "client_group" {
  for_each = local.makes_rds ? var.rds.client_security_group_ids : toset([])

  description                  = "From a client"
  security_group_id            = aws_security_group.database[0].id
  referenced_security_group_id = each.value
  ip_protocol                  = "tcp"
  from_port                    = 5432
  to_port                      = 5432
}

resource "aws_vpc_security_group_ingress_rule" "client_cidr" {
  for_each = local.makes_rds ? var.rds.client_cidrs : toset([])

  description       = "From a client"
  security_group_id = aws_security_group.database[0].id
  cidr_ipv4         = each.value
  ip_protocol       = "tcp"
  from_port         = 5432
  to_port           = 5432
}
