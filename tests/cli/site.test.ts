import { changesIn } from "../../cli/impact/changes";
import { previewIn } from "../../cli/impact/preview";
import { requireTwoTunnels, separatePeerNetworks } from "../../policy/index";
import { unknown, violations } from "../policy/checking";
import { pageModule, useEmulator } from "./command";

/** What decides about the site of a tunnel. */
interface Tunnel {
  frontdoorId?: string;
  peerCidr: string | undefined;
  peerPublicIp?: string;
  locationId?: string;
}

/** The network of a tunnel that nobody can read: Pulumi hides it, or it is known only after the update. */
type Hidden = "a secret network" | "a computed network";

const hq = { peerCidr: "10.20.0.0/16", peerPublicIp: "203.0.113.1", locationId: "loc-1" };
const line2 = { peerPublicIp: "203.0.113.2" };
const elsewhere = { locationId: "loc-2" };
const branch = { peerCidr: "10.30.0.0/16", peerPublicIp: "203.0.113.3", locationId: "loc-3" };

/** Each tunnel by its name, and the names of those that are the only ones of their site. */
const cases: [what: string, tunnels: Record<string, Tunnel>, only: string[], hidden?: Hidden][] = [
  ["one tunnel", { hq }, ["hq"]],
  ["two tunnels of one site", { hq, backup: { ...hq } }, []],
  ["two tunnels to one network in two spellings", { hq, backup: { ...hq, peerCidr: "10.20.0.1/16" } }, []],
  ["two WAN addresses", { hq, backup: { ...hq, ...line2 } }, []],
  ["two locations", { hq, backup: { ...hq, ...elsewhere } }, []],
  ["two WAN addresses and two locations", { hq, backup: { ...hq, ...line2, ...elsewhere } }, []],
  ["two sites", { hq, branch }, ["branch", "hq"]],
  ["two sites, of which one has two tunnels", { hq, backup: { ...hq, ...line2, ...elsewhere }, branch }, ["branch"]],
  ["one network on two front doors", { hq, other: { ...hq, frontdoorId: "fd-2" } }, ["hq", "other"]],
  ["a secret CIDR", { hq, other: { ...branch, peerCidr: undefined } }, [], "a secret network"],
  ["a computed CIDR", { hq, other: { ...branch, peerCidr: undefined } }, [], "a computed network"],
];

const readable = cases.filter(([, , , hidden]) => hidden === undefined);
const given = (tunnel: Tunnel) => ({ frontdoorId: "fd-1", ...tunnel });

interface Topology {
  topologyOf: (state: object, isWanted: () => boolean) => [string, { name: string; isOnly: boolean }[]][];
}
const { topologyOf } = pageModule("topology.js") as Topology;
/** The tunnels that the page marks. */
const onlyIn = (tunnels: object[]) =>
  topologyOf({ tunnels }, () => true).flatMap(([, all]) => all.filter(({ isOnly }) => isOnly).map(({ name }) => name));

describe("the only tunnels of their sites", () => {
  it.each(cases)("by impact: %s", (...[, tunnels, only, hidden]) => {
    const peerCidr = hidden === "a secret network" ? "[secret]" : unknown;
    const found = Object.keys(tunnels).filter((name) => {
      // One tunnel is replaced, and the others do not change.
      const steps = Object.entries(tunnels).map(([each, tunnel]) => {
        const inputs = { ...given(tunnel), peerCidr: tunnel.peerCidr ?? peerCidr };
        const state = { id: each, inputs, outputs: inputs };
        const urn = `urn:pulumi:dev::office::frontdoor:index:IpsecTunnel::${each}`;
        return { op: each === name ? "replace" : "same", urn, oldState: state, newState: state };
      });
      const changeSummary = { replace: 1, same: steps.length - 1 };
      return changesIn(previewIn(JSON.stringify({ steps, changeSummary })))[0]?.isOnlyTunnel;
    });
    expect(found.sort()).toEqual(only);
  });

  it.each(cases)("by the policies, which agree with each other: %s", async (...[, tunnels, only, hidden]) => {
    // The engine sends a pack the value of a secret.
    const peerCidr = hidden === "a secret network" ? hq.peerCidr : unknown;
    const resources = Object.entries(tunnels).map(([name, tunnel]) => ({
      ...{ type: "frontdoor:index:IpsecTunnel", name },
      props: { ...given(tunnel), peerCidr: tunnel.peerCidr ?? peerCidr },
    }));
    const told = await violations(requireTwoTunnels, resources, { critical: ["*"] });
    const alone = told.filter((each) => each.includes("has no second tunnel")).map((each) => each.split(":")[0]);
    expect(alone.sort()).toEqual(only);
    expect(await violations(separatePeerNetworks, resources)).toEqual([]);
  });

  it.each(readable)("by the dashboard: %s", (_, tunnels, only) => {
    const list = Object.entries(tunnels).map(([name, tunnel]) => ({
      id: name,
      name,
      status: "DEPLOYED",
      ...given(tunnel),
    }));
    expect(onlyIn(list).sort()).toEqual(only);
  });

  it.each(["DELETING", "DELETED"])("by the dashboard: a second tunnel that is %s is none", (status) => {
    const list = [
      { id: "hq", name: "hq", status: "DEPLOYED", ...given(hq) },
      { id: "old", name: "old", status, ...given(hq) },
      { id: "unread", name: "unread", status, frontdoorId: "fd-1" },
    ];
    expect(onlyIn(list)).toEqual(["hq"]);
  });

  it.each(["delete", "remove-pending-replace", "discard"])(
    "by impact: a second tunnel that Pulumi takes out of the state (%s) is none",
    (op) => {
      const state = (id: string) => ({ id, inputs: given(hq), outputs: given(hq) });
      const urn = (name: string) => `urn:pulumi:dev::office::frontdoor:index:IpsecTunnel::${name}`;
      const steps = [
        { op: "replace", urn: urn("hq"), oldState: state("hq"), newState: state("hq") },
        { op, urn: urn("backup"), oldState: state("backup") },
      ];
      const changeSummary = { replace: 1, ...(op === "delete" && { delete: 1 }) };
      const changes = changesIn(previewIn(JSON.stringify({ steps, changeSummary })));
      expect(changes.find(({ name }) => name === "hq")?.isOnlyTunnel).toBe(true);
    },
  );

  describe("by status", () => {
    const here = useEmulator(() => undefined);

    it.each(
      readable.filter(([, tunnels]) => Object.values(tunnels).every(({ frontdoorId }) => frontdoorId === undefined)),
    )("%s", async (_, tunnels, only) => {
      for (const [name, tunnel] of Object.entries(tunnels))
        here.emulator.seedTunnel({ id: name, name, status: "ERROR", ...given(tunnel) });
      const { stdout } = await here.run("status");
      const marked = [...stdout.matchAll(/^ERROR +tunnel +(\S+) \(\1, one tunnel\)$/gm)].map(([, name]) => name);
      expect(marked.sort()).toEqual(only);
      const { problems } = JSON.parse((await here.run("status --json")).stdout) as {
        problems: { id: string; isOnlyTunnel: boolean }[];
      };
      expect(
        problems
          .filter(({ isOnlyTunnel }) => isOnlyTunnel)
          .map(({ id }) => id)
          .sort(),
      ).toEqual(only);
    });
  });
});
