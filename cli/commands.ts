import { type Command, InvalidArgumentError, Option } from "commander";
import { withCode } from "../provider/errors";
import type { DashboardOptions } from "./dashboard/dashboard";
import type { DeviceOptions } from "./devices/device-config";
import { devices } from "./devices/templates";
import type { DoctorOptions } from "./doctor/doctor";
import type { ExplainOptions } from "./explain";
import { emulatorFile } from "./shared/files";
import type { Filters, ListName } from "./shared/find";
import type { IdsOptions } from "./ids";
import type { ImpactOptions } from "./impact/impact";
import type { ImportOptions, Language } from "./import/import";
import type { DetailsOptions, ListOptions } from "./tunnels-and-shares";
import type { MetricsOptions } from "./metrics";
import type { Io } from "./shared/io";
import { CheckFailed, Misuse } from "./shared/outcome";
import { examples } from "./shared/output";
import type { SampleOptions } from "./sample-config";
import type { StatusOptions } from "./status";
import type { VerifyOptions } from "./verify/verify";
import type { Address, WatchOptions } from "./watch/watch";

// Every call loads this module, so it has the types of what a command does, and its action loads the rest.

/** Adds the options of ConfigOptions. */
const withConnection = (command: Command): Command =>
  command
    .option(
      "--stack-config <file>",
      "read the settings of a Pulumi.<stack>.yaml, by default of the selected stack; pulumi decrypts its secrets",
    )
    .option("--base-url <url>", "URL of Frontdoor (FRONTDOOR_BASE_URL)")
    .option("--frontdoor-id <id>", "front door (FRONTDOOR_ID)")
    .option("--token-file <file>", "file that contains the token (FRONTDOOR_TOKEN is the token itself)")
    .option("--username <name>", "user name for the token, for Basic authentication (FRONTDOOR_USERNAME)");

const filterHelp = "only entries with this value; if repeated, each property must have one of its values";

/** Adds one `--filter <property>=<value>` to the previous filters. */
function addFilter(text: string, before: Filters = {}): Filters {
  const [, property, value] = /^(\w+)=(.+)$/s.exec(text) ?? [];
  if (property === undefined || value === undefined)
    throw new InvalidArgumentError('It must be "<property>=<value>", such as locationId=loc-1.');
  const values = Object.hasOwn(before, property) ? (before[property] ?? []) : [];
  return { ...before, [property]: [...values, value] };
}

const tunnelLines = `
# the tunnels of one location, by name
pulumi-frontdoor tunnels --filter locationId=loc-1 --sort name

# ids of all tunnels that are not DEPLOYED
pulumi-frontdoor tunnels --json | jq -r '.tunnels[] | select(.status != "DEPLOYED") | .id'`;

const shareLines = `
# the shares on two tunnels, the highest port first
pulumi-frontdoor shares --filter ipsecTunnelId=tnl-1 --filter ipsecTunnelId=tnl-2 --sort ingressPort,desc

# redraw the list until Ctrl-C
pulumi-frontdoor shares --watch`;

const samples: Record<ListName, string> = { tunnels: tunnelLines, shares: shareLines };

/** Adds the lists `tunnels` and `shares`. */
function addLists(program: Command, io: Io): void {
  for (const kind of ["tunnels", "shares"] as const)
    withConnection(program.command(kind))
      .description(`list the ${kind} of a front door`)
      .option("--filter <property=value>", filterHelp, addFilter)
      .option("--sort <property>", "order by this property; <property>,desc reverses the order")
      .option("--watch", "on a terminal: redraw the list every two seconds, until Ctrl-C")
      .option("--all", "also list DELETED entries")
      .option("--json", "print one JSON document")
      .addHelpText("after", examples(samples[kind]))
      .action(async (options: ListOptions) => (await import("./tunnels-and-shares.js")).list(io, kind, options));
}

const statusLines = `
# in a script: every connection was read, and nothing is DOWN or in ERROR
pulumi-frontdoor status || page-someone`;

