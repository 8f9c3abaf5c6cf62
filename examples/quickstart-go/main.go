// An IPsec tunnel and the private applications that the remote site reaches through it, with Pulumi's Automation API:
// "go run . up", then "refresh" and "destroy".
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/-OWNER-/pulumi-frontdoor/sdk/go/frontdoor"
	"github.com/pulumi/pulumi/sdk/v3/go/auto"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optdestroy"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optrefresh"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optup"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func site(ctx *pulumi.Context) error {
	// The remote site's VPN tunnel. The run waits until Frontdoor has deployed it.
	tunnel, err := frontdoor.NewIpsecTunnel(ctx, "customer-a-dc1", &frontdoor.IpsecTunnelArgs{
		PeerPublicIp: pulumi.String("203.0.113.1"),
		PeerCidr:     pulumi.String("172.31.0.0/16"),
		LocationId:   pulumi.String("us-east-1"),
	})
	if err != nil {
		return err
	}
	applications := map[string]struct {
		target string
		port   int
	}{
		"app-db":  {"10.20.100.1:8443", 8443},
		"app-web": {"10.20.100.2:443", 443},
	}
	for name, application := range applications {
		_, err := frontdoor.NewIpsecShare(ctx, name, &frontdoor.IpsecShareArgs{
			IpsecTunnelId: tunnel.ID(),
			EnvZId:        pulumi.String("ijcrWb-ZOq"),
			Target:        pulumi.String(application.target),
			IngressPort:   pulumi.Int(application.port),
		})
		if err != nil {
			return err
		}
	}
	ctx.Export("endpoint", pulumi.Sprintf("%s:8443", tunnel.NlbDnsName))
	// For the remote site's administrator. It is secret, because it contains the pre-shared key.
	ctx.Export("sampleConfig", tunnel.SampleConfig)
	return nil
}

func run(ctx context.Context, command string) error {
	stack, err := auto.UpsertStackInlineSource(ctx, "dev", "frontdoor-quickstart-go", site)
	if err != nil {
		return err
	}
	switch command {
	case "up":
		done, err := stack.Up(ctx, optup.ProgressStreams(os.Stdout))
		if err != nil {
			return err
		}
		fmt.Println("endpoint:", done.Outputs["endpoint"].Value)
		return nil
	case "refresh":
		_, err = stack.Refresh(ctx, optrefresh.ProgressStreams(os.Stdout))
		return err
	case "destroy":
		_, err = stack.Destroy(ctx, optdestroy.ProgressStreams(os.Stdout))
		return err
	}
	return fmt.Errorf("%q is no command: give up, refresh or destroy", command)
}

func main() {
	command := "up"
	if len(os.Args) > 1 {
		command = os.Args[1]
	}
	if err := run(context.Background(), command); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
