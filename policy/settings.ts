import type { PolicyConfigSchema } from "@pulumi/policy";
import { z } from "zod";
import { isNetwork } from "../provider/addresses";
import type { Exception } from "./except";
import { exceptionList } from "./exception-list";

/** The settings of a policy as a zod shape; every key has a default and a description. */
export type Shape = z.ZodRawShape;
/** What a check gets. */
export type Settings<S extends Shape> = z.output<z.ZodObject<S>> & { exceptions: readonly Exception[] };

/** A list of CIDR blocks. */
export const networkList = (initial: string[]) =>
  z
    .array(
      z.string().refine(isNetwork, { error: "must be a CIDR block with its host bits clear, such as 10.20.0.0/16" }),
    )
    .default(initial);

/** A list of patterns, see names.ts. */
export const patternList = (initial: string[]) => z.array(z.string().min(1).max(200)).min(1).default(initial);

/** Which stacks count as production. */
export const production = {
  productionStacks: patternList(["prod", "prod#", "prod##", "production", "prd", "live"]).describe(
    "Stacks of production, by the whole name or one of the words in it (`eu-prod-1` and `euProd1` have `prod` or `prod1`), in upper or lower case: `*` is any run of characters, `?` any one, `#` a digit, `@` a letter.",
  ),
  otherStacks: z
    .array(z.string().min(1).max(200))
    .default([])
    .describe(
      "Stacks that are none of production though they fit productionStacks, by their whole name, with the same patterns.",
    ),
};

/** In the preset `strict` every stack is one of production but for these. */
export const strictProduction = {
  productionStacks: ["*"],
  otherStacks: ["dev", "development", "test", "testing", "qa", "staging", "sandbox", "demo", "preview"],
};

/** What every policy can be given besides its own settings. */
const common = {
  exceptions: exceptionList
    .default([])
    .describe(
      "Resources that are excused: `resource` (URN, or type and name such as `IpsecShare::bastion`), `until` (last day, YYYY-MM-DD, UTC, at most 366 days ahead) and `reason`.",
    ),
};

/** The whole of a policy's settings. */
const wholeShape = <S extends Shape>(shape: S) => z.strictObject({ ...shape, ...common });

/** The schema the engine checks `--policy-pack-config` against, and shows. */
export function configSchemaOf(shape: Shape): PolicyConfigSchema {
  const { properties } = z.toJSONSchema(wholeShape(shape), { io: "input" });
  return { properties: (properties ?? {}) as PolicyConfigSchema["properties"] };
}

/**
 * Reads a policy's settings, defaults filled in. The engine checks shapes before; what no schema can say is checked here.
 * @throws Error without a stack, as the engine would print it, that names the policy, each setting and what it must be.
 */
export function settingsReader<S extends Shape>(about: {
  name: string;
  settings: S;
  problem?(settings: Settings<S>): string | undefined;
}) {
  const whole = wholeShape(about.settings);
  const wrong = (problems: readonly string[]) => {
    const error = new Error(`the settings of policy "${about.name}" are wrong: ${problems.join("; ")}`);
    error.stack = error.message;
    return error;
  };
  let last: { raw: string; settings: Settings<S> } | undefined;
  return (config: object): Settings<S> => {
    // Called for every resource, with a fresh copy of the same configuration each time.
    const raw = JSON.stringify(config);
    if (last?.raw === raw) return last.settings;
    const parsed = whole.safeParse(config);
    if (!parsed.success)
      throw wrong(parsed.error.issues.map(({ path, message }) => `${path.join(".") || "settings"}: ${message}`));
    const settings = parsed.data as unknown as Settings<S>;
    const problem = about.problem?.(settings);
    if (problem !== undefined) throw wrong([problem]);
    last = { raw, settings };
    return settings;
  };
}
