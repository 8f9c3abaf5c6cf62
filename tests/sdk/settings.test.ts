import * as pulumi from "@pulumi/pulumi";
import { classesOf, mockEngine, registered } from "./registered";

const { IpsecTunnel, getTunnel } = classesOf.dynamic;
const declare = () =>
  new IpsecTunnel("t", { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", frontdoorId: "fd" });

beforeEach(async () => {
  await mockEngine();
  registered.length = 0;
});
afterEach(() => {
  pulumi.runtime.setAllConfig({});
});

describe("the stack's configuration", () => {
  it("is refused where it holds a key that is none, with the nearest right one", async () => {
    pulumi.runtime.setAllConfig({ "frontdoor:baseurl": "https://example.com/frontdoor" });
    const problem =
      /frontdoor:baseurl is no setting of the provider\. .*Write frontdoor:baseUrl instead\. \[unknown-setting\]/;
    expect(declare).toThrow(problem);
    expect(registered).toEqual([]);
    await expect(getTunnel({ id: "tnl-1" })).rejects.toThrow(problem);
  });

  it("names no nearest one where none is near", () => {
    pulumi.runtime.setAllConfig({ "frontdoor:somethingElse": "x" });
    expect(declare).toThrow(/Use one of: baseUrl, .*oneTunnelPerLocation\. \[unknown-setting\]/);
  });

  it("may hold all that there are, what the engine takes from it, and keys of other packages", () => {
    const right = { "frontdoor:baseUrl": "x", "frontdoor:version": "1.0.0", "aws:baseurl": "y", "net:frontdoor": "z" };
    pulumi.runtime.setAllConfig(right);
    expect(declare).not.toThrow();
  });
});
