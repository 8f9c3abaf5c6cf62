import { flatState, Secret } from "../model/program";
import {
  declared,
  type Edit,
  editsOfSets,
  plain,
  type Program,
  secret,
  secretName,
  set,
  tunnelEdits,
  withArgs,
} from "./alphabet";
import {
  alwaysWrong,
  dishonest,
  heldOf,
  isStranger,
  lostBy,
  parts,
  unsettled,
  writtenTwice,
  told,
  Violations,
} from "./checks";
import { dayKindsAt, type FaultKind } from "./faults";
import { type Command, frontDoor, type Ran, run, type Setting, type Snapshot } from "./run";
import { fresh } from "./key";
import { hush, type Item, type Meddling, meddlings, Service } from "./service";
import { start, type Tries, type Walked } from "./walk";
import { peer } from "../harness/things";

const target = (text: string) => new Secret(`${hush}${text}`);

/** Edits of ordinary days, on a tunnel with two shares. */
const office: Program = [
  declared("tunnels", "t1", { ...peer, locationId: "loc-1", nlbPrivateIp: "10.90.0.10" }),
  declared("shares", "s1", { envId: new Secret(secret), target: target("web.internal:443"), ingressPort: 443 }, "t1"),
  declared(
    "shares",
    "s2",
    { envZId: "env-1", name: new Secret(secretName), target: "db.internal:1", ingressPort: 1 },
    "t1",
  ),
];
const third = declared("shares", "s3", { envZId: "env-1", target: "third.internal:443", ingressPort: 9443 }, "t1");

const legacy: readonly Item[] = [
  {
    ...{ id: "tnl-legacy", kind: "tunnel", status: "DEPLOYED" },
    fields: { name: "Old office", locationId: "loc-1", ...peer, nlbPrivateIp: "10.90.0.10" },
  },
  {
    ...{ id: "shr-legacy", kind: "share", status: "DEPLOYED" },
    fields: {
      name: "Old web",
      ipsecTunnelId: "tnl-legacy",
      envZId: "env-1",
      target: "web.internal:443",
      ingressPort: 443,
    },
  },
];
const adopted = { ...peer, locationId: "loc-1", adopt: "tnl-legacy" };
const web = { envZId: "env-1", target: "web.internal:443", ingressPort: 443, adopt: "shr-legacy" };
/** What was made in the console, adopted and in part not managed. */
const adopting: Record<string, Program> = Object.fromEntries(
  [["*"], ["name"], ["target"]].map((ignores) => [
    `ignoreChanges ${String(ignores)}`,
    [
      { ...declared("tunnels", "t1", adopted), ignores },
      { ...declared("shares", "s1", web, "t1"), ignores },
    ],
  ]),
);

const edits: Edit[] = [
  { name: "no edit", program: office },
  { name: "change target of s1", program: withArgs(office, "s1", { target: target("new.internal:1") }) },
  { name: "change port of s2", program: withArgs(office, "s2", { ingressPort: 8443 }) },
  { name: "add s3", program: [...office, third], renews: ["s3"] },
  { name: "remove s2", program: office.filter(({ slot }) => slot !== "s2"), renews: ["s2"] },
  ...office.flatMap((one) => (one.kind === "tunnels" ? tunnelEdits(office, one).slice(0, 1) : [])),
];

/** Edits of a set at another address, and on a tunnel that has failed. */
const editsOfSet = ["change target of k1", "remove k1", "replace t1 delete-first", "remove the set"];

const names = ["name", "target", "ingressPort", "envZId", "locationId", "ipsecTunnelId", "nlbPrivateIp", "peerCidr"];
const valueOf = (value: unknown) => (value instanceof Secret ? value.value : value);
const spelled = (value: unknown) => String(value).toLowerCase();

/** What state or outputs show although the service has something else. */
function shownWrong({ state, items }: Snapshot): string[] {
  return flatState([...state]).flatMap(({ urn, id, outputs, delete: isDoomed }) => {
    const item = items.find((each) => each.id === id);
    if (!item || isDoomed || item.status === "DELETED") return [];
    return names
      .filter((name) => outputs[name] !== undefined && item.fields[name] !== undefined)
      .filter((name) => spelled(valueOf(outputs[name])) !== spelled(item.fields[name]))
      .map((name) => `the state shows ${name} of ${urn} as ${String(valueOf(outputs[name]))}: ${item.fields[name]}`);
  });
}

