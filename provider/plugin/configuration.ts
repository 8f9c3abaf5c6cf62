import { isDeepStrictEqual } from "node:util";
import {
  type CheckRequest,
  CheckFailure,
  CheckResponse,
  type DiffRequest,
  DiffResponse,
  PropertyDiff,
} from "@pulumi/pulumi/proto/provider_pb";
import { checkConfig, configKeys, secretKeys, strangeSetting } from "../config";
import { UNKNOWN } from "../fields/field";
import { decoded, encoded, type Properties } from "./values";

/** What the engine itself adds to the settings of a provider. */
const ofEngine = ["version", "pluginDownloadURL", "pluginChecksums", "__internal"];

/** A setting as text, however a program's SDK has sent it; undefined where it is not given, or not known yet. */
export const settingsOf =
  (values: Record<string, unknown>) =>
  (key: string): string | undefined => {
    const value = values[key];
    return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
  };

/** True if both have the same values, and mark the same ones as secrets. */
export const isSame = (one: Properties, other: Properties): boolean =>
  isDeepStrictEqual([one.values, new Set(one.secrets)], [other.values, new Set(other.secrets)]);

/** Refuses bad settings, each by its name. What is not known before the run is checked when it is. */
export function checkedConfiguration(request: CheckRequest, environment: NodeJS.ProcessEnv): CheckResponse {
  const { values, secrets } = decoded(request.getNews());
  const names = Object.keys(values).filter((name) => !ofEngine.includes(name));
  const strange = names
    .filter((name) => !configKeys.includes(name))
    .map((property) => ({ property, problem: strangeSetting(property) }));
  const checked = checkConfig(settingsOf(values), environment);
  const known = names.filter((name) => values[name] !== UNKNOWN);
  // What is missing may be what is not known.
  const isTold = ({ property }: { property: string }) => known.length === names.length || known.includes(property);
  const wrong = "config" in checked ? [] : checked.problems.filter(isTold);
  const marked = [...secrets, ...secretKeys];
  const failures = [...strange, ...wrong].map(({ property, problem }) => {
    // The engine shows the value with the property that a failure names.
    const shown = marked.includes(property) ? "" : property;
    return new CheckFailure()
      .setProperty(shown)
      .setReason(shown === "" ? `${property} (a secret): ${problem}` : problem);
  });
  return new CheckResponse().setInputs(encoded(values, marked)).setFailuresList(failures);
}

/** No change of the settings makes a new provider: what lies on another front door then is each resource's to say. */
export function diffOfConfiguration(request: DiffRequest): DiffResponse {
  const { values: olds } = decoded(request.getOldInputs() ?? request.getOlds());
  const { values: news } = decoded(request.getNews());
  const changed = configKeys.filter((key) => olds[key] !== news[key]);
  const { DIFF_NONE, DIFF_SOME } = DiffResponse.DiffChanges;
  const response = new DiffResponse()
    .setChanges(changed.length === 0 ? DIFF_NONE : DIFF_SOME)
    .setDiffsList(changed)
    .setHasdetaileddiff(true);
  for (const key of changed)
    response.getDetaileddiffMap().set(key, new PropertyDiff().setKind(PropertyDiff.Kind.UPDATE).setInputdiff(true));
  return response;
}
