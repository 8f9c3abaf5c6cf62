import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { createServer, type Server } from "node:https";
import { pairIn } from "./certificates.ts";

/** TLS in front of the emulator, which is on loopback alone: other addresses the provider takes with `https` only. */
export class TlsFront {
  /** The certificate authority that clients have to trust. */
  readonly certificate: string;
  private readonly server: Server;

  constructor(folder: string, host: string, emulator: URL) {
    const { key, certificate } = pairIn(folder, "front", host);
    this.certificate = certificate;
    this.server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (asked, answered) => {
      const { method, headers } = asked;
      // The emulator refuses other names than its own.
      const on = {
        host: emulator.hostname,
        port: emulator.port,
        path: asked.url,
        method,
        headers: { ...headers, host: emulator.host },
      };
      const passed = request(on, (answer) => answer.pipe(answered.writeHead(answer.statusCode ?? 502, answer.headers)));
      passed.once("error", () => answered.destroy());
      asked.pipe(passed);
    });
  }

  async listen(host: string, port: number): Promise<void> {
    this.server.listen(port, host);
    await once(this.server, "listening");
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
