import { derivedName, logicalName } from "../../provider/resources/origin";

const type = "pulumi-nodejs:dynamic/frontdoor:IpsecShare";
const originOf = (project: string, stack: string, name: string, parents = "", organization = "organization") =>
  `${organization}::urn:pulumi:${stack}::${project}::${parents}${type}::${name}`;

describe("the derived name", () => {
  it("is project, stack and resource where they are legal and short enough", () => {
    expect(derivedName(originOf("network", "dev", "web-1"))).toBe("network-dev-web-1");
  });

  it.each([
    ["characters that are not legal", originOf("network", "dev", "web_1")],
    ["hyphens at the ends", originOf("network", "dev", "-web-")],
    ["too long a name", originOf("p".repeat(50), "s".repeat(50), "web")],
    ["nothing legal at all", originOf("network", "dev", "…")],
    ["a hyphen in the project", originOf("net-work", "dev", "web")],
    ["a parent", originOf("network", "dev", "web", "acme:index:Branch$")],
    ["an organization", originOf("network", "dev", "web", "", "acme")],
  ])("is cut to the limit, with a hash of the whole: %s", (_why, origin) => {
    const name = derivedName(origin);
    expect(name).toMatch(/^[A-Za-z0-9][A-Za-z0-9-]{0,61}[0-9a-f]{8}$/);
    expect(name.length).toBeLessThanOrEqual(63);
    expect(derivedName(origin)).toBe(name);
  });

  it("is another one for every URN", () => {
    const origins = [
      originOf("a-b", "c", "x"),
      originOf("a", "b-c", "x"),
      originOf("a", "b", "c-x"),
      originOf("a", "b", "web.1"),
      originOf("a", "b", "web_1"),
      originOf("a", "b", "web-1"),
      originOf("a", "b", "web-1", "acme:index:One$"),
      originOf("a", "b", "web-1", "acme:index:Two$"),
      originOf("a", "b", "web-1", "", "acme"),
      ...["a", "b"].map((last) => originOf("p".repeat(80), "b", last)),
    ];
    expect(new Set(origins.map(derivedName)).size).toBe(origins.length);
  });

  it("comes with the logical name, whatever that holds", () => {
    expect(logicalName(originOf("a", "b", "a::b$c", "acme:index:One$"))).toBe("a::b$c");
  });
});
