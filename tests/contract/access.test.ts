import { call, callUrl, ownServerOnly, target, useTarget } from "./target";

useTarget();

const refused = { error: "unauthorized", message: "Bearer token is missing or invalid" };
const lists = ["/ipsec-tunnels", "/ipsec-shares"];

describe("authentication", () => {
  it.each(lists)("answers 401 to %s without a token", async (path) => {
    const { status, json } = await call("GET", path, undefined, { authorization: "" });
    expect({ status, json }).toEqual({ status: 401, json: refused });
  });

  it.each(lists)("answers 401 to %s with a token it does not know", async (path) => {
    const { status, json } = await call("GET", path, undefined, { authorization: "Bearer not-a-token" });
    expect({ status, json }).toEqual({ status: 401, json: refused });
  });

  it.each(["Bearer", "Bearer  two-spaces", "Digest abc", "Bearer one two"])(
    "answers 400 to the malformed header %j",
    async (authorization) => {
      const { status, json } = await call("GET", "/ipsec-tunnels", undefined, { authorization });
      expect({ status, json }).toMatchObject({ status: 400, json: { error: "invalid_request" } });
    },
  );

  it("answers 403 with not_found and the identifier for a front door out of reach", async () => {
    const url = `${target().baseUrl}/v2/not-a-front-door/ipsec-tunnels`;
    const { status, json } = await callUrl("GET", url, undefined, { authorization: `Bearer ${target().token}` });
    expect({ status, json }).toEqual({
      status: 403,
      json: { error: "not_found", message: expect.stringContaining("not-a-front-door") as unknown },
    });
  });

  it("answers JSON when the client asks for HAL", async () => {
    const { status, headers } = await call("GET", "/ipsec-tunnels", undefined, { accept: "application/hal+json" });
    expect(status).toBe(200);
    expect(headers.get("content-type")).toMatch(/^application\/(hal\+)?json/);
  });
});

ownServerOnly(() => {
  describe("a write without access", () => {
    it.each([
      "POST /ipsec-tunnels",
      "DELETE /ipsec-tunnels/tnl-1",
      "PUT /ipsec-shares/shr-1",
      "PATCH /ipsec-shares/shr-1",
    ])("answers 401 to %s before it looks at anything else", async (request) => {
      const [method = "", path = ""] = request.split(" ");
      const body = method === "DELETE" ? undefined : {};
      expect((await call(method, path, body, { authorization: "" })).status).toBe(401);
    });
  });
});
