import type { PolicyResource } from "@pulumi/policy";
import { policies } from "../../policy/index";
import { tokens } from "./tables";

/** How many properties a policy touches in a stack of so many shares, all of which break every rule on stacks. */
async function touches(validateStack: (args: never, report: () => void) => unknown, size: number): Promise<number> {
  let count = 0;
  const get = (target: object, key: string | symbol): unknown => {
    count++;
    return Reflect.get(target, key);
  };
  const made = (type: string, name: string, props: object, on: object = {}) => ({
    ...{ type, name, urn: `urn::${name}`, props: new Proxy(props, { get }), propertyDependencies: on },
  });
  const broken = { peerCidr: "10.0.0.0/8", locationId: "a", tunnelConfig: { phase1DHGroupNumbers: [2] } };
  const tunnels = Array.from({ length: size / 10 }, (_, index) => made(tokens.dynamic[0], `t${index}`, broken));
  const alike = { envZId: "e", target: "a:1", ingressPort: 1, locationId: "b" };
  const on = { ipsecTunnelId: [tunnels[0]] };
  const shares = Array.from({ length: size }, (_, index) => made(tokens.dynamic[1], `s${index}`, alike, on));
  const resources = [...tunnels, ...shares] as unknown as PolicyResource[];
  await validateStack({ resources, getConfig: () => ({}) } as never, () => undefined);
  return count;
}

const onStacks = policies.flatMap((policy) => ("validateStack" in policy ? [[policy.name, policy] as const] : []));

it.each(onStacks)("%s looks twice as often at twice as many shares, not four times", async (_name, policy) => {
  const [once, twice] = [await touches(policy.validateStack, 500), await touches(policy.validateStack, 1000)];
  expect(once).toBeGreaterThan(0);
  expect(twice / once).toBeLessThan(2.1);
});
