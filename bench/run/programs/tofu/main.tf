# The same shares as they are written today for OpenTofu: a REST provider, and a script that waits.

terraform {
  required_providers {
    restapi = { source = "mastercard/restapi" }
  }
}

variable "base_url" { type = string }
variable "shares" { type = number }
variable "edited" { type = bool }
variable "token" {
  type      = string
  sensitive = true
}

provider "restapi" {
  uri                   = var.base_url
  bearer_token          = var.token
  update_method         = "PATCH"
  create_returns_object = true
}

resource "restapi_object" "share" {
  count                   = var.shares
  path                    = "/v2/fd-1/ipsec-shares"
  ignore_server_additions = true

  data = jsonencode({
    name          = "share-${count.index}"
    ipsecTunnelId = "tnl-1"
    envZId        = "env-1"
    target        = count.index == 0 && var.edited ? "edited.internal:443" : "host-${count.index}.internal:443"
    ingressPort   = 1000 + count.index
  })

  provisioner "local-exec" {
    command = "sh ${path.module}/wait.sh ${self.id}"
  }
}
