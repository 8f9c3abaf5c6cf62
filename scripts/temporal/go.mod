// Builds Temporal's development server, which is its command line, too.
module pulumi-frontdoor/temporal

go 1.25.0

require github.com/temporalio/cli v1.5.1
