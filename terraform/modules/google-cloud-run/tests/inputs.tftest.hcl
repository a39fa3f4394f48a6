# What inputs are refused. Each run changes one thing of the valid inputs below.

mock_provider "google" {}

variables {
  project                = "a-project"
  region                 = "europe-west3"
  image                  = "europe-west3-docker.pkg.dev/a-project/seatfast/seatfast:1"
  database               = { jdbc_url = "jdbc:postgresql://db.example/seatfast?sslmode=verify-full" }
  database_password_file = "./tests/fixtures/password"
}

run "these_are_valid" {
  command = plan
}

run "project_by_its_number" {
  command = plan

  variables {
    project = "123456789012"
  }

  expect_failures = [var.project]
}

run "name_too_long_for_accounts" {
  command = plan

  variables {
    name = "seatfast-for-all-of-europe"
  }

  expect_failures = [var.name]
}

run "image_without_a_version" {
  command = plan

  variables {
    image = "europe-west3-docker.pkg.dev/a-project/seatfast/seatfast"
  }

  expect_failures = [var.image]
}

run "image_that_changes" {
  command = plan

  variables {
    image = "europe-west3-docker.pkg.dev/a-project/seatfast/seatfast:latest"
  }

  expect_failures = [var.image]
}

run "cpu_of_none" {
  command = plan

  variables {
    cpu = "0"
  }

  expect_failures = [var.cpu]
}

run "part_of_a_cpu_for_many_requests" {
  command = plan

  variables {
    cpu = "500m"
  }

  expect_failures = [var.cpu]
}

run "memory_without_unit" {
  command = plan

  variables {
    memory = "512"
  }

  expect_failures = [var.memory]
}

run "concurrency_of_none" {
  command = plan

  variables {
    concurrency = 0
  }

  expect_failures = [var.concurrency]
}

run "timeout_shorter_than_a_sweep" {
  command = plan

  variables {
    timeout_s = 20
  }

  expect_failures = [var.timeout_s]
}

run "capacity_negative" {
  command = plan

  variables {
    default_capacity = -1
  }

  expect_failures = [var.default_capacity]
}

run "setting_of_somebody_else" {
  command = plan

  variables {
    environment = { PATH = "/tmp" }
  }

  expect_failures = [var.environment]
}

run "setting_that_the_module_makes" {
  command = plan

  variables {
    environment = { SEATFAST_SWEEP_EVERY = "30s" }
  }

  expect_failures = [var.environment]
}

run "more_instances_running_than_allowed" {
  command = plan

  variables {
    min_instances = 6
  }

  expect_failures = [var.min_instances]
}

run "no_instances" {
  command = plan

  variables {
    max_instances = 0
    min_instances = 0
  }

  expect_failures = [var.max_instances]
}

run "more_connections_than_the_database_has" {
  command = plan

  variables {
    max_instances = 8
  }

  expect_failures = [var.max_instances]
}

run "everybody_as_one_invoker" {
  command = plan

  variables {
    invokers = ["allUsers"]
  }

  expect_failures = [var.invokers]
}

run "everybody_with_an_account_as_one_invoker" {
  command = plan

  variables {
    invokers = ["allAuthenticatedUsers"]
  }

  expect_failures = [var.invokers]
}

run "ingress_unknown" {
  command = plan

  variables {
    ingress = "all"
  }

  expect_failures = [var.ingress]
}

run "token_too_short" {
  command = plan

  variables {
    internal_token_file = "./tests/fixtures/short-secret"
  }

  expect_failures = [var.internal_token_file]
}

run "token_file_that_is_not_there" {
  command = plan

  variables {
    internal_token_file = "./tests/fixtures/missing"
  }

  expect_failures = [var.internal_token_file]
}

run "sweep_without_a_token" {
  command = plan

  variables {
    sweep = {}
  }

  expect_failures = [var.sweep]
}

run "sweep_at_no_time" {
  command = plan

  variables {
    internal_token_file = "./tests/fixtures/token"
    sweep               = { schedule = "hourly" }
  }

  expect_failures = [var.sweep]
}

run "sweep_of_an_internal_service_from_outside" {
  command = plan

  variables {
    internal_token_file = "./tests/fixtures/token"
    ingress             = "INGRESS_TRAFFIC_INTERNAL_ONLY"
    sweep               = {}
  }

  expect_failures = [var.sweep]
}

