# Seatfast in a network that has private services access, with a database of its own and an hourly sweep.
#
#   openssl rand -hex 24 > password
#   openssl rand -hex 32 > token
#   terraform apply -var project=... -var image=... -var network=... -var subnetwork=... \
#     -var password_file=password -var token_file=token

terraform {
  required_version = ">= 1.11"

  required_providers {
    google = {
      source  = "hashicorp/google"
      version = ">= 6.50, < 7.0"
    }
  }
}

provider "google" {
  project = var.project
  region  = var.region
}

variable "project" {
  description = "The project of everything."
  type        = string
}

variable "region" {
  description = "The region of everything."
  type        = string
  default     = "europe-west3"
}

variable "image" {
  description = "The container image."
  type        = string
}

variable "network" {
  description = "The network's id."
  type        = string
}

variable "subnetwork" {
  description = "The subnetwork's id."
  type        = string
}

variable "password_file" {
  description = "The file with the database's password."
  type        = string
}

variable "token_file" {
  description = "The file with the operators' token."
  type        = string
}

variable "invokers" {
  description = "Who may call the service."
  type        = set(string)
  default     = []
}

variable "command" {
  description = "The program that migrates, if this machine reaches the database."
  type        = list(string)
  default     = null
}

variable "disposable" {
  description = "Whether the stack goes whole, with its data, when it is destroyed."
  type        = bool
  default     = false
}

module "seatfast" {
  source = "../../modules/google-cloud-run"

  project                = var.project
  region                 = var.region
  image                  = var.image
  invokers               = var.invokers
  database_password_file = var.password_file
  internal_token_file    = var.token_file
  command                = var.command
  sweep                  = {}

  vpc = {
    network    = var.network
    subnetwork = var.subnetwork
  }

  cloud_sql = {
    network           = var.network
    availability_type = var.disposable ? "ZONAL" : "REGIONAL"
    backups           = var.disposable ? 0 : 7
  }

  deletion_protection = !var.disposable
  retain_backups      = !var.disposable
}

output "url" {
  description = "Where the service answers those who may call it."
  value       = module.seatfast.url
}
