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
  /** The test that fails, for a bug that no history of the walk can show. */
  shownBy?: string;
  patches: readonly Patch[];
}

const cell = (from: string, to: string): readonly Patch[] => [{ file: "provider/ledger/table.ts", from, to }];

const inLedger: readonly Planted[] = [
  {
    name: "deleted, owned: an adopted share is deleted",
    patches: cell('owned: to("owned", "skip")', 'owned: to("leaving", "delete")'),
  },
  {
    name: "deleted, moving: a share that moves is deleted with its old tunnel",
    shownBy: "provider/ledger/table",
    patches: cell('moving: to("moving", "skip")', 'moving: to("leaving", "delete")'),
  },
  {
    name: "moved, unknown: a move is not recorded",
    shownBy: "provider/ledger/table",
    patches: cell('unknown: to("moving", "update")', 'unknown: to("unknown", "update")'),
  },
  {
    name: "asked for its tunnel, unknown: the share is not marked as leaving",
    patches: cell('unknown: to("leaving", "replace")', 'unknown: to("unknown", "replace")'),
  },
  {
    name: "asked for its tunnel, moving: a share that moves is replaced",
    patches: cell('moving: to("moving", "unchanged")', 'moving: to("leaving", "replace")'),
  },
  {
    name: "tunnel deleted, moving: the delete does not wait for the move",
    patches: cell(
      '"tunnel deleted": {\n    unknown: to("unknown", "refuse"),\n    owned: to("owned", "refuse"),\n    moving: to("moving", "wait")',
      '"tunnel deleted": {\n    unknown: to("unknown", "refuse"),\n    owned: to("owned", "refuse"),\n    moving: to("moving", "refuse")',
    ),
  },
  {
    name: "place needed, moving: a create does not wait for the move",
    patches: cell(
      '"place needed": {\n    unknown: to("unknown", "refuse"),\n    owned: to("owned", "refuse"),\n    moving: to("moving", "wait")',
      '"place needed": {\n    unknown: to("unknown", "refuse"),\n    owned: to("owned", "refuse"),\n    moving: to("moving", "refuse")',
    ),
  },
  {
    name: "confirmed, unknown: an unchanged resource is not owned",
    patches: cell('confirmed: { unknown: to("owned")', 'confirmed: { unknown: to("unknown")'),
  },
  {
    name: "replaced, unknown: a replaced tunnel is not marked as leaving",
    patches: cell('replaced: { unknown: to("leaving")', 'replaced: { unknown: to("unknown")'),
  },
];

const inCreates: readonly Planted[] = [
  {
    name: "a POST is repeated although an earlier one took effect",
    patches: [
      {
        file: "provider/operations/create.ts",
        from: "const found = listed.find(",
        to: "const found = (post.count > 0 ? [] : listed).find(",
      },
    ],
  },
  {
    name: "no read before a create",
    patches: [
      {
        file: "provider/operations/create.ts",
        from: "const listed = (await kind.inventory.named(body.name, until)).filter(",
        to: "const listed = (post.count === 0 ? [] : await kind.inventory.named(body.name, until)).filter(",
      },
    ],
  },
  {
    name: "an equal name counts as identical",
    patches: [
      {
        file: "provider/resources/share/create.ts",
        from: "const isIdentical = (entry: WireShare) => changedFields(entry, inputs).length === 0;",
        to: "const isIdentical = (entry: WireShare) => entry.name === inputs.name;",
      },
    ],
  },
  {
    name: "an identical resource is adopted without a record",
    patches: [
      {
        file: "provider/operations/create-step.ts",
        from: 'return takeOver === "alike" ? "adopt" : "refuse";',
        to: 'return takeOver === "never" ? "refuse" : "adopt";',
      },
    ],
  },
  {
    name: "a resource that was there before the POST is resumed",
    patches: [
      {
        file: "provider/ledger/creation-records.ts",
        from: "created === undefined ? !before.includes(id) :",
        to: "created === undefined ? true :",
      },
    ],
  },
  {
    name: "a create is recorded only after its answer",
    patches: [{ file: "provider/operations/create.ts", from: "this.write({ before });", to: "void before;" }],
  },
  {
    name: "a record is removed before the state holds the id",
    patches: [
      {
        file: "provider/operations/create.ts",
        from: "this.write({ before: [], id });",
        to: "this.creation.kind.records.remove(this.name);",
      },
    ],
  },
  {
    name: "a record outlives its edit",
    shownBy: "provider/resources/stale-records",
    patches: [
      {
        file: "provider/ledger/creation-records.ts",
        from: "for (const [key] of found) this.remove(key);",
        to: "",
      },
    ],
  },
  {
    name: "a lost POST is given up at once",
    patches: [
      {
        file: "provider/operations/create.ts",
        from: "clock.wall() <= record.postedAtMs + config.requestTimeoutMs + lateEffectMs;",
        to: "clock.wall() < record.postedAtMs + 0 * config.requestTimeoutMs;",
      },
    ],
  },
  {
    name: "an id is dropped on timeout",
    patches: [
      {
        file: "provider/resources/share/create.ts",
        from: 'return unfinishedShare(id, inputs, waited.last?.status ?? "NEW", waited);',
        to: "throw new Error(waited.reason);",
      },
    ],
  },
  {
    name: "a tunnel of an interrupted run makes no room",
    patches: [
      {
        file: "provider/resources/tunnel/create.ts",
        from: "    await removeTunnel(service, service.frontDoor(inputs.frontdoorId), subject, until);\n",
        to: "",
      },
    ],
  },
];

