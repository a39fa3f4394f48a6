variable "artifact" {
  description = "The program: the folder of the fast-jar (target/quarkus-app), or the native executable. Give each version a path of its own, because a running program must not change."
  type        = string

  validation {
    condition     = try(fileexists("${var.artifact}/quarkus-run.jar"), false) || try(fileexists(var.artifact), false)
    error_message = "artifact must be a folder with a quarkus-run.jar, or a native executable."
  }
}

variable "java" {
  description = "The Java that runs a fast-jar, 17 or newer."
  type        = string
  default     = "java"
}

variable "directory" {
  description = "The folder of this service: who runs, its log, and the data of an embedded PostgreSQL. Made when missing, removed on destroy."
  type        = string

  validation {
    condition     = length(var.directory) > 0 && abspath(var.directory) != "/"
    error_message = "directory must be a folder of the service's own."
  }
}

variable "port" {
  description = "Where the service listens on the loopback address, 1024 to 65535."
  type        = number
  default     = 8080

  validation {
    condition     = var.port >= 1024 && var.port <= 65535 && floor(var.port) == var.port
    error_message = "port must be a whole number from 1024 to 65535."
  }
}

variable "namespace" {
  description = "The schema that the service owns. A deleted one cannot be used again."
  type        = string
  default     = "seatfast"
}

variable "state" {
  description = "active, or deleted: all data goes for good, and every route but the probes answers 410."
  type        = string
  default     = "active"
}

variable "database" {
  description = "A PostgreSQL; null for an embedded one below the directory. The password comes from a file or from Terraform's own environment (QUARKUS_DATASOURCE_PASSWORD)."
  type = object({
    jdbc_url      = string
    username      = string
    password_file = optional(string)
  })
  default = null
}

variable "environment" {
  description = "Further settings as environment variables. No secrets: they would end up in the state; what is set where Terraform runs, such as SEATFAST_INTERNAL_TOKEN, reaches the service too."
  type        = map(string)
  default     = {}

  validation {
    condition     = length(setintersection(keys(var.environment), ["SEATFAST_INTERNAL_TOKEN", "QUARKUS_DATASOURCE_PASSWORD"])) == 0
    error_message = "Secrets must not be in environment: they would end up in the state. Set them where Terraform runs."
  }
}

variable "ready_seconds" {
  description = "The longest that the service may take to be ready, 1 to 600."
  type        = number
  default     = 60

  validation {
    condition     = var.ready_seconds >= 1 && var.ready_seconds <= 600
    error_message = "ready_seconds must be from 1 to 600."
  }
}
