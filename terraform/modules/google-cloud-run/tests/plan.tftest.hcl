# What is planned for valid inputs. Only what is known before anything exists can be asked here.

mock_provider "google" {}

variables {
  project                = "a-project"
  region                 = "europe-west3"
  image                  = "europe-west3-docker.pkg.dev/a-project/seatfast/seatfast:1"
  database               = { jdbc_url = "jdbc:postgresql://db.example/seatfast?sslmode=verify-full" }
  database_password_file = "./tests/fixtures/password"
}

run "defaults_are_closed_and_safe" {
  command = plan

  assert {
    condition     = length(google_cloud_run_v2_service_iam_member.invoker) == 0
    error_message = "Nobody may call the service whom nobody named."
  }
  assert {
    condition     = google_cloud_run_v2_service.this.deletion_protection
    error_message = "A service must survive a mistake unless somebody chose otherwise."
  }
  assert {
    condition     = google_cloud_run_v2_service.this.template[0].scaling[0].max_instance_count == 5
    error_message = "Instances, and so connections, must be bounded."
  }
  assert {
    condition     = length(google_cloud_run_v2_job.sweep) == 0 && length(google_secret_manager_secret.token) == 0
    error_message = "Without a token there are no operators' routes, and nothing can sweep."
  }
  assert {
    condition     = keys(google_secret_manager_secret_iam_member.service) == ["password"]
    error_message = "The service's account may read the password and nothing else."
  }
  assert {
    condition     = length(google_sql_database_instance.this) == 0 && length(module.namespace) == 0
    error_message = "Nothing that nobody asked for."
  }
}

run "password_comes_as_a_file" {
  command = plan

  assert {
    condition = contains(
      [for env in google_cloud_run_v2_service.this.template[0].containers[0].env : "${env.name}=${env.value}"],
      "SEATFAST_DATABASE_PASSWORD_FILE=/secrets/database-password/value"
    )
    error_message = "The service must be told where the password's file is."
  }
  assert {
    condition     = google_cloud_run_v2_service.this.template[0].containers[0].volume_mounts[0].mount_path == "/secrets/database-password"
    error_message = "The password's file must be where the service looks for it."
  }
  assert {
    condition = !contains(
      [for env in google_cloud_run_v2_service.this.template[0].containers[0].env : env.name], "QUARKUS_DATASOURCE_PASSWORD"
    )
    error_message = "The password must not stand in the service's settings."
  }
}

run "probes_ask_what_they_are_for" {
  command = plan

  assert {
    condition = (
      google_cloud_run_v2_service.this.template[0].containers[0].startup_probe[0].http_get[0].path == "/q/health/started" &&
      google_cloud_run_v2_service.this.template[0].containers[0].liveness_probe[0].http_get[0].path == "/q/health/live"
    )
    error_message = "A database that is away must not get the instance killed, so neither probe may ask for it."
  }
}

run "public_only_when_said" {
  command = plan

  variables {
    public   = true
    invokers = ["user:anna@example.org"]
  }

  assert {
    condition     = keys(google_cloud_run_v2_service_iam_member.invoker) == ["allUsers", "user:anna@example.org"]
    error_message = "Everybody may call the service, and who was named."
  }
}

run "sweep_has_an_account_of_its_own" {
  command = plan

  variables {
    internal_token_file = "./tests/fixtures/token"
    sweep               = {}
  }

  assert {
    condition     = google_cloud_run_v2_job.sweep[0].template[0].template[0].max_retries == 0
    error_message = "The next sweep is the retry."
  }
  assert {
    condition = (
      google_cloud_run_v2_service_iam_member.sweep[0].role == "roles/run.invoker" &&
      google_cloud_run_v2_job_iam_member.schedule[0].role == "roles/run.invoker"
    )
    error_message = "The job may call the service, and the schedule may start the job."
  }
  assert {
    condition     = strcontains(local.sweep_script, "X-Serverless-Authorization: Bearer $identity")
    error_message = "The job must tell Cloud Run who it is beside the operators' token."
  }
}

run "made_database_is_private_and_protected" {
  command = plan

  variables {
    database  = null
    cloud_sql = { network = "projects/a-project/global/networks/default" }
    vpc       = { network = "default", subnetwork = "default" }
  }

  assert {
    condition = (
      google_sql_database_instance.this[0].deletion_protection &&
      google_sql_database_instance.this[0].settings[0].deletion_protection_enabled &&
      google_sql_database_instance.this[0].settings[0].retain_backups_on_delete
    )
    error_message = "A database must survive a mistake unless somebody chose otherwise."
  }
  assert {
    condition = (
      !google_sql_database_instance.this[0].settings[0].ip_configuration[0].ipv4_enabled &&
      google_sql_database_instance.this[0].settings[0].ip_configuration[0].ssl_mode == "ENCRYPTED_ONLY"
    )
    error_message = "The database must have no public address and take no connection in the clear."
  }
  assert {
    condition     = can(regex("^[0-9]{14}$", terraform_data.created[0].input))
    error_message = "An instance needs a name that no earlier one has."
  }
  assert {
    condition     = keys(google_secret_manager_secret_iam_member.service) == ["ca", "password"]
    error_message = "The service must be able to verify its database."
  }
}

run "disposable_stack_leaves_nothing" {
  command = plan

  variables {
    database            = null
    cloud_sql           = { network = "projects/a-project/global/networks/default", backups = 0 }
    vpc                 = { network = "default", subnetwork = "default" }
    deletion_protection = false
    retain_backups      = false
  }

  assert {
    condition = (
      !google_sql_database_instance.this[0].deletion_protection &&
      !google_sql_database_instance.this[0].settings[0].deletion_protection_enabled &&
      !google_sql_database_instance.this[0].settings[0].retain_backups_on_delete &&
      !google_sql_database_instance.this[0].settings[0].backup_configuration[0].enabled
    )
    error_message = "A disposable stack must go whole."
  }
}

run "command_manages_the_namespace" {
  command = plan

  variables {
    command         = ["java", "-jar", "quarkus-run.jar"]
    namespace_state = "deleted"
  }

  assert {
    condition     = module.namespace[0].state == "deleted"
    error_message = "The state must reach the namespace."
  }
}

run "identities_reach_the_service" {
  command = plan

  variables {
    access     = "both"
    identities = { issuer = "https://issuer.example", audience = "seatfast", jwks_url = "https://issuer.example/keys" }
  }

  assert {
    condition     = contains([for env in google_cloud_run_v2_service.this.template[0].containers[0].env : "${env.name}=${env.value}"], "SEATFAST_ACCESS=both")
    error_message = "The service must ask for the credentials that were chosen."
  }
  assert {
    condition     = contains([for env in google_cloud_run_v2_service.this.template[0].containers[0].env : "${env.name}=${env.value}"], "SEATFAST_IDENTITIES_ISSUER=https://issuer.example")
    error_message = "The service must know whose identities it takes."
  }
}
