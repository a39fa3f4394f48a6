locals {
  # Every word is quoted for the shell; one in it can't end the quotes.
  program = join(" ", [for word in var.command : "'${replace(word, "'", "'\\''")}'"])

  environment = merge(
    var.environment,
    { SEATFAST_NAMESPACE = var.name },
    var.database == null ? {} : {
      QUARKUS_DATASOURCE_JDBC_URL = var.database.jdbc_url
      QUARKUS_DATASOURCE_USERNAME = var.database.username
    },
    try(var.database.password_file, null) == null ? {} : {
      SEATFAST_DATABASE_PASSWORD_FILE = var.database.password_file
    },
  )
}

# What must happen to the schema before anything uses it: again whenever the program, the state or
# the place changes. Both commands change nothing where nothing is to do.
resource "terraform_data" "change" {
  triggers_replace = {
    artifact    = var.artifact
    state       = var.state
    environment = local.environment
  }

  provisioner "local-exec" {
    command     = "${local.program} ${var.state == "deleted" ? "delete" : "migrate"}"
    environment = local.environment
  }

  depends_on = [terraform_data.end]
}

# The end of the schema. Only another name or another database replaces it; then the old schema gets
# its tombstone, and so it does on destroy. The program must not be among what replaces it, or an
# upgrade would delete the data.
resource "terraform_data" "end" {
  triggers_replace = {
    name     = var.name
    jdbc_url = try(var.database.jdbc_url, null)
  }
  input = {
    program     = local.program
    environment = local.environment
  }

  provisioner "local-exec" {
    when        = destroy
    command     = "${self.output.program} delete"
    environment = self.output.environment
  }
}
