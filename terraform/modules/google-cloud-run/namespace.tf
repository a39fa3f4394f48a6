module "namespace" {
  source = "../namespace"
  count  = var.command == null ? 0 : 1

  command  = var.command
  name     = var.namespace
  state    = var.namespace_state
  artifact = var.image

  database = {
    jdbc_url      = coalesce(var.command_jdbc_url, local.sql_command_jdbc_url, local.jdbc_url)
    username      = var.database_username
    password_file = var.database_password_file
  }

  # The command connects as this user to this database.
  depends_on = [google_sql_database.this, google_sql_user.this]
}
