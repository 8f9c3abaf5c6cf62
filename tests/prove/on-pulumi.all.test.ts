import { setMaxListeners } from "node:events";
import { conforms, type History, playOnPulumi } from "./pulumi";

setMaxListeners(0);

/** Together they kill each process, lose answers to writes, and recover in each of the documented ways. */
const histories: Record<string, History> = {
  "the engine is killed while shares are created, and while one moves to a new tunnel": {
    ...{ programs: "singles", service: "plain", adapter: "dynamic" },
    steps: [
      { edit: "up", fault: { of: "POST share", at: 0, kind: "engine killed after" }, ends: "again" },
      {
        edit: "replace t1 create-first",
        fault: { of: "PATCH share", at: 0, kind: "engine killed before" },
        ends: "again",
      },
    ],
  },
  "the plugin is killed after a POST, and the recovery too": {
    ...{ programs: "sets", service: "plain", adapter: "plugin" },
    steps: [
      {
        edit: "up",
        fault: { of: "POST share", at: 1, kind: "provider killed after" },
        later: { of: "POST share", at: 0, kind: "provider killed before" },
        ends: "again",
      },
      { edit: "change target of k1", command: "preview" },
    ],
  },
  "Ctrl-C comes while a tunnel is replaced, and the program is reverted": {
    ...{ programs: "singles", service: "other", adapter: "dynamic" },
    steps: [
      { edit: "up", isFast: true, fault: { of: "POST share", at: 1, kind: "engine killed after" }, ends: "again" },
      {
        edit: "replace t2 delete-first",
        fault: { of: "DELETE tunnel", at: 0, kind: "Ctrl-C" },
        ends: "reverted",
      },
    ],
  },
  "answers are lost while a set gives a share away, and in a destroy": {
    ...{ programs: "sets", service: "other", adapter: "plugin" },
    steps: [
      { edit: "up" },
      { edit: "retain k1", fault: { of: "PATCH share", at: 0, kind: "answer lost" } },
      { edit: "give k1 to a single share, retained", fault: { of: "GET share", at: 0, kind: "malformed" } },
      { edit: "destroy", command: "destroy", fault: { of: "DELETE share", at: 0, kind: "answer lost" }, ends: "again" },
    ],
  },
};

describe("a history on Pulumi", () => {
  it.concurrent.each(Object.entries(histories))("ends as the program declares: %s", async (_name, history) => {
    const { problems, log, skipped } = await playOnPulumi(history);
    expect(problems.length > 0 ? [...problems, ...log] : []).toEqual([]);
    expect(skipped).toBe(0);
  });

  it.concurrent.each([11, 15, 3, 7])("ends as on the model of the engine, without faults (seed %i)", async (seed) => {
    expect((await conforms(seed)).differences).toEqual([]);
  });
});
