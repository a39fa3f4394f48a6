# What is planned for valid inputs. Only what is known before anything exists can be asked here.

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

run "defaults_are_closed_and_safe" {
  command = plan

  assert {
    condition     = aws_lambda_function_url.this.authorization_type == "AWS_IAM" && length(aws_lambda_permission.url) == 0
    error_message = "The URL must be closed to everybody whom nobody named."
  }
  assert {
    condition     = aws_lambda_function.this.reserved_concurrent_executions == 10
    error_message = "Instances, and so connections, must be bounded."
  }
  assert {
    condition     = aws_lambda_function.this.environment[0].variables["SEATFAST_SWEEP_EVERY"] == "off"
    error_message = "A function must have no timer."
  }
  assert {
    condition     = !contains(keys(aws_lambda_function.this.environment[0].variables), "SEATFAST_INTERNAL_TOKEN")
    error_message = "Without a token the operators' routes must stay closed."
  }
  assert {
    condition     = length(aws_scheduler_schedule.sweep) == 0 && length(aws_iam_role.sweep) == 0
    error_message = "Without a token nothing can sweep."
  }
  assert {
    condition = (
      length(aws_iam_role_policy.network) == 0 && length(aws_iam_role_policy.database) == 0 &&
      length(aws_iam_role_policy.key) == 0
    )
    error_message = "The role must not have what this deployment doesn't need."
  }
  assert {
    condition     = length(aws_db_instance.this) == 0 && length(module.namespace) == 0
    error_message = "Nothing that nobody asked for."
  }
  assert {
    condition     = aws_secretsmanager_secret.this[0].recovery_window_in_days == 30
    error_message = "A deleted secret can be brought back."
  }
}

run "function_never_makes_its_own_log_group" {
  command = plan

  assert {
    condition     = aws_lambda_function.this.logging_config[0].log_group == "/aws/lambda/seatfast"
    error_message = "The function must log to the group that Terraform owns."
  }
}

run "open_url_needs_both_permissions" {
  command = plan

  variables {
    url_authorization = "NONE"
  }

  assert {
    condition     = aws_lambda_permission.url["*"].function_url_auth_type == "NONE"
    error_message = "Everybody may call the URL."
  }
  assert {
    condition     = aws_lambda_permission.invoke_through_url["*"].invoked_via_function_url
    error_message = "Everybody may invoke the function, but only through its URL."
  }
}

run "sweep_is_a_request_to_the_function" {
  command = plan

  variables {
    internal_token = "a-token-for-tests-of-the-plan"
  }

  assert {
    condition     = local.sweep_request.requestContext.http.method == "POST" && local.sweep_request.rawPath == "/internal/sweep"
    error_message = "The scheduler must send POST /internal/sweep."
  }
  assert {
    condition     = local.sweep_request.headers.authorization == "Bearer a-token-for-tests-of-the-plan"
    error_message = "The sweep must carry the operators' token."
  }
  assert {
    condition     = aws_scheduler_schedule.sweep[0].target[0].retry_policy[0].maximum_retry_attempts == 0
    error_message = "The next sweep is the retry."
  }
}

run "made_database_is_protected" {
  command = plan

  variables {
    database = null
    rds      = { subnet_ids = ["subnet-a", "subnet-b"] }
    vpc      = { id = "vpc-1", subnet_ids = ["subnet-a", "subnet-b"] }
  }

  assert {
    condition = (
      aws_db_instance.this[0].deletion_protection && !aws_db_instance.this[0].skip_final_snapshot &&
      !aws_db_instance.this[0].delete_automated_backups && aws_db_instance.this[0].storage_encrypted &&
      !aws_db_instance.this[0].publicly_accessible
    )
    error_message = "A database must survive a mistake unless somebody chose otherwise."
  }
  assert {
    condition     = length(aws_iam_role_policy.network) == 1
    error_message = "In a VPC, Lambda needs the role to make network interfaces."
  }
  assert {
    condition     = can(regex("^[0-9]{14}$", terraform_data.created[0].input))
    error_message = "A last snapshot needs a name that no earlier one has."
  }
}

run "disposable_stack_leaves_nothing" {
  command = plan

  variables {
    database                 = null
    rds                      = { subnet_ids = ["subnet-a", "subnet-b"] }
    vpc                      = { id = "vpc-1", subnet_ids = ["subnet-a", "subnet-b"] }
    deletion_protection      = false
    skip_final_snapshot      = true
    delete_automated_backups = true
    secret_recovery_days     = 0
  }

  assert {
    condition = (
      !aws_db_instance.this[0].deletion_protection && aws_db_instance.this[0].skip_final_snapshot &&
      aws_db_instance.this[0].delete_automated_backups && aws_secretsmanager_secret.this[0].recovery_window_in_days == 0
    )
    error_message = "A disposable stack must go whole."
  }
}

run "iam_needs_no_password_and_no_secret" {
  command = plan

  variables {
    database = {
      jdbc_url        = "jdbc:postgresql://db.example/seatfast?sslmode=verify-full"
      iam_resource_id = "db-ABCDEFGH"
    }
    database_iam           = true
    database_password_file = null
  }

  assert {
    condition     = strcontains(aws_iam_role_policy.database[0].policy, "rds-db:eu-central-1:123456789012:dbuser:db-ABCDEFGH/seatfast")
    error_message = "The role may connect as this user to this database, and as no other to no other."
  }
  assert {
    condition     = aws_lambda_function.this.environment[0].variables["SEATFAST_DATABASE_AWS_IAM_REGION"] == "eu-central-1"
    error_message = "The service must make its own tokens."
  }
  assert {
    condition = (
      length(aws_secretsmanager_secret.this) == 0 &&
      !contains(keys(aws_lambda_function.this.environment[0].variables), "QUARKUS_DATASOURCE_PASSWORD")
    )
    error_message = "Where there is no secret, none must be kept."
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
  assert {
    condition     = aws_lambda_function.this.environment[0].variables["SEATFAST_NAMESPACE_STATE"] == "deleted"
    error_message = "The function must know the state as well."
  }
}

run "identities_reach_the_service" {
  command = plan

  variables {
    access     = "both"
    identities = { issuer = "https://issuer.example", audience = "seatfast", jwks_url = "https://issuer.example/keys" }
  }

  assert {
    condition     = aws_lambda_function.this.environment[0].variables["SEATFAST_ACCESS"] == "both"
    error_message = "The service must ask for the credentials that were chosen."
  }
  assert {
    condition     = aws_lambda_function.this.environment[0].variables["SEATFAST_IDENTITIES_ISSUER"] == "https://issuer.example"
    error_message = "The service must know whose identities it takes."
  }
}
