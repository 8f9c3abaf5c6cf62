import pulumi
import pulumi_frontdoor as frontdoor

# The remote site's VPN tunnel. `pulumi up` waits until Frontdoor has deployed it.
tunnel = frontdoor.IpsecTunnel(
    "customer-a-dc1",
    peer_public_ip="203.0.113.1",
    peer_cidr="172.31.0.0/16",
    location_id="us-east-1",
)

# The private applications that the remote site reaches through it.
applications = {
    "app-db": ("10.20.100.1:8443", 8443),
    "app-web": ("10.20.100.2:443", 443),
}
for name, (target, port) in applications.items():
    frontdoor.IpsecShare(
        name,
        ipsec_tunnel_id=tunnel.id,
        env_z_id="ijcrWb-ZOq",
        target=target,
        ingress_port=port,
    )

pulumi.export("endpoint", pulumi.Output.concat(tunnel.nlb_dns_name, ":8443"))
# For the remote site's administrator. It is secret, because it contains the pre-shared key.
pulumi.export("sampleConfig", tunnel.sample_config)
