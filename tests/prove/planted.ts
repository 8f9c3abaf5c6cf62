/** A change of the sources. The text `from` must be in the file exactly once. */
export interface Patch {
  file: string;
  from: string;
  to: string;
}

export interface Planted {
  name: string;
  /** Limits the walks that look for the bug, as `--only` of `npm run prove` does. */
  only?: string;
  /** Looks for the bug with the rarer faults and every n-th pair of faults, as `--pairs` of `npm run prove` does. */
  pairs?: string;
  /** The test that fails, for a bug that no history of the walk can show. */
  shownBy?: string;
  patches: readonly Patch[];
}

const bug = (name: string, file: string, from: string, to: string, how: Partial<Planted> = {}): Planted => ({
  name,
  patches: [{ file: `provider/${file}`, from, to }],
  ...how,
});
const cell = (name: string, from: string, to: string, how?: Partial<Planted>) =>
  bug(name, "ledger/ledger.ts", from, to, how);

/** The walk of the rarer faults, without pairs. */
const rare: Partial<Planted> = { pairs: "100000000", only: "dynamic singles, plain service" };

/** Bugs that lose, duplicate, orphan or leak resources. */
export const planted: readonly Planted[] = [
  cell("deleted, owned: an adopted share is deleted", 'owned: to("owned", "skip")', 'owned: to("leaving", "delete")'),
  cell("moved, unknown: a move is not recorded", 'moved: { unknown: to("moving")', 'moved: { unknown: to("unknown")', {
    shownBy: "provider/ledger/table",
  }),
  cell(
    "tunnel unknown, unknown: the share is not marked as leaving",
    'unknown: to("leaving", "replace")',
    'unknown: to("unknown", "replace")',
    { shownBy: "provider/ports" },
  ),
  cell(
    "tunnel unknown, moving: a share that moves is replaced",
    'moving: to("moving", "unchanged")',
    'moving: to("leaving", "replace")',
    { shownBy: "provider/ledger/table" },
  ),
  cell(
    "tunnel deleted, moving: the delete does not wait for the move",
    '"tunnel deleted": {\n    unknown: to("unknown", "refuse"),\n    owned: to("owned", "refuse"),\n    moving: to("moving", "wait")',
    '"tunnel deleted": {\n    unknown: to("unknown", "refuse"),\n    owned: to("owned", "refuse"),\n    moving: to("moving", "refuse")',
    { shownBy: "provider/ports" },
  ),
  cell(
    "port needed, moving: a create does not wait for the move",
    '"port needed": {\n    unknown: to("unknown", "refuse"),\n    owned: to("owned", "refuse"),\n    moving: to("moving", "wait")',
    '"port needed": {\n    unknown: to("unknown", "refuse"),\n    owned: to("owned", "refuse"),\n    moving: to("moving", "refuse")',
    { shownBy: "provider/ledger/table" },
  ),
  cell(
    "unchanged, unknown: an unchanged resource is not owned",
    'unchanged: { unknown: to("owned")',
    'unchanged: { unknown: to("unknown")',
  ),
  cell(
    "replaced, unknown: a replaced tunnel is not marked as leaving",
    'replaced: { unknown: to("leaving")',
    'replaced: { unknown: to("unknown")',
  ),
  bug(
    "a POST is repeated although an earlier one took effect",
    "operations/create.ts",
    "const found = [...listed, ...(await post.readUnshown())].find(",
    "const found = (post.isSent ? [] : listed).find(",
  ),
  bug(
    "no read before a create",
    "operations/create.ts",
    "const listed = (await kind.inventory.named(body.name, context, wholeListFromMs)).filter(",
    "const listed = (!post.isSent ? [] : await kind.inventory.named(body.name, context)).filter(",
  ),
  bug(
    "an equal name counts as identical",
    "resources/share.ts",
    'const isIdentical = (entry: WireShare) => rules.otherFields(entry, inputs, "update").length === 0;',
    "const isIdentical = (entry: WireShare) => entry.name === inputs.name;",
  ),
  bug(
    "an identical resource is adopted without a record",
    "operations/create.ts",
    'return takeOver === "alike" ? "adopt" : "refuse";',
    'return takeOver === "never" ? "refuse" : "adopt";',
  ),
  bug(
    "a resource that was there before the POST is resumed",
    "ledger/creation-records.ts",
    "created === undefined ? !before.includes(id) :",
    "created === undefined ? true :",
  ),
  bug("a create is recorded only after its answer", "operations/create.ts", "this.write({ before });", "void before;"),
  bug(
    "a record is removed before the state holds the id",
    "operations/create.ts",
    "this.write({ before: [], id });",
    "this.creation.kind.records.remove(this.name);",
  ),
  bug("a record outlives its edit", "ledger/creation-records.ts", "for (const [key] of found) this.remove(key);", "", {
    shownBy: "provider/interrupted-create",
  }),
  bug(
    "a lost POST is given up at once",
    "operations/write.ts",
    "Math.max(requestTimeoutMs + lateEffectMs, consistencyMs)",
    "-1 + 0 * requestTimeoutMs * lateEffectMs",
    { shownBy: "provider/interrupted-create" },
  ),
  bug(
    "a record is waited for by the timeout of the later run",
    "operations/create.ts",
    "(record.requestTimeoutMs ?? config.requestTimeoutMs)",
    "config.requestTimeoutMs",
    { shownBy: "provider/interrupted-create" },
  ),
  bug(
    "a record of the future is waited for until its time has come",
    "operations/create.ts",
    "Math.min(clock.now() - clock.wall() + record.postedAtMs, runStartedMs)",
    "clock.now() - clock.wall() + record.postedAtMs + 0 * runStartedMs",
    { shownBy: "provider/interrupted-create" },
  ),
  bug(
    "the id in an answer is believed",
    "operations/create.ts",
    "const shown = seen && shownIn(seen);",
    'const shown = seen && (shownIn(seen) === "part" ? "part" : "all");',
    { shownBy: "provider/create" },
  ),
  bug(
    "an id is dropped on timeout",
    "resources/share.ts",
    'return unfinishedShare(id, inputs, waited.last?.status ?? "NEW", waited, { __shown });',
    "throw new Error(waited.reason);",
  ),
  bug(
    "a tunnel of an interrupted run makes no room",
    "resources/tunnel.ts",
    "    await removeTunnel(context, context.service.frontDoor(inputs.frontdoorId), subject);\n",
    "",
  ),
  {
    name: "a PATCH is repeated although it took effect",
    patches: [
      {
        file: "provider/operations/write.ts",
        from: 'return ended.now === "done" ? {} : undefined;',
        to: "return undefined;",
      },
      {
        file: "provider/operations/write.ts",
        from: 'return this.canHaveEffect && acceptWritten(this.evidence)(seen, history).now === "done";',
        to: "return seen === undefined && history.waitedMs > 0;",
      },
    ],
  },
  bug(
    "an old DEPLOYED is accepted after a write",
    "waiting/acceptors.ts",
    'if (!seen || written.now !== "done") return written;',
    "if (!seen) return written;",
  ),
  bug("a diff ignores the stored status", "resources/share.ts", " || !isReady;", ";"),
  bug(
    "a share in ERROR is not sent again",
    "resources/share-update.ts",
    '(live ?? state).status === "ERROR"',
    '(live ?? state).status === "FAILED"',
  ),
  bug(
    "a resumed update sends only what the program has changed",
    "resources/share-update.ts",
    "...changedFields(state, inputs), ...differing(current, state, inputs)])];",
    "...changedFields(state, inputs)])];",
    { shownBy: "provider/share" },
  ),
  bug(
    "a value in the spelling of the service counts as drift",
    "fields/rules.ts",
    "return { ...seen, ...pick(known, sent.filter(isAsBefore)) };",
    "return sent.some(isAsBefore) ? seen : { ...seen };",
    { shownBy: "provider/spelling" },
  ),
  bug(
    "a cleared field stays at the service",
    "resources/share-update.ts",
    'if (rules.clearedFields(state, inputs).length > 0) return "cleared";',
    "",
  ),
  bug(
    "a stored ERROR of a tunnel is believed",
    "resources/tunnel.ts",
    "if (!live || hasEnded(live)) replaces",
    "if (!live || hasEnded(live) || live.id === id) replaces",
    { shownBy: "lifecycle/lifecycle" },
  ),
  bug(
    "a failed move replaces the shares of the old tunnel",
    "resources/share.ts",
    'return state === "owned" || (isOthers && service.isReplacingTunnels());',
    'return state === "owned" || (isOthers && false);',
  ),
  bug(
    "a tunnel that others use loses its shares",
    "resources/share.ts",
    "if (isForTunnel) await",
    "if (isForTunnel && id.length === 0) await",
    { shownBy: "provider/ports" },
  ),
  bug(
    "a tunnel is deleted with every share",
    "resources/owner.ts",
    "record?.id === id &&\n    isSameStack(record.origin, origin) &&\n",
    "record?.id !== origin &&\n",
  ),
  {
    name: "a web page with status 404 counts as absence",
    shownBy: "provider/faults",
    patches: [
      {
        file: "provider/http/answers.ts",
        from: "if (isPage(received) && (status === 404 || status === 410))",
        to: "if (isPage(received) && status === 410)",
      },
      {
        file: "provider/operations/find.ts",
        from: "proofs = (await isAbsent(calls, id, until)) ? proofs + 1 : 0;",
        to: "proofs = await Promise.resolve(proofs + 1);",
      },
    ],
  },
  bug(
    "one read proves absence",
    "operations/find.ts",
    'const proofsNeeded = isImport ? 1 : status === "NEW" ? 6 : 2;',
    "const proofsNeeded = 1;",
    { shownBy: "provider/absence" },
  ),
  bug(
    "a refresh forgets a share in ERROR",
    "resources/share-outputs.ts",
    "const wire = settled.value;",
    'const wire = settled.value?.status === "ERROR" ? undefined : settled.value;',
  ),
  bug(
    "a set forgets a share that is not ready",
    "resources/share-set-update.ts",
    "ends.flatMap(([key, { share }]) => (share ?",
    "ends.flatMap(([key, { share, error }]) => (share && !error ?",
    { only: "sets" },
  ),
  bug(
    "the share of a removed key stays at the service",
    "resources/share-set-update.ts",
    "else await deleteShare(id, outputs, context);",
    "else if (key.length === 0) await deleteShare(context, id, outputs);",
    { only: "sets" },
  ),
  bug(
    "retain is forgotten",
    "resources/share-set-update.ts",
    "if (outputs.__retain) context.service.say",
    "if (outputs.__retain && id.length === 0) context.service.say",
    { shownBy: "provider/share-set" },
  ),
  bug(
    "ports that change places in a cycle are accepted",
    "resources/share-set-update.ts",
    "if (key === first) throw",
    "if (key.length === 0) throw",
    { shownBy: "provider/share-set" },
  ),
  bug("`reasons` empty", "dynamic/adapter.ts", "reasons: [error.message]", "reasons: []", { only: "dynamic" }),
  bug(
    "a secret is lost on a renamed key",
    "dynamic/process.ts",
    "value !== unknownText && secrets.includes(key) ?",
    'value !== unknownText && secrets.includes(key) && key !== "envZId" ?',
    { only: "dynamic" },
  ),
  {
    name: "the ledger mixes the ids of front doors and kinds",
    shownBy: "provider/names",
    patches: [
      {
        file: "provider/operations/service.ts",
        from: "    ledger: new Ledger(clock, run, (own) => hashOf([config.baseUrl, ...scope, own])),\n",
        to: `    ledger: ledgers.get(client) ??
      (ledgers.set(client, new Ledger(clock, run, (own) => hashOf([config.baseUrl, own]))), ledgers.get(client)),\n`,
      },
      {
        file: "provider/operations/service.ts",
        from: "interface Parts {\n",
        to: "const ledgers = new WeakMap();\n\ninterface Parts {\n",
      },
    ],
  },
  {
    ...{ name: "a create waits for ever for the tunnel at its location", ...rare },
    patches: [
      {
        file: "provider/resources/places.ts",
        from: "throw isMeant(tunnel) ? new FrontdoorError(message, { kind: waited.why }) : error;",
        to: "void message;",
      },
      {
        file: "provider/operations/create.ts",
        from: `if (isOver(clock, this.context)) throw error;
    await clock.sleep(backoff(clock.now() - this.startedMs, clock.random()), signal);`,
        to: "",
      },
    ],
  },
  bug(
    "a refusal for good is taken for a busy tunnel",
    "operations/write.ts",
    'return destination.test(property) ? "wrong destination" : "for good";',
    'return "conflict";',
    rare,
  ),
  bug(
    "a refusal over another matter blames the tunnel at some location",
    "resources/places.ts",
    "locationId !== undefined || isNamedIn(words, tunnel);",
    "locationId !== undefined || words.length > 0;",
    rare,
  ),
  bug(
    "a new tunnel that the service does not see yet fails its shares",
    "operations/write.ts",
    'if (isNewOnTunnel && tunnels.ledger.news.isRecent("deployed", to)) return "not shown yet";',
    "",
    rare,
  ),
  bug(
    "a place that is not free yet fails the create",
    "operations/write.ts",
    'return (await isFreedNow().catch(() => false)) ? "not shown yet" : "nothing more";',
    'return (await isFreedNow().catch(() => false)) ? "nothing more" : "nothing more";',
    rare,
  ),
  bug(
    "a record of the future blocks a create",
    "operations/create.ts",
    "Math.min(clock.now() - clock.wall() + record.postedAtMs, runStartedMs)",
    "clock.now() - clock.wall() + record.postedAtMs + 0 * runStartedMs",
    rare,
  ),
  {
    ...{ name: "the id in an answer is believed without a look at the resource", ...rare },
    patches: [
      {
        file: "provider/operations/create.ts",
        from: 'if (rules.shown(shown, body) === "others") {',
        to: 'if (rules.shown(shown, body) === "others" && id === undefined) {',
      },
      {
        file: "provider/operations/create.ts",
        from: `if (proof === "another's") {`,
        to: `if (proof === "another's") return { id: this.recordId(id), waited };
    if (proof === "another's") {`,
      },
    ],
  },
  {
    ...{ name: "a PATCH is sent again after a long pause without a read", ...rare },
    patches: [
      {
        file: "provider/operations/write.ts",
        from: "const deadlineMs = Math.min(until.deadlineMs, pauseEndsMs + consistencyMs);",
        to: "const deadlineMs = Math.min(until.deadlineMs, clock.now() + consistencyMs / 3);",
      },
      {
        file: "provider/operations/write.ts",
        from: "if (this.last && (await this.isProved(this.last.error))) return;",
        to: "void this.isProved.bind(this);",
      },
    ],
  },
  bug(
    "a read of an unfinished share is believed at once",
    "waiting/acceptors.ts",
    "return history.waitedMs - others.sinceMs >= consistencyMs ?",
    "return history.waitedMs - others.sinceMs >= 0 ?",
    rare,
  ),
  bug(
    "a user's filter that is refused is given up",
    "api/lists.ts",
    "(isWrongQuery(error) && !options.isUsers)",
    "isWrongQuery(error)",
    rare,
  ),
  bug(
    "a field that a list leaves out is forgotten",
    "fields/rules.ts",
    "...pick(known, unseen), frontdoorId, __set };",
    "...pick(known, []), frontdoorId, __set };",
    rare,
  ),
  bug(
    "a location in another spelling is another location",
    "fields/rules.ts",
    "return { ...seen, ...pick(known, sent.filter(isAsBefore)) };",
    "return sent.some(isAsBefore) ? { ...seen } : seen;",
    { pairs: "100000000", only: "dynamic singles, plain, other locationId" },
  ),
  bug(
    "a share that moves keeps its old location",
    "resources/share-location.ts",
    "if (!(await isAtItsTunnel(frontDoor, share, context))) return undefined;",
    "if (!(await isAtItsTunnel(frontDoor, share, context)) || share.id) return undefined;",
    { pairs: "100000000", only: "dynamic singles, plain, placing" },
  ),
  bug(
    "a retained tunnel is to be removed or adopted",
    "resources/owner.ts",
    'return ledger.stateOf(id) === "leaving" ? "retained" : "itself";',
    'return "this stack";',
    rare,
  ),
  bug(
    "an error says that nothing was changed after a write",
    "messages.ts",
    "This resource was not changed. Keep only one of the two in the program.",
    "Nothing was changed. Keep only one of the two in the program.",
    rare,
  ),
];
