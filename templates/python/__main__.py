import pulumi
import pulumi_frontdoor as frontdoor

config = pulumi.Config()

# The remote site's VPN tunnel. `pulumi up` waits until Frontdoor has deployed it.
tunnel = frontdoor.IpsecTunnel(
    "site",
    peer_public_ip=config.require("peerPublicIp"),
    peer_cidr=config.require("peerCidr"),
    location_id=config.get("locationId"),
)

# A private application that the remote site reaches through it.
application = frontdoor.IpsecShare(
    "site-app",
    ipsec_tunnel_id=tunnel.id,
    env_z_id=config.require("envZId"),
    target=config.require("target"),
    ingress_port=config.require_int("ingressPort"),
)

pulumi.export("endpoint", pulumi.Output.format("{0}:{1}", tunnel.nlb_dns_name, application.ingress_port))
# For the remote site's administrator. It is secret, because it contains the pre-shared key.
pulumi.export("sampleConfig", tunnel.sample_config)
