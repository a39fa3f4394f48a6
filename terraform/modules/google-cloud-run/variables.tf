# What runs

variable "project" {
  description = "The project that everything is made in."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{4,28}[a-z0-9]$", var.project))
    error_message = "The project must be a project id, not its number or display name."
  }
}

variable "region" {
  description = "The region that everything is made in."
  type        = string
  nullable    = false
}

variable "name" {
  description = "Name of the service and of everything made for it; one stack of a name per project and region."
  type        = string
  default     = "seatfast"
  nullable    = false

  validation {
    condition     = can(regex("^[a-z](-?[a-z0-9]){3,19}$", var.name))
    error_message = "The name must be 4 to 20 lower-case letters, digits and single hyphens, starting with a letter."
  }
}

variable "image" {
  description = "The container image; one with a digest (`...@sha256:...`) cannot change later."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[^[:space:]]+(:[A-Za-z0-9_.-]+|@sha256:[0-9a-f]{64})$", var.image)) && !endswith(var.image, ":latest")
    error_message = "The image must have a tag other than latest, or a digest."
  }
}

variable "cpu" {
  description = "Processors of one instance, such as `1` or `2`; `500m` and the like only with `concurrency` 1."
  type        = string
  default     = "1"
  nullable    = false

  validation {
    condition     = can(regex("^([1-8]|[1-9][0-9]{1,2}m)$", var.cpu))
    error_message = "The processors must be 1 to 8, or 10m to 999m."
  }

  validation {
    condition     = !endswith(var.cpu, "m") || var.concurrency == 1
    error_message = "Cloud Run gives less than one processor only to a concurrency of 1."
  }
}

variable "memory" {
  description = "Memory of one instance, such as `512Mi`."
  type        = string
  default     = "512Mi"
  nullable    = false

  validation {
    condition     = can(regex("^[1-9][0-9]*(Mi|Gi)$", var.memory))
    error_message = "The memory must be a whole number of Mi or Gi."
  }
}

variable "concurrency" {
  description = "Requests that one instance serves at once; those for one workshop share transactions."
  type        = number
  default     = 80
  nullable    = false

  validation {
    condition     = contains(range(1, 1001), var.concurrency)
    error_message = "The concurrency must be a whole number of 1 to 1000."
  }
}

variable "timeout_s" {
  description = "The longest that one request may take, in seconds; a sweep may take 20."
  type        = number
  default     = 30
  nullable    = false

  validation {
    condition     = var.timeout_s >= 25 && var.timeout_s <= 3600 && floor(var.timeout_s) == var.timeout_s
    error_message = "The timeout must be a whole number of 25 to 3600 seconds: a sweep takes up to 20."
  }
}

variable "default_capacity" {
  description = "Seats of a workshop whose capacity was never set."
  type        = number
  default     = 4
  nullable    = false

  validation {
    condition = (
      var.default_capacity >= 0 && var.default_capacity <= 1000000000 && floor(var.default_capacity) == var.default_capacity
    )
    error_message = "The default capacity must be a whole number of 0 to 1,000,000,000."
  }
}

variable "environment" {
  description = "Further settings of the service, such as `SEATFAST_HOLD_TIME_TO_LIVE`; none that this module sets."
  type        = map(string)
  default     = {}
  nullable    = false

  validation {
    condition     = alltrue([for key in keys(var.environment) : can(regex("^(SEATFAST|QUARKUS)_[A-Z0-9_]+$", key))])
    error_message = "Every further setting must be named SEATFAST_... or QUARKUS_..., in capitals."
  }

  validation {
    condition = length(setintersection(keys(var.environment), [
      "SEATFAST_ACCESS", "SEATFAST_IDENTITIES_AUDIENCE", "SEATFAST_IDENTITIES_ISSUER",
      "SEATFAST_IDENTITIES_JWKS_URL", "SEATFAST_IDENTITIES_TENANT_CLAIM",
      "SEATFAST_BATCH_TRANSACTIONS_MAX", "SEATFAST_DATABASE_PASSWORD_FILE", "SEATFAST_DEFAULT_CAPACITY",
      "SEATFAST_INTERNAL_TOKEN", "SEATFAST_NAMESPACE", "SEATFAST_NAMESPACE_STATE", "SEATFAST_SWEEP_EVERY",
      "QUARKUS_DATASOURCE_JDBC_MAX_SIZE", "QUARKUS_DATASOURCE_JDBC_URL", "QUARKUS_DATASOURCE_PASSWORD",
      "QUARKUS_DATASOURCE_USERNAME", "QUARKUS_HTTP_PORT",
    ])) == 0
    error_message = "A setting that the module makes of its own inputs must not be given as a further one."
  }
}

variable "min_instances" {
  description = "Instances that always run; 0 lets the service sleep."
  type        = number
  default     = 0
  nullable    = false

  validation {
    condition     = var.min_instances >= 0 && var.min_instances <= var.max_instances && floor(var.min_instances) == var.min_instances
    error_message = "The instances that always run must be a whole number from 0 to max_instances."
  }
}

