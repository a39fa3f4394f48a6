locals {
  secrets_folder = "/secrets"

  # What the service reads as files. The certificate is no secret, but this is how a file gets in.
  mounted = merge(
    {
      database-password = {
        secret  = google_secret_manager_secret.password.secret_id
        version = google_secret_manager_secret_version.password.version
      }
    },
    local.makes_sql ? {
      database-ca = {
        secret  = google_secret_manager_secret.ca[0].secret_id
        version = google_secret_manager_secret_version.ca[0].version
      }
    } : {}
  )

  readable = merge(
    { password = google_secret_manager_secret.password.secret_id },
    local.has_token ? { token = google_secret_manager_secret.token[0].secret_id } : {},
    local.makes_sql ? { ca = google_secret_manager_secret.ca[0].secret_id } : {},
  )
}

resource "google_secret_manager_secret" "password" {
  project   = var.project
  secret_id = "${var.name}-database-password"
  labels    = var.labels

  replication {
    user_managed {
      replicas {
        location = var.region
      }
    }
  }
}

resource "google_secret_manager_secret_version" "password" {
  secret                 = google_secret_manager_secret.password.id
  secret_data_wo         = trimspace(file(var.database_password_file))
  secret_data_wo_version = var.secrets_version
}

resource "google_secret_manager_secret" "token" {
  count = local.has_token ? 1 : 0

  project   = var.project
  secret_id = "${var.name}-internal-token"
  labels    = var.labels

  replication {
    user_managed {
      replicas {
        location = var.region
      }
    }
  }
}

resource "google_secret_manager_secret_version" "token" {
  count = local.has_token ? 1 : 0

  secret                 = google_secret_manager_secret.token[0].id
  secret_data_wo         = trimspace(file(var.internal_token_file))
  secret_data_wo_version = var.secrets_version
}

resource "google_secret_manager_secret" "ca" {
  count = local.makes_sql ? 1 : 0

  project   = var.project
  secret_id = "${var.name}-database-ca"
  labels    = var.labels

  replication {
    user_managed {
      replicas {
        location = var.region
      }
    }
  }
}

resource "google_secret_manager_secret_version" "ca" {
  count = local.makes_sql ? 1 : 0

  secret      = google_secret_manager_secret.ca[0].id
  secret_data = google_sql_database_instance.this[0].server_ca_cert[0].cert
}

# All that the service's account may do.
resource "google_secret_manager_secret_iam_member" "service" {
  for_each = local.readable

  project   = var.project
  secret_id = each.value
  role      = "roles/secretmanager.secretAccessor"
  member    = "serviceAccount:${google_service_account.service.email}"
}
