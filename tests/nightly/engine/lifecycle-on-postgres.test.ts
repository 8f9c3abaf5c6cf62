import { findPostgres, Postgres } from "../../harness/postgres";
import { openEngine } from "../../lifecycle/engine";
import { onEngine } from "../../lifecycle/engine-rows";

const bin = findPostgres();
// What is skipped is named at the end of the run; this says why.
const describeHere = bin === undefined ? describe.skip : describe;
if (bin === undefined)
  process.stderr.write("There is no PostgreSQL server, and it can't be installed: no tests on its back end\n");

describeHere("the lifecycle on the engine, its states in PostgreSQL", () => {
  // Rows that run beside each other begin before what is to be done before all of them.
  let server: Promise<Postgres> | undefined;
  afterAll(async () => (await server)?.stop());

  onEngine(async (imports) => openEngine(imports, (await (server ??= Postgres.start(bin ?? ""))).table()));
});
