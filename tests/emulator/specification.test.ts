import type { Emulator } from "../../emulator";
import { ask, own, share, tunnel } from "./own";

// What the specification shows and `pulumi-frontdoor verify` does not ask (tests/verify): each check of a body, each filter, whole answers.

let emulator: Emulator;
beforeEach(async () => {
  emulator = await own();
});

const answer = async (request: string, body?: unknown, headers?: Record<string, string>) =>
  ask(emulator, request, body, headers);
const mustBeOf = (property: string, type = ".+") => ({
  error: "invalid_request",
  message: expect.stringMatching(new RegExp(`^Value for \`${property}\` must be of \`${type}\`$`)) as unknown,
});
const refusal = (property: string, type?: string) => ({ status: 400, body: mustBeOf(property, type) });
const settle = () => {
  emulator.clock.advance(1000);
};
const names = async (query: string) => {
  const { body } = await answer(`GET ${query}`);
  return (body as { content: { name: string }[] }).content.map(({ name }) => name).join(" ");
};

describe("a request", () => {
  it.each(["Bearer", "Bearer  two-spaces", "Digest abc", "Bearer one two"])(
    "with the header %j gets 400",
    async (authorization) => {
      const wanted = { status: 400, body: { error: "invalid_request" } };
      expect(await answer("GET /ipsec-tunnels", undefined, { authorization })).toMatchObject(wanted);
    },
  );

  it.each(["GET /ipsec-shares", "POST /ipsec-tunnels", "DELETE /ipsec-tunnels/tnl-1", "PATCH /ipsec-shares/shr-1"])(
    "without a token gets 401 before anything else: %s",
    async (request) => {
      const body = { error: "unauthorized", message: "Bearer token is missing or invalid" };
      expect(await answer(request, undefined, { authorization: "" })).toMatchObject({ status: 401, body });
    },
  );

  it.each(["", "{", "[]", "null", '"text"'])("with the body %j gets 400", async (body) => {
    expect(await answer("POST /ipsec-tunnels", body)).toMatchObject(refusal("body", "JSON object"));
  });

  it("whose body is not sent as JSON gets 400", async () => {
    const wanted = refusal("Content-Type", "application/json");
    expect(await answer("POST /ipsec-tunnels", tunnel, { "content-type": "text/plain" })).toMatchObject(wanted);
  });
});

describe("a method that a path does not have", () => {
  it.each([
    ["PUT /ipsec-tunnels/tnl-1", "GET, DELETE"],
    ["DELETE /ipsec-shares", "GET, POST"],
    ["POST /ipsec-shares/shr-1", "GET, PUT, PATCH, DELETE"],
    ["POST /ipsec-tunnels/tnl-1/sample-config", "GET"],
  ])("gets 405 with those that it has: %s", async (request, allowed) => {
    const { status, headers, body } = await answer(request, {});
    expect([status, headers.get("allow"), body]).toMatchObject([405, allowed, { error: "method_not_allowed" }]);
  });

  it("is not found where there is no such path", async () => {
    expect(await answer("PUT /ipsec-routes", {})).toMatchObject({ status: 404, body: { error: "not_found" } });
  });
});

const notPublic = ["0.0.0.0", "10.0.0.1", "100.64.0.1", "127.0.0.1", "169.254.1.1", "172.31.0.1", "192.168.1.1"];

