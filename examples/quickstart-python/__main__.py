import pulumi
import pulumi_frontdoor as frontdoor

# The remote site's VPN tunnel and the applications on it. `pulumi up` waits until Frontdoor has deployed them.
customer = frontdoor.IpsecSite(
    "customer-a-dc1",
    peer_public_ip="203.0.113.1",
    peer_cidr="172.31.0.0/16",
    location_id="us-east-1",
    env_z_id="ijcrWb-ZOq",
    shares={
        "app-db": frontdoor.SiteShareArgs(target="10.20.100.1:8443", ingress_port=8443),
        "app-web": frontdoor.SiteShareArgs(target="10.20.100.2:443", ingress_port=443),
    },
)

pulumi.export("endpoint", customer.endpoints["app-db"])
# For the remote site's administrator. It is secret, because it contains the pre-shared key.
pulumi.export("sampleConfig", customer.sample_config)
