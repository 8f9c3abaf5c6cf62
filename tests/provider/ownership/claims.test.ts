import { Claims } from "../../../provider/ownership/claims";
import type { RunStore } from "../../../provider/ownership/run-files";

describe("a name that a resource of the program has", () => {
  /** The provider processes of one run. */
  const processes = () => {
    const held: [owner: RunStore, key: string][] = [];
    return (place: string) => {
      const run: RunStore = {
        hold: (key) => held.push([run, key]),
        isHeldByAnother: (key) => held.some(([owner, each]) => owner !== run && each === key),
        close: () => undefined,
      };
      return new Claims(run, (key) => `${place} ${key}`);
    };
  };

  it("is known to be another's, by its URN in this process and without it in any other", () => {
    const opened = processes();
    const [one, other] = [opened("share fd-1"), opened("share fd-1")];
    expect(["urn-a", "urn-a", "urn-b"].map((urn) => one.declare("web", urn))).toEqual([undefined, undefined, "urn-a"]);
    expect(one.isDeclaredByAnother("web")).toBe(false);
    other.declare("web", "urn-c");
    expect([one, other].map((each) => each.isDeclaredByAnother("web"))).toEqual([true, true]);
    expect(other.isDeclaredByAnother("mail")).toBe(false);
  });

  it("is free on another front door, for another kind, and where it is an id", () => {
    const opened = processes();
    const [one, elsewhere, same] = [opened("share fd-1"), opened("share fd-2"), opened("share fd-1")];
    one.declare("web", "urn-a");
    one.hold("mail");
    expect(elsewhere.isDeclaredByAnother("web")).toBe(false);
    expect(same.isDeclaredByAnother("mail")).toBe(false);
    expect(same.isHeldInRun("web")).toBe(false);
  });
});
