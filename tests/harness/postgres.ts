import { type ChildProcess, execFileSync, spawn, spawnSync, type SpawnOptions } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chownSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeFolder } from "./folder";
import { type BackEnd, stateKey } from "./state";

/** Where Debian's packages have a folder for each major version. */
const versions = "/usr/lib/postgresql";

/** The one that every server has; the engine puts its name before each key. */
const database = "postgres";

const mostOutput = 256 * 1024 * 1024;

/** The folder of this machine's PostgreSQL server, installed where Debian's can be; undefined where there is none to be had. */
export function findPostgres(): string | undefined {
  const found = newest();
  if (found !== undefined || process.getuid?.() !== 0) return found;
  const options = { timeout: 300_000, env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } };
  spawnSync("apt-get", ["install", "--yes", "--quiet", "--no-install-recommends", "postgresql"], options);
  return newest();
}

function newest(): string | undefined {
  try {
    const [version] = readdirSync(versions).sort((a, b) => Number(b) - Number(a));
    return version === undefined ? undefined : join(versions, version, "bin");
  } catch {
    return undefined;
  }
}

/** A server with data of its own on a free port; only clients that know the password get in. */
export class Postgres {
  private tables = 0;

  private constructor(
    private readonly bin: string,
    private readonly folder: string,
    private readonly server: ChildProcess,
    /** With the password. */
    readonly url: string,
  ) {}

  /** Starts a server from the folder that was found, on an address of this machine. */
  static async start(bin: string, host = "127.0.0.1"): Promise<Postgres> {
    const folder = mkdtempSync(join(tmpdir(), "frontdoor-postgres-"));
    const [data, passwordFile] = [join(folder, "data"), join(folder, "password")];
    const password = randomBytes(16).toString("hex");
    writeFileSync(passwordFile, password, { mode: 0o600 });
    const as = unprivileged([folder, passwordFile]);
    const initdb = ["--pgdata", data, "--username", "pulumi", "--pwfile", passwordFile, "--auth", "scram-sha-256"];
    execFileSync(join(bin, "initdb"), [...initdb, "--encoding", "UTF8", "--locale", "C"], { ...as, stdio: "pipe" });
    writeFileSync(join(data, "pg_hba.conf"), "host all pulumi all scram-sha-256\n");
    const port = await freePort(host);
    const args = ["-D", data, "-h", host, "-p", String(port), "-k", ""];
    const server = spawn(join(bin, "postgres"), args, { ...as, stdio: ["ignore", "ignore", "pipe"] });
    await isReady(server);
    const url = `postgres://pulumi:${password}@${host}:${port}/${database}?sslmode=disable`;
    return new Postgres(bin, folder, server, url);
  }

  /** A back end in a table of its own. */
  table(): BackEnd {
    const name = `state_${++this.tables}`;
    const isOf = (project: string, stack: string) => `key = '${database}/${stateKey(project, stack)}'`;
    return {
      url: `${this.url}&table=${name}`,
      read: (project, stack) => {
        const text = this.query(`SELECT data->>'data' FROM ${name} WHERE ${isOf(project, stack)}`);
        return Buffer.from(text, "base64").toString();
      },
      write: (project, stack, state) => {
        const data = JSON.stringify({ data: Buffer.from(state).toString("base64") });
        this.query(`UPDATE ${name} SET data = '${data}' WHERE ${isOf(project, stack)}`);
      },
      storedBytes: () => Number(this.query(`SELECT pg_total_relation_size('${name}')`)),
    };
  }

  async stop(): Promise<void> {
    const exited = once(this.server, "exit");
    // It ends its connections and writes out what it has.
    this.server.kill("SIGINT");
    await exited;
    removeFolder(this.folder);
  }

  private query(sql: string): string {
    const args = ["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set", "ON_ERROR_STOP=1", this.url];
    return execFileSync(join(this.bin, "psql"), args, { input: sql, encoding: "utf8", maxBuffer: mostOutput });
  }
}

/** The server refuses to run as root: then it runs as the user that its package has made, who gets these files. */
function unprivileged(files: string[]): Pick<SpawnOptions, "uid" | "gid"> {
  if (process.getuid?.() !== 0) return {};
  const id = (kind: string) => Number(execFileSync("id", [kind, "postgres"], { encoding: "utf8" }));
  const [uid, gid] = [id("-u"), id("-g")];
  for (const file of files) chownSync(file, uid, gid);
  return { uid, gid };
}

async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** @throws where it ends instead, with what it said. */
function isReady(server: ChildProcess): Promise<void> {
  let said = "";
  return new Promise((resolve, reject) => {
    server.once("exit", (code) => {
      reject(new Error(`PostgreSQL did not start, exit code ${String(code)}: ${said}`));
    });
    server.stderr?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes("ready to accept connections")) resolve();
    });
  });
}