/** Adds `status`, which shows problems first. */
function addStatus(program: Command, io: Io): void {
  withConnection(program.command("status"))
    .description("show everything that has failed, is DOWN or is changing, and count the rest")
    .option("--json", "print one JSON document")
    .addHelpText(
      "after",
      examples(statusLines, "something is DOWN or in ERROR, or Frontdoor refused", "a connection was not read"),
    )
    .action(async (options: StatusOptions) => (await import("./status.js")).showStatus(io, options));
}

/** Adds `tunnel` and `share`, which show all details of one resource. */
function addDetails(program: Command, io: Io): void {
  withConnection(program.command("tunnel <id>"))
    .description("show one tunnel by its id or name: details, connection, shares")
    .option("--json", "print one JSON document")
    .addHelpText("after", examples(`pulumi-frontdoor tunnel tnl-1\nfrontdoor tunnel branch-office --json`))
    .action(async (id: string, options: DetailsOptions) =>
      (await import("./tunnels-and-shares.js")).showTunnel(io, id, options),
    );
  withConnection(program.command("share <id>"))
    .description("show one share by its id or name: details, endpoint, its tunnel's connection")
    .option("--json", "print one JSON document")
    .addHelpText("after", examples(`pulumi-frontdoor share shr-1\nfrontdoor share web --json`))
    .action(async (id: string, options: DetailsOptions) =>
      (await import("./tunnels-and-shares.js")).showShare(io, id, options),
    );
}

/** Adds one `--fill`. The command checks it once it knows the names in the file. */
const addFill = (text: string, before: string[] = []): string[] => [...before, text];

const keyForce = "overwrite the file; without --out, print the configuration with its key";

const sampleConfigLines = `
# a file for the remote site, which only you can read
pulumi-frontdoor sample-config branch-office --out branch-office.conf

# print the configuration with its key
pulumi-frontdoor sample-config branch-office --out -

# is the site's file still current?
pulumi-frontdoor sample-config branch-office --diff branch-office.conf`;

/** Adds `sample-config`, which writes the configuration for the remote site's device. It contains the pre-shared key. */
function addSampleConfig(program: Command, io: Io): void {
  withConnection(program.command("sample-config <id>"))
    .description("write a tunnel's sample configuration, which contains its pre-shared key")
    .option("--out <file>", "write it to this file, which only you can read; - for standard output")
    .option("--diff <file>", "compare this file with the configuration, without showing a line")
    .option("--force", keyForce)
    .option("--json", "print one JSON document")
    .addHelpText("after", examples(sampleConfigLines, "Frontdoor refused, or the file is not current"))
    .action(async (id: string, options: SampleOptions) =>
      (await import("./sample-config.js")).sampleConfig(io, id, options),
    );
}

const deviceConfigLines = `
# the devices, and how the file of each was checked
pulumi-frontdoor device-config --list

# a file for a FortiGate, which only you can read
pulumi-frontdoor device-config branch-office --device fortigate --out branch-office.fortigate

# a file for every tunnel of the selected stack
pulumi-frontdoor device-config --all --device fortigate --fill OUTSIDE_INTERFACE=wan1 --out sites

# before a rotation: the commands that remove it from the device
pulumi-frontdoor device-config branch-office --device fortigate --remove

# print it with its key
pulumi-frontdoor device-config branch-office --device strongswan --out -`;

/** Adds `device-config`, which fills a device's template with the values of a tunnel. The result contains the pre-shared key. */
function addDeviceConfig(program: Command, io: Io): void {
  withConnection(program.command("device-config").argument("[id]"))
    .description("write a tunnel's configuration, including its pre-shared key, in a device's format")
    .addOption(new Option("--device <name>", "the device of the remote site").choices(devices))
    .option("--list", "list the devices, and how the file of each was checked")
    .option("--all", "every tunnel of the selected stack, one file each; --out then names a folder")
    .option("--remove", "write the commands that remove the configuration from the device, without a key")
    .option(
      "--fill <name=value>",
      "fill in a value that Frontdoor doesn't know, such as OUTSIDE_INTERFACE=wan1; repeatable",
      addFill,
    )
    .option("--out <file>", "write it to this file, which only you can read; - for standard output")
    .option("--force", keyForce)
    .option("--json", "print one JSON document")
    .addHelpText("after", examples(deviceConfigLines, "Frontdoor refused, or the device can't take a value"))
    .action(async (id: string | undefined, options: DeviceOptions) =>
      (await import("./devices/device-config.js")).deviceConfig(io, id, options),
    );
}

