import { isDeepStrictEqual } from "node:util";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { checkConfig, configKeys, secretKeys, strangeSetting } from "../config";
import { UNKNOWN } from "../fields/field";
import { decoded, encoded, type Properties } from "./values";

/** Settings that the engine itself adds. */
const ofEngine = ["version", "pluginDownloadURL", "pluginChecksums", "__internal"];

/** Returns a function that returns a setting as text; undefined if the setting is not given, or not known yet. SDKs also send numbers and booleans. */
export const settingsOf =
  (values: Record<string, unknown>) =>
  (key: string): string | undefined => {
    const value = values[key];
    return ["string", "number", "boolean"].includes(typeof value) ? String(value) : undefined;
  };

/** True if both have the same values, and the same ones are secret. */
export const isSame = (one: Properties, other: Properties): boolean =>
  isDeepStrictEqual([one.values, new Set(one.secrets)], [other.values, new Set(other.secrets)]);

/** Refuses bad settings, each by its name. A setting that is unknown at preview passes. */
export function checkedConfiguration(
  request: messages.CheckRequest,
  environment: NodeJS.ProcessEnv,
): messages.CheckResponse {
  const { values, secrets } = decoded(request.getNews());
  const names = Object.keys(values).filter((name) => !ofEngine.includes(name));
  const strange = names
    .filter((name) => !configKeys.includes(name))
    .map((property) => ({ property, problem: strangeSetting(property) }));
  const checked = checkConfig(settingsOf(values), environment);
  const known = names.filter((name) => values[name] !== UNKNOWN);
  // With unknown settings, a setting that seems to be missing may be one of them.
  const isCertain = ({ property }: { property: string }) => known.length === names.length || known.includes(property);
  const wrong = "config" in checked ? [] : checked.problems.filter(isCertain);
  const marked = [...secrets, ...secretKeys];
  const failures = [...strange, ...wrong].map(({ property, problem }) => {
    // The engine shows the value of the property that a failure names.
    if (marked.includes(property)) return new messages.CheckFailure().setReason(`${property} (a secret): ${problem}`);
    // This value can be the file's content.
    if (property === "credentialsFile") return new messages.CheckFailure().setReason(problem);
    return new messages.CheckFailure().setProperty(property).setReason(problem);
  });
  return new messages.CheckResponse().setInputs(encoded(values, marked)).setFailuresList(failures);
}

/** Never replaces the provider: each resource says whether another front door replaces it. */
export function diffOfConfiguration(request: messages.DiffRequest): messages.DiffResponse {
  const { values: olds } = decoded(request.getOldInputs() ?? request.getOlds());
  const { values: news } = decoded(request.getNews());
  const changed = configKeys.filter((key) => olds[key] !== news[key]);
  const { DIFF_NONE, DIFF_SOME } = messages.DiffResponse.DiffChanges;
  const response = new messages.DiffResponse()
    .setChanges(changed.length === 0 ? DIFF_NONE : DIFF_SOME)
    .setDiffsList(changed)
    .setHasdetaileddiff(true);
  for (const key of changed)
    response
      .getDetaileddiffMap()
      .set(key, new messages.PropertyDiff().setKind(messages.PropertyDiff.Kind.UPDATE).setInputdiff(true));
  return response;
}
