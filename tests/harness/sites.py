# Makes the sites of sites.json beside it: arguments by logical name, options under `opts`.
import json
import re

import pulumi
import pulumi_frontdoor as frontdoor


def in_python(args):
    return {re.sub("[A-Z]", lambda capital: "_" + capital[0].lower(), name): value for name, value in args.items()}


with open("sites.json") as file:
    sites = json.load(file)
for name, args in sites.items():
    options = pulumi.ResourceOptions(**args.pop("opts", {}))
    shares = {key: frontdoor.SiteShareArgs(**in_python(share)) for key, share in args.pop("shares").items()}
    frontdoor.IpsecSite(name, shares=shares, opts=options, **in_python(args))
