# What runs

variable "name" {
  description = "Name of the function and of everything made for it; one stack of a name per account and region."
  type        = string
  default     = "seatfast"
  nullable    = false

  validation {
    condition     = can(regex("^[a-z](-?[a-z0-9]){0,39}$", var.name))
    error_message = "The name must be 1 to 40 lower-case letters, digits and single hyphens, starting with a letter."
  }
}

variable "artifact" {
  description = "The zip with the native executable as `bootstrap`, a path on the machine that runs Terraform."
  type        = string
  nullable    = false

  validation {
    condition     = endswith(var.artifact, ".zip") && fileexists(var.artifact)
    error_message = "The artifact must be an existing .zip file."
  }
}

variable "architecture" {
  description = "The processor that the artifact was built for: `arm64` or `x86_64`."
  type        = string
  default     = "arm64"
  nullable    = false

  validation {
    condition     = contains(["arm64", "x86_64"], var.architecture)
    error_message = "The architecture must be arm64 or x86_64."
  }
}

variable "memory_mb" {
  description = "Memory of one instance in MB; the share of a processor grows with it."
  type        = number
  default     = 512
  nullable    = false

  validation {
    condition     = var.memory_mb >= 128 && var.memory_mb <= 10240 && floor(var.memory_mb) == var.memory_mb
    error_message = "The memory must be a whole number of 128 to 10240 MB."
  }
}

variable "timeout_s" {
  description = "The longest that one request may take, in seconds; a sweep may take 20."
  type        = number
  default     = 30
  nullable    = false

  validation {
    condition     = var.timeout_s >= 25 && var.timeout_s <= 900 && floor(var.timeout_s) == var.timeout_s
    error_message = "The timeout must be a whole number of 25 to 900 seconds: a sweep takes up to 20."
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
      "SEATFAST_BATCH_TRANSACTIONS_MAX", "SEATFAST_DATABASE_AWS_IAM_REGION", "SEATFAST_DEFAULT_CAPACITY",
      "SEATFAST_INTERNAL_TOKEN", "SEATFAST_NAMESPACE", "SEATFAST_NAMESPACE_STATE", "SEATFAST_SWEEP_EVERY",
      "QUARKUS_DATASOURCE_JDBC_MAX_SIZE", "QUARKUS_DATASOURCE_JDBC_URL", "QUARKUS_DATASOURCE_PASSWORD",
      "QUARKUS_DATASOURCE_USERNAME",
    ])) == 0
    error_message = "A setting that the module makes of its own inputs must not be given as a further one."
  }
}

# Who may call

variable "url_authorization" {
  description = "Who may call the function URL: `AWS_IAM` (signed requests of who may) or `NONE` (everybody)."
  type        = string
  default     = "AWS_IAM"
  nullable    = false

  validation {
    condition     = contains(["AWS_IAM", "NONE"], var.url_authorization)
    error_message = "The authorization of the URL must be AWS_IAM or NONE."
  }
}

