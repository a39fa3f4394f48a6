# Seatfast in two private subnets of a VPC, with a database of its own, on arm64.
#
#   openssl rand -hex 24 > password
#   terraform apply -var artifact=function.zip -var password_file=password -var vpc_id=vpc-... -var 'subnet_ids=["subnet-...", "subnet-..."]'

terraform {
  required_version = ">= 1.11"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 6.29, < 7.0"
    }
  }
}

provider "aws" {
  region = var.region
}

variable "region" {
  description = "The region of everything."
  type        = string
  default     = "eu-central-1"
}

variable "artifact" {
  description = "The zip with the native executable."
  type        = string
}

variable "vpc_id" {
  description = "The VPC."
  type        = string
}

variable "subnet_ids" {
  description = "Private subnets in two availability zones."
  type        = list(string)
}

variable "password_file" {
  description = "The file with the database's password."
  type        = string
}

variable "ca_file" {
  description = "Amazon's certificate bundle for RDS; needed with command."
  type        = string
  default     = null
}

variable "internal_token" {
  description = "Opens the operators' routes; also as TF_VAR_internal_token."
  type        = string
  default     = null
  sensitive   = true
}

variable "command" {
  description = "The program that migrates, if this machine reaches the database."
  type        = list(string)
  default     = null
}

variable "runner_cidrs" {
  description = "Where that program connects from."
  type        = set(string)
  default     = []
}

variable "disposable" {
  description = "Whether the stack goes whole, with its data, when it is destroyed."
  type        = bool
  default     = false
}

module "seatfast" {
  source = "../../modules/aws-lambda"

  artifact               = var.artifact
  internal_token         = var.internal_token
  database_password_file = var.password_file
  command                = var.command

  vpc = {
    id         = var.vpc_id
    subnet_ids = var.subnet_ids
  }

  rds = {
    subnet_ids   = var.subnet_ids
    multi_az     = !var.disposable
    client_cidrs = var.runner_cidrs
    ca_file      = var.ca_file
  }

  deletion_protection      = !var.disposable
  skip_final_snapshot      = var.disposable
  delete_automated_backups = var.disposable
  secret_recovery_days     = var.disposable ? 0 : 30
}

output "url" {
  description = "Where the service answers signed requests."
  value       = module.seatfast.url
}
