# What the module refuses before anything happens.

variables {
  command = ["seatfast"]
  database = {
    jdbc_url = "jdbc:postgresql://db.example/seatfast"
    username = "owner"
  }
}

run "accepts_what_is_right" {
  command = plan
}

run "quotes_every_word_of_the_command" {
  command = plan
  variables {
    command = ["/opt/my seatfast/it's", "-x"]
  }
  assert {
    condition     = terraform_data.end.input.program == "'/opt/my seatfast/it'\\''s' '-x'"
    error_message = "A word with a space or a quote must reach the program as one word."
  }
}

run "an_upgrade_does_not_end_the_namespace" {
  command = plan
  variables {
    artifact = "another"
  }
  assert {
    condition     = !contains(keys(terraform_data.end.triggers_replace), "artifact") && terraform_data.change.triggers_replace.artifact == "another"
    error_message = "Only the migration may depend on the program."
  }
}

run "refuses_a_name_that_is_no_schema" {
  command = plan
  variables {
    name = "Hold-fast"
  }
  expect_failures = [var.name]
}

run "refuses_a_schema_of_postgresql" {
  command = plan
  variables {
    name = "pg_catalog"
  }
  expect_failures = [var.name]
}

run "refuses_a_state_that_is_none" {
  command = plan
  variables {
    state = "gone"
  }
  expect_failures = [var.state]
}

run "refuses_a_url_that_is_none" {
  command = plan
  variables {
    database = {
      jdbc_url = "postgresql://db.example/seatfast"
      username = "owner"
    }
  }
  expect_failures = [var.database]
}

run "refuses_a_password_in_the_url" {
  command = plan
  variables {
    database = {
      jdbc_url = "jdbc:postgresql://db.example/seatfast?password=secret"
      username = "owner"
    }
  }
  expect_failures = [var.database]
}

run "refuses_nobody" {
  command = plan
  variables {
    database = {
      jdbc_url = "jdbc:postgresql://db.example/seatfast"
      username = ""
    }
  }
  expect_failures = [var.database]
}

run "refuses_no_program" {
  command = plan
  variables {
    command = []
  }
  expect_failures = [var.command]
}