/** The values and ids of the service that an error has to name, if it keeps a program from being as declared. */
function differencesIn(program: Program, { state, items, records }: Snapshot): string[] {
  const held = heldOf(program, state);
  const recorded = [...records.values()].join();
  const known = flatState([...state]).map(({ id }) => id);
  const values = parts(program).flatMap(({ slot, args }) => {
    const item = items.find(({ id }) => id === held.get(slot));
    return names.flatMap((name) =>
      item && name in args && valueOf(args[name]) !== item.fields[name]
        ? [args[name] instanceof Secret ? item.id : String(item.fields[name])]
        : [],
    );
  });
  // Only a resource that neither the state nor a record names can be in the way.
  const others = items.filter(({ id }) => !known.includes(id) && !recorded.includes(`"${id}"`)).map(({ id }) => id);
  return [...values, ...others];
}

const sharesIn = ({ items }: Snapshot) => items.filter((each) => each.kind === "share" && !isStranger(each));

/** The slots whose resources somebody deleted in the console. */
const slotsGone = (program: Program, { state, items }: Snapshot, requests: Ran["requests"]): string[] => {
  const isGone = (id: string) =>
    items.some((each) => each.id === id && each.status === "DELETED") &&
    !requests.some(({ method, path }) => method === "DELETE" && path.endsWith(`/${id}`));
  return [...heldOf(program, state)].flatMap(([slot, id]) => (isGone(id) ? [slot] : []));
};

/** A colleague's share under the secret name. Once the refresh has forgotten the program's own, nothing tells that the name is secret. */
const another = `"${secretName}" (shr-stranger-again)`;

/** The world with another status of the program's tunnel. */
const withTunnelAt = ({ items, ...world }: Snapshot, status: Item["status"]): Snapshot => ({
  ...world,
  items: items.map((item) =>
    item.kind === "tunnel" && !isStranger(item) && item.status !== "DELETED" ? { ...item, status } : item,
  ),
});

/** What is wrong if a run of a tunnel that has failed does not end with its error, or writes something. */
const notLeftAlone = ({ error, requests }: Ran): string[] => [
  ...(error?.includes("[tunnel-failed]") === true ? [] : [`the failed tunnel is not told: ${String(error)}`]),
  ...requests.flatMap(({ method, path }) => (method === "GET" ? [] : [`not left alone: ${method} ${path}`])),
];

interface Day {
  program: Program;
  snapshot: Snapshot;
  path: readonly string[];
}

/** Walks ordinary days: every edit, with each event at each request and after the run. */
export class Days {
  private readonly found: Violations;
  private tried: number;
  private runs = 0;
  private days = 0;

  constructor(
    private readonly setting: Setting,
    private readonly tries: Tries & { isFirst?: boolean },
    say: (line: string) => void,
  ) {
    this.found = new Violations(say, tries.hasKnown);
    this.tried = tries.countsFrom ?? 0;
  }

  async all(): Promise<Walked> {
    await this.program([], office, start, edits);
    const before = { ...start, items: [...start.items, ...legacy] };
    for (const [name, program] of Object.entries(adopting)) await this.program([name], program, before, []);
    await this.ofSet();
    const { runs, days: histories } = this;
    const violations = this.found.all;
    return { ...{ states: 0, settled: 0, pairs: 0, isCut: false }, runs, histories, violations };
  }

  private async program(name: string[], program: Program, before: Snapshot, editsOf: Edit[]): Promise<void> {
    const path = [...name, "up"];
    const first = await this.run(path, before, { program });
    this.check(path, program, { program: [], snapshot: before, path }, first);
    await this.behind(path, program, before, first);
    const day = { program, snapshot: first.after, path };
    if (editsOf.length === 0) await this.ignoring(day);
    for (const edit of editsOf) await this.edit(day, edit);
  }

