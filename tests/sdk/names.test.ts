import { derivedName } from "../../sdk/resource";

describe("derived name", () => {
  it.each([
    ["net", "dev", "hq", "net-dev-hq"],
    ["my_project", "dev", "hq", /^my-project-dev-hq-[0-9a-f]{8}$/],
    ["net", "dev", "a".repeat(80), /^net-dev-a{46}-[0-9a-f]{8}$/],
    ["-net", "dev", "hq-", /^net-dev-hq-[0-9a-f]{8}$/],
    ["проект", "dev", "x", /^dev-x-[0-9a-f]{8}$/],
  ])("%s, %s, %s", (project, stack, name, expected) => {
    const derived = derivedName(project, stack, name);
    expect(derived).toMatch(expected);
    expect(derived).toMatch(/^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/);
    expect(derivedName(project, stack, name)).toBe(derived);
  });

  it("differs where only what had to be cut or changed differs", () => {
    const names = ["a_b", "a.b", "a b", "a-b"].map((name) => derivedName("net", "dev", name));
    expect(new Set(names).size).toBe(4);
  });
});