describe("a tunnel", () => {
  it.each<[property: string, value: unknown, type: string]>([
    ["name", undefined, "string"],
    ["name", 7, "string"],
    ["name", "", "string"],
    ["peerPublicIp", undefined, "string"],
    ["peerPublicIp", "203.0.113", "IPv4 address"],
    ["peerPublicIp", "2001:db8::1", "IPv4 address"],
    ...[...notPublic, "224.0.0.1", "255.255.255.255"].map((ip): [string, string, string] => [
      "peerPublicIp",
      ip,
      "public IPv4 address",
    ]),
    ["peerCidr", undefined, "string"],
    ["peerCidr", "192.168.10.0", "IPv4 CIDR block"],
    ["peerCidr", "192.168.10.0/33", "IPv4 CIDR block"],
    ["locationId", 7, "string"],
    ["nlbPrivateIp", "ten", "IPv4 address"],
  ])("with the %s %j is refused", async (property, value, type) => {
    expect(await answer("POST /ipsec-tunnels", { ...tunnel, [property]: value })).toMatchObject(
      refusal(property, type),
    );
  });

  const listed = { ...tunnel, id: "tnl-1", frontdoorId: "fd-1", locationId: "loc-1" };
  const full = { ...listed, nlbPrivateIp: "10.90.0.10" };

  it("is shown as NEW, DEPLOYED with its load balancer, DELETING and DELETED", async () => {
    expect(await answer("POST /ipsec-tunnels", tunnel)).toMatchObject({
      status: 202,
      body: { ...listed, status: "NEW" },
    });
    const shown = async () => (await answer("GET /ipsec-tunnels/tnl-1")).body;
    expect(await shown()).toEqual({ ...full, status: "NEW", nlbDnsName: "", vpnConnectionId: "" });
    settle();
    const balancer = expect.stringMatching(/^nlb-.+/) as unknown;
    const connection = expect.stringMatching(/^vpn-.+/) as unknown;
    const deployed = { ...full, nlbDnsName: balancer, vpnConnectionId: connection };
    expect(await shown()).toEqual({ ...deployed, status: "DEPLOYED" });
    expect((await answer("GET /ipsec-tunnels")).body).toMatchObject({ content: [{ ...listed, status: "DEPLOYED" }] });
    expect((await answer("DELETE /ipsec-tunnels/tnl-1")).body).toEqual({ ...listed, status: "DELETING" });
    expect(await shown()).toEqual({ ...deployed, status: "DELETING" });
    settle();
    expect(await shown()).toMatchObject({ status: "DELETED" });
  });

  it("occupies its location until it is DELETED", async () => {
    const status = async (body: object) => (await answer("POST /ipsec-tunnels", { ...tunnel, ...body })).status;
    expect([await status({}), await status({}), await status({ locationId: "lab" })]).toEqual([202, 409, 202]);
    settle();
    await answer("DELETE /ipsec-tunnels/tnl-1");
    expect(await status({})).toBe(409);
    settle();
    expect(await status({})).toBe(202);
  });

  it("can't be deleted while a share targets it, also one in DELETING", async () => {
    emulator.seedTunnel();
    emulator.seedShare();
    expect(await answer("DELETE /ipsec-tunnels/tnl-1")).toMatchObject(refusal("id"));
    await answer("DELETE /ipsec-shares/shr-1");
    expect((await answer("DELETE /ipsec-tunnels/tnl-1")).status).toBe(400);
    settle();
    expect((await answer("DELETE /ipsec-tunnels/tnl-1")).status).toBe(202);
  });

  it("has a key of its own, in the sample configuration only", async () => {
    for (const locationId of ["a", "b"]) emulator.seedTunnel({ locationId, peerPublicIp: "198.51.100.4" });
    const keys = [];
    for (const { id, nlbPrivateIp } of emulator.tunnels()) {
      const { body, headers } = await answer(`GET /ipsec-tunnels/${id}/sample-config`, undefined, {
        accept: "text/plain",
      });
      expect(headers.get("content-type")).toMatch(/^text\/plain/);
      for (const part of ["198.51.100.4", nlbPrivateIp]) expect(body).toContain(part);
      const key = /pre-shared-key (\S{32})\n/.exec(String(body))?.[1] ?? "no key";
      for (const path of ["", `/${id}`, `/${id}/tunnel-config`, `/${id}/metrics`])
        expect(JSON.stringify((await answer(`GET /ipsec-tunnels${path}`)).body)).not.toContain(key);
      keys.push(key);
    }
    expect(new Set(keys).size).toBe(2);
  });

  it("has the same tunnel configuration each time, with an address of a /30", async () => {
    emulator.seedTunnel();
    const { body } = await answer("GET /ipsec-tunnels/tnl-1/tunnel-config");
    const insideCidr = expect.stringMatching(/^169\.254\.\d+\.\d+\/30$/) as unknown;
    expect(body).toMatchObject({ state: "available", tunnels: [{ insideCidr, dpdTimeoutAction: "clear" }] });
    expect((await answer("GET /ipsec-tunnels/tnl-1/tunnel-config")).body).toEqual(body);
  });

  it("can have its own connection", async () => {
    emulator.seedTunnel();
    Object.assign(emulator.settings, { connectionStatus: "DOWN", connectionStatuses: { "tnl-1": "UP" } });
    const { body } = await answer("GET /ipsec-tunnels/tnl-1/tunnel-config");
    expect(body).toMatchObject({ tunnels: [{ status: "UP" }] });
  });

  it("has 30 points of metrics for a window, an hour by default", async () => {
    emulator.seedTunnel();
    const metrics = (query: string) => answer(`GET /ipsec-tunnels/tnl-1/metrics${query}`);
    for (const window of ["30m", "1h", "1d", "7d"]) {
      const { body } = await metrics(`?window=${window}`);
      expect((body as { series: { points: unknown[] }[] }).series[0]?.points).toHaveLength(30);
    }
    expect((await metrics("")).body).toEqual((await metrics("?window=1h")).body);
    for (const window of ["15m", "2h", "", "1H"])
      expect(await metrics(`?window=${window}`)).toMatchObject(refusal("window"));
  });
});

