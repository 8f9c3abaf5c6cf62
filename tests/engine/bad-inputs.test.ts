import { Stack } from "../harness/stack";

/* The engine gives up after the first resource whose inputs are wrong, so each round bends many inputs of one resource. */

const publicIp = "must be a public IPv4 address";
const cidr = "must be a CIDR block with its host bits clear";
const shareName = "must be 1 to 63 letters, digits and hyphens, without a hyphen at either end";
const hostPort = "must be host:port";
const port = "must be a whole number from 1 to 65535";

type Bad = [value: unknown, expected: string];

const tunnelTable: Record<string, (Bad | undefined)[]> = {
  peerPublicIp: [
    ["10.0.0.1", publicIp],
    ["100.64.0.1", publicIp],
    ["vpn.example.com", publicIp],
    [undefined, "is required: a public IPv4 address"],
  ],
  peerCidr: [
    ["10.20.0.1/16", "did you mean 10.20.0.0/16?"],
    ["10.20.0.0", cidr],
    ["10.20.0.0/33", cidr],
    [undefined, "is required: a CIDR block"],
  ],
  name: [
    ["", "must be 1 to 255 characters"],
    [" padded ", "must be 1 to 255 characters"],
    ["x".repeat(256), "must be 1 to 255 characters"],
  ],
  nlbPrivateIp: [
    ["203.0.113.9", "must be a private IPv4 address"],
    ["10.0.0", "must be a private IPv4 address"],
  ],
  locationId: [
    ["", "must be a location id"],
    [" loc-1", "must be a location id"],
  ],
  frontdoorId: [["../fd-2", "must be a front door id"]],
  storeSampleConfig: [["yes", "must be true or false"]],
  peerCIDR: [["10.20.0.0/16", "is not an input of IpsecTunnel. Use one of: peerPublicIp, peerCidr"]],
};

const shareTable: Record<string, (Bad | undefined)[]> = {
  name: [
    ["", shareName],
    ["x".repeat(64), shareName],
    ["-web", shareName],
    ["web-", shareName],
    ["web_1", shareName],
  ],
  ingressPort: [
    [0, port],
    [65536, port],
    [1.5, port],
    ["80", "must be a whole number from 1 to 65535 (a number, not text)"],
    [undefined, "is required: a whole number from 1 to 65535"],
  ],
  target: [
    ["web.internal", hostPort],
    ["https://web.internal:443", hostPort],
    ["web.internal:443/path", hostPort],
    ["web.internal:65536", hostPort],
    [undefined, "is required: host:port"],
  ],
  ipsecTunnelId: [
    ["../ipsec-shares", "must be the id of an IPsec tunnel"],
    [undefined, "is required: the id of an IPsec tunnel"],
  ],
  envZId: [
    ["env-1\n", "must be the id of the hosting agent's environment"],
    [
      undefined,
      "is required: the id of the hosting agent's environment: 1 to 255 characters without control characters or white space at either end, here or as envId",
    ],
  ],
  envId: [undefined, undefined, ["env-2", "is another spelling of envZId: give one of the two, not both"]],
  locationId: [["l".repeat(256), "must be a location id"]],
};

const tunnelArgs = { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" };
const shareArgs = { ipsecTunnelId: "tnl-1", envZId: "env-1", target: "web.internal:443", ingressPort: 443 };

/** In round n each property takes the n-th of its bad values, if there are so many, else its good one. */
function rounds(table: Record<string, (Bad | undefined)[]>) {
  const count = Math.max(...Object.values(table).map((column) => column.length));
  return Array.from({ length: count }, (_, round) => {
    const rows = Object.entries(table).flatMap(([property, column]) => {
      const bad = column[round];
      return bad ? [{ property, value: bad[0], expected: bad[1] }] : [];
    });
    return { rows, args: Object.fromEntries(rows.map(({ property, value }) => [property, value])) };
  });
}

const cases = [
  ...rounds(tunnelTable).map(({ rows, args }) => ({
    rows,
    resources: { tunnels: { it: { ...tunnelArgs, ...args } } },
  })),
  ...rounds(shareTable).map(({ rows, args }) => ({ rows, resources: { shares: { it: { ...shareArgs, ...args } } } })),
].map(({ rows, resources }) => ({ about: rows.map(({ property }) => property).join(", "), rows, resources }));

describe("a preview with bad inputs", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.open();
  });
  afterAll(() => stack.close());

  it.each(cases)(
    "names every one of them with what is expected and sends nothing: $about",
    async ({ rows, resources }) => {
      const run = await stack.preview(resources);
      expect(run.code).not.toBe(0);
      const told = run.errors.map((error) => {
        const [, property, expected] = /: property (\S+) (?:value \{.*?\} )?has a problem: (.*)$/s.exec(error) ?? [];
        return { property, expected };
      });
      const wanted = rows.map(({ property, expected }) => ({
        property,
        expected: expect.stringContaining(expected) as unknown,
      }));
      expect(told).toHaveLength(wanted.length);
      expect(told).toEqual(expect.arrayContaining(wanted));
      expect(stack.emulator.requests).toEqual([]);
    },
  );
});
