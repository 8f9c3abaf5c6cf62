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
	// The remote site's VPN tunnel and the applications on it. The run waits until Frontdoor has deployed them.
	customer, err := frontdoor.NewIpsecSite(ctx, "customer-a-dc1", &frontdoor.IpsecSiteArgs{
		PeerPublicIp: pulumi.String("203.0.113.1"),
		PeerCidr:     pulumi.String("172.31.0.0/16"),
		LocationId:   pulumi.String("us-east-1"),
		EnvZId:       pulumi.String("ijcrWb-ZOq"),
		Shares: map[string]frontdoor.SiteShareInput{
			"app-db":  frontdoor.SiteShareArgs{Target: pulumi.String("10.20.100.1:8443"), IngressPort: pulumi.Int(8443)},
			"app-web": frontdoor.SiteShareArgs{Target: pulumi.String("10.20.100.2:443"), IngressPort: pulumi.Int(443)},
		},
	})
	if err != nil {
		return err
	}
	ctx.Export("endpoint", customer.Endpoints.MapIndex(pulumi.String("app-db")))
	// For the remote site's administrator. It is secret, because it contains the pre-shared key.
	ctx.Export("sampleConfig", customer.SampleConfig)
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
