@node "%~dp0\pulumi-resource-frontdoor" %*
