import fc from "fast-check";
import { blockOf, type Claim, clashes } from "../../policy/networks";

const claim = (cidr: string, name?: string): Claim => {
  const block = blockOf(cidr);
  if (!block) throw new Error(cidr);
  return { block, cidr, ...(name !== undefined && { tunnel: { name, urn: `urn:${name}` } }) };
};
const overlap = (a: Claim, b: Claim) =>
  a.block.family === b.block.family && a.block.first <= b.block.last && b.block.first <= a.block.last;

const cidrs = fc.oneof(
  fc.tuple(fc.nat(255), fc.integer({ min: 6, max: 16 })).map(([second, prefix]) => `10.${second}.0.0/${prefix}`),
  fc.nat(40).map((prefix) => `fd00::/${prefix + 8}`),
);
const claims = fc
  .array(fc.tuple(cidrs, fc.boolean()), { maxLength: 12 })
  .map((list) => list.map(([cidr, reserved], index) => claim(cidr, reserved ? undefined : `t${index}`)));

describe("clashes", () => {
  it("are found as by comparing each with each", () => {
    fc.assert(
      fc.property(claims, (all) => {
        const found = clashes(all);
        const named = new Set(found.flatMap(({ tunnel, other }) => [tunnel.name, other.tunnel?.name]));
        for (const { tunnel, other } of found) {
          const own = all.find((each) => each.tunnel === tunnel);
          expect(own && overlap(own, other)).toBe(true);
        }
        for (const one of all) {
          const clashing = all.some((other) => other !== one && (one.tunnel ?? other.tunnel) && overlap(one, other));
          if (one.tunnel && clashing) expect(named).toContain(one.tunnel.name);
        }
      }),
    );
  });

  it("of many networks that all overlap are as many as the networks, not as their pairs", () => {
    const all = Array.from({ length: 2000 }, (_, index) => claim("10.0.0.0/8", `t${index}`));
    expect(clashes(all)).toHaveLength(1999);
  });
});