run "namespace_with_a_hyphen" {
  command = plan

  variables {
    namespace = "hold-fast"
  }

  expect_failures = [var.namespace]
}

run "namespace_state_unknown" {
  command = plan

  variables {
    namespace_state = "gone"
  }

  expect_failures = [var.namespace_state]
}

run "command_empty" {
  command = plan

  variables {
    command = []
  }

  expect_failures = [var.command]
}

run "command_url_of_another_database" {
  command = plan

  variables {
    command_jdbc_url = "jdbc:mysql://db.example/seatfast"
  }

  expect_failures = [var.command_jdbc_url]
}

run "database_url_of_another_database" {
  command = plan

  variables {
    database = { jdbc_url = "jdbc:mysql://db.example/seatfast" }
  }

  expect_failures = [var.database]
}

run "database_url_with_a_password" {
  command = plan

  variables {
    database = { jdbc_url = "jdbc:postgresql://db.example/seatfast?password=x" }
  }

  expect_failures = [var.database]
}

run "no_database" {
  command = plan

  variables {
    database = null
  }

  expect_failures = [var.cloud_sql]
}

run "two_databases" {
  command = plan

  variables {
    cloud_sql = { network = "default" }
    vpc       = { network = "default", subnetwork = "default" }
  }

  expect_failures = [var.cloud_sql]
}

run "cloud_sql_of_another_kind" {
  command = plan

  variables {
    database  = null
    cloud_sql = { network = "projects/a-project/global/networks/default", database_version = "MYSQL_8_0" }
    vpc       = { network = "default", subnetwork = "default" }
  }

  expect_failures = [var.cloud_sql]
}

run "cloud_sql_availability_unknown" {
  command = plan

  variables {
    database  = null
    cloud_sql = { network = "projects/a-project/global/networks/default", availability_type = "HIGH" }
    vpc       = { network = "default", subnetwork = "default" }
  }

  expect_failures = [var.cloud_sql]
}

run "cloud_sql_disk_maximum_below_the_disk" {
  command = plan

  variables {
    database  = null
    cloud_sql = { network = "projects/a-project/global/networks/default", disk_gb = 200 }
    vpc       = { network = "default", subnetwork = "default" }
  }

  expect_failures = [var.cloud_sql]
}

run "cloud_sql_backups_too_many" {
  command = plan

  variables {
    database  = null
    cloud_sql = { network = "projects/a-project/global/networks/default", backups = 366 }
    vpc       = { network = "default", subnetwork = "default" }
  }

  expect_failures = [var.cloud_sql]
}

run "cloud_sql_without_a_vpc" {
  command = plan

  variables {
    database  = null
    cloud_sql = { network = "default" }
  }

  expect_failures = [var.vpc]
}

run "database_user_with_a_quote" {
  command = plan

  variables {
    database_username = "o'brien"
  }

  expect_failures = [var.database_username]
}

run "password_file_that_is_not_there" {
  command = plan

  variables {
    database_password_file = "./tests/fixtures/missing"
  }

  expect_failures = [var.database_password_file]
}

run "password_too_short" {
  command = plan

  variables {
    database_password_file = "./tests/fixtures/short-secret"
  }

  expect_failures = [var.database_password_file]
}

run "pool_of_none" {
  command = plan

  variables {
    connections_per_instance = 0
  }

  expect_failures = [var.connections_per_instance]
}

run "access_of_another_kind" {
  command = plan

  variables {
    access = "closed"
  }

  expect_failures = [var.access]
}

run "identities_without_an_issuer" {
  command = plan

  variables {
    access = "identities"
  }

  expect_failures = [var.access]
}

run "an_issuer_that_nobody_asks" {
  command = plan

  variables {
    access     = "tokens"
    identities = { issuer = "https://issuer.example", audience = "seatfast", jwks_url = "https://issuer.example/keys" }
  }

  expect_failures = [var.access]
}

run "keys_without_tls" {
  command = plan

  variables {
    access     = "both"
    identities = { issuer = "https://issuer.example", audience = "seatfast", jwks_url = "http://issuer.example/keys" }
  }

  expect_failures = [var.identities]
}