variable "max_instances" {
  description = "Instances at most; with `connections_per_instance` it bounds the connections to the database."
  type        = number
  default     = 5
  nullable    = false

  validation {
    condition     = var.max_instances >= 1 && floor(var.max_instances) == var.max_instances
    error_message = "The most instances must be a whole number from 1."
  }

  validation {
    condition     = var.max_instances * var.connections_per_instance <= var.database_connections_max
    error_message = "max_instances x connections_per_instance must not exceed database_connections_max."
  }
}

# Who may call

variable "public" {
  description = "Whether everybody on the internet may call the service."
  type        = bool
  default     = false
  nullable    = false
}

variable "invokers" {
  description = "Who may call the service, such as `serviceAccount:shop@project.iam.gserviceaccount.com`."
  type        = set(string)
  default     = []
  nullable    = false

  validation {
    condition     = alltrue([for member in var.invokers : can(regex("^(user|serviceAccount|group|domain|principal|principalSet):.+$", member))])
    error_message = "Every invoker must be user:, serviceAccount:, group:, domain:, principal: or principalSet:; for everybody set public."
  }
}

variable "ingress" {
  description = "Where calls may come from: `INGRESS_TRAFFIC_ALL`, `INGRESS_TRAFFIC_INTERNAL_ONLY` or `INGRESS_TRAFFIC_INTERNAL_LOAD_BALANCER`."
  type        = string
  default     = "INGRESS_TRAFFIC_ALL"
  nullable    = false

  validation {
    condition = contains(
      ["INGRESS_TRAFFIC_ALL", "INGRESS_TRAFFIC_INTERNAL_ONLY", "INGRESS_TRAFFIC_INTERNAL_LOAD_BALANCER"], var.ingress
    )
    error_message = "The ingress must be INGRESS_TRAFFIC_ALL, INGRESS_TRAFFIC_INTERNAL_ONLY or INGRESS_TRAFFIC_INTERNAL_LOAD_BALANCER."
  }
}

variable "access" {
  description = "Which credentials the service asks for: `open` (none; the platform guards the way in), `tokens`, `identities` or `both`."
  type        = string
  default     = "open"
  nullable    = false

  validation {
    condition     = contains(["open", "tokens", "identities", "both"], var.access)
    error_message = "The access must be open, tokens, identities or both."
  }

  validation {
    condition     = contains(["identities", "both"], var.access) == (var.identities != null)
    error_message = "Identities need their issuer, and an issuer is of use only with identities: give both or neither."
  }
}

variable "identities" {
  description = "The OpenID provider whose signed identities the service takes, and the claim that is the tenant; null for none."
  type = object({
    issuer       = string
    audience     = string
    jwks_url     = string
    tenant_claim = optional(string)
  })
  default = null

  validation {
    condition     = var.identities == null || can(regex("^https://", var.identities.jwks_url))
    error_message = "The URL of the provider's keys must be an https URL."
  }
}

variable "internal_token_file" {
  description = "The file with the bearer token of the operator routes, on the machine that runs Terraform; null closes those routes. `openssl rand -hex 32` makes one."
  type        = string
  default     = null

  validation {
    condition     = var.internal_token_file == null || can(regex("^[A-Za-z0-9._~+/=-]{24,256}$", trimspace(file(var.internal_token_file))))
    error_message = "The token's file must exist and hold 24 to 256 characters of A-Z a-z 0-9 . _ ~ + / = -."
  }
}

variable "sweep" {
  description = "A job that has expired holds tidied up, with any image that has `sh` and `curl`; null for none. Needs the token."
  type = object({
    schedule  = optional(string, "7 * * * *")
    time_zone = optional(string, "Etc/UTC")
    image     = optional(string, "docker.io/curlimages/curl:8.11.1")
  })
  default = null

  validation {
    condition     = var.sweep == null || var.internal_token_file != null
    error_message = "The sweep is a route for operators: give internal_token_file as well."
  }

  validation {
    condition     = var.sweep == null || try(length(split(" ", var.sweep.schedule)) == 5, false)
    error_message = "The sweep's schedule must be a cron line of five fields."
  }

  validation {
    condition     = var.sweep == null || var.ingress == "INGRESS_TRAFFIC_ALL" || var.vpc != null
    error_message = "A service with internal ingress can be swept only from inside a VPC: give vpc as well."
  }
}

# The namespace

variable "namespace" {
  description = "The schema that this deployment owns."
  type        = string
  default     = "seatfast"
  nullable    = false

  validation {
    condition     = can(regex("^[a-z][a-z0-9_]{0,47}$", var.namespace))
    error_message = "The namespace must match [a-z][a-z0-9_]{0,47}."
  }
}

variable "namespace_state" {
  description = "`active`, or `deleted`: the tombstone, which is final."
  type        = string
  default     = "active"
  nullable    = false

  validation {
    condition     = contains(["active", "deleted"], var.namespace_state)
    error_message = "The state of the namespace must be active or deleted."
  }
}

