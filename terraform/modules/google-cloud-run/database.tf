locals {
  sql_address = local.makes_sql ? google_sql_database_instance.this[0].private_ip_address : null
  sql_url     = local.makes_sql ? "jdbc:postgresql://${local.sql_address}:5432/${var.cloud_sql.database_name}" : null

  # The instance has a certificate authority of its own, which signs for it alone; its certificate
  # names no address, so there is no host name that could be verified on top.
  sql_jdbc_url         = local.makes_sql ? "${local.sql_url}?sslmode=verify-ca&sslrootcert=${local.secrets_folder}/database-ca/value" : null
  sql_command_jdbc_url = local.makes_sql ? "${local.sql_url}?sslmode=require" : null
}

# Google keeps the name of a deleted instance for a week; a new one each time lets a stack come back.
resource "terraform_data" "created" {
  count = local.makes_sql ? 1 : 0

  input = formatdate("YYYYMMDDhhmmss", plantimestamp())

  lifecycle {
    ignore_changes = [input]
  }
}

resource "google_sql_database_instance" "this" {
  count = local.makes_sql ? 1 : 0

  project             = var.project
  region              = var.region
  name                = "${var.name}-${terraform_data.created[0].output}"
  database_version    = var.cloud_sql.database_version
  deletion_protection = var.deletion_protection

  settings {
    edition                     = "ENTERPRISE"
    tier                        = var.cloud_sql.tier
    availability_type           = var.cloud_sql.availability_type
    disk_type                   = "PD_SSD"
    disk_size                   = var.cloud_sql.disk_gb
    disk_autoresize             = true
    disk_autoresize_limit       = var.cloud_sql.disk_gb_max
    deletion_protection_enabled = var.deletion_protection
    retain_backups_on_delete    = var.retain_backups
    user_labels                 = var.labels

    backup_configuration {
      enabled                        = var.cloud_sql.backups > 0
      point_in_time_recovery_enabled = var.cloud_sql.backups > 0

      dynamic "backup_retention_settings" {
        for_each = var.cloud_sql.backups > 0 ? [var.cloud_sql.backups] : []
        content {
          retained_backups = backup_retention_settings.value
        }
      }
    }

    ip_configuration {
      ipv4_enabled    = false
      private_network = var.cloud_sql.network
      ssl_mode        = "ENCRYPTED_ONLY"
    }
  }

  lifecycle {
    # It grows by itself.
    ignore_changes = [settings[0].disk_size]
  }
}

# Database and user go with the instance. Deleting them before it would fail while anybody is
# connected, or while the user owns something.
resource "google_sql_database" "this" {
  count = local.makes_sql ? 1 : 0

  project         = var.project
  instance        = google_sql_database_instance.this[0].name
  name            = var.cloud_sql.database_name
  deletion_policy = "ABANDON"
}

resource "google_sql_user" "this" {
  count = local.makes_sql ? 1 : 0

  project             = var.project
  instance            = google_sql_database_instance.this[0].name
  name                = var.database_username
  password_wo         = trimspace(file(var.database_password_file))
  password_wo_version = var.secrets_version
  deletion_policy     = "ABANDON"
}