  private async ofSet(): Promise<void> {
    const path = ["a set", "up"];
    const { after: snapshot } = await this.run(path, start, { program: set });
    const own = editsOfSets(set, snapshot.state).filter(({ name }) => editsOfSet.includes(name));
    for (const edit of [{ name: "no edit", program: set }, ...own]) {
      const where = [...path, edit.name];
      await this.elsewhere(where, { program: set, snapshot, path }, edit);
      await this.failing(where, { program: set, snapshot, path }, edit);
    }
  }

  /** Adopted, with what it ignores: nothing is written without an edit, whatever somebody does with an ignored field. */
  private async ignoring({ program, snapshot, path }: Day): Promise<void> {
    const again = plain(program);
    await this.quiet(path, again, snapshot, ["up", "up --refresh", "up"]);
    if (program[0]?.ignores?.includes("*") !== true) return;
    for (const how of ["edits the target", "renames"] as const)
      await this.quiet([...path, how], again, this.meddled(snapshot, how, "shr-legacy"), ["up --refresh", "up"]);
  }

  private async edit(from: Day, edit: Edit): Promise<void> {
    const path = [...from.path, edit.name];
    const clean = await this.run(path, from.snapshot, edit);
    this.check(path, edit.program, from, clean);
    await this.after(path, from, edit, clean);
    await this.behind(path, edit.program, from.snapshot, clean);
    await this.elsewhere(path, from, edit);
    await this.failing(path, from, edit);
    for (const [nth, { method, path: where }] of clean.requests.entries())
      for (const kind of dayKindsAt(method))
        // A create without an id cannot tell its share from an equal one that somebody created since.
        if (!(kind === "recreates" && edit.renews) && this.isTried())
          await this.struck([...path, `${kind} at ${nth} (${method} ${where})`], from, edit, nth, kind);
    if (clean.error === undefined) await this.meddledAfter(path, edit, clean.after);
  }

  /** In one run, the URL leads to another service, where nothing is: that is no proof, so nothing is lost. Then comes `up`. */
  private async elsewhere(path: readonly string[], from: Day, edit: Edit): Promise<void> {
    const { program, snapshot } = from;
    const isSame = edit.name === "no edit";
    const commands: Record<string, Partial<Command>> = {
      up: {},
      "up --refresh": { isRefreshed: true },
      ...(isSame && { refresh: { does: "refresh" }, destroy: { program: [] } }),
    };
    for (const [name, command] of Object.entries(commands)) {
      if (!this.isTried()) continue;
      const where = [...path, `${name} at another address`];
      const ran = await this.run(where, snapshot, { program: edit.program, isElsewhere: true, ...command });
      // Frontdoor itself refuses a share whose tunnel it does not know.
      const isRefused = /\[(seen-elsewhere|tunnel-missing)\]|tunnel \S+ is not DEPLOYED/.test(ran.error ?? "");
      this.wrong(where, [
        ...lostBy(heldOf(program, snapshot.state), { program: edit.program }, ran.after),
        ...(isRefused || (isSame && name === "up") ? [] : [`absence counts at another address: ${String(ran.error)}`]),
      ]);
      await this.goesOn([...where, "up"], from, edit, ran.after);
    }
  }

  /** A tunnel that has worked fails: only an edit replaces it, its shares are left alone, and once it is repaired, `up` goes on. */
  private async failing(path: readonly string[], from: Day, edit: Edit): Promise<void> {
    const { program, snapshot } = from;
    const isReplaced = edit.renews?.includes("t1") === true;
    for (const status of ["ERROR", "SUSPENDED"] as const)
      for (const isRefreshed of [false, true]) {
        if (!this.isTried()) continue;
        const where = [...path, `the tunnel is ${status}`, isRefreshed ? "up --refresh" : "up"];
        const failed = withTunnelAt(snapshot, status);
        // A run without a refresh does not read the tunnel.
        const ran = await this.run(where, failed, { program: edit.program, isRefreshed, isMeddled: !isRefreshed });
        if (isReplaced) this.check(where, edit.program, { ...from, snapshot: failed }, ran);
        else {
          this.wrong(where, lostBy(heldOf(program, snapshot.state), edit, ran.after));
          if (isRefreshed) this.wrong(where, notLeftAlone(ran));
          await this.goesOn([...where, "repaired", "up"], from, edit, withTunnelAt(ran.after, "DEPLOYED"));
        }
      }
  }

