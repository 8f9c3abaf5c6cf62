import { pluginClasses } from "../harness/plugin";
import { Stack } from "../harness/stack";

const program = (name: string, asSet: boolean, opts = "{}") =>
  `new frontdoor.IpsecSite("${name}", { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-1", envZId: "env-1", asSet: ${asSet},
    shares: { web: { target: "web.internal:443", ingressPort: 443 } } }, ${opts});`;

describe.each(["pulumi-frontdoor", pluginClasses])("a renamed site with %s", (imports) => {
  it.each([false, true])(
    "keeps its resources by an alias that is given after a run without it, asSet: %s",
    async (asSet) => {
      const stack = await Stack.open();
      stack.imports = imports;
      try {
        expect(await stack.up(program("branch", asSet))).toMatchObject({ code: 0 });
        stack.writes();
        const alive = stack.alive();
        expect((await stack.up(program("office", asSet))).code).not.toBe(0);
        stack.writes();
        const aliased = program("office", asSet, '{ aliases: [{ name: "branch" }] }');
        expect(await stack.up(aliased)).toMatchObject({ code: 0, errors: [] });
        expect([stack.writes(), stack.alive()]).toEqual([[], alive]);
        expect(stack.entered().every((each) => each.startsWith("office"))).toBe(true);
        // The alias has done its work.
        expect(await stack.up(program("office", asSet), "--expect-no-changes")).toMatchObject({ code: 0 });
      } finally {
        await stack.close();
      }
    },
  );
});
