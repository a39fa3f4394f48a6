terraform {
  # Write-only arguments keep secrets out of the state.
  required_version = ">= 1.11"

  required_providers {
    aws = {
      source = "hashicorp/aws"
      # 6.29 is the first that can permit calls through a function URL and no others.
      version = ">= 6.29, < 7.0"
    }
  }
}
