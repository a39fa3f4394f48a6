variable "artifact" {
  description = "The program: target/quarkus-app, or a native executable."
  type        = string
  default     = "../../../target/quarkus-app"
}

variable "directory" {
  description = "The folder of the service: its log, and the data of the embedded PostgreSQL."
  type        = string
  default     = ".seatfast"
}

variable "port" {
  description = "Where the service listens on the loopback address."
  type        = number
  default     = 8080
}

variable "namespace" {
  description = "The schema that the service owns."
  type        = string
  default     = "seatfast"
}

variable "state" {
  description = "active, or deleted for good."
  type        = string
  default     = "active"
}

variable "database" {
  description = "Your PostgreSQL; null for an embedded one."
  type = object({
    jdbc_url      = string
    username      = string
    password_file = optional(string)
  })
  default = null
}

variable "environment" {
  description = "Further settings of the service, no secrets."
  type        = map(string)
  default     = {}
}
