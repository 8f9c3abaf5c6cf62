import type { PolicyResource } from "@pulumi/policy";
import * as deserialize from "@pulumi/policy/deserialize";
import { policies } from "../../policy/index";
import { readingOf } from "../../policy/samples";
import { tokens } from "./tables";

/** How many properties a policy touches in a stack of so many shares, all of which break every rule on stacks. */
async function touches(validateStack: (args: never, report: () => void) => unknown, size: number): Promise<number> {
  let count = 0;
  const watched = (props: object) =>
    new Proxy(props, {
      get: (target, key) => {
        count++;
        return Reflect.get(target, key) as unknown;
      },
    });
  const made = (type: string, name: string, props: object) => ({
    type,
    name,
    urn: `urn::${name}`,
    props: watched(props),
  });
  const tunnels = Array.from({ length: size / 10 }, (_, index) => ({
    ...made(tokens.dynamic[0], `t${index}`, {
      peerCidr: "10.0.0.0/8",
      locationId: "a",
      tunnelConfig: { phase1DHGroupNumbers: [2] },
    }),
    propertyDependencies: {},
  }));
  const shares = Array.from({ length: size }, (_, index) => ({
    ...made(tokens.dynamic[1], `s${index}`, { envZId: "e", target: "a:1", ingressPort: 1, locationId: "b" }),
    propertyDependencies: { ipsecTunnelId: [tunnels[0]] },
  }));
  const resources = [...tunnels, ...shares] as unknown as PolicyResource[];
  await validateStack({ resources, getConfig: () => ({}) } as never, () => undefined);
  return count;
}

const onStacks = policies.flatMap((policy) => ("validateStack" in policy ? [[policy.name, policy] as const] : []));

it.each(onStacks)("%s takes twice as many looks at twice as many shares, not four times", async (_name, policy) => {
  const [once, twice] = [await touches(policy.validateStack, 500), await touches(policy.validateStack, 1000)];
  expect(once).toBeGreaterThan(0);
  expect(twice / once).toBeLessThan(2.1);
});

it("a message of the engine is unpacked once for all policies, and each has properties of its own", () => {
  const { deserializeProperties } = deserialize as unknown as {
    deserializeProperties: (wire: object, keepSecrets: boolean) => { tags: string[] };
  };
  let unpacked = 0;
  const wire = { toJavaScript: () => ({ tags: [`${++unpacked}`] }) };
  const [first, second] = [deserializeProperties(wire, false), deserializeProperties(wire, false)];
  first.tags.push("changed");
  expect([unpacked, second]).toEqual([1, { tags: ["1"] }]);
});

it("a text is read once, wherever it stands", () => {
  expect(readingOf(["psk ", "Zx9/Tq+4m"].join(""))).toBe(readingOf(["psk Zx9", "/Tq+4m"].join("")));
});
