module "namespace" {
  source = "../namespace"
  count  = var.command == null ? 0 : 1

  command  = var.command
  name     = var.namespace
  state    = var.namespace_state
  artifact = local.artifact_hash

  database = {
    jdbc_url      = coalesce(var.command_jdbc_url, local.rds_command_jdbc_url, local.jdbc_url)
    username      = var.database_username
    password_file = var.database_password_file
  }

  # The command connects as soon as there is a database, so its way in must be open by then.
  depends_on = [
    aws_db_instance.this,
    aws_vpc_security_group_ingress_rule.client_group,
    aws_vpc_security_group_ingress_rule.client_cidr,
  ]
}
