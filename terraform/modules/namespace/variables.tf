variable "command" {
  description = "The program, as a list of words, that runs on the machine that runs Terraform: [\"java\", \"-jar\", \".../quarkus-run.jar\"], or the native executable. It must be there when the namespace is destroyed, too."
  type        = list(string)

  validation {
    condition     = length(var.command) > 0 && alltrue([for word in var.command : length(word) > 0])
    error_message = "command must name a program."
  }
}

variable "artifact" {
  description = "A value that changes with the program, such as its hash: the namespace is then migrated again."
  type        = string
  default     = ""
}

variable "name" {
  description = "The schema that the deployment owns. A deleted one cannot be used again."
  type        = string
  default     = "seatfast"

  validation {
    condition     = can(regex("^[a-z][a-z0-9_]{0,47}$", var.name)) && !startswith(var.name, "pg_") && var.name != "information_schema"
    error_message = "name must match [a-z][a-z0-9_]{0,47} and not be a schema of PostgreSQL's own."
  }
}

variable "state" {
  description = "active, or deleted: all data goes for good and the tombstone stays."
  type        = string
  default     = "active"

  validation {
    condition     = contains(["active", "deleted"], var.state)
    error_message = "state must be active or deleted."
  }
}

variable "database" {
  description = "The PostgreSQL and the user that migrates it; null if the program finds it by itself. The password comes from a file or from Terraform's own environment (QUARKUS_DATASOURCE_PASSWORD), never from the configuration: it would end up in the state."
  type = object({
    jdbc_url      = string
    username      = string
    password_file = optional(string)
  })
  default = null

  validation {
    condition     = var.database == null || startswith(try(var.database.jdbc_url, ""), "jdbc:postgresql:")
    error_message = "database.jdbc_url must begin with jdbc:postgresql:."
  }

  validation {
    condition     = !can(regex("[?&]password=", var.database.jdbc_url))
    error_message = "database.jdbc_url must not hold the password: it would end up in the state. Use password_file or QUARKUS_DATASOURCE_PASSWORD."
  }

  validation {
    condition     = var.database == null || length(try(var.database.username, "")) > 0
    error_message = "database.username must not be empty."
  }
}

variable "environment" {
  description = "Further settings of the program as environment variables, such as those of an embedded database. No secrets: they would end up in the state."
  type        = map(string)
  default     = {}
}
