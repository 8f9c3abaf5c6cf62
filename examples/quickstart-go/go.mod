module frontdoor-quickstart

go 1.24.0

require (
	github.com/-OWNER-/pulumi-frontdoor/sdk/go v0.1.0
	github.com/pulumi/pulumi/sdk/v3 v3.213.0
)
