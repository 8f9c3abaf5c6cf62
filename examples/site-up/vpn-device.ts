import * as pulumi from "@pulumi/pulumi";

interface Inputs {
  address: string;
  configuration: string;
}

/** Sends the configuration to the device. */
async function configure({ address, configuration }: Inputs): Promise<void> {
  const answer = await fetch(`${address}/configuration`, { method: "PUT", body: configuration });
  if (!answer.ok) throw new Error(`the VPN device answered ${answer.status.toString()}`);
}

const provider: pulumi.dynamic.ResourceProvider = {
  async create(inputs: Inputs) {
    await configure(inputs);
    return { id: inputs.address, outs: inputs };
  },
  async update(_id, _olds, news: Inputs) {
    await configure(news);
    return { outs: news };
  },
};

/** A VPN device that takes its configuration by HTTP. It stands for the firewall of your site. */
export class VpnDevice extends pulumi.dynamic.Resource {
  constructor(
    name: string,
    args: { address: pulumi.Input<string>; configuration: pulumi.Input<string | undefined> },
    opts?: pulumi.CustomResourceOptions,
  ) {
    super(provider, name, args, opts);
  }
}
