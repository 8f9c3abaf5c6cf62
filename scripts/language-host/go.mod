// Builds the Node.js language host for that engine; 3.68.0 is the last sdk module that still holds it.
module pulumi-frontdoor/language-host

go 1.24

require github.com/pulumi/pulumi/sdk/v3 v3.68.0
