import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { Connection } from "@temporalio/client";
import { Process, until } from "./processes.ts";

/** Why there is no Temporal here, or false: what `skip` of a test takes. */
export const noTemporal = process.env["FLEET_NO_TEMPORAL"] ?? false;

/** Temporal's development server, whose data outlive it: it can be killed and started again. */
export class Temporal {
  readonly database: string;
  private server: Process | undefined;
  private readonly folder: string;
  /** It asks nobody who they are: other networks reach it by a `TlsDoor`. */
  private readonly host = "127.0.0.1";
  port = 0;

  constructor(folder: string) {
    this.folder = folder;
    this.database = join(folder, "temporal.db");
  }

  get address(): string {
    return `${this.host}:${this.port}`;
  }

  async start(env: NodeJS.ProcessEnv): Promise<void> {
    if (this.port === 0) this.port = await freePort();
    const flags = ["--headless", "--ip", this.host, "--port", String(this.port), "--log-level", "error"];
    const args = ["server", "start-dev", ...flags, "--db-filename", this.database];
    this.server = new Process("temporal", args, { cwd: this.folder, env, log: join(this.folder, "temporal.log") });
    await until("Temporal", () =>
      Connection.connect({ address: this.address, connectTimeout: 2000 }).then(
        (opened) => opened.close().then(() => true),
        () => undefined,
      ),
    );
  }

  async kill(): Promise<void> {
    await this.server?.kill();
  }
}

/** A port that nothing uses now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
