import * as pulumi from "@pulumi/pulumi";
import { IpsecShare } from "../../sdk";

/** What a share without a name hands to its provider in a stack of this organization. */
async function sent(organization: string): Promise<unknown> {
  const handed: unknown[] = [];
  const newResource = ({ inputs }: pulumi.runtime.MockResourceArgs) => {
    handed.push(inputs);
    return { id: "shr-1", state: {} };
  };
  await pulumi.runtime.setMocks({ newResource, call: () => ({}) }, "project", "stack", false, organization);
  const share = new IpsecShare("web", { ipsecTunnelId: "tnl-1", envZId: "e", target: "w.internal:1", ingressPort: 1 });
  await new Promise((resolve) => share.urn.apply(resolve));
  return handed.at(-1);
}

// A file back end has only one organization: what the engine tests can't show.
describe("two organizations with a project and a stack of one name", () => {
  it("hand over what their names are derived from, and it differs", async () => {
    expect(await sent("acme")).toEqual(await sent("acme"));
    expect(await sent("acme")).not.toEqual(await sent("umbrella"));
  });
});
