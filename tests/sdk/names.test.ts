import { derivedName, logicalName } from "../../provider/resources/names";

const type = "pulumi-nodejs:dynamic/frontdoor:IpsecShare";
const originOf = (project: string, stack: string, name: string, parents = "", organization = "organization") =>
  `${organization}::urn:pulumi:${stack}::${project}::${parents}${type}::${name}`;

describe("the derived name", () => {
  it("is project, stack and resource where they are legal and short enough", () => {
    expect(derivedName(originOf("network", "dev", "web-1"))).toBe("network-dev-web-1");
  });

  // Not legal, with hyphens that could stand elsewhere, too long, with a parent, of an organization.
  const cut = [
    ...["web.1", "web_1", "-web-", "…"].map((name) => originOf("a", "b", name)),
    ...[originOf("a-b", "c", "x"), originOf("a", "b-c", "x"), originOf("a", "b", "x".repeat(64))],
    ...["a", "b"].map((last) => originOf("p".repeat(80), "b", last)),
    ...["One", "Two"].map((parent) => originOf("a", "b", "web-1", `acme:index:${parent}$`)),
    originOf("a", "b", "web-1", "", "acme"),
  ];

  it.each(cut)("is cut to the limit, with a hash of the whole: %s", (origin) => {
    const name = derivedName(origin);
    expect(name).toMatch(/^[A-Za-z0-9][A-Za-z0-9-]{0,61}[0-9a-f]{8}$/);
    expect(name.length).toBeLessThanOrEqual(63);
    expect(derivedName(origin)).toBe(name);
  });

  it("is another one for every URN", () => {
    const origins = [...cut, originOf("a", "b", "c-x"), originOf("a", "b", "web-1")];
    expect(new Set(origins.map(derivedName)).size).toBe(origins.length);
  });

  it("comes with the logical name, whatever that holds", () => {
    expect(logicalName(originOf("a", "b", "a::b$c", "acme:index:One$"))).toBe("a::b$c");
  });
});
