import pulumi
import pulumi_frontdoor as frontdoor

config = pulumi.Config()

# The remote site's VPN tunnel, and the private applications that the site reaches through it. `pulumi up` waits until Frontdoor has
# deployed them.
site = frontdoor.IpsecSite(
    "site",
    peer_public_ip=config.require("peerPublicIp"),  # the remote site's IPsec device
    peer_cidr=config.require("peerCidr"),  # the network behind it
    location_id=config.get("locationId"),  # where the front door runs the tunnel
    env_z_id=config.require("envZId"),  # the hosting agent that reaches the targets
    shares={
        "app": frontdoor.SiteShareArgs(target=config.require("target"), ingress_port=config.require_int("ingressPort")),
    },
)

# Where the remote site reaches each application.
pulumi.export("endpoints", site.endpoints)
# For the remote site's administrator. It is secret, because it contains the pre-shared key.
pulumi.export("sampleConfig", site.sample_config)
