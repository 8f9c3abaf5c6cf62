import { evaluate } from "../page-modules";

it("tells what changed between two lists", () => {
  const entry = (id: string, name: string, status: string, more = {}) => ({
    ...{ id, frontdoorId: "fd", name, status, ...more },
  });
  const [one, two] = [{ ingressPort: 1 }, { ingressPort: 2 }];
  const before = [entry("1", "a", "NEW"), entry("2", "b", "DEPLOYED"), entry("3", "c", "DEPLOYED", one)];
  const after = [entry("1", "a", "DEPLOYED"), entry("3", "c", "NEW", two), entry("4", "d", "NEW")];
  const script = `
    import { changesBetween, connectionChanges } from "./words.js";
    const changes = changesBetween("share", ${JSON.stringify(before)}, ${JSON.stringify(after)});
    const connections = [{ a: { status: "UP" } }, { a: { status: "DOWN", statusMessage: "no answer" }, b: { status: "UP" } }];
    console.log(JSON.stringify([...changes, ...connectionChanges(...connections)]));`;
  const changes = evaluate(script) as { key: string; kind: string; text: string }[];
  expect(changes.map(({ key, kind, text }) => [key, kind, text])).toEqual([
    ["share/fd/1", "share", "NEW → DEPLOYED"],
    ["share/fd/3", "share", "DEPLOYED → NEW, Ingress port 1 → 2"],
    ["share/fd/4", "share", "new, NEW"],
    ["share/fd/2", "share", "gone"],
    // The page writes the kind before the text.
    ["a", "tunnel", "connection UP → DOWN (no answer)"],
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

it("puts tunnels with a problem first", () => {
  const tunnel = (id: string, status = "DEPLOYED") => ({ id, frontdoorId: "fd", name: id, status });
  const shares = [{ id: "s", frontdoorId: "fd", name: "s", ipsecTunnelId: "c", ingressPort: 1, status: "ERROR" }];
  const tunnels = [tunnel("a"), tunnel("b"), tunnel("c"), tunnel("d"), tunnel("e", "ERROR")];
  const connections = { "tunnel/fd/d": { status: "Down" }, "tunnel/fd/a": { status: "UP" } };
  const script = `
    globalThis.document = {};
    const { topologyOf } = await import("./topology.js");
    const [[, tunnels]] = topologyOf(${JSON.stringify({ tunnels, shares, connections })}, () => true);
    console.log(JSON.stringify(tunnels.map(({ id }) => id).join("")));`;
  expect(evaluate(script)).toBe("decab");
});

const entry = (id: string, status: string) => ({ id, frontdoorId: "fd", name: id, status });

it("lists each problem once, has a command for each, and counts the connections that it knows", () => {
  const state = {
    tunnels: [entry("a", "ERROR"), entry("b", "DEPLOYED"), entry("c", "DEPLOYED")],
    shares: [entry("d", "ERROR"), entry("e", "ERROR"), entry("f", "NEW")],
    connections: {
      "tunnel/fd/b": { status: "DOWN", statusMessage: "peer did not answer", sinceMs: Date.now() - 720_000 },
      "tunnel/fd/c": { status: "UP" },
    },
  };
  const script = `
    import { problemOf, problemsOf, readConnections } from "./words.js";
    const state = ${JSON.stringify(state)};
    const problems = problemsOf(state).map(({ thing, word, entries }) => [thing, word, entries.map(({ shown, reason }) => shown + reason).join()]);
    const about = { options: "--frontdoor-id fd" };
    const commands = ["tunnel", "tunnel", "share"].map((kind, index) => problemOf(kind, state[kind + "s"][index % 2], state.connections["tunnel/fd/b"], { about })?.command);
    console.log(JSON.stringify({ problems, commands, read: readConnections({ ...state, connections: { "tunnel/fd/c": {} } }) }));`;
  const since = /^bpeer did not answer · since at least \d\d:\d\d \(12\u00a0min\)$/;
  expect(evaluate(script)).toEqual({
    problems: [
      ["tunnel", "DOWN", expect.stringMatching(since)],
      ["tunnel", "ERROR", "a"],
      ["share", "ERROR", "d,e"],
    ],
    commands: [
      "npx frontdoor explain tunnel-error",
      "npx frontdoor sample-config b --frontdoor-id fd --out b.conf",
      "npx frontdoor explain share-error",
    ],
    read: { all: 2, known: 1 },
  });
});

it("shows names without the prefix and the hash that all have in common", () => {
  const hashed = ["shop-eu-hamburg-1a2b3c4d", "shop-eu-lyon-2b3c4d5e", "shop-eu-porto-3c4d5e6f"];
  const lists = [
    hashed,
    [...hashed, "by-hand"],
    ["a-store-01", "a-store-02"],
    ["shop-x-1a2b3c4d", "shop-x-2b3c4d5e"],
    ["alone-1a2b3c4d"],
    ["same", "same"],
    ["site-20240101", "site-20250101"],
  ];
  const script = `
    import { shortNames } from "./words.js";
    console.log(JSON.stringify(${JSON.stringify(lists)}.map((names) => shortNames(names).join())));`;
  expect(evaluate(script)).toEqual([
    "hamburg,lyon,porto",
    lists[1]?.join(),
    "store-01,store-02",
    lists[3]?.join(),
    "alone-1a2b3c4d",
    "same,same",
    lists[6]?.join(),
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