variable "url_invokers" {
  description = "ARNs of accounts, roles or users that may call a URL with `AWS_IAM`, beside those whose own policies allow it."
  type        = set(string)
  default     = []
  nullable    = false

  validation {
    condition     = alltrue([for arn in var.url_invokers : can(regex("^arn:[a-z-]+:iam::[0-9]{12}:(root|(role|user)/.+)$", arn))])
    error_message = "Every invoker must be the ARN of an account's root, a role or a user; never *."
  }

  validation {
    condition     = length(var.url_invokers) == 0 || var.url_authorization == "AWS_IAM"
    error_message = "Invokers can be named only where the authorization of the URL is AWS_IAM."
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

variable "internal_token" {
  description = "Bearer token that grants access to the operator routes and enables the sweep; null for neither. `openssl rand -hex 32` makes one."
  type        = string
  default     = null
  sensitive   = true

  validation {
    condition     = var.internal_token == null || can(regex("^[A-Za-z0-9._~+/=-]{24,256}$", var.internal_token))
    error_message = "The internal token must be 24 to 256 characters of A-Z a-z 0-9 . _ ~ + / = -."
  }
}

variable "sweep_schedule" {
  description = "When expired holds are tidied up, `rate(...)` or `cron(...)`; null for never. Only with an internal token."
  type        = string
  default     = "rate(5 minutes)"

  validation {
    condition     = var.sweep_schedule == null || can(regex("^(rate|cron)\\(.+\\)$", var.sweep_schedule))
    error_message = "The sweep's schedule must be rate(...) or cron(...)."
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
  description = "A PostgreSQL that exists: its URL with `sslmode=verify-full`, and, with IAM authentication, its resource id (`db-...`, `cluster-...` or `prx-...`). Either this or `rds`."
  type = object({
    jdbc_url        = string
    iam_resource_id = optional(string)
  })
  default = null

  validation {
    condition     = var.database == null || can(regex("^jdbc:postgresql://[^[:space:]]+$", var.database.jdbc_url))
    error_message = "The database's JDBC URL must start with jdbc:postgresql://."
  }

  validation {
    condition     = var.database == null || !can(regex("[?&](user|password)=", var.database.jdbc_url))
    error_message = "The database's JDBC URL must carry neither user nor password; they have inputs of their own."
  }

  validation {
    condition     = var.database == null || !var.database_iam || try(can(regex("^(db|cluster|prx)-[A-Za-z0-9]+$", var.database.iam_resource_id)), false)
    error_message = "IAM authentication at a given database needs its resource id: db-..., cluster-... or prx-...."
  }
}

variable "rds" {
  description = "An RDS PostgreSQL to make, in at least two subnets. `ca_file` is the RDS certificate bundle where Terraform runs, `ca_file_in_function` the same one in the artifact; `client_*` name who else may connect, such as the machine that runs the command. Either this or `database`."
  type = object({
    subnet_ids                = list(string)
    engine_version            = optional(string, "17")
    instance_class            = optional(string, "db.t4g.small")
    storage_gb                = optional(number, 20)
    storage_gb_max            = optional(number, 100)
    multi_az                  = optional(bool, true)
    backup_days               = optional(number, 7)
    database_name             = optional(string, "seatfast")
    publicly_accessible       = optional(bool, false)
    client_security_group_ids = optional(set(string), [])
    client_cidrs              = optional(set(string), [])
    ca_file                   = optional(string)
    ca_file_in_function       = optional(string, "/var/task/rds-ca.pem")
  })
  default = null

  validation {
    condition     = (var.rds == null) != (var.database == null)
    error_message = "Exactly one of rds (to make a database) and database (to use one) must be given."
  }

  validation {
    condition     = var.rds == null || try(length(var.rds.subnet_ids) >= 2, false)
    error_message = "RDS needs subnets in at least two availability zones."
  }

  validation {
    condition     = var.rds == null || try(var.rds.storage_gb >= 20 && var.rds.storage_gb_max >= var.rds.storage_gb, false)
    error_message = "The storage must be at least 20 GB, and its maximum not below that."
  }

  validation {
    condition     = var.rds == null || try(var.rds.backup_days >= 0 && var.rds.backup_days <= 35, false)
    error_message = "Automated backups are kept for 0 (none) to 35 days."
  }

  validation {
    condition     = var.rds == null || try(alltrue([for cidr in var.rds.client_cidrs : can(cidrnetmask(cidr)) && !endswith(cidr, "/0")]), false)
    error_message = "Every client range must be an IPv4 CIDR, and not the whole internet."
  }

  validation {
    condition     = var.rds == null || var.command == null || var.command_jdbc_url != null || try(fileexists(var.rds.ca_file), false)
    error_message = "The command verifies the database's certificate: rds.ca_file must be the RDS certificate bundle."
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
  description = "The file with the user's password, where Terraform runs. Either this or `database_iam`."
  type        = string
  default     = null

  validation {
    condition     = (var.database_password_file == null) == var.database_iam
    error_message = "Exactly one of database_password_file and database_iam must be given."
  }

  validation {
    condition     = var.database_password_file == null || try(length(trimspace(file(var.database_password_file))) >= 16, false)
    error_message = "The password's file must exist and hold at least 16 characters."
  }
}

variable "database_iam" {
  description = "Whether the service authenticates at the database with its role instead of a password."
  type        = bool
  default     = false
  nullable    = false
}

variable "secrets_version" {
  description = "Raise it when the password or the token changes, so that RDS and Secrets Manager get the new one."
  type        = number
  default     = 1
  nullable    = false
}

variable "reserved_concurrency" {
  description = "Instances at most; with `connections_per_instance` it bounds the connections to the database."
  type        = number
  default     = 10
  nullable    = false

  validation {
    condition     = var.reserved_concurrency >= 1 && floor(var.reserved_concurrency) == var.reserved_concurrency
    error_message = "The reserved concurrency must be a whole number from 1."
  }

  validation {
    condition     = var.reserved_concurrency * var.connections_per_instance <= var.database_connections_max
    error_message = "reserved_concurrency x connections_per_instance must not exceed database_connections_max."
  }
}

variable "connections_per_instance" {
  description = "Size of an instance's pool. An instance serves one request at a time, so one is enough."
  type        = number
  default     = 1
  nullable    = false

  validation {
    condition     = contains(range(1, 33), var.connections_per_instance)
    error_message = "An instance has 1 to 32 connections."
  }
}

variable "database_connections_max" {
  description = "Connections that the database can spare for this function."
  type        = number
  default     = 60
  nullable    = false
}

variable "vpc" {
  description = "Where the function runs, if in a VPC. Security groups are needed unless the module makes the database, and then come on top."
  type = object({
    id                 = string
    subnet_ids         = list(string)
    security_group_ids = optional(list(string), [])
  })
  default = null

  validation {
    condition     = var.rds == null || var.vpc != null
    error_message = "A database that the module makes is reachable only from inside a VPC: give vpc as well."
  }

  validation {
    condition     = var.vpc == null || try(length(var.vpc.subnet_ids) > 0, false)
    error_message = "A function in a VPC needs at least one subnet."
  }

  validation {
    condition     = var.vpc == null || var.rds != null || try(length(var.vpc.security_group_ids) > 0, false)
    error_message = "A function in a VPC with a given database needs at least one security group."
  }
}

# Watching, keeping, deleting

variable "log_retention_days" {
  description = "How long the function's log is kept."
  type        = number
  default     = 30
  nullable    = false

  validation {
    condition = contains(
      [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653],
      var.log_retention_days
    )
    error_message = "CloudWatch keeps logs for 1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545 or 731 days, or 3 to 10 years in days."
  }
}

variable "alarm_topic_arns" {
  description = "SNS topics that hear of alarms; without any, alarms only change their state."
  type        = set(string)
  default     = []
  nullable    = false

  validation {
    condition     = alltrue([for arn in var.alarm_topic_arns : can(regex("^arn:[a-z-]+:sns:[a-z0-9-]+:[0-9]{12}:.+$", arn))])
    error_message = "Every topic must be the ARN of an SNS topic."
  }
}

variable "alarm_duration_p99_ms" {
  description = "The 99th percentile of the duration that raises an alarm, in milliseconds."
  type        = number
  default     = 2000
  nullable    = false

  validation {
    condition     = var.alarm_duration_p99_ms > 0
    error_message = "The duration must be positive."
  }
}

variable "kms_key_arn" {
  description = "A key of yours for the settings, the secret, the log, the schedule and the database; null for AWS' own."
  type        = string
  default     = null
}

variable "deletion_protection" {
  description = "Whether RDS refuses to delete the database that the module made."
  type        = bool
  default     = true
  nullable    = false
}

variable "skip_final_snapshot" {
  description = "Whether the database goes without a last snapshot, which would stay behind."
  type        = bool
  default     = false
  nullable    = false
}

variable "delete_automated_backups" {
  description = "Whether the automated backups go with the database."
  type        = bool
  default     = false
  nullable    = false
}

variable "secret_recovery_days" {
  description = "How long a deleted secret can be brought back, 7 to 30 days, and its name is taken; 0 deletes it at once."
  type        = number
  default     = 30
  nullable    = false

  validation {
    condition     = var.secret_recovery_days == 0 || contains(range(7, 31), var.secret_recovery_days)
    error_message = "A deleted secret can be brought back for 0 or 7 to 30 days."
  }
}

variable "tags" {
  description = "Tags of everything that can have some."
  type        = map(string)
  default     = {}
  nullable    = false
}
