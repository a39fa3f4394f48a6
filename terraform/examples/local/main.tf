# The service on this machine with an embedded PostgreSQL, or with yours.

module "seatfast" {
  source = "../../modules/local"

  artifact    = var.artifact
  directory   = var.directory
  port        = var.port
  namespace   = var.namespace
  state       = var.state
  database    = var.database
  environment = var.environment
}