  /** An `up` of the edit ends as it would have without the run before. */
  private async goesOn(path: readonly string[], from: Day, edit: Edit, snapshot: Snapshot): Promise<void> {
    const ran = await this.run(path, snapshot, edit);
    this.wrong(path, lostBy(heldOf(from.program, from.snapshot.state), edit, ran.after));
    this.check(path, edit.program, from, ran);
  }

  /** An edit with an event at its n-th request. */
  private async struck(path: readonly string[], from: Day, edit: Edit, nth: number, kind: FaultKind): Promise<void> {
    const isMeddled = kind in meddlings;
    const ran = await this.run(path, from.snapshot, { program: edit.program, fault: { at: nth, kind }, isMeddled });
    const gone = isMeddled ? slotsGone(from.program, { ...ran.after, state: from.snapshot.state }, ran.requests) : [];
    if (kind === "keeps another value") this.wrong(path, shownWrong(ran.after));
    await this.after(path, from, { ...edit, renews: [...(edit.renews ?? []), ...gone] }, ran);
    if (kind.includes("killed")) await this.meddledAfter(path, edit, ran.after);
  }

  /** Somebody changes each share after the run; then comes `up --refresh`. */
  private async meddledAfter(path: readonly string[], edit: Edit, after: Snapshot): Promise<void> {
    const known = flatState([...after.state]).map(({ id }) => id);
    // A record cannot tell what the interrupted run created from an equal share that somebody created since.
    const isTold = (how: Meddling, id: string) => how !== "recreates" || known.includes(id);
    for (const { id } of sharesIn(after))
      for (const how of Object.keys(meddlings) as Meddling[])
        if (isTold(how, id) && this.isTried())
          await this.repeat([...path, `${how} ${id}`], edit, this.meddled(after, how, id));
  }

  /** After the run and a minute comes `up --refresh`, without a fault. */
  private async after(path: readonly string[], from: Day, edit: Edit, ran: Ran): Promise<void> {
    this.wrong(path, lostBy(heldOf(from.program, from.snapshot.state), edit, ran.after));
    await this.repeat(path, edit, ran.after);
  }

  private async repeat(path: readonly string[], { program, renews = [] }: Edit, snapshot: Snapshot): Promise<void> {
    const where = [...path, "up --refresh"];
    const ran = await this.run(where, snapshot, { program, isRefreshed: true });
    const gone = slotsGone(program, snapshot, []);
    this.wrong(where, lostBy(heldOf(program, snapshot.state), { program, renews: [...renews, ...gone] }, ran.after));
    this.check(where, program, { program, snapshot, path }, ran);
    if (ran.error === undefined) await this.quiet(where, program, ran.after, ["up"]);
  }

  /** The run ends as the program says, or with an error that names the difference, and shows only what the service has. */
  private check(path: readonly string[], program: Program, from: Day, ran: Ran): void {
    this.wrong(path, shownWrong(ran.after));
    const differences = differencesIn(program, { ...ran.after, records: from.snapshot.records });
    const isNamedIn = (text: string) => differences.some((each) => text.includes(each));
    if (ran.error !== undefined) {
      if (!isNamedIn(ran.error)) this.wrong(path, [`stuck: ${ran.error}`]);
      return;
    }
    // Nothing can change a tunnel, so its difference is told.
    const isTold = ran.said.some((line) => line.includes("IPsec tunnel") && isNamedIn(line));
    if (!isTold && !program.some(({ ignores }) => ignores))
      this.wrong(path, unsettled(plain(program), ran, false, { ...from, orphans: new Set() }));
  }

