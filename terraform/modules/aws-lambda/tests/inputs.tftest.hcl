# What inputs are refused. Each run changes one thing of the valid inputs below.

mock_provider "aws" {
  mock_data "aws_caller_identity" {
    defaults = { account_id = "123456789012" }
  }
  mock_data "aws_partition" {
    defaults = { partition = "aws" }
  }
  mock_data "aws_region" {
    defaults = { region = "eu-central-1" }
  }
}

variables {
  artifact               = "./tests/fixtures/function.zip"
  database               = { jdbc_url = "jdbc:postgresql://db.example/seatfast?sslmode=verify-full" }
  database_password_file = "./tests/fixtures/password"
}

run "these_are_valid" {
  command = plan
}

run "name_with_capitals" {
  command = plan

  variables {
    name = "Seatfast"
  }

  expect_failures = [var.name]
}

run "name_with_a_double_hyphen" {
  command = plan

  variables {
    name = "hold--fast"
  }

  expect_failures = [var.name]
}

run "artifact_that_is_not_there" {
  command = plan

  variables {
    artifact = "./tests/fixtures/missing.zip"
  }

  expect_failures = [var.artifact]
}

run "artifact_that_is_no_zip" {
  command = plan

  variables {
    artifact = "./tests/fixtures/password"
  }

  expect_failures = [var.artifact]
}

run "architecture_unknown" {
  command = plan

  variables {
    architecture = "arm"
  }

  expect_failures = [var.architecture]
}

run "memory_below_what_lambda_has" {
  command = plan

  variables {
    memory_mb = 64
  }

  expect_failures = [var.memory_mb]
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
    environment = { SEATFAST_NAMESPACE = "other" }
  }

  expect_failures = [var.environment]
}

run "authorization_unknown" {
  command = plan

  variables {
    url_authorization = "OPEN"
  }

  expect_failures = [var.url_authorization]
}

run "invokers_are_everybody" {
  command = plan

  variables {
    url_invokers = ["*"]
  }

  expect_failures = [var.url_invokers]
}

run "invokers_of_an_open_url" {
  command = plan

  variables {
    url_authorization = "NONE"
    url_invokers      = ["arn:aws:iam::123456789012:root"]
  }

  expect_failures = [var.url_invokers]
}

run "token_too_short" {
  command = plan

  variables {
    internal_token = "secret"
  }

  expect_failures = [var.internal_token]
}

run "token_with_a_comma" {
  command = plan

  variables {
    internal_token = "a-token,with-a-comma-in-its-middle"
  }

  expect_failures = [var.internal_token]
}

run "schedule_of_another_kind" {
  command = plan

  variables {
    sweep_schedule = "every 5 minutes"
  }

  expect_failures = [var.sweep_schedule]
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

run "iam_without_a_resource_id" {
  command = plan

  variables {
    database_iam           = true
    database_password_file = null
  }

  expect_failures = [var.database]
}

run "no_database" {
  command = plan

  variables {
    database = null
  }

  expect_failures = [var.rds]
}

run "two_databases" {
  command = plan

  variables {
    rds = { subnet_ids = ["subnet-a", "subnet-b"] }
    vpc = { id = "vpc-1", subnet_ids = ["subnet-a"] }
  }

  expect_failures = [var.rds]
}

run "rds_in_one_subnet" {
  command = plan

  variables {
    database = null
    rds      = { subnet_ids = ["subnet-a"] }
    vpc      = { id = "vpc-1", subnet_ids = ["subnet-a"] }
  }

  expect_failures = [var.rds]
}

run "rds_without_a_vpc" {
  command = plan

  variables {
    database = null
    rds      = { subnet_ids = ["subnet-a", "subnet-b"] }
  }

  expect_failures = [var.vpc]
}

run "rds_storage_maximum_below_the_storage" {
  command = plan

  variables {
    database = null
    rds      = { subnet_ids = ["subnet-a", "subnet-b"], storage_gb = 200 }
    vpc      = { id = "vpc-1", subnet_ids = ["subnet-a"] }
  }

  expect_failures = [var.rds]
}

run "rds_backups_too_long" {
  command = plan

  variables {
    database = null
    rds      = { subnet_ids = ["subnet-a", "subnet-b"], backup_days = 36 }
    vpc      = { id = "vpc-1", subnet_ids = ["subnet-a"] }
  }

  expect_failures = [var.rds]
}

run "rds_open_to_the_internet" {
  command = plan

  variables {
    database = null
    rds      = { subnet_ids = ["subnet-a", "subnet-b"], client_cidrs = ["0.0.0.0/0"] }
    vpc      = { id = "vpc-1", subnet_ids = ["subnet-a"] }
  }

  expect_failures = [var.rds]
}

run "rds_whose_certificate_the_command_can_not_verify" {
  command = plan

  variables {
    database = null
    command  = ["seatfast"]
    rds      = { subnet_ids = ["subnet-a", "subnet-b"] }
    vpc      = { id = "vpc-1", subnet_ids = ["subnet-a"] }
  }

  expect_failures = [var.rds]
}

run "database_user_with_a_quote" {
  command = plan

  variables {
    database_username = "o'brien"
  }

  expect_failures = [var.database_username]
}

run "neither_password_nor_iam" {
  command = plan

  variables {
    database_password_file = null
  }

  expect_failures = [var.database_password_file]
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
    database_password_file = "./tests/fixtures/short-password"
  }

  expect_failures = [var.database_password_file]
}

run "no_instances" {
  command = plan

  variables {
    reserved_concurrency = 0
  }

  expect_failures = [var.reserved_concurrency]
}

run "more_connections_than_the_database_has" {
  command = plan

  variables {
    reserved_concurrency     = 31
    connections_per_instance = 2
  }

  expect_failures = [var.reserved_concurrency]
}

run "pool_of_none" {
  command = plan

  variables {
    connections_per_instance = 0
  }

  expect_failures = [var.connections_per_instance]
}

run "vpc_without_subnets" {
  command = plan

  variables {
    vpc = { id = "vpc-1", subnet_ids = [], security_group_ids = ["sg-1"] }
  }

  expect_failures = [var.vpc]
}

run "vpc_without_security_groups" {
  command = plan

  variables {
    vpc = { id = "vpc-1", subnet_ids = ["subnet-a"] }
  }

  expect_failures = [var.vpc]
}

run "log_retention_that_cloudwatch_lacks" {
  command = plan

  variables {
    log_retention_days = 8
  }

  expect_failures = [var.log_retention_days]
}

run "topic_that_is_no_topic" {
  command = plan

  variables {
    alarm_topic_arns = ["me@example.org"]
  }

  expect_failures = [var.alarm_topic_arns]
}

run "alarm_at_no_time" {
  command = plan

  variables {
    alarm_duration_p99_ms = 0
  }

  expect_failures = [var.alarm_duration_p99_ms]
}

run "secret_recovery_that_aws_lacks" {
  command = plan

  variables {
    secret_recovery_days = 3
  }

  expect_failures = [var.secret_recovery_days]
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
