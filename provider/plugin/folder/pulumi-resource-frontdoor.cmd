@setlocal
@rem A node in the current folder must not run.
@set NoDefaultCurrentDirectoryInExePath=1
@node "%~dp0\pulumi-resource-frontdoor" %*