const metricsLines = `
pulumi-frontdoor metrics branch-office --window 1d
pulumi-frontdoor metrics shr-1 --window 15m
pulumi-frontdoor metrics web --kind share --json`;

/** Adds `metrics`, which plots the metrics of a tunnel or a share. */
function addMetrics(program: Command, io: Io): void {
  withConnection(program.command("metrics <id>"))
    .description("plot the metrics of a tunnel or a share, by its id or name")
    .option(
      "--window <span>",
      "time span: 30m, 1h, 1d or 7d for a tunnel; for a share any that Frontdoor accepts, such as 15m",
    )
    .addOption(
      new Option("--kind <kind>", "choose the tunnel or the share, if both have this name").choices([
        "tunnel",
        "share",
      ]),
    )
    .option("--json", "print Frontdoor's response as it is")
    .addHelpText("after", examples(metricsLines))
    .action(async (id: string, options: MetricsOptions) => (await import("./metrics.js")).metrics(io, id, options));
}

const watchLines = `
# in another window while "pulumi up" runs
pulumi-frontdoor watch

# in a script: continue once all is DEPLOYED, fail after ten minutes or on ERROR
pulumi-frontdoor watch --for 10m && ./next-step

# in the background: metrics for Prometheus, until Ctrl-C
pulumi-frontdoor watch --serve 9464`;

const unitMs = { s: 1000, m: 60_000, h: 3_600_000 };

function spanMs(text: string): number {
  const [, number, unit] = /^(\d+)([smh])$/.exec(text) ?? [];
  if (unit === undefined) throw new InvalidArgumentError("It must be a span of time such as 90s, 10m or 1h.");
  return Number(number) * unitMs[unit as keyof typeof unitMs];
}

function addressIn(text: string): Address {
  const [, host = "127.0.0.1", port] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  if (port === undefined || Number(port) > 65_535)
    throw new InvalidArgumentError("It must be a port, or <host>:<port> such as 0.0.0.0:9464.");
  return { host: host.replace(/^\[(.*)\]$/, "$1"), port: Number(port) };
}

/** Adds `watch`, which prints each change of a status. */
function addWatch(program: Command, io: Io): void {
  withConnection(program.command("watch"))
    .description("print a line for each change of a status, until no status has been changing for 30 seconds")
    .option("--for <span>", "wait at most this long, such as 10m", spanMs)
    .option("--serve <[host:]port>", "serve /metrics for Prometheus until Ctrl-C; default host 127.0.0.1", addressIn)
    .option("--json", "print one JSON document at the end")
    .addHelpText("after", examples(watchLines, "something is in ERROR, or a status is still changing"))
    .action(async ({ serve, ...options }: WatchOptions) => {
      if (serve) await (await import("./watch/metrics-server.js")).watchAsService(io, { ...options, serve });
      else await (await import("./watch/watch.js")).watch(io, options);
    });
}

const dashboardExamples = `
Examples:
  # the front door of the environment
  pulumi-frontdoor dashboard

  # the front door of a stack, on a port for an ssh tunnel
  pulumi-frontdoor dashboard --stack-config Pulumi.prod.yaml --port 8090

The page changes nothing. Ctrl-C ends it.
Exit codes: 0 done, 1 Frontdoor refused, 2 wrong usage, 3 Frontdoor could not be reached.`;

/** Adds `dashboard`, which shows tunnels and shares live in a browser. It changes nothing. */
export function addDashboard(program: Command, io: Io): void {
  withConnection(program.command("dashboard"))
    .description("serve a live page of a front door's tunnels and shares on this machine")
    .option("--port <port>", "port on 127.0.0.1, 0 for any free one", portIn, 0)
    .option("--json", "print the URL as one JSON document")
    .addHelpText("after", dashboardExamples)
    .action(async (options: DashboardOptions) => (await import("./dashboard/dashboard.js")).showDashboard(io, options));
}

