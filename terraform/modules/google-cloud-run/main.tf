locals {
  makes_sql = var.cloud_sql != null
  has_token = var.internal_token_file != null
  jdbc_url  = local.makes_sql ? local.sql_jdbc_url : var.database.jdbc_url

  identities = var.identities == null ? {} : {
    SEATFAST_IDENTITIES_ISSUER       = var.identities.issuer
    SEATFAST_IDENTITIES_AUDIENCE     = var.identities.audience
    SEATFAST_IDENTITIES_JWKS_URL     = var.identities.jwks_url
    SEATFAST_IDENTITIES_TENANT_CLAIM = var.identities.tenant_claim
  }

  # Google reads the level of a log line under another name than others do.
  defaults = { QUARKUS_LOG_CONSOLE_JSON_LOG_FORMAT = "gcp" }

  settings = merge(local.defaults, var.environment, {
    QUARKUS_DATASOURCE_JDBC_URL      = local.jdbc_url
    QUARKUS_DATASOURCE_USERNAME      = var.database_username
    QUARKUS_DATASOURCE_JDBC_MAX_SIZE = tostring(var.connections_per_instance)
    # More transactions than connections would only wait for each other.
    SEATFAST_BATCH_TRANSACTIONS_MAX = tostring(min(8, var.connections_per_instance))
    SEATFAST_DATABASE_PASSWORD_FILE = "${local.secrets_folder}/database-password/value"
    SEATFAST_ACCESS                 = var.access
    SEATFAST_NAMESPACE              = var.namespace
    SEATFAST_NAMESPACE_STATE        = var.namespace_state
    SEATFAST_DEFAULT_CAPACITY       = tostring(var.default_capacity)
    # Between requests an instance has no processor, and a timer doesn't run.
    SEATFAST_SWEEP_EVERY = "off"
  }, { for name, value in local.identities : name => value if value != null })
}

resource "google_cloud_run_v2_service" "this" {
  project             = var.project
  location            = var.region
  name                = var.name
  description         = "Seatfast: reservations that never oversell"
  ingress             = var.ingress
  deletion_protection = var.deletion_protection
  labels              = var.labels

  template {
    service_account                  = google_service_account.service.email
    execution_environment            = "EXECUTION_ENVIRONMENT_GEN2"
    max_instance_request_concurrency = var.concurrency
    timeout                          = "${var.timeout_s}s"
    labels                           = var.labels

    scaling {
      min_instance_count = var.min_instances
      max_instance_count = var.max_instances
    }

    containers {
      image = var.image

      ports {
        container_port = 8080
      }

      resources {
        limits            = { cpu = var.cpu, memory = var.memory }
        cpu_idle          = true
        startup_cpu_boost = true
      }

      dynamic "env" {
        for_each = local.settings
        content {
          name  = env.key
          value = env.value
        }
      }

      dynamic "env" {
        for_each = google_secret_manager_secret_version.token
        content {
          name = "SEATFAST_INTERNAL_TOKEN"
          value_source {
            secret_key_ref {
              secret  = google_secret_manager_secret.token[0].secret_id
              version = env.value.version
            }
          }
        }
      }

      # Ten seconds in all; a native executable needs a fraction of one.
      startup_probe {
        period_seconds    = 1
        timeout_seconds   = 1
        failure_threshold = 10

        http_get {
          path = "/q/health/started"
          port = 8080
        }
      }

      liveness_probe {
        period_seconds    = 10
        timeout_seconds   = 2
        failure_threshold = 3

        http_get {
          path = "/q/health/live"
          port = 8080
        }
      }

      dynamic "volume_mounts" {
        for_each = local.mounted
        content {
          name       = volume_mounts.key
          mount_path = "${local.secrets_folder}/${volume_mounts.key}"
        }
      }
    }

    dynamic "volumes" {
      for_each = local.mounted
      content {
        name = volumes.key

        secret {
          secret = volumes.value.secret

          items {
            path    = "value"
            version = volumes.value.version
          }
        }
      }
    }

    dynamic "vpc_access" {
      for_each = var.vpc[*]
      content {
        egress = "PRIVATE_RANGES_ONLY"

        network_interfaces {
          network    = vpc_access.value.network
          subnetwork = vpc_access.value.subnetwork
        }
      }
    }
  }

  # A new version starts on a schema that fits it. On destroy the order is the reverse: first the
  # service goes, then the tombstone is written when no instance is running any more, then the database.
  depends_on = [
    google_secret_manager_secret_iam_member.service,
    google_sql_database.this,
    google_sql_user.this,
    module.namespace,
  ]
}

resource "google_service_account" "service" {
  project      = var.project
  account_id   = "${var.name}-run"
  display_name = "Seatfast service ${var.name}"
}

resource "google_cloud_run_v2_service_iam_member" "invoker" {
  for_each = var.public ? setunion(var.invokers, ["allUsers"]) : var.invokers

  project  = var.project
  location = var.region
  name     = google_cloud_run_v2_service.this.name
  role     = "roles/run.invoker"
  member   = each.value
}