describe("a share", () => {
  beforeEach(() => {
    emulator.seedTunnel({ locationId: "loc-1" });
  });
  const body = share("tnl-1");
  const whole = (status: string) => ({ ...body, id: "shr-1", frontdoorId: "fd-1", locationId: "loc-1", status });
  const create = async () => {
    await answer("POST /ipsec-shares", body);
    settle();
  };
  const shown = async () => (await answer("GET /ipsec-shares/shr-1")).body;

  it.each([
    ["name", undefined, "string"],
    ["name", "", "string"],
    ["name", "a".repeat(64), "string of 1 to 63 characters"],
    ["name", "under_score", "string of letters, digits and hyphens"],
    ["name", "-leading", "string that does not start with a hyphen"],
    ["name", "trailing-", "string that does not end with a hyphen"],
    ["name", "line\n", "string of letters, digits and hyphens"],
    ["ipsecTunnelId", undefined, "string"],
    ["ipsecTunnelId", "tnl-9", "IPsec tunnel identifier"],
    ["envZId", undefined, "string"],
    ["target", undefined, "string"],
    ["target", "10.1.2.3", "host:port"],
    ["target", "10.1.2.3:0", "host:port"],
    ["target", "10.1.2.3:65536", "host:port"],
    ["target", "http://10.1.2.3:80", "host:port"],
    ["ingressPort", undefined, "integer"],
    ["ingressPort", "443", "integer"],
    ["ingressPort", 44.3, "integer"],
    ["ingressPort", 0, "integer from 1 to 65535"],
    ["ingressPort", 65536, "integer from 1 to 65535"],
  ])("with the %s %j is refused by POST and PUT, and by PATCH if there is a value", async (property, value, type) => {
    await create();
    const wrong = { ...body, ingressPort: 80, [property]: value };
    for (const request of ["POST /ipsec-shares", "PUT /ipsec-shares/shr-1"])
      expect(await answer(request, wrong)).toMatchObject(refusal(property, type));
    if (value !== undefined)
      expect(await answer("PATCH /ipsec-shares/shr-1", { [property]: value })).toMatchObject(refusal(property, type));
    expect(await shown()).toEqual(whole("DEPLOYED"));
  });

  it.each([
    ["name", ["a", "0-9", "a".repeat(63)]],
    ["target", ["db.internal.example:5432", "[fd00::1]:5432"]],
    ["ingressPort", [1, 65535]],
  ])("takes the %s %j", async (property, values) => {
    for (const [index, value] of values.entries())
      expect((await answer("POST /ipsec-shares", { ...body, ingressPort: 90 + index, [property]: value })).status).toBe(
        202,
      );
  });

  it("is created with envId for envZId, and shown with envZId", async () => {
    const { envZId: envId, ...rest } = body;
    expect((await answer("POST /ipsec-shares", { ...rest, envId })).body).toEqual(whole("NEW"));
  });

  it.each([
    ["PUT", { ...body, target: "10.1.2.4:80" }, { target: "10.1.2.4:80" }],
    ["PATCH", { name: "renamed" }, { name: "renamed" }],
    ["PATCH", { target: "10.1.2.4:80" }, { target: "10.1.2.4:80" }],
    ["PATCH", { ingressPort: 8443 }, { ingressPort: 8443 }],
    ["PATCH", { envId: "other" }, { envZId: "other" }],
    ["PATCH", { locationId: "lab" }, { locationId: "lab" }],
  ])("changes only what %s names: %j", async (method, change, changed) => {
    await create();
    expect((await answer(`${method} /ipsec-shares/shr-1`, change)).status).toBe(202);
    expect(await shown()).toEqual({ ...whole("NEW"), ...changed });
    settle();
    expect(await shown()).toEqual({ ...whole("DEPLOYED"), ...changed });
  });

  it.each(["PUT", "PATCH", "DELETE"])("that nobody has answers not found to %s", async (method) => {
    const change = method === "DELETE" ? undefined : body;
    const wanted = { status: 404, body: { error: "not_found" } };
    expect(await answer(`${method} /ipsec-shares/shr-9`, change)).toMatchObject(wanted);
  });
});