function portIn(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (port <= 65_535) return port;
  throw new InvalidArgumentError("It must be a number from 0 to 65535.");
}

const doctorLines = `
# this shell's settings, and this machine
pulumi-frontdoor doctor

# a stack's settings, including misspelled ones
pulumi-frontdoor doctor --stack-config Pulumi.prod.yaml`;

/** Adds `doctor`, which checks settings, service and machine, and gives a remedy for each problem. */
function addDoctor(program: Command, io: Io): void {
  withConnection(program.command("doctor"))
    .description(
      "check settings, URL, TLS, token, clock, front door, Pulumi, Node and plugin, and say how to fix each problem",
    )
    .option("--json", "print one JSON document")
    .addHelpText("after", examples(doctorLines, "a check found a problem"))
    .action(async (options: DoctorOptions) => (await import("./doctor/doctor.js")).doctor(io, options));
}

const impactExamples = `
Examples:
  # the effect of a change
  pulumi preview --json --show-sames --show-replacement-steps | pulumi-frontdoor impact
  pulumi-frontdoor impact --stack dev

  # a comment for a pull request, which fails if the change interrupts more than five
  pulumi-frontdoor impact preview.json --markdown --max-interrupted 5 > report

  # run only the change that fits: the plan is of the preview that impact has judged
  pulumi preview --json --show-sames --show-replacement-steps --save-plan plan.json > preview.json
  pulumi-frontdoor impact preview.json --plan plan.json --max-interrupted 5 && pulumi up --plan plan.json

Exit codes: 0 done, 2 wrong usage or a preview that is not understood, 4 the change does not fit the limits.`;

/** Adds `impact`, which lists what the change of a preview interrupts. */
function addImpact(program: Command, io: Io): void {
  program
    .command("impact")
    .argument(
      "[preview]",
      "file with the output of `pulumi preview --json --show-sames --show-replacement-steps`; default: standard input",
    )
    .description("list the tunnels and shares that the change of a preview interrupts")
    .option("--stack <name>", "run `pulumi preview --json --show-sames --show-replacement-steps` of this stack")
    .option(
      "--max-interrupted <number>",
      "refuse a change that interrupts, moves or removes more tunnels and shares than this",
    )
    .option("--plan <file>", "refuse a plan of `pulumi preview --save-plan` that another preview has saved")
    .option("--markdown", "print Markdown")
    .option("--json", "print one JSON document")
    .addHelpText("after", impactExamples)
    .action(async (preview: string | undefined, options: ImpactOptions) =>
      (await import("./impact/impact.js")).impact(io, preview, options),
    );
}

const importExamples = `
Examples:
  # everything on the front door, with a program that declares it
  pulumi-frontdoor import --out import.json --program ts --program-out index.ts
  pulumi import --file import.json --generate-code=false --yes
  pulumi preview --expect-no-changes

  # as sites, each with the shares on its tunnel
  pulumi-frontdoor import --sites --program ts --program-out index.ts
  pulumi up

  # the tunnels and shares of one location, with the settings of a stack
  pulumi-frontdoor import --stack-config Pulumi.prod.yaml --filter locationId=loc-1 --out import.json

  # the shares on two tunnels
  pulumi-frontdoor import --kind shares --filter ipsecTunnelId=tnl-1 --filter ipsecTunnelId=tnl-2

Exit codes: 0 done, 1 Frontdoor refused or something was left out, 2 wrong usage, 3 Frontdoor could not be reached.`;

/** Adds `import`, which writes the files that bring existing tunnels and shares under Pulumi's management. It changes nothing. */
function addImport(program: Command, io: Io): void {
  withConnection(program.command("import"))
    .description(
      "write a file for `pulumi import --file` with all tunnels and shares of a front door, and a program for them",
    )
    .option("--out <file>", "write the import file here instead of to standard output")
    .addOption(
      new Option("--program <language>", "also write a program in this language").choices([
        "ts",
        "python",
        "yaml",
      ] satisfies Language[]),
    )
    .option("--program-out <file>", "file for the program: index.ts, __main__.py or Main.yaml")
    .option(
      "--sites",
      "write only a program, with an IpsecSite for each tunnel; its `pulumi up` adopts them and writes nothing",
    )
    .option("--filter <property=value>", filterHelp, addFilter)
    .addOption(new Option("--kind <kind>", "import only these").choices(["tunnels", "shares"] satisfies ListName[]))
    .option("--force", "overwrite existing files")
    .option("--json", "print one JSON document with the resources found, left out and written")
    .addHelpText("after", importExamples)
    .action(async (options: ImportOptions) => (await import("./import/import.js")).writeImport(io, options));
}

