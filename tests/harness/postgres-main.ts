import { renameSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { findPostgres, Postgres } from "./postgres";

/** Runs a PostgreSQL server until SIGTERM, for the fleet, whose modules cannot import this one. Its URL is written to a file. */
async function main(): Promise<void> {
  const options = { host: { type: "string", default: "127.0.0.1" }, "ready-file": { type: "string" } } as const;
  const { host, "ready-file": file } = parseArgs({ options }).values;
  const bin = findPostgres();
  if (bin === undefined || file === undefined) throw new Error("there is no PostgreSQL, or no --ready-file");
  const server = await Postgres.start(bin, host);
  process.once("SIGTERM", () => void server.stop());
  writeFileSync(`${file}.new`, server.url, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

void main();
