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

/** Bugs that lose, duplicate, orphan or leak resources. */
export const planted: readonly Planted[] = [
  {
    name: "POST repeated blindly",
    patches: [
      {
        file: "provider/resources/create.ts",
        from: "const found = await search.settled(creation.isAlike, () => error !== undefined && isPast(postedAtMs, service));",
        to: "const found = (await Promise.resolve(undefined)) as Wire | undefined;",
      },
    ],
  },
  {
    name: "PATCH repeated blindly",
    patches: [
      {
        file: "provider/resources/writes.ts",
        from: 'if (ended.now === "done") return;\n      if (isOver(',
        to: "if (isOver(",
      },
    ],
  },
  {
    name: "id dropped on timeout",
    patches: [
      {
        file: "provider/resources/share.ts",
        from: 'return unfinishedShare(id, inputs, waited.last?.status ?? "NEW", waited);',
        to: "throw new Error(waited.reason);",
      },
    ],
  },
  {
    name: "stale DEPLOYED accepted",
    patches: [
      {
        file: "provider/resources/judge.ts",
        from: "    seen && isShown(seen)\n",
        to: "    seen && (isShown(seen) || seen.status.length > 0)\n",
      },
    ],
  },
  {
    name: "404 page taken as gone",
    shownBy: "provider/faults/faults",
    patches: [
      {
        file: "provider/http/answers.ts",
        from: "if (isPage(received) && (status === 404 || status === 410))",
        to: "if (isPage(received) && status === 410)",
      },
      {
        file: "provider/resources/writes.ts",
        from: "absent = (await kind.calls.isGone(id, until)) ? absent + 1 : 0;",
        to: "absent = await Promise.resolve(absent + 1);",
      },
    ],
  },
  {
    name: "`reasons` empty",
    only: "dynamic",
    patches: [{ file: "provider/hosts/dynamic/host.ts", from: "reasons: [error.message]", to: "reasons: []" }],
  },
  {
    name: "adopt by name alone",
    patches: [
      {
        file: "provider/resources/share.ts",
        from: "const isAlike = (entry: WireShare) => changedFields(entry, inputs).length === 0;",
        to: "const isAlike = (entry: WireShare) => entry.name === inputs.name;",
      },
    ],
  },
  {
    name: "no look before a create",
    patches: [
      {
        file: "provider/resources/create.ts",
        from: "const { left, before } = await leftOver(creation, origin, search, service);",
        to: "const { left, before } = (await Promise.resolve({ before: [] })) as { left?: Wire; before: string[] };",
      },
    ],
  },
  {
    name: "stored status left out of the diff",
    patches: [{ file: "provider/resources/share.ts", from: ' || olds.status !== "DEPLOYED";', to: ";" }],
  },
  {
    name: "what was adopted is deleted",
    patches: [
      {
        file: "provider/resources/writes.ts",
        from: "const isHeld = kind.claims.isHeldInRun(id);",
        to: 'const isHeld = kind.claims.isHeldInRun(id) && label === "";',
      },
    ],
  },
  {
    name: "taken over by likeness",
    patches: [
      {
        file: "provider/resources/create.ts",
        from: 'const isOurs = proven ? takeOver !== "never" : takeOver === "alike" && isNameDerived;',
        to: 'const isOurs = takeOver !== "never" || isNameDerived;',
      },
    ],
  },
  {
    name: "stale status believed before a delete",
    patches: [
      {
        file: "provider/resources/tunnel.ts",
        from: "if (!live || hasEnded(live)) replaces",
        to: "if (!live || hasEnded(live) || live.id === id) replaces",
      },
    ],
  },
  {
    name: "secret lost on a renamed key",
    only: "dynamic",
    patches: [
      {
        file: "provider/hosts/dynamic/host.ts",
        from: "value !== unknownText && secrets.includes(key) ?",
        to: 'value !== unknownText && secrets.includes(key) && key !== "envZId" ?',
      },
    ],
  },
  {
    name: "a set forgets what is not ready",
    only: "sets",
    patches: [
      {
        file: "provider/resources/share-set-update.ts",
        from: "ends.flatMap(([key, { held }]): [string, Held][] => (held ?",
        to: "ends.flatMap(([key, { held, error }]): [string, Held][] => (held && !error ?",
      },
    ],
  },
  {
    name: "the share of a removed key stays at the service",
    only: "sets",
    patches: [
      {
        file: "provider/resources/share-set-update.ts",
        from: "if (this.hasFailed && !claims.isHeldInRun(id)) return { held };",
        to: "if (this.hasFailed || id.length > 0) return {};",
      },
    ],
  },
  {
    name: "retain is forgotten",
    only: "sets",
    patches: [
      {
        file: "provider/resources/share-set-update.ts",
        from: "const why = outputs.__retain ?",
        to: "const why = outputs.__retain && id.length === 0 ?",
      },
    ],
  },
  {
    name: "ports in a cycle are accepted",
    only: "sets",
    patches: [
      {
        file: "provider/resources/share-set-ports.ts",
        from: "if (keys.length === 0) return;",
        to: "if (keys.length >= 0) return;",
      },
    ],
  },
  {
    name: "a refresh counts as the program's word",
    shownBy: "provider/resources/port-in-use",
    patches: [
      {
        file: "provider/ownership/claims.ts",
        from: 'return typeof name === "string" && this.declared.has(name);',
        to: 'return typeof name === "string";',
      },
    ],
  },
  {
    name: "ids mixed across front doors",
    patches: [
      {
        file: "provider/service.ts",
        from: "      claims: new Claims(this.run, (id) => hashOf([this.config.baseUrl, ...place, id])),\n",
        to: "      claims: oneClaims,\n",
      },
      {
        file: "provider/service.ts",
        from: "const wrongFrontDoor =\n",
        to: "const oneClaims = new Claims(sole, (id) => id);\n\nconst wrongFrontDoor =\n",
      },
    ],
  },
  {
    name: "one-look absence",
    shownBy: "provider/resources/absence",
    patches: [
      {
        file: "provider/resources/writes.ts",
        from: "const looksWanted = 1 + (status",
        to: "const looksWanted = 0 * (status",
      },
    ],
  },
  {
    name: "what is being replaced taken as begun",
    patches: [
      {
        file: "provider/resources/create.ts",
        from: "&& !begun.before.includes(entry.id)",
        to: '&& !begun.before.includes("")',
      },
    ],
  },
  {
    name: "what is elsewhere leaves with its tunnel",
    shownBy: "provider/resources/replaced-tunnel",
    patches: [
      {
        file: "provider/resources/share.ts",
        from: "(await this.isElsewhere(id, olds, until))",
        to: "(await Promise.resolve(false))",
      },
    ],
  },
  {
    name: "a record goes before what it is about has reached the state",
    patches: [
      { file: "provider/resources/share.ts", from: "return this.updated(live.id", to: "return this.update(live.id" },
    ],
  },
  {
    name: "a failed move takes its shares along",
    patches: [
      {
        file: "provider/resources/share.ts",
        from: "return isMoving || this.service.isSpared(ipsecTunnelId, frontDoor);",
        to: "return isMoving;",
      },
    ],
  },
  {
    name: "a record outlives its edit",
    patches: [{ file: "provider/ownership/creates.ts", from: "for (const [key] of taken) this.remove(key);", to: "" }],
  },
  {
    name: "a delete that was cut off is forgotten",
    patches: [{ file: "provider/resources/writes.ts", from: "kind.deletes.note(id);", to: "void id;" }],
  },
  {
    name: "a create is recorded only once it is answered",
    patches: [
      {
        file: "provider/resources/create.ts",
        from: "kind.creates.note(name, { ...record, postedAtMs, before });",
        to: "void before;",
      },
    ],
  },
  {
    name: "a tunnel takes every share along",
    patches: [
      {
        file: "provider/resources/holders.ts",
        from: "origin !== undefined && begun !== undefined && isBeside(begun.origin, origin) && !shares.claims.isHeldInRun(id)",
        to: "origin !== begun?.origin && !shares.claims.isHeldInRun(id)",
      },
    ],
  },
  {
    name: "a refresh forgets a share in ERROR",
    patches: [
      {
        file: "provider/resources/share.ts",
        from: "return wire && rules.outputsOf(wire, olds);",
        to: 'return wire?.status === "ERROR" ? undefined : wire && rules.outputsOf(wire, olds);',
      },
    ],
  },
  {
    name: "a lost POST is given up at once",
    patches: [
      {
        file: "provider/resources/create.ts",
        from: "clock.wall() > sentAtMs + config.requestTimeoutMs + lostAnswerMs;",
        to: "clock.wall() >= sentAtMs + 0 * config.requestTimeoutMs;",
      },
    ],
  },
  {
    name: "a tunnel of an interrupted run makes no room",
    patches: [
      {
        file: "provider/resources/tunnel.ts",
        from: "      await this.remove(made.id, rules.outputsOf(made.found, { frontdoorId }), until);\n",
        to: "",
      },
    ],
  },
];