const explainLines = `
# every code, with its meaning
pulumi-frontdoor explain

# one code, with cause and remedies
pulumi-frontdoor explain port-in-use`;

/** Adds `explain`, which prints what a code in a message means. */
function addExplain(program: Command, io: Io): void {
  program
    .command("explain")
    .argument("[code]", "the code, such as port-in-use")
    .description("explain the code at the end of a message: meaning, cause, remedies; without a code, list all codes")
    .option("--json", "print one JSON document")
    .addHelpText("after", examples(explainLines))
    .action(async (code: string | undefined, options: ExplainOptions) => {
      (await import("./explain.js")).explain(io, code, options);
    });
}

interface EmulatorModule {
  runEmulator: (args: string[]) => Promise<void>;
}

/** Adds `emulator`, which parses its own arguments and prints its own help. */
function addEmulator(program: Command): void {
  program
    .command("emulator")
    .description("run an emulator of Frontdoor on this machine: it needs no account and costs nothing")
    .argument("[options...]", "see: pulumi-frontdoor emulator --help")
    .helpOption(false)
    .allowUnknownOption()
    .action(async (_options: string[], _all: object, { args }: Command) => {
      const { runEmulator } = emulatorFile() as EmulatorModule;
      try {
        await runEmulator(args);
      } catch (error) {
        const { message } = error as Error;
        if (error instanceof TypeError) throw new Misuse(withCode(message, "emulator-options"));
        throw new CheckFailed(withCode(message, "emulator-failed"));
      }
    });
}

/** Adds `ids`, which finds the ids that a program needs. */
function addIds(program: Command, io: Io): void {
  withConnection(program.command("ids"))
    .description("list your organization, its front doors and their environments; needs only credentials")
    .option("--json", "print one JSON document")
    .addHelpText("after", examples("pulumi-frontdoor ids\nfrontdoor ids --json"))
    .action(async (options: IdsOptions) => (await import("./ids.js")).ids(io, options));
}

const verifyLines = `
# reads only
pulumi-frontdoor verify

# also create, change and delete shares of its own on this tunnel
pulumi-frontdoor verify --write --tunnel tnl-1 --report report`;

/** Adds `verify`, which finds out which assumptions of the provider hold at a service. */
function addVerify(program: Command, io: Io): void {
  withConnection(program.command("verify"))
    .description("check which of the provider's assumptions hold for your Frontdoor; changes nothing without --write")
    .option("--write", "also create, change and delete shares whose names begin with verify-; asks first")
    .option("--tunnel <id>", "with --write: the tunnel for these shares")
    .option(
      "--location <id>",
      "with --write: create a tunnel at this free location for these shares, and delete it at the end",
    )
    .option("--env-zid <zId>", "environment for these shares, by default that of an existing share")
    .option("--yes", "write and clean up without asking")
    .option("--report <file>", "write a report without names, ids, addresses and secrets, to attach to an issue")
    .option("--force", "replace the file of --report")
    .option("--json", "print one JSON document")
    .addHelpText(
      "after",
      examples(verifyLines, "the provider can't work with a difference, or something is left behind"),
    )
    .action(async (options: VerifyOptions) => (await import("./verify/verify.js")).verify(io, options));
}

/** Adds all commands, in the order of the help. */
export function addCommands(program: Command, io: Io): void {
  const all = [
    addDoctor,
    addVerify,
    addIds,
    addExplain,
    addStatus,
    addLists,
    addDetails,
    addSampleConfig,
    addDeviceConfig,
    addMetrics,
    addWatch,
    addImport,
    addImpact,
    addEmulator,
  ];
  for (const add of all) add(program, io);
}
