# What the module refuses before anything happens, and what it plans.

variables {
  artifact  = "main.tf" # any file stands for a native executable here
  directory = "/nonexistent/seatfast"
}

run "a_file_is_run_as_it_is" {
  command = plan
  assert {
    condition     = join(" ", local.command) == abspath("main.tf") && local.replaces_it == "nothing"
    error_message = "A native executable needs no Java, and nothing runs in a folder that is not there."
  }
}

run "without_a_database_it_is_the_embedded_one" {
  command = plan
  assert {
    condition     = local.service_environment.SEATFAST_EMBEDDED_DATABASE_DIR == "/nonexistent/seatfast/postgres"
    error_message = "The data must be below the directory."
  }
}

run "with_a_database_it_is_that_one" {
  command = plan
  variables {
    database = {
      jdbc_url = "jdbc:postgresql://db.example/seatfast"
      username = "seatfast"
    }
  }
  assert {
    condition     = !contains(keys(local.service_environment), "SEATFAST_EMBEDDED_DATABASE")
    error_message = "An embedded database must not be started beside the given one."
  }
}

run "refuses_an_artifact_that_is_none" {
  command = plan
  variables {
    artifact = "nothing-here"
  }
  expect_failures = [var.artifact]
}

run "refuses_the_root_folder" {
  command = plan
  variables {
    directory = "/"
  }
  expect_failures = [var.directory]
}

run "refuses_a_privileged_port" {
  command = plan
  variables {
    port = 80
  }
  expect_failures = [var.port]
}

run "refuses_a_port_with_a_fraction" {
  command = plan
  variables {
    port = 8080.5
  }
  expect_failures = [var.port]
}

run "refuses_a_secret_that_would_be_in_the_state" {
  command = plan
  variables {
    environment = { SEATFAST_INTERNAL_TOKEN = "secret" }
  }
  expect_failures = [var.environment]
}

run "refuses_to_wait_for_ever" {
  command = plan
  variables {
    ready_seconds = 3600
  }
  expect_failures = [var.ready_seconds]
}
