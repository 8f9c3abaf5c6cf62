import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";

/** Opens another address of a service. */
export async function forwarded(baseUrl: string): Promise<{ address: string; close: () => void }> {
  const server = createServer((from) => {
    const to = connect(Number(new URL(baseUrl).port), "127.0.0.1");
    from.pipe(to).pipe(from);
    from.on("error", () => to.destroy());
    to.on("error", () => from.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: baseUrl.replace(/:\d+/, `:${(server.address() as AddressInfo).port}`),
    close: () => server.close(),
  };
}
