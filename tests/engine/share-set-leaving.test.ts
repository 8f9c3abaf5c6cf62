import { Stack } from "../harness/stack";
import { both, outputsOfSet } from "./sets";

const tunnel = `const hq = new frontdoor.IpsecTunnel("hq", { name: "hq", peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-1" });
const place = { ipsecTunnelId: hq.id, envZId: "env-1" };`;
const setOf = (shares: object, opts = "{}") =>
  `new frontdoor.IpsecShareSet("services", { ...place, shares: ${JSON.stringify(shares)} }, ${opts});`;
const web = JSON.stringify(both.web);
const { db } = both;

/** Declared with nothing that orders it after or before the set. */
const adopting = (id: string) =>
  `new frontdoor.IpsecShare("web", { ...place, ...${web}, adopt: ${JSON.stringify(id)} });`;

describe("a share that leaves its set", () => {
  let stack: Stack;
  let id: string;
  beforeEach(async () => {
    stack = await Stack.open();
    await stack.up([tunnel, setOf(both)].join("\n"));
    id = outputsOfSet(stack).ids["web"] ?? "";
    stack.writes();
  });
  afterEach(() => stack.close());

  it("is not deleted where the program fails before it declares it elsewhere, nor where that takes long", async () => {
    const failing = [tunnel, setOf({ db }), `setTimeout(() => { throw new Error("no"); }, 700);`].join("\n");
    expect(await stack.up(failing, "--skip-preview")).toMatchObject({ code: 255 });
    expect(stack.writes()).toEqual([]);
    const late = [tunnel, setOf({ db }), `setTimeout(() => { ${adopting(id)} }, 700);`].join("\n");
    expect(await stack.steadyUp(late, "--skip-preview")).toMatchObject({ code: 0 });
    expect(stack.writes()).toEqual([]);
    expect(stack.id("web")).toBe(id);
    expect(Object.keys(outputsOfSet(stack).ids)).toEqual(["db"]);
  });
});
