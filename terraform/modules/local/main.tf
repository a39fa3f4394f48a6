locals {
  directory = abspath(var.directory)
  is_jar    = try(fileexists("${var.artifact}/quarkus-run.jar"), false)
  command   = local.is_jar ? [var.java, "-jar", abspath("${var.artifact}/quarkus-run.jar")] : [abspath(var.artifact)]

  # All files count: an upgrade may change nothing but one jar among them.
  artifact = local.is_jar ? sha256(join("", [
    for file in sort(fileset(var.artifact, "**")) : "${file} ${filesha256("${var.artifact}/${file}")}"
  ])) : filesha256(var.artifact)

  environment = merge(
    { SEATFAST_SWEEP_EVERY = "30s" },
    var.environment,
    var.database != null ? {} : {
      SEATFAST_EMBEDDED_DATABASE     = "true"
      SEATFAST_EMBEDDED_DATABASE_DIR = "${local.directory}/postgres"
    },
  )

  service_environment = merge(
    local.environment,
    {
      SEATFAST_NAMESPACE       = var.namespace
      SEATFAST_NAMESPACE_STATE = var.state
      SEATFAST_MIGRATE         = "never" # the namespace module did
      QUARKUS_HTTP_HOST        = "127.0.0.1"
      QUARKUS_HTTP_PORT        = tostring(var.port)
    },
    var.database == null ? {} : {
      QUARKUS_DATASOURCE_JDBC_URL = var.database.jdbc_url
      QUARKUS_DATASOURCE_USERNAME = var.database.username
    },
    try(var.database.password_file, null) == null ? {} : {
      SEATFAST_DATABASE_PASSWORD_FILE = var.database.password_file
    },
  )

  # Who runs, as the supervisor noted it, and whether that process is still there. Its start time
  # tells it from another one that got its number. Where there is no /proc, it counts as alive.
  run         = try(jsondecode(file("${local.directory}/run.json")), null)
  supervisor  = try("/proc/${local.run.supervisor.pid}/stat", "")
  sees_proc   = fileexists("/proc/self/stat")
  fields      = try(split(" ", regex("\\) (.*)$", trimspace(file(local.supervisor)))[0]), [])
  ticks       = try(local.fields[0] == "Z" ? "" : local.fields[19], "")
  is_alive    = local.run != null && (!local.sees_proc || local.ticks == try(local.run.supervisor.started, "-"))
  replaces_it = local.run == null ? "nothing" : local.is_alive ? local.run.replaces : local.run.id
}

# The folder; first to come and last to go.
resource "terraform_data" "directory" {
  input            = local.directory
  triggers_replace = local.directory

  provisioner "local-exec" {
    command     = "mkdir -p \"$DIRECTORY\""
    environment = { DIRECTORY = self.input }
  }

  # Only what is ours; a folder with something else in it stays.
  provisioner "local-exec" {
    when        = destroy
    command     = "cd \"$DIRECTORY\" 2> /dev/null || exit 0; rm -rf postgres run.json service.log supervisor.lock; cd / && rmdir \"$DIRECTORY\" 2> /dev/null || true"
    environment = { DIRECTORY = self.output }
  }
}

module "namespace" {
  source = "../namespace"

  command     = local.command
  artifact    = local.artifact
  name        = var.namespace
  state       = var.state
  database    = var.database
  environment = local.environment

  depends_on = [terraform_data.directory]
}

# The process. It is replaced when anything about it changes, and when it is not there any more,
# however it ended: the run that is to be replaced is among the triggers.
resource "terraform_data" "service" {
  input = {
    url       = "http://localhost:${var.port}"
    directory = local.directory
    stop      = "'${abspath(path.module)}/supervise.py' stop"
  }
  triggers_replace = {
    artifact    = local.artifact
    command     = local.command
    environment = local.service_environment
    namespace   = module.namespace.name
    state       = module.namespace.state
    replaces    = local.replaces_it
  }

  provisioner "local-exec" {
    command = "python3 '${abspath(path.module)}/supervise.py' start"
    environment = {
      SEATFAST_LOCAL = jsonencode({
        directory     = local.directory
        command       = local.command
        environment   = local.service_environment
        port          = var.port
        ready_seconds = var.ready_seconds
        replaces      = local.replaces_it
      })
    }
  }

  provisioner "local-exec" {
    when        = destroy
    command     = "python3 ${self.output.stop}"
    environment = { SEATFAST_LOCAL = jsonencode({ directory = self.output.directory }) }
  }
}
