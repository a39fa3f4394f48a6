locals {
  sweeps = var.sweep != null

  # Cloud Run wants to know who calls, Seatfast wants the operators' token, and both look into the
  # header Authorization. Cloud Run also reads X-Serverless-Authorization, which Cloud Scheduler
  # cannot send; so it starts this job, and the job sends both.
  sweep_script = <<-SCRIPT
    set -eu
    identity=$(curl -sSf --max-time 10 -H 'Metadata-Flavor: Google' \
      "http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/default/identity?audience=$SERVICE_URL")
    curl -sSf --max-time 60 -X POST \
      -H "X-Serverless-Authorization: Bearer $identity" \
      -H "Authorization: Bearer $SEATFAST_INTERNAL_TOKEN" \
      "$SERVICE_URL/internal/sweep"
  SCRIPT
}

resource "google_cloud_run_v2_job" "sweep" {
  count = local.sweeps ? 1 : 0

  project  = var.project
  location = var.region
  name     = "${var.name}-sweep"
  labels   = var.labels
  # Nothing is lost with it.
  deletion_protection = false

  template {
    template {
      service_account = google_service_account.sweep[0].email
      timeout         = "120s"
      # The next sweep does what this one could not.
      max_retries = 0

      containers {
        image   = var.sweep.image
        command = ["/bin/sh", "-c"]
        args    = [local.sweep_script]

        env {
          name  = "SERVICE_URL"
          value = google_cloud_run_v2_service.this.uri
        }

        env {
          name = "SEATFAST_INTERNAL_TOKEN"
          value_source {
            secret_key_ref {
              secret  = google_secret_manager_secret.token[0].secret_id
              version = google_secret_manager_secret_version.token[0].version
            }
          }
        }
      }

      # A service with internal ingress answers only to what comes out of a VPC.
      dynamic "vpc_access" {
        for_each = var.ingress == "INGRESS_TRAFFIC_ALL" ? [] : var.vpc[*]
        content {
          egress = "ALL_TRAFFIC"

          network_interfaces {
            network    = vpc_access.value.network
            subnetwork = vpc_access.value.subnetwork
          }
        }
      }
    }
  }

  depends_on = [google_secret_manager_secret_iam_member.sweep]
}

resource "google_service_account" "sweep" {
  count = local.sweeps ? 1 : 0

  project      = var.project
  account_id   = "${var.name}-sweep"
  display_name = "Sweeps Seatfast service ${var.name}"
}

resource "google_secret_manager_secret_iam_member" "sweep" {
  count = local.sweeps ? 1 : 0

  project   = var.project
  secret_id = google_secret_manager_secret.token[0].secret_id
  role      = "roles/secretmanager.secretAccessor"
  member    = "serviceAccount:${google_service_account.sweep[0].email}"
}

resource "google_cloud_run_v2_service_iam_member" "sweep" {
  count = local.sweeps ? 1 : 0

  project  = var.project
  location = var.region
  name     = google_cloud_run_v2_service.this.name
  role     = "roles/run.invoker"
  member   = "serviceAccount:${google_service_account.sweep[0].email}"
}

resource "google_cloud_scheduler_job" "sweep" {
  count = local.sweeps ? 1 : 0

  project     = var.project
  region      = var.region
  name        = "${var.name}-sweep"
  description = "Starts the job that tidies up expired holds"
  schedule    = var.sweep.schedule
  time_zone   = var.sweep.time_zone

  http_target {
    http_method = "POST"
    uri         = "https://run.googleapis.com/v2/${google_cloud_run_v2_job.sweep[0].id}:run"

    oauth_token {
      service_account_email = google_service_account.schedule[0].email
    }
  }

  depends_on = [google_cloud_run_v2_job_iam_member.schedule]
}

# Apart from the job's own account: who may start the job need not know the token.
resource "google_service_account" "schedule" {
  count = local.sweeps ? 1 : 0

  project      = var.project
  account_id   = "${var.name}-schedule"
  display_name = "Starts the sweep of Seatfast service ${var.name}"
}

resource "google_cloud_run_v2_job_iam_member" "schedule" {
  count = local.sweeps ? 1 : 0

  project  = var.project
  location = var.region
  name     = google_cloud_run_v2_job.sweep[0].name
  role     = "roles/run.invoker"
  member   = "serviceAccount:${google_service_account.schedule[0].email}"
}
