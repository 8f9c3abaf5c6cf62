// Builds the YAML language host for that engine; 1.12.0 is the release that serves it.
module pulumi-frontdoor/language-yaml

go 1.24

require github.com/pulumi/pulumi-yaml v1.12.0
