import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { createServer } from "node:tls";
import { type Pair, pairIn } from "./certificates.ts";

/** Mutual TLS in front of Temporal, which is on loopback only: it lets in who has the client's key. */
export class TlsDoor {
  private readonly server;
  private readonly sockets = new Set<Socket>();
  private readonly own: Pair;
  private readonly client: Pair;

  constructor(folder: string, host: string, port: number) {
    this.own = pairIn(folder, "temporal", host);
    this.client = pairIn(folder, "temporal-client");
    const tls = {
      key: readFileSync(this.own.key),
      cert: readFileSync(this.own.certificate),
      ca: readFileSync(this.client.certificate),
      requestCert: true,
      rejectUnauthorized: true,
      ALPNProtocols: ["h2"],
    };
    this.server = createServer(tls, (from) => {
      const to = connect(port, "127.0.0.1");
      for (const [socket, other] of [
        [from, to],
        [to, from],
      ] as const) {
        this.sockets.add(socket);
        socket.once("error", () => other.destroy()).once("close", () => this.sockets.delete(socket));
      }
      from.pipe(to).pipe(from);
    });
  }

  async listen(host: string, port: number): Promise<void> {
    this.server.listen(port, host);
    await once(this.server, "listening");
  }

  /** By which clients know the door. */
  get certificate(): string {
    return this.own.certificate;
  }

  /** Temporal's own settings of a client that may come in. */
  settings(address: string): NodeJS.ProcessEnv {
    return {
      TEMPORAL_ADDRESS: address,
      TEMPORAL_TLS: "true",
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: this.own.certificate,
      TEMPORAL_TLS_CLIENT_CERT_PATH: this.client.certificate,
      TEMPORAL_TLS_CLIENT_KEY_PATH: this.client.key,
    };
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }
}
