import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Process, until } from "./processes.ts";

const checkout = join(import.meta.dirname, "../..");

/** Debian's packages put PostgreSQL's programs here. */
export const hasPostgres = (): boolean => existsSync("/usr/lib/postgresql");

/** A PostgreSQL server of its own, which the starter of the provider's tests runs. */
export class Postgres {
  private readonly folder = mkdtempSync(join(tmpdir(), "frontdoor-fleet-postgres-"));
  private server: Process | undefined;

  /** Starts the server on an address of this machine. Returns its URL, which holds the password. */
  async start(host: string): Promise<string> {
    const [ready, log] = [join(this.folder, "url"), join(this.folder, "log")];
    const main = ["-r", "ts-node/register/transpile-only", "tests/harness/postgres-main.ts"];
    const args = [...main, "--host", host, "--ready-file", ready];
    this.server = new Process("node", args, { cwd: checkout, env: process.env, log });
    return until("PostgreSQL", () => (existsSync(ready) ? readFileSync(ready, "utf8") : undefined));
  }

  async close(): Promise<void> {
    await this.server?.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