  /** A refresh right after a run, while reads still show the service as it was before the first write. */
  private async behind(path: readonly string[], program: Program, before: Snapshot, clean: Ran): Promise<void> {
    const firstMs = clean.requests.find(({ method }) => method !== "GET")?.atMs;
    if (clean.error !== undefined || firstMs === undefined) return;
    const ran = await this.run(path, before, { program, isHasty: true });
    for (const of of ["GETs", "lists", "both"] as const)
      for (const lagMs of [1_000, 15_000, 29_000]) {
        if (!this.isTried()) continue;
        const stale = { of, untilMs: before.wallMs + firstMs + lagMs, items: before.items };
        await this.lagging([...path, `${of} lag ${lagMs / 1000} s`], program, { ...ran.after, stale });
      }
  }

  private async lagging(path: readonly string[], program: Program, snapshot: Snapshot): Promise<void> {
    const held = heldOf(program, snapshot.state);
    for (const does of ["refresh", "up", "up --refresh"] as const) {
      const where = [...path, does];
      const isRefresh = does === "refresh";
      const command = isRefresh ? { program, does } : { program: plain(program), isRefreshed: does !== "up" };
      const ran = await this.run(where, snapshot, command);
      this.wrong(where, lostBy(held, { program }, ran.after));
      // An old value looks like somebody's edit, and is written once more: no state remembers when it was written.
      const writes = ran.requests.filter(({ method }) => method === "POST" || method === "DELETE");
      this.wrong(
        where,
        writes.map(({ method, path: at }) => `written without an edit: ${method} ${at}`),
      );
      if (ran.error !== undefined) this.wrong(where, [`stuck: ${ran.error}`]);
      else await this.quiet([...where, "the lag ends"], program, fresh(ran.after), ["up", "up --refresh"]);
    }
  }

  /** Without an edit nothing is done. */
  private async quiet(
    path: readonly string[],
    program: Program,
    snapshot: Snapshot,
    commands: ("up" | "up --refresh")[],
  ): Promise<void> {
    let world = snapshot;
    for (const [nth, command] of commands.entries()) {
      const ran = await this.run(path, world, { program: plain(program), isRefreshed: command !== "up" });
      const writes = ran.requests.filter(({ method }) => method !== "GET");
      const found = [ran.error ?? [], ran.steps, writes.map(({ method, path: at }) => `${method} ${at}`)].flat();
      // A refresh that finds a change in the console is a step.
      const problems = found.filter((each) => command === "up" || !each.startsWith("update "));
      this.wrong(
        [...path, ...commands.slice(0, nth + 1)],
        problems.map((each) => `not quiet: ${each}`),
      );
      world = ran.after;
    }
  }

  private meddled(after: Snapshot, how: Meddling, id: string): Snapshot {
    const service = new Service(this.setting.choices, frontDoor, after.items, after.given);
    service.meddle(how, id, after.wallMs);
    service.settle(after.wallMs + 60_000);
    return { ...after, items: service.items, wallMs: after.wallMs + 60_000 };
  }

  private isTried(): boolean {
    const { everyNthFault = 1, isFirst } = this.tries;
    if (this.setting.choices.keeps || (isFirst && this.found.all.length > 0)) return false;
    return ++this.tried % everyNthFault === 0;
  }

  private async run(
    path: readonly string[],
    snapshot: Snapshot,
    { program, isMeddled = false, ...given }: Pick<Command, "program"> & Partial<Command> & { isMeddled?: boolean },
  ): Promise<Ran> {
    this.runs += 1;
    if (!given.isHasty) this.days += 1;
    const command = { isRefreshed: false, ...given, program };
    const ran = await run(this.setting, snapshot, command);
    this.wrong(path, [
      ...[...ran.boundaries, ran.after].flatMap((each) => alwaysWrong(snapshot, each)),
      ...told({ ...ran, error: ran.error?.replaceAll(another, "") }),
      ...(isMeddled ? [] : writtenTwice(ran, this.setting.choices)),
      // Nobody can know of a change in the console that comes after the last read.
      ...dishonest(snapshot, ran, { ...command, isHasty: isMeddled || given.isHasty === true }),
    ]);
    return ran;
  }

  private wrong(path: readonly string[], found: readonly string[]): void {
    this.found.add(path, found);
  }
}
