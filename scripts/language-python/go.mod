// Builds the Python language host for that engine; 3.68.0 is the last sdk module that still holds it.
module pulumi-frontdoor/language-python

go 1.24

require github.com/pulumi/pulumi/sdk/v3 v3.68.0
