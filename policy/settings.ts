import type { PolicyConfigSchema } from "@pulumi/policy";
import * as z from "zod";
import { isNetwork } from "../provider/fields/values";
import { type Exception, remember } from "./except";
import { exceptionList } from "./exception-list";

/** The settings of a policy as a zod shape. Every key has a default and a description. */
export type Shape = z.ZodRawShape;
/** The settings that a check gets. */
export type Settings<S extends Shape> = z.output<z.ZodObject<S>> & { exceptions: readonly Exception[] };

/** Returns the schema of a list of CIDR blocks. */
export const networkList = (initial: string[]) =>
  z
    .array(
      z.string().refine(isNetwork, { error: "must be a CIDR block with its host bits clear, such as 10.20.0.0/16" }),
    )
    .default(initial);

/** Returns the schema of a list of patterns (names.ts). */
export const patternList = (initial: string[]) => z.array(z.string().min(1).max(200)).min(1).default(initial);

/** The settings that say which stacks are production. */
export const production = {
  productionStacks: patternList(["prod", "prod#", "prod##", "production", "prd", "live"]).describe(
    "Patterns for production stacks. The whole name or one word of it must fit. `eu-prod-1` has the words `eu`, `prod` and `1`, and `euProd1` has `eu` and `prod1`. Letter case does not count. `*` is any run of characters, `?` any character, `#` a digit, `@` a letter from a to z.",
  ),
  otherStacks: z
    .array(z.string().min(1).max(200))
    .default([])
    .describe(
      "Patterns for stacks that are not production, although they fit productionStacks. The whole name must fit.",
    ),
};

/** The settings of the preset `strict`: every stack is production except these. */
export const strictProduction = {
  productionStacks: ["*"],
  otherStacks: ["dev", "development", "test", "testing", "qa", "staging", "sandbox", "demo", "preview"],
};

/** The settings that every policy has. */
const common = {
  exceptions: exceptionList
    .default([])
    .describe(
      "Resources that may break the rule. Each entry has `resource` (URN, or type and name such as `IpsecShare::bastion`), `until` (last day, YYYY-MM-DD, UTC, at most 366 days ahead) and `reason`.",
    ),
};

/** Returns the schema of all settings of a policy. */
const wholeShape = <S extends Shape>(shape: S) => z.strictObject({ ...shape, ...common });

/** Returns the schema with which the engine checks `--policy-pack-config`. */
export function configSchemaOf(shape: Shape): PolicyConfigSchema {
  const { properties } = z.toJSONSchema(wholeShape(shape), { io: "input" });
  return { properties: (properties ?? {}) as PolicyConfigSchema["properties"] };
}

/**
 * Returns a function that reads a policy's settings with defaults. The engine has checked their shapes before, so it checks only the rest.
 * @throws Error that names the policy and each wrong setting. It has no stack, because the engine would print the stack.
 */
export function settingsReader<S extends Shape>(about: {
  name: string;
  settings: S;
  problem?(settings: Settings<S>): string | undefined;
}) {
  const whole = wholeShape(about.settings);
  const wrong = (problems: readonly string[]) => {
    const error = new Error(
      `the settings of policy "${about.name}" are wrong: ${problems.join("; ")}. Correct them in the configuration of the policy pack. [policy-settings]`,
    );
    error.stack = error.message;
    return error;
  };
  let last: { raw: string; settings: Settings<S> } | undefined;
  const settingsIn = (config: object): Settings<S> => {
    const parsed = whole.safeParse(config);
    if (!parsed.success)
      throw wrong(parsed.error.issues.map(({ path, message }) => `${path.join(".") || "settings"}: ${message}`));
    const settings = parsed.data as unknown as Settings<S>;
    const problem = about.problem?.(settings);
    if (problem !== undefined) throw wrong([problem]);
    return settings;
  };
  return (config: object): Settings<S> => {
    // The SDK calls it for every resource, each time with a new copy of the same configuration.
    const raw = JSON.stringify(config);
    if (last?.raw !== raw) last = { raw, settings: settingsIn(config) };
    remember(about.name, last.settings.exceptions);
    return last.settings;
  };
}
