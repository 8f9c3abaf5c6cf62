import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";

/** Opens another address of a service, on this host and port. */
export async function forwarded(
  baseUrl: string,
  host = "127.0.0.1",
  port = 0,
): Promise<{ address: string; close: () => void }> {
  const server = createServer((from) => {
    const to = connect(Number(new URL(baseUrl).port), "127.0.0.1");
    from.pipe(to).pipe(from);
    from.on("error", () => to.destroy());
    to.on("error", () => from.destroy());
  }).listen(port, host);
  await once(server, "listening");
  return {
    address: baseUrl.replace(/:\d+/, `:${(server.address() as AddressInfo).port}`),
    close: () => server.close(),
  };
}
