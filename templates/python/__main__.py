import pulumi
import pulumi_frontdoor as frontdoor

# The remote site's VPN tunnel. `pulumi up` waits until the service has deployed it.
tunnel = frontdoor.IpsecTunnel(
    "branch-office",
    peer_public_ip="203.0.113.7",
    peer_cidr="10.20.0.0/16",
)

# The private services that the remote site reaches through it.
services = {
    "web": ("intranet.corp.example:443", 443),
    "database": ("10.8.0.15:5432", 5432),
}
for name, (target, port) in services.items():
    frontdoor.IpsecShare(
        name,
        ipsec_tunnel_id=tunnel.id,
        env_z_id="env-agent-1",
        target=target,
        ingress_port=port,
    )

pulumi.export("endpoint", pulumi.Output.concat(tunnel.nlb_dns_name, ":443"))
# For the remote site's engineer; secret, as it holds the pre-shared key.
pulumi.export("sampleConfig", tunnel.sample_config)