variable "command" {
  description = "The program that migrates and tombstones, run where Terraform runs, such as `[\"java\", \"-jar\", \"quarkus-run.jar\"]`; null if both are done elsewhere."
  type        = list(string)
  default     = null

  validation {
    condition     = var.command == null || try(length(var.command) > 0 && alltrue([for part in var.command : part != ""]), false)
    error_message = "The command must be null or a program and its arguments, none of them empty."
  }
}

variable "command_jdbc_url" {
  description = "How the command reaches the database, if not as the function does: for example through a tunnel."
  type        = string
  default     = null

  validation {
    condition     = var.command_jdbc_url == null || can(regex("^jdbc:postgresql://[^[:space:]]+$", var.command_jdbc_url))
    error_message = "The command's JDBC URL must start with jdbc:postgresql://."
  }
}

# The database

variable "database" {
  description = "A PostgreSQL that exists: its JDBC URL. Either this or `cloud_sql`."
  type        = object({ jdbc_url = string })
  default     = null

  validation {
    condition     = var.database == null || can(regex("^jdbc:postgresql://[^[:space:]]+$", var.database.jdbc_url))
    error_message = "The database's JDBC URL must start with jdbc:postgresql://."
  }

  validation {
    condition     = var.database == null || !can(regex("[?&](user|password)=", var.database.jdbc_url))
    error_message = "The database's JDBC URL must carry neither user nor password; they have inputs of their own."
  }
}

variable "cloud_sql" {
  description = "A Cloud SQL PostgreSQL to make, reachable at a private address only; `network` (its id) needs private services access. Either this or `database`."
  type = object({
    network           = string
    database_version  = optional(string, "POSTGRES_17")
    tier              = optional(string, "db-custom-1-3840")
    availability_type = optional(string, "REGIONAL")
    disk_gb           = optional(number, 10)
    disk_gb_max       = optional(number, 100)
    backups           = optional(number, 7)
    database_name     = optional(string, "seatfast")
  })
  default = null

  validation {
    condition     = (var.cloud_sql == null) != (var.database == null)
    error_message = "Exactly one of cloud_sql (to make a database) and database (to use one) must be given."
  }

  validation {
    condition     = var.cloud_sql == null || try(can(regex("^POSTGRES_1[4-9]$", var.cloud_sql.database_version)), false)
    error_message = "The database must be POSTGRES_14 or newer."
  }

  validation {
    condition     = var.cloud_sql == null || try(contains(["REGIONAL", "ZONAL"], var.cloud_sql.availability_type), false)
    error_message = "The availability must be REGIONAL (a standby in another zone) or ZONAL."
  }

  validation {
    condition     = var.cloud_sql == null || try(var.cloud_sql.disk_gb >= 10 && var.cloud_sql.disk_gb_max >= var.cloud_sql.disk_gb, false)
    error_message = "The disk must have at least 10 GB, and its maximum not be below that."
  }

  validation {
    condition     = var.cloud_sql == null || try(var.cloud_sql.backups >= 0 && var.cloud_sql.backups <= 365, false)
    error_message = "0 (none) to 365 daily backups can be kept."
  }
}

variable "database_username" {
  description = "Who the service is at the database."
  type        = string
  default     = "seatfast"
  nullable    = false

  validation {
    condition     = can(regex("^[a-z][a-z0-9_]{0,62}$", var.database_username))
    error_message = "The database's user must match [a-z][a-z0-9_]{0,62}."
  }
}

variable "database_password_file" {
  description = "The file with the user's password, on the machine that runs Terraform."
  type        = string
  nullable    = false

  validation {
    condition     = try(length(trimspace(file(var.database_password_file))) >= 16, false)
    error_message = "The password's file must exist and hold at least 16 characters."
  }
}

variable "secrets_version" {
  description = "Raise it when the password or the token changes, so that Cloud SQL and Secret Manager get the new one."
  type        = number
  default     = 1
  nullable    = false
}

variable "connections_per_instance" {
  description = "Size of an instance's pool."
  type        = number
  default     = 8
  nullable    = false

  validation {
    condition     = contains(range(1, 101), var.connections_per_instance)
    error_message = "An instance has 1 to 100 connections."
  }
}

variable "database_connections_max" {
  description = "Connections that the database can spare for this service."
  type        = number
  default     = 60
  nullable    = false
}

variable "vpc" {
  description = "The network and subnetwork that the service reaches private addresses through."
  type = object({
    network    = string
    subnetwork = string
  })
  default = null

  validation {
    condition     = var.cloud_sql == null || var.vpc != null
    error_message = "A database that the module makes has a private address only: give vpc as well."
  }
}

# Keeping, deleting

variable "deletion_protection" {
  description = "Whether Terraform and Google refuse to delete the service and the database that the module made."
  type        = bool
  default     = true
  nullable    = false
}

variable "retain_backups" {
  description = "Whether the database's backups stay when the database goes."
  type        = bool
  default     = true
  nullable    = false
}

variable "labels" {
  description = "Labels of everything that can have some."
  type        = map(string)
  default     = {}
  nullable    = false
}
