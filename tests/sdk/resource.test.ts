import * as pulumi from "@pulumi/pulumi";
import { IpsecShare } from "../../sdk";

const args = { frontdoorId: "fd-1", ipsecTunnelId: "tnl-1", envZId: "env-1", target: "db:5432", ingressPort: 5432 };

describe("resource", () => {
  // A declaration asks for organization, project and stack.
  beforeAll(() =>
    pulumi.runtime.setMocks(
      { newResource: ({ name }) => ({ id: name, state: {} }), call: () => ({}) },
      "net",
      "dev",
      false,
      "acme",
    ),
  );

  it("names in an error both its own place and where the resource was declared, and leaves stacks as they were", () => {
    const framesOfAStack = Error.stackTraceLimit;
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
    expect(declare()).toMatch(/^Error: not here\n +at refuse .*\n +at declare /);
    expect(Error.stackTraceLimit).toBe(framesOfAStack);
  });
});
