import * as pulumi from "@pulumi/pulumi";
import { IpsecShare } from "../../sdk";
import { isUp } from "../../sdk/resource";
import { mockEngine, registered, resolved } from "./registered";

const args = { ipsecTunnelId: "tnl-1", envZId: "env-1", target: "db:5432", ingressPort: 5432 };

/** Returns the inputs of a share without a name, in a stack of this organization. */
async function sent(organization: string): Promise<unknown> {
  await mockEngine(organization);
  await resolved(new IpsecShare("web", args).urn);
  return registered.at(-1)?.inputs;
}

// A file back end has only one organization: what the engine tests can't show.
it("two organizations with a project and a stack of one name hand over different origins of a name", async () => {
  expect(await sent("acme")).toEqual(await sent("acme"));
  expect(await sent("acme")).not.toEqual(await sent("umbrella"));
});

it("an error names both its own place and where the resource was declared", async () => {
  await mockEngine();
  const refuse = () => {
    throw new Error("not here");
  };
  const declare = () => {
    try {
      new IpsecShare("db", args, { transformations: [refuse] });
    } catch (error) {
      return (error as Error).stack;
    }
    return "nothing thrown";
  };
  expect(declare()).toMatch(/^Error: not here\n +at refuse [^]*\n +at declare /);
});

it("tells the provider of a run that is no preview", async () => {
  await mockEngine();
  expect(isUp()).toEqual({ __isUp: true });
  await pulumi.runtime.setMocks({ newResource: () => ({ id: "", state: {} }), call: () => ({}) }, "net", "dev", true);
  expect(isUp()).toEqual({});
});
