import { evaluate } from "../page-modules";

it("tells what changed between two lists", () => {
  const entry = (id: string, name: string, status: string, more = {}) => ({
    ...{ id, frontdoorId: "fd", name, status, ...more },
  });
  const [one, two] = [{ ingressPort: 1 }, { ingressPort: 2 }];
  const before = [entry("1", "a", "NEW"), entry("2", "b", "DEPLOYED"), entry("3", "c", "DEPLOYED", one)];
  const after = [entry("1", "a", "DEPLOYED"), entry("3", "c", "NEW", two), entry("4", "d", "NEW")];
  const script = `
    import { changesBetween, connectionChanges } from "./changes.js";
    import { connectionWord } from "./words.js";
    const changes = changesBetween("share", ${JSON.stringify(before)}, ${JSON.stringify(after)});
    const connections = [{ a: { status: "UP" } }, { a: { status: "DOWN" }, b: { status: "UP" } }];
    console.log(JSON.stringify([...changes, ...connectionChanges(...connections, connectionWord)]));`;
  expect((evaluate(script) as { key: string; text: string }[]).map(({ key, text }) => [key, text])).toEqual([
    ["share/fd/1", "NEW → DEPLOYED"],
    ["share/fd/3", "DEPLOYED → NEW, Ingress port 1 → 2"],
    ["share/fd/4", "new, NEW"],
    ["share/fd/2", "gone"],
    ["a", "connection UP → DOWN"],
  ]);
});

it("puts shares under their tunnels by port, and those of no tunnel under what they name", () => {
  const tunnels = ["10", "9"].map((number) => ({ id: `t${number}`, frontdoorId: "fd", name: `site ${number}` }));
  const share = (id: string, ipsecTunnelId: string, ingressPort: number) => ({
    ...{ id, frontdoorId: "fd", name: id, ipsecTunnelId, ingressPort },
  });
  const shares = [share("c", "t9", 443), share("b", "t9", 80), share("a", "gone", 22)];
  const script = `
    globalThis.document = {};
    const { topologyOf } = await import("./topology.js");
    const topology = topologyOf(${JSON.stringify({ tunnels, shares })}, ({ id }) => id !== "t10");
    console.log(JSON.stringify(topology.map(([id, tunnels]) => [id, tunnels.map(({ name, isMissing, shares }) => [name, isMissing ?? false, shares.map(({ id }) => id)])])));`;
  const [missing, site] = [["gone", true, ["a"]] as const, ["site 9", false, ["b", "c"]] as const];
  expect(evaluate(script)).toEqual([["fd", [missing, site]]]);
});

const entry = (id: string, status: string) => ({ id, frontdoorId: "fd", name: id, status });

it("lists each problem once, with the command that explains it", () => {
  const state = {
    tunnels: [entry("a", "ERROR"), entry("b", "DEPLOYED"), entry("c", "DEPLOYED")],
    shares: [entry("d", "ERROR"), entry("e", "ERROR"), entry("f", "NEW")],
    connections: { "tunnel/fd/b": { status: "DOWN" }, "tunnel/fd/c": { status: "UP" } },
  };
  const script = `
    import { problemsOf } from "./problems.js";
    const problems = problemsOf(${JSON.stringify(state)});
    console.log(JSON.stringify(problems.map(({ thing, word, explain, entries }) => [thing, word, explain, entries.map(({ name }) => name).join()])));`;
  expect(evaluate(script)).toEqual([
    ["tunnel", "ERROR", "frontdoor explain tunnel-error", "a"],
    ["share", "ERROR", "frontdoor explain share-error", "d,e"],
    ["connection", "DOWN", "frontdoor sample-config", "b"],
  ]);
});

it("labels fields, and finds the part that names share", () => {
  const fields = ["id", "peerPublicIp", "envZId", "nlbDnsName", "phase1DHGroupNumbers", "vpn.up"];
  const names = [["a-b-one", "a-b-two", "a-b-"], ["site-01", "site-02"], ["one"], ["abc", "abd"], []];
  const script = `
    import { commonPrefix, labelOf } from "./words.js";
    console.log(JSON.stringify([${JSON.stringify(fields)}.map(labelOf), ${JSON.stringify(names)}.map(commonPrefix)]));`;
  expect(evaluate(script)).toEqual([
    ["ID", "Peer public IP", "Environment ID", "NLB DNS name", "Phase 1 DH group numbers", "vpn.up"],
    ["a-b-", "site-", "", "", ""],
  ]);
});
