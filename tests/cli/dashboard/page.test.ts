import { evaluate } from "../page-modules";

it("tells what changed between two lists", () => {
  const before = [
    { id: "1", frontdoorId: "fd", name: "a", status: "NEW" },
    { id: "2", frontdoorId: "fd", name: "b", status: "DEPLOYED" },
    { id: "3", frontdoorId: "fd", name: "c", status: "DEPLOYED", ingressPort: 1 },
  ];
  const after = [
    { id: "1", frontdoorId: "fd", name: "a", status: "DEPLOYED" },
    { id: "3", frontdoorId: "fd", name: "c", status: "NEW", ingressPort: 2 },
    { id: "4", frontdoorId: "fd", name: "d", status: "NEW" },
  ];
  const script = `
    import { changesBetween, connectionChanges } from "./changes.js";
    import { connectionWord } from "./words.js";
    const changes = changesBetween("share", ${JSON.stringify(before)}, ${JSON.stringify(after)});
    const connections = [{ a: { status: "UP" } }, { a: { status: "DOWN" }, b: { status: "UP" } }];
    console.log(JSON.stringify([...changes, ...connectionChanges(...connections, connectionWord)]));`;
  expect((evaluate(script) as { key: string; text: string }[]).map(({ key, text }) => [key, text])).toEqual([
    ["share/fd/1", "NEW → DEPLOYED"],
    ["share/fd/3", "DEPLOYED → NEW, ingressPort 1 → 2"],
    ["share/fd/4", "new, NEW"],
    ["share/fd/2", "gone"],
    ["a", "connection UP → DOWN"],
  ]);
});

it("puts shares under their tunnels by port, and those of no tunnel under what they name", () => {
  const tunnels = [
    { id: "t2", frontdoorId: "fd", name: "site 10" },
    { id: "t1", frontdoorId: "fd", name: "site 9" },
  ];
  const share = (id: string, ipsecTunnelId: string, ingressPort: number) => ({
    id,
    frontdoorId: "fd",
    name: id,
    ipsecTunnelId,
    ingressPort,
  });
  const shares = [share("c", "t1", 443), share("b", "t1", 80), share("a", "gone", 22)];
  const script = `
    globalThis.document = {};
    const { topologyOf } = await import("./topology.js");
    const topology = topologyOf(${JSON.stringify({ tunnels, shares })}, ({ id }) => id !== "t2");
    console.log(JSON.stringify(topology.map(([id, tunnels]) => [id, tunnels.map(({ name, isMissing, shares }) => [name, isMissing ?? false, shares.map(({ id }) => id)])])));`;
  expect(evaluate(script)).toEqual([
    [
      "fd",
      [
        ["gone", true, ["a"]],
        ["site 9", false, ["b", "c"]],
      ],
    ],
  ]);
});