describe("a list", () => {
  beforeEach(async () => {
    emulator.seedTunnel({ name: "bravo", locationId: "b" });
    emulator.seedTunnel({ name: "alpha", locationId: "a", peerPublicIp: "198.51.100.9" });
    emulator.seedTunnel({ name: "charlie", locationId: "c", peerCidr: "172.16.0.0/16" });
    const on = { ipsecTunnelId: "tnl-1", envZId: "env" };
    emulator.seedShare({ ...on, name: "web", ingressPort: 443 });
    emulator.seedShare({ ...on, name: "ssh", ingressPort: 22, target: "bastion.example:22" });
    emulator.seedShare({ ...on, name: "dns", ingressPort: 5353, envZId: "other" });
    await answer("DELETE /ipsec-shares/shr-3");
  });

  it.each([
    ["tunnels?status=DEPLOYED", "bravo alpha charlie"],
    ["tunnels?status=NEW", ""],
    ["tunnels?peerPublicIp=198.51.100.9", "alpha"],
    ["tunnels?peerCidr=172.16.0.0%2F16", "charlie"],
    ["tunnels?locationId=c&name=charlie", "charlie"],
    ["tunnels?locationId=c&name=alpha", ""],
    ["tunnels?id=tnl-2", "alpha"],
    ["tunnels?nlbPrivateIp=10.90.0.11", "alpha"],
    ["tunnels?sort=name,desc", "charlie bravo alpha"],
    ["tunnels?page=0&size=2&sort=name,asc", "alpha bravo"],
    ["tunnels?page=1&size=2&sort=name,asc", "charlie"],
    ["shares?status=DEPLOYED&status=DELETING", "web ssh dns"],
    ["shares?status=DEPLOYED", "web ssh"],
    ["shares?id=shr-1&id=shr-3", "web dns"],
    ["shares?target=bastion.example%3A22", "ssh"],
    ["shares?envZId=other", "dns"],
    ["shares?ingressPort=22&ingressPort=443", "web ssh"],
    ["shares?ipsecTunnelId=tnl-1&name=web", "web"],
    ["shares?ipsecTunnelId=tnl-9", ""],
    ["shares?sort=ingressPort,asc", "ssh web dns"],
  ])("of %s has: %s", async (query, wanted) => {
    expect(await names(`/ipsec-${query}`)).toBe(wanted);
  });

  it("counts all entries and pages", async () => {
    const { body } = await answer("GET /ipsec-tunnels?page=1&size=2");
    expect(body).toMatchObject({ pageable: { pageNumber: 1, pageSize: 2 }, totalElements: 3, totalPages: 2 });
  });

  it.each([
    ["sort=name", "sort"],
    ["sort=name,up", "sort"],
    ["sort=colour,asc", "sort"],
    ["sort=name,asc,x", "sort"],
    ["size=x", "size"],
    ["ingressPort=https", "ingressPort"],
  ])("with %s gets 400", async (query, property) => {
    expect(await answer(`GET /ipsec-shares?${query}`)).toMatchObject(refusal(property));
  });

  it("is JSON for a client that asks for HAL", async () => {
    const { headers } = await answer("GET /ipsec-tunnels", undefined, { accept: "application/hal+json" });
    expect(headers.get("content-type")).toMatch(/^application\/hal\+json/);
  });
});
