import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { openPool, unanswered } from "../../../provider/http/send";

const { send, close } = openPool();
const plain = createServer((_, response) => {
  response.end();
});
let port: number;

beforeAll(async () => {
  await new Promise<void>((resolve) => plain.listen(0, "127.0.0.1", resolve));
  ({ port } = plain.address() as AddressInfo);
});
afterAll(async () => {
  await close();
  plain.close();
});

const asked = (url: string, setting?: "frontdoor:tokenUrl") =>
  send({ method: "GET", url, headers: {}, timeoutMs: 5000, label: "GET /x", ...(setting && { setting }) });

describe("a server that is not reached", () => {
  it("is named with its port and the setting to check", async () => {
    await expect(asked("http://127.0.0.1:1/x", "frontdoor:tokenUrl")).rejects.toThrow(
      "GET /x: nothing was reached at 127.0.0.1:1 (ECONNREFUSED). Check the address in frontdoor:tokenUrl. [unreachable]",
    );
    await expect(asked("http://no-such-host.invalid/x")).rejects.toThrow(
      /nothing was reached at no-such-host\.invalid \(\w+\)\. Check the address in frontdoor:baseUrl\. \[unreachable\]$/,
    );
  });

  it.each(["127.0.0.1:1", "[::1]:1"])("at the loopback address %s is the emulator, which is off", async (host) => {
    await expect(asked(`http://${host}/x`)).rejects.toThrow(
      `GET /x: Nothing listens at ${host}. Start the emulator: \`npx frontdoor emulator --port 1\`. [unreachable]`,
    );
  });

  it("at the emulator's own port is named without an option", () => {
    const refused = Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
    const request = { label: "GET /x", host: "127.0.0.1:8480", setting: "frontdoor:baseUrl" };
    expect(unanswered(refused, request).message).toBe(
      "GET /x: Nothing listens at 127.0.0.1:8480. Start the emulator: `npx frontdoor emulator`. [unreachable]",
    );
  });

  it.each(["::bad", "ftp://127.0.0.1:1"])(
    "is not asked through a proxy with the invalid address %s",
    async (address) => {
      const environment = jest.replaceProperty(process, "env", { ...process.env, HTTPS_PROXY: address });
      const asking = asked("https://127.0.0.1:1/x").finally(() => {
        environment.restore();
      });
      await expect(asking).rejects.toMatchObject({ trouble: { kind: "failed" } });
      await expect(asking).rejects.toThrow(
        "GET /x: the environment names a proxy whose address is invalid. Nothing was sent. Correct HTTPS_PROXY or HTTP_PROXY to an http or https address. [proxy-invalid]",
      );
    },
  );

  it("is said to speak no TLS where a plain server has the port", async () => {
    await expect(asked(`https://127.0.0.1:${port}/x`)).rejects.toThrow(
      /: 127\.0\.0\.1:\d+ speaks no TLS at this port \(\w+\)\. Write http:\/\/ instead of https:\/\/ in frontdoor:baseUrl\. \[no-tls\]$/,
    );
  });
});
