import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { Connection } from "@temporalio/client";
import { Lab } from "../lab/lab.ts";
import { Namespaces, noNamespaces } from "../lab/namespaces.ts";
import { hasPostgres, Postgres } from "../lab/postgres.ts";
import { freePort, noTemporal } from "../lab/temporal.ts";
import { TlsDoor } from "../lab/tls-door.ts";
import { TlsFront } from "../lab/tls-front.ts";

const skip = noTemporal || (hasPostgres() ? noNamespaces() : "there is no PostgreSQL here");

it(
  "two workers in networks of their own, sharing no files, reach Temporal, state and service by address",
  { skip, timeout: 600_000 },
  async () => {
    const namespaces = new Namespaces();
    const postgres = new Postgres();
    const names = [namespaces.add(), namespaces.add()];
    const host = namespaces.address;
    let lab: Lab | undefined;
    let front: TlsFront | undefined;
    let door: TlsDoor | undefined;
    try {
      lab = await Lab.open(["fd-1", "fd-2"], { provisionMs: 1500 });
      const backend = await postgres.start(host);
      front = new TlsFront(lab.folder, host, new URL(lab.baseUrl));
      const port = await freePort();
      await front.listen(host, port);
      const baseUrl = `https://${host}:${port}/frontdoor`;
      door = new TlsDoor(lab.folder, host, lab.temporal.port);
      const doorPort = await freePort();
      await door.listen(host, doorPort);
      for (const name of names) {
        const own = lab.machine(name);
        mkdirSync(join(own.folder, "home"));
        const more = {
          ...door.settings(`${host}:${doorPort}`),
          HOME: join(own.folder, "home"),
          PULUMI_HOME: join(own.folder, "pulumi"),
          FRONTDOOR_STATE_DIR: join(own.folder, "records"),
          PULUMI_BACKEND_URL: backend,
          NODE_EXTRA_CA_CERTS: front.certificate,
          NO_PROXY: host,
          no_proxy: host,
        };
        const options = ["--allow-url", baseUrl];
        const before = ["ip", "netns", "exec", name];
        await lab.startWorker({ maxStacks: 1, more, root: own.folder, options, before });
      }
      lab.fleet({
        name: "apart",
        defaults: {
          program: "programs/site",
          config: { "frontdoor:baseUrl": baseUrl },
          secrets: { "frontdoor:token": "env:SITE_TOKEN" },
        },
        stacks: Object.fromEntries(
          [1, 2, 3, 4].map((number) => [
            `n${number}`,
            { frontDoor: `fd-${1 + (number % 2)}`, config: { number: String(number) } },
          ]),
        ),
      });
      // Temporal asks nobody who they are: other networks reach it only by the door, and that only with a key.
      const tls = { serverRootCACertificate: readFileSync(door.certificate) };
      for (const attempt of [{ address: `${host}:${lab.temporal.port}` }, { address: `${host}:${doorPort}`, tls }])
        await assert.rejects(Connection.connect({ ...attempt, connectTimeout: "2s" }), JSON.stringify(attempt));
      const { code, report, said } = await lab.run("up");
      assert.equal(code, 0, `${said}\n${JSON.stringify(report)}`);
      assert.equal((await lab.alive()).length, 8);
      // Each one's engine has been at work.
      assert.deepEqual(
        names.map((name) => existsSync(join(lab?.folder ?? "", name, "pulumi"))),
        [true, true],
      );
      const again = await lab.run("up");
      assert.deepEqual(
        again.report.stacks.map(({ changes }) => changes),
        [{}, {}, {}, {}],
      );
    } finally {
      front?.close();
      door?.close();
      await lab?.close();
      await postgres.close();
      namespaces.close();
    }
  },
);
