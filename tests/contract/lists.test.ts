import { deployedShare, deployedTunnel, mustBeOf, namesOf, tunnel } from "./fixtures";
import { answers, call, callUrl, ownServerOnly, target, useTarget } from "./target";

useTarget();

const refused = { error: "unauthorized", message: "Bearer token is missing or invalid" };
const counts = { totalElements: expect.any(Number) as unknown, totalPages: expect.any(Number) as unknown };

describe.each(["/ipsec-tunnels", "/ipsec-shares"])("GET %s", (path) => {
  it("answers 401 without a token, and with one that it does not know", async () => {
    for (const authorization of ["", "Bearer not-a-token"])
      expect((await answers([`GET ${path}`, undefined, { authorization }], 401)).json).toEqual(refused);
  });

  it("answers the paged envelope, and an empty page beyond the last", async () => {
    const pageable = { pageNumber: 0, pageSize: 20 };
    await answers([`GET ${path}?page=0&size=20`], 200, { content: expect.any(Array) as unknown, pageable, ...counts });
    const beyond = { content: [], pageable: { pageNumber: 100000 } };
    await answers([`GET ${path}?page=100000&size=20`], 200, beyond);
  });

  it("finds nothing under a name nobody has", () =>
    answers([`GET ${path}?name=no-such-name-a0b1c2`], 200, { content: [], totalElements: 0, totalPages: 0 }));

  it.each(["page=x", "size=x"])("answers 400 to %s", (query) =>
    answers([`GET ${path}?${query}`], 400, { error: "invalid_request" }),
  );
});

describe("access", () => {
  it.each(["Bearer", "Bearer  two-spaces", "Digest abc", "Bearer one two"])(
    "is 400 with the header %j",
    (authorization) => answers(["GET /ipsec-tunnels", undefined, { authorization }], 400, { error: "invalid_request" }),
  );

  it("is 403 with not_found and the identifier for a front door out of reach", async () => {
    const url = `${target().baseUrl}/v2/not-a-front-door/ipsec-tunnels`;
    const { status, json } = await callUrl("GET", url, undefined, { authorization: `Bearer ${target().token}` });
    const message = expect.stringContaining("not-a-front-door") as unknown;
    expect({ status, json }).toEqual({ status: 403, json: { error: "not_found", message } });
  });

  it("answers JSON when the client asks for HAL", async () => {
    const { headers } = await answers(["GET /ipsec-tunnels", undefined, { accept: "application/hal+json" }], 200);
    expect(headers.get("content-type")).toMatch(/^application\/(hal\+)?json/);
  });
});

ownServerOnly(() => {
  it.each([
    "POST /ipsec-tunnels",
    "DELETE /ipsec-tunnels/tnl-1",
    "PUT /ipsec-shares/shr-1",
    "PATCH /ipsec-shares/shr-1",
  ])("%s without a token is 401 before anything else", (request) =>
    answers([request, request.startsWith("DELETE") ? undefined : {}, { authorization: "" }], 401),
  );

  describe("GET /ipsec-tunnels on a server of our own", () => {
    beforeEach(async () => {
      await deployedTunnel({ name: "bravo", locationId: "b" });
      await deployedTunnel({ name: "alpha", locationId: "a", peerPublicIp: "198.51.100.9" });
      await deployedTunnel({ name: "charlie", locationId: "c" });
    });

    it("carries the entry's fields and no others", async () => {
      const { json } = await call("GET /ipsec-tunnels?name=bravo");
      const entry = { id: "tnl-1", name: "bravo", frontdoorId: "fd-1", locationId: "b", status: "DEPLOYED" };
      expect((json as { content: unknown[] }).content).toEqual([{ ...tunnel, ...entry }]);
    });

    it("cuts the list into pages, and sorts it", async () => {
      const [first, second] = [0, 1].map((page) => call(`GET /ipsec-tunnels?page=${page}&size=2&sort=name,asc`));
      const pages = [await first, await second].map((page) => page && namesOf(page));
      expect(pages).toEqual([["alpha", "bravo"], ["charlie"]]);
      const pageable = { pageNumber: 1, pageSize: 2 };
      expect((await second)?.json).toMatchObject({ pageable, totalElements: 3, totalPages: 2 });
      expect(namesOf(await call("GET /ipsec-tunnels?sort=name,desc"))).toEqual(["charlie", "bravo", "alpha"]);
    });

    it.each([
      ["status=DEPLOYED", 3],
      ["status=NEW", 0],
      ["peerPublicIp=198.51.100.9", 1],
      ["peerCidr=192.168.10.0%2F24", 3],
      ["locationId=c&name=charlie", 1],
      ["locationId=c&name=alpha", 0],
      ["id=tnl-2", 1],
      ["nlbPrivateIp=10.90.0.11", 1],
    ])("filters by %s", (query, totalElements) => answers([`GET /ipsec-tunnels?${query}`], 200, { totalElements }));

    it.each(["name", "name,up", "colour,asc", "name,asc,x"])("answers 400 to the sort %j", (sort) =>
      answers([`GET /ipsec-tunnels?sort=${sort}`], 400, mustBeOf("sort")),
    );
  });

  describe("GET /ipsec-shares on a server of our own", () => {
    beforeEach(async () => {
      const id = await deployedTunnel();
      await deployedShare(id, { name: "web", ingressPort: 443 });
      await deployedShare(id, { name: "ssh", ingressPort: 22, target: "bastion.example:22" });
      await deployedShare(id, { name: "dns", ingressPort: 5353, envZId: "other" });
      await call("DELETE /ipsec-shares/shr-3");
    });

    it.each([
      ["status=DEPLOYED", "web ssh"],
      ["status=DEPLOYED&status=DELETING", "web ssh dns"],
      ["id=shr-1&id=shr-3", "web dns"],
      ["target=bastion.example%3A22", "ssh"],
      ["envZId=other", "dns"],
      ["ingressPort=22&ingressPort=443", "web ssh"],
      ["ipsecTunnelId=tnl-1&name=web", "web"],
      ["ipsecTunnelId=tnl-9", ""],
      ["sort=ingressPort,asc", "ssh web dns"],
    ])("with %s gives %j", async (query, names) => {
      expect(namesOf(await call(`GET /ipsec-shares?${query}`)).join(" ")).toBe(names);
    });

    it("answers 400 to a port that is no number", () =>
      answers(["GET /ipsec-shares?ingressPort=https"], 400, mustBeOf("ingressPort", "integer")));
  });
});