const inUpdates: readonly Planted[] = [
  {
    name: "a PATCH is repeated although it took effect",
    patches: [{ file: "provider/operations/write.ts", from: 'if (ended.now === "done") return;', to: "" }],
  },
  {
    name: "an old DEPLOYED is accepted after a write",
    patches: [
      {
        file: "provider/inventory/acceptors.ts",
        from: 'if (!seen || written.now !== "done") return written;',
        to: "if (!seen) return written;",
      },
    ],
  },
  {
    name: "a diff ignores the stored status",
    patches: [{ file: "provider/resources/share/diff.ts", from: " || !isReady;", to: ";" }],
  },
  {
    name: "a share in ERROR is not sent again",
    patches: [
      {
        file: "provider/resources/share/plan.ts",
        from: '(live ?? state).status === "ERROR"',
        to: '(live ?? state).status === "FAILED"',
      },
    ],
  },
  {
    name: "a resumed update sends only what the program has changed",
    patches: [
      {
        file: "provider/resources/share/plan.ts",
        from: "...changedFields(state, inputs), ...changedFields(before, inputs)])];",
        to: "...changedFields(state, inputs)])];",
      },
    ],
  },
  {
    name: "a cleared field stays at the service",
    patches: [
      {
        file: "provider/resources/share/plan.ts",
        from: 'if (clearedFields(state, inputs).length > 0) return "cleared";',
        to: "",
      },
    ],
  },
  {
    name: "a stored ERROR of a tunnel is believed",
    shownBy: "lifecycle/lifecycle",
    patches: [
      {
        file: "provider/resources/tunnel/diff.ts",
        from: "if (!live || hasEnded(live)) replaces",
        to: "if (!live || hasEnded(live) || live.id === id) replaces",
      },
    ],
  },
  {
    name: "a failed move replaces the shares of the old tunnel",
    patches: [
      {
        file: "provider/resources/share/diff.ts",
        from: 'return state === "owned" || (state === "unknown" && service.isReplacingTunnels());',
        to: 'return state === "owned";',
      },
    ],
  },
];

const inDeletesAndReads: readonly Planted[] = [
  {
    name: "a tunnel that others use loses its shares",
    patches: [
      {
        file: "provider/resources/share/delete.ts",
        from: "if (isForTunnel) await",
        to: "if (isForTunnel && id.length === 0) await",
      },
    ],
  },
  {
    name: "a tunnel is deleted with every share",
    patches: [
      {
        file: "provider/resources/share/orphan.ts",
        from: "record?.id === id &&\n    isBeside(record.origin, origin) &&\n",
        to: "record?.id !== origin &&\n",
      },
    ],
  },
  {
    name: "a web page with status 404 counts as absence",
    shownBy: "provider/faults/faults",
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
  {
    name: "one read proves absence",
    shownBy: "provider/resources/absence",
    patches: [
      {
        file: "provider/operations/find.ts",
        from: "const proofsNeeded = 1 + (status",
        to: "const proofsNeeded = 1 + 0 * (status",
      },
    ],
  },
  {
    name: "a refresh forgets a share in ERROR",
    patches: [
      {
        file: "provider/resources/share/read.ts",
        from: "return wire && (isBare(wire)",
        to: 'return wire?.status === "ERROR" ? undefined : wire && (isBare(wire)',
      },
    ],
  },
];

const inSets: readonly Planted[] = [
  {
    name: "a set forgets a share that is not ready",
    only: "sets",
    patches: [
      {
        file: "provider/resources/share-set/update.ts",
        from: "ends.flatMap(([key, { share }]): [string, StateShare][] =>\n    share ?",
        to: "ends.flatMap(([key, { share, error }]): [string, StateShare][] =>\n    share && !error ?",
      },
    ],
  },
  {
    name: "the share of a removed key stays at the service",
    only: "sets",
    patches: [
      {
        file: "provider/resources/share-set/work.ts",
        from: "return share ? removed(work, key, share) : {};",
        to: "return share && key.length === 0 ? removed(work, key, share) : {};",
      },
    ],
  },
  {
    name: "retain is forgotten",
    only: "sets",
    patches: [
      {
        file: "provider/resources/share-set/work.ts",
        from: "if (outputs.__retain) service.say",
        to: "if (outputs.__retain && id.length === 0) service.say",
      },
    ],
  },
  {
    name: "ports that change places in a cycle are accepted",
    only: "sets",
    patches: [
      {
        file: "provider/resources/share-set/ports.ts",
        from: "if (keys.length > 0)\n",
        to: "if (keys.length < 0)\n",
      },
    ],
  },
];

const elsewhere: readonly Planted[] = [
  {
    name: "`reasons` empty",
    only: "dynamic",
    patches: [{ file: "provider/dynamic/adapter.ts", from: "reasons: [error.message]", to: "reasons: []" }],
  },
  {
    name: "a secret is lost on a renamed key",
    only: "dynamic",
    patches: [
      {
        file: "provider/dynamic/values.ts",
        from: "value !== unknownText && secrets.includes(key) ?",
        to: 'value !== unknownText && secrets.includes(key) && key !== "envZId" ?',
      },
    ],
  },
  {
    name: "the ledger mixes the ids of front doors and kinds",
    patches: [
      {
        file: "provider/service.ts",
        from: "    ledger: new Ledger(clock, run, (own) => hashOf([config.baseUrl, ...place, own])),\n",
        to: "    ledger: ledgers.get(client) ?? (ledgers.set(client, new Ledger(clock, run, (own) => own)), ledgers.get(client)),\n",
      },
      {
        file: "provider/service.ts",
        from: "interface Parts {\n",
        to: "const ledgers = new WeakMap();\n\ninterface Parts {\n",
      },
    ],
  },
];

/** Bugs that lose, duplicate, orphan or leak resources. */
export const planted: readonly Planted[] = [
  ...inLedger,
  ...inCreates,
  ...inUpdates,
  ...inDeletesAndReads,
  ...inSets,
  ...elsewhere,
];
