import { readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { refusedIn } from "../../cli/impact/changes";
import { previewIn } from "../../cli/impact/preview";
import { markdownOf, type Report, reportOf, summaryOf, textOf } from "../../cli/impact/impact";
import { start } from "../harness/command";
import { root } from "../harness/folder";
import { installed, useEmulator } from "./command";

type Recorded = Record<
  string,
  { steps: { op: string; urn: string; oldState?: { id?: string }; newState?: object }[]; changeSummary: object }
>;

/** Previews of the engine, without what the command does not read, as tests/engine/impact.all.test.ts records them. */
const recorded = JSON.parse(readFileSync(join(__dirname, "previews.json"), "utf8")) as Recorded;

const reportIn = (preview: object): Report => reportOf(previewIn(JSON.stringify(preview)));
const linesOf = ({ changes }: Report) =>
  changes.map(
    ({ request, kind, name, effect, isCertain }) => `${request} ${kind} ${name} ${isCertain ? "" : "may be "}${effect}`,
  );

const expected: Record<string, string[]> = {
  "a tunnel is replaced while one of its shares leaves": [
    'DELETE+POST share services["a"] interrupted',
    'DELETE+POST share services["b"] interrupted',
    'DELETE+POST share services["c"] interrupted',
    "DELETE+POST share db interrupted",
    "DELETE share web removed",
    "DELETE+POST tunnel hq interrupted",
  ],
  "a tunnel gets another network": [
    "DELETE+POST share web interrupted",
    'DELETE+POST share services["a"] interrupted',
    'DELETE share services["b"] removed',
    'DELETE share services["c"] removed',
    "DELETE+POST share db interrupted",
    "DELETE+POST tunnel hq interrupted",
  ],
  "a tunnel moves": [
    "PATCH share db interrupted",
    'PATCH share services["a"] interrupted',
    'PATCH share services["b"] interrupted',
    "PATCH share web interrupted",
    'DELETE share services["c"] removed',
    "POST+DELETE tunnel hq moved",
  ],
};

it.each(Object.entries(expected))("a preview in which %s", (...[name, lines]) => {
  const text = JSON.stringify(recorded[name] ?? {});
  // The dynamic provider has other types.
  for (const each of [text, text.replaceAll("frontdoor:index:", "pulumi-nodejs:dynamic/frontdoor:")])
    expect(linesOf(reportIn(JSON.parse(each) as object)).sort()).toEqual([...lines].sort());
});

/** The id of a tunnel or share in the recorded program. */
const idOf = (name: string) =>
  recorded["a tunnel gets another network"]?.steps.find(({ urn }) => urn.endsWith(`::${name}`))?.oldState?.id ?? "";

it("says that this is not known of a preview without unchanged resources", () => {
  const { steps = [], changeSummary } = recorded["one of the two tunnels of a site moves"] ?? {};
  // Pulumi always lists the stack itself.
  const shown = steps.filter(({ op, urn }) => op !== "same" || urn.includes("pulumi:pulumi:Stack"));
  const report = reportIn({ steps: shown, changeSummary });
  expect(report.changes).toEqual([expect.not.objectContaining({ isOnlyTunnel: expect.anything() as unknown })]);
  expect(textOf(report)).toContain(
    "It is not known which tunnels are the only ones of their sites, because the preview lacks unchanged resources: " +
      "`pulumi preview --json --show-sames --show-replacement-steps` lists them.",
  );
  expect(textOf(reportIn({ steps, changeSummary }))).not.toContain("not known");
});

it.each(["a tunnel gets another network", "a tunnel moves"])(
  "of a preview in which %s says that the site must load a new configuration",
  (name) => {
    const report = reportIn(recorded[name] ?? {});
    const says =
      "tunnel hq: new key, new address, new host: the site must load a new configuration; until then its applications can't be reached.";
    expect(textOf(report)).toContain(`\n${says}\n`);
    expect(markdownOf(report, [])).toContain(`\n\n${says}\n`);
  },
);

const recordedOne = () => structuredClone(recorded["a tunnel moves"] ?? { steps: [], changeSummary: {} });

/** A recorded preview that is changed. */
function changed(change: (preview: Recorded[string]) => void): string {
  const preview = recordedOne();
  change(preview);
  return JSON.stringify(preview);
}

/** A plan as Pulumi saves it: each resource with the operations on it, and the default providers, which a preview leaves out. */
const planOf = ({ steps }: Recorded[string], change = (urn: string) => urn) => {
  const operations = Object.entries(Object.groupBy(steps, ({ urn }) => urn)).map(([urn, each = []]) => [
    change(urn),
    { goal: {}, steps: each.map(({ op }) => op), state: {} },
  ]);
  const provider = "urn:pulumi:test::engine::pulumi:providers:frontdoor::default";
  return {
    manifest: {},
    resourcePlans: Object.fromEntries([...operations, [change(provider), { steps: ["same"] }]]) as object,
  };
};

const notUnderstood: [what: string, text: string][] = [
  ["an empty input", " \n"],
  ["a text", "Previewing update (dev)"],
  ["a preview that is cut short", JSON.stringify(recordedOne()).slice(0, 500)],
  ["another document", "{}"],
  ["a plan", JSON.stringify({ manifest: {}, resourcePlans: {} })],
  ["a list of events", `[${JSON.stringify({ sequence: 1 })}]`],
  ["a preview without steps", changed((preview) => void Reflect.deleteProperty(preview, "steps"))],
  ["a preview without its summary", changed((preview) => void Reflect.deleteProperty(preview, "changeSummary"))],
  [
    "a preview that lacks a step",
    changed((preview) => void (preview.steps = preview.steps.filter(({ op }) => op !== "update"))),
  ],
  ["an unknown operation", changed(({ steps }) => Object.assign(steps[1] ?? {}, { op: "rebuild" }))],
  [
    "a step without its state",
    changed(({ steps }) => void Reflect.deleteProperty(steps.find(({ op }) => op === "update") ?? {}, "newState")),
  ],
  ["a preview with a refresh", changed(({ steps }) => steps.push({ op: "refresh", urn: steps[0]?.urn ?? "" }))],
  [
    "a preview that has failed",
    changed((preview) => Object.assign(preview, { diagnostics: [{ severity: "error", message: "no token" }] })),
  ],
  [
    "an unknown type",
    changed(({ steps }) => {
      for (const step of steps) step.urn = step.urn.replace("IpsecTunnel", "Gateway");
    }),
  ],
];

it.each(notUnderstood)("refuses %s", (...[, text]) => {
  expect(() => reportOf(previewIn(text))).toThrow(/\[impact-not-understood\]$/);
});

it("takes another resource whose input is named op", () => {
  const text = changed(({ steps }) => {
    const urn = "urn:pulumi:dev::site::random:index:RandomId::id";
    const state = { urn, type: "random:index:RandomId", inputs: { op: "refresh" }, outputs: {} };
    steps.push({ op: "same", urn, oldState: state, newState: state } as (typeof steps)[number]);
  });
  expect(reportOf(previewIn(text))).toEqual(reportIn(recordedOne()));
});

it("says that shares can be missing in a preview of a delete-first replacement without its parts", () => {
  const { steps = [] } = recorded["a tunnel gets another network"] ?? {};
  const parts = steps.filter(({ op }) => op === "same" || op === "replace");
  const report = reportIn({ steps: parts, changeSummary: { replace: 4 } });
  expect(report).toMatchObject({ isComplete: false, counts: { interrupted: 4 } });
  expect(summaryOf(report)).toContain("Shares that leave the program can be missing");
  expect(reportIn(recordedOne()).isComplete).toBe(true);
});

it("names cannot leave their place in Markdown", () => {
  const preview = recordedOne();
  for (const step of preview.steps) step.urn += "|<b>`@all`";
  const report = reportIn(preview);
  expect(markdownOf(report, [])).not.toMatch(/<b>|`|@all/);
});

describe("pulumi-frontdoor impact", () => {
  const here = useEmulator(() => undefined);
  const written = () => {
    writeFileSync(here.path("preview.json"), JSON.stringify(recordedOne()));
  };

  it("refuses an empty pipe", async () => {
    expect(await here.run("impact --json")).toMatchObject({
      code: 2,
      stdout: expect.stringContaining("[impact-not-understood]") as string,
    });
  });

  it("reads a pipe and a file, and prints one document", async () => {
    written();
    const { command, args } = {
      command: "sh",
      args: ["-c", `"$0" "$1" impact --json < preview.json`],
    };
    const piped = await start(command, [...args, process.execPath, installed], here.workspace.where()).end;
    const named = await here.run("impact preview.json --json");
    expect([piped.code, named.code]).toEqual([0, 0]);
    expect(piped.stdout).toBe(named.stdout);
    expect(JSON.parse(named.stdout)).toMatchObject({
      ...{ fits: true, counts: { moved: 1 } },
      changes: expect.arrayContaining([expect.objectContaining({ name: "hq", mustSiteReload: true })]) as unknown,
    });
  });

  it("ends with 4 if the change does not fit, and prints the report all the same", async () => {
    written();
    const { code, stdout, stderr } = await here.run("impact preview.json --max-interrupted 5 --markdown");
    expect([code, stdout, stderr]).toEqual([
      4,
      expect.stringContaining("| PATCH | interrupted |") as string,
      expect.stringContaining("[impact-too-large]") as string,
    ]);
  });

  it("prints the blocks of docs/how-to/see-the-impact.md as pasted", async () => {
    const page = readFileSync(join(root, "docs", "how-to", "see-the-impact.md"), "utf8");
    const [, block = "", shown = "", gated = ""] =
      /^```sh\n(.*?)^```.*?^```text\n(.*?)^```.*?^```sh\n(.*?)^```/ms.exec(page) ?? [];
    writeFileSync(here.path("recorded.json"), JSON.stringify(recorded["a tunnel gets another network"]));
    const script = (name: string, text: string) => {
      writeFileSync(here.path(name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    };
    script("pulumi", "cat recorded.json");
    // npx runs the command of the project's folder.
    script("npx", `shift; exec '${process.execPath}' '${installed}' "$@"`);
    const PATH = [here.workspace.folder, process.env["PATH"]].join(delimiter);
    const { code, stdout } = await start("bash", ["-e", "-c", block], here.workspace.where({ PATH })).end;
    expect([code, stdout]).toEqual([0, shown.repeat(3)]);

    const preview = recorded["a tunnel gets another network"];
    writeFileSync(here.path("recorded-plan.json"), JSON.stringify(preview && planOf(preview)));
    script(
      "pulumi",
      'case "$1" in preview) cp recorded-plan.json plan.json; cat recorded.json;; *) echo "pulumi $*";; esac',
    );
    const run = (text: string) => start("bash", ["-e", "-c", text], here.workspace.where({ PATH })).end;
    expect(await run(gated)).toMatchObject({ code: 4, stdout: shown });
    const raised = gated.replace("--max-interrupted 5", "--max-interrupted 6");
    expect(await run(raised)).toMatchObject({ code: 0, stdout: `${shown}pulumi up --plan plan.json\n` });
  });

  describe("judges a plan with its preview", () => {
    const judged = async (plan: unknown) => {
      written();
      writeFileSync(here.path("plan.json"), typeof plan === "string" ? plan : JSON.stringify(plan));
      return here.run("impact preview.json --plan plan.json");
    };

    it("and says nothing if the preview has saved it", async () => {
      expect(await judged(planOf(recordedOne()))).toMatchObject({ code: 0, stderr: "" });
    });

    it.each<[what: string, plan: unknown, says: string]>([
      [
        "of another stack",
        planOf(recordedOne(), (urn) => urn.replace(":test::", ":prod::")),
        "plan.json is a plan of stack prod of project engine, and the preview is of stack test of project engine",
      ],
      [
        "of another preview",
        planOf(recorded["a tunnel gets another network"] ?? recordedOne()),
        "plan.json has other steps than the preview for ",
      ],
      ["that is none", { resourcePlans: [] }, "plan.json is not a plan that `pulumi preview --save-plan` has written"],
      ["that is cut off", '{"resourcePlans": {', "plan.json is not a plan that"],
    ])("and refuses one %s", async (_, plan, says) => {
      const { code, stdout, stderr } = await judged(plan);
      expect([code, stdout, stderr]).toEqual([
        2,
        "",
        expect.stringMatching(/The plan was not judged\. Save it with the preview: .*\[impact-plan-differs\]\n$/s),
      ]);
      expect(stderr).toContain(says);
    });

    it("and refuses one in place of a preview", async () => {
      writeFileSync(here.path("plan.json"), JSON.stringify(planOf(recordedOne())));
      const { code, stderr } = await here.run("impact plan.json");
      expect([code, stderr]).toEqual([
        2,
        expect.stringMatching(/it is a plan, .* with --plan\. .*\[impact-not-understood\]\n$/s),
      ]);
    });
  });

  describe("names the shares of others on a tunnel that is deleted", () => {
    beforeEach(() => {
      writeFileSync(here.path("preview.json"), JSON.stringify(recorded["a tunnel gets another network"]));
      const share = (id: string, name: string, port: number, tunnel = idOf("hq")) => {
        here.emulator.seedShare({ id, name, ipsecTunnelId: tunnel, target: "w:1", ingressPort: port });
      };
      here.emulator.seedTunnel({ id: idOf("hq"), name: "hq" });
      share("shr-1", "db", 1);
      share("shr-3", "services-a", 3);
      share("shr-91", "other-stack-web", 91);
      share("shr-92", "elsewhere", 92, "tnl-9");
    });

    it("with their names and a refusal", async () => {
      const { code, stderr } = await here.run("impact preview.json");
      expect([code, stderr]).toEqual([
        4,
        'frontdoor: Frontdoor will refuse to delete tunnel hq: shares that are not in the preview still use it: "other-stack-web" (shr-91). ' +
          "First delete or move them, each in the stack that declares it. [tunnel-in-use]\n",
      ]);
    });

    it.each<[what: string, env: Record<string, string | undefined>, change: () => void, shows: RegExp]>([
      ["without settings", { FRONTDOOR_TOKEN: undefined }, () => undefined, /were not looked for: .*token/],
      ["if Frontdoor refuses", { FRONTDOOR_TOKEN: "wrong" }, () => undefined, /were not looked for: .*401/],
      [
        "if the tunnel is created first: they can move to it",
        {},
        () => {
          written();
        },
        /^$/,
      ],
      [
        "once they are gone",
        {},
        () => {
          here.emulator.removeShare("shr-91");
        },
        /^$/,
      ],
    ])("not %s", async (_, env, change, shows) => {
      change();
      const { code, stderr } = await here.run("impact preview.json", env);
      expect([code, stderr]).toEqual([0, expect.stringMatching(shows)]);
    });
  });

  it("refuses wrong options", async () => {
    written();
    for (const line of [
      "preview.json --stack dev",
      "preview.json --max-interrupted soon",
      "nothing.json",
      "preview.json --json --markdown",
    ])
      expect(await here.run(`impact ${line}`)).toMatchObject({ code: 2 });
  });
});

describe("a share that the service refuses because its port is not free", () => {
  const urn = (type: string, name: string) => `urn:pulumi:test::office::frontdoor:index:${type}::${name}`;
  const web = {
    ipsecTunnelId: "tnl-1",
    envZId: "env-1",
    frontdoorId: "fd-1",
    name: "web",
    target: "w:1",
    ingressPort: 443,
  };
  const preview = (...steps: ({ op: string } & Record<string, unknown>)[]) => {
    const counts = steps.map(({ op }) => [op, steps.filter((each) => each.op === op).length]);
    return previewIn(JSON.stringify({ steps, changeSummary: Object.fromEntries(counts) as object }));
  };
  const create = { op: "create", urn: urn("IpsecShare", "new"), newState: { inputs: web } };
  const remove = { op: "delete", urn: urn("IpsecShare", "old"), oldState: { id: "shr-1", outputs: web } };
  const renamed = (more: object, shown: object = {}) => ({
    op: "update",
    urn: urn("IpsecShareSet", "services"),
    oldState: {
      ...{ id: "services", inputs: {} },
      outputs: { ...web, ids: { old: "shr-1" }, shares: { old: { ...web, id: "shr-1", status: "DEPLOYED" } }, ...more },
    },
    newState: { inputs: { ...web, shares: { new: { target: "w:1", ingressPort: 443 } } }, ...shown },
  });

  it("is named if a share is renamed without alias", () => {
    expect(refusedIn(preview(create, remove))).toEqual([
      expect.stringMatching(
        /new share new: when `pulumi up` creates it, share old still has port 443 .*\[impact-refused\]$/,
      ),
    ]);
    expect(refusedIn(preview({ ...create, newState: { inputs: { ...web, ingressPort: 444 } } }, remove))).toEqual([]);
    expect(refusedIn(preview({ ...create, newState: { inputs: { ...web, adopt: "shr-1" } } }, remove))).toEqual([]);
  });

  it("is named if a key with retain is renamed, and not if the set frees the port itself", () => {
    const retained = renamed({ __notes: { old: { __retain: true } } });
    expect(refusedIn(preview(retained))).toEqual([
      expect.stringContaining('services["new"]: when `pulumi up` creates it, share services["old"] still has port 443'),
    ]);
    expect(refusedIn(preview(renamed({})))).toEqual([]);
  });

  it("with retain is no change if its key leaves a site, unless its tunnel goes, too", () => {
    const tunnel = { ...remove, urn: remove.urn.replace("IpsecShare::", "IpsecTunnel::") };
    const goes = { ...remove, oldState: { ...remove.oldState, outputs: { ...web, __retain: true } } };
    expect(linesOf(reportIn(preview(goes)))).toEqual([]);
    const replaced = {
      ...{ ...tunnel, op: "replace", newState: { inputs: {} } },
      oldState: { id: web.ipsecTunnelId, pendingReplacement: true },
    };
    for (const step of [{ ...tunnel, oldState: { id: web.ipsecTunnelId } }, replaced])
      expect(linesOf(reportIn(preview(goes, step)))).toContain("DELETE share old removed");
  });

  it("a secret set's key that goes is removed, where the preview knows the keys", () => {
    const hidden = renamed({ shares: "[secret]" });
    const newState = { inputs: { ...web, shares: "[secret]" }, outputs: { ids: {} } };
    expect(linesOf(reportIn(preview({ ...hidden, newState })))).toEqual([
      'DELETE share services["old"] may be removed',
    ]);
  });
});
