import assert from "node:assert/strict";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { Lab } from "../lab/lab.ts";
import { Namespaces, noNamespaces } from "../lab/namespaces.ts";
import { Postgres, postgresFolder } from "../lab/postgres.ts";
import { freePort, noTemporal } from "../lab/temporal.ts";
import { TlsFront } from "../lab/tls-front.ts";

const programs = postgresFolder();
const skip = noTemporal || (programs === undefined ? "there is no PostgreSQL here" : noNamespaces());

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
    try {
      lab = await Lab.open(["fd-1", "fd-2"], { provisionMs: 1500 }, host);
      const backend = await postgres.start(programs ?? "", host, await freePort());
      front = new TlsFront(lab.folder, host, new URL(lab.baseUrl));
      const port = await freePort();
      await front.listen(host, port);
      for (const name of names) {
        const own = lab.machine(name);
        mkdirSync(join(own.folder, "home"));
        const more = {
          HOME: join(own.folder, "home"),
          PULUMI_HOME: join(own.folder, "pulumi"),
          FRONTDOOR_STATE_DIR: join(own.folder, "records"),
          PULUMI_BACKEND_URL: backend,
          NODE_EXTRA_CA_CERTS: front.certificate,
          NO_PROXY: host,
          no_proxy: host,
        };
        await lab.startWorker({ maxStacks: 1, more, root: own.folder, before: ["ip", "netns", "exec", name] });
      }
      lab.fleet({
        name: "apart",
        defaults: {
          program: "programs/site",
          config: { "frontdoor:baseUrl": `https://${host}:${port}/frontdoor` },
          secrets: { "frontdoor:token": "env:SITE_TOKEN" },
        },
        stacks: Object.fromEntries(
          [1, 2, 3, 4].map((number) => [
            `n${number}`,
            { frontDoor: `fd-${1 + (number % 2)}`, config: { number: String(number) } },
          ]),
        ),
      });
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
      await lab?.close();
      await postgres.close();
      namespaces.close();
    }
  },
);
