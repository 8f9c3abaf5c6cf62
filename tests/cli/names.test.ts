import * as fc from "fast-check";
import { camelCase, type KindName, logicalNames, snakeCase } from "../../cli/import/plan";

const tunnel = (name: string, id = `tnl-${name}`) => ({ kind: "tunnel" as const, id, name });
const share = (name: string, id = `shr-${name}`) => ({ kind: "share" as const, id, name });

describe("logical names", () => {
  it.each([
    ["Büro München-Ost", "buro-munchen-ost"],
    ["Straße 7", "strasse-7"],
    ['Bob\'s "plant" #2', "bob-s-plant-2"],
    ["  --x--  ", "x"],
    ["3rd floor", "tunnel-3rd-floor"],
    ["class", "tunnel-class"],
    ["pulumi", "tunnel-pulumi"],
    ["日本", "tunnel"],
    ["x".repeat(255), "x".repeat(60)],
    ...Object.getOwnPropertyNames(Object.prototype).map((name) => [name, name.toLowerCase().replace(/^_+|_+$/g, "")]),
  ])("of the tunnel %j is %j", (name, expected) => {
    expect(logicalNames([tunnel(name)])).toEqual([expected]);
  });

  it("hold the kind or the id if several would have the same", () => {
    expect(logicalNames([tunnel("hq"), share("HQ"), share("web")])).toEqual(["hq", "hq-share", "web"]);
    const entries = [tunnel("A b", "tnl-1"), tunnel("a-b", "tnl-2"), tunnel("a b 2", "tnl-3")];
    expect(logicalNames(entries)).toEqual(["a-b-tnl-1", "a-b-tnl-2", "a-b-2"]);
  });

  const kind = fc.constantFrom<KindName>("tunnel", "share");
  const name = fc.oneof(fc.string({ unit: "grapheme" }), fc.stringMatching(/^[ab1 -]{1,4}$/));
  const entry = fc.record({ kind, id: fc.stringMatching(/^[a-c0-9_][a-c0-9._:~-]{0,3}$/), name });
  const entries = fc.uniqueArray(entry, { selector: (one) => `${one.kind} ${one.id}`, maxLength: 12 });

  it("are legal in every language, no two are the same there, and the order of the entries does not matter", () => {
    const property = fc.property(entries, (all) => {
      const names = logicalNames(all);
      for (const each of names) expect(each).toMatch(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/);
      for (const as of [(text: string) => text, camelCase, snakeCase])
        expect(new Set(names.map(as)).size).toBe(all.length);
      expect(logicalNames([...all].reverse())).toEqual([...names].reverse());
    });
    fc.assert(property, { numRuns: 1_000 });
  });
});
