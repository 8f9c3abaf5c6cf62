import { execFileSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Process, until } from "./processes.ts";

/** The folder of PostgreSQL's programs, as Debian has them, or undefined. */
export const postgresFolder = (): string | undefined => {
  const versions = "/usr/lib/postgresql";
  return (existsSync(versions) ? readdirSync(versions) : [])
    .map((version) => join(versions, version, "bin"))
    .find((folder) => existsSync(join(folder, "initdb")));
};

/** A PostgreSQL server of its own with an empty database, run by the user `postgres`, as it refuses to be run by root. */
export class Postgres {
  private readonly folder = mkdtempSync(join(tmpdir(), "frontdoor-postgres-"));
  private readonly password = crypto.randomUUID();
  private server: Process | undefined;

  /** Starts it; gives its address, which holds the password. */
  async start(programs: string, host: string, port: number): Promise<string> {
    const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
    const user = { uid: id("-u"), gid: id("-g") };
    const data = join(this.folder, "data");
    const passwordFile = join(this.folder, "password");
    writeFileSync(passwordFile, this.password, { mode: 0o600 });
    for (const path of [this.folder, passwordFile]) chownSync(path, user.uid, user.gid);
    const flags = ["--auth=scram-sha-256", "--username=fleet", `--pwfile=${passwordFile}`, "--no-sync"];
    execFileSync(join(programs, "initdb"), ["-D", data, ...flags], { ...user, cwd: this.folder, stdio: "pipe" });
    writeFileSync(join(data, "pg_hba.conf"), "host all fleet all scram-sha-256\n");
    const settings = ["-h", host, "-p", String(port), "-c", "unix_socket_directories="];
    const log = join(this.folder, "log");
    this.server = new Process(join(programs, "postgres"), ["-D", data, ...settings], { cwd: this.folder, log, user });
    await until("PostgreSQL", () =>
      existsSync(join(data, "postmaster.pid")) && isReady(programs, host, port) ? true : undefined,
    );
    return `postgres://fleet:${this.password}@${host}:${port}/postgres?sslmode=disable`;
  }

  async close(): Promise<void> {
    // SIGTERM would wait for connections that are left.
    this.server?.child.kill("SIGINT");
    await this.server?.ended;
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function isReady(programs: string, host: string, port: number): boolean {
  try {
    execFileSync(join(programs, "pg_isready"), ["-h", host, "-p", String(port)], { stdio: "pipe" });
    return true;
  } catch {
    return false;
  }
}
