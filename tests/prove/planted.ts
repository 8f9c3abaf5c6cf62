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
  patches: readonly Patch[];
}

const bug = (name: string, file: string, from: string, to: string, how: Partial<Planted> = {}): Planted => ({
  name,
  patches: [{ file: `provider/${file}`, from, to }],
  ...how,
});

/** Bugs that lose, duplicate, orphan or leak resources, each of which the walk must find. */
export const planted: readonly Planted[] = [
  bug(
    "a refresh believes a replica that lags behind the run's own write",
    "converge/progress.ts",
    "return remainingMs > 0 ?",
    "return remainingMs > Infinity ?",
    { only: "ordinary days" },
  ),
  bug(
    "a POST is repeated although an earlier one took effect",
    "converge/create.ts",
    "const matches = [...this.listed, ...(await this.readKnown(record))].filter(",
    "const matches = (this.isSent ? [] : this.listed).filter(",
  ),
  bug(
    "no read before a create",
    "converge/create.ts",
    "this.listed = named.filter(",
    "this.listed = (this.isSent ? named : []).filter(",
  ),
  bug(
    "a resource that was there before the POST is resumed",
    "run/creation-records.ts",
    "created === undefined ? !before.includes(id) :",
    "created === undefined ? true :",
  ),
  bug(
    "a create is recorded only after its answer",
    "converge/create.ts",
    "this.writeRecord({ before });",
    "void before;",
  ),
  bug(
    "a record is removed before the state holds the id",
    "converge/create.ts",
    "this.writeRecord({ before: [], id });",
    "this.creation.kind.records.remove(this.name);",
  ),
  bug(
    "an id is dropped on timeout",
    "resources/updatable.ts",
    "return this.unfinished(id, { ...this.stateAt(status, inputs), __settlesAt }, whyOf(waited));",
    "throw new Error(whyOf(waited).reason);",
  ),
  bug(
    "a tunnel of an interrupted run makes no room",
    "resources/tunnel.ts",
    "await ensureGone(tunnelSubject(context.service, id, before), context);",
    "",
  ),
  bug(
    "a refresh forgets a share in ERROR",
    "resources/updatable.ts",
    "return wire && rules.outputsOf(wire, state);",
    'return wire?.status === "ERROR" ? undefined : wire && rules.outputsOf(wire, state);',
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
    "      await deleteShare(this.context, id, outputs);",
    "      if (id.length === 0) await deleteShare(this.context, id, outputs);",
    { only: "sets" },
  ),
  bug(
    "a secret is lost on a renamed key",
    "host/host.ts",
    "if (!secrets.includes(name)) return encodedValue(value, secrets);",
    'if (!secrets.includes(name) || name === "envZId") return encodedValue(value, secrets);',
    { only: "dynamic" },
  ),
  bug(
    "a resource deletes what another resource of the program has adopted",
    "resources/adopt.ts",
    'if (fate === "stays" || (fate === "unknown"',
    'if (id === "" || (id === "" && fate === "unknown"',
    { only: "options" },
  ),
  bug(
    "the line of a preview lacks a field that the PATCH has",
    "resources/updatable.ts",
    "Object.keys(write.want).join",
    "Object.keys(write.want).slice(1).join",
    { only: "options" },
  ),
  bug(
    "a create that a hook tries again sends a second POST",
    "converge/create.ts",
    'this.answeredId = this.origin === "" ? undefined : creation.kind.register.createdFor(this.origin);',
    "",
    { only: "options" },
  ),
  {
    name: "a line shows a secret",
    only: "options",
    patches: [
      {
        file: "provider/host/host.ts",
        from: "for (const path of secretPaths) this.service.secrets.addAll(valueAt(values, path), plain);",
        to: "void [plain, secretPaths];",
      },
      {
        file: "provider/resources/updatable.ts",
        from: "return `${statusPrefix(diff, state)}${interrupted(requests)}`;",
        to: "return `${statusPrefix(diff, state)}${interrupted(requests)}; ${String(inputs.target)}`;",
      },
    ],
  },
  bug(
    "absence counts at another address",
    "converge/ensure.ts",
    "if (there !== undefined) throw failed(seenElsewhere(",
    'if (there === "") throw failed(seenElsewhere(',
    { only: "ordinary days" },
  ),
  bug(
    "a tunnel that has worked is replaced when it fails",
    "resources/tunnel.ts",
    "(hasEnded(seen) && !(isFailed(seen) && hasWorked(state)))",
    "hasEnded(seen)",
    { only: "ordinary days" },
  ),
];
