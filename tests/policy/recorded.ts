import { nameOf } from "../harness/state";
import { type Given, type Props, secret } from "./checking";

interface Recorded {
  urn: string;
  type: string;
  inputs?: Props;
  outputs?: Props;
  protect?: boolean;
  customTimeouts?: { delete?: number };
  ignoreChanges?: string[];
  propertyDependencies?: Record<string, string[] | null>;
}

/** What a policy is given of the resources in a state file (`pulumi stack export --show-secrets`). */
export function recordedResources(file: string): Given[] {
  const { deployment } = JSON.parse(file) as { deployment: { resources: Recorded[] } };
  return deployment.resources.map((each) => ({
    type: each.type,
    name: nameOf(each.urn),
    urn: each.urn,
    inputs: revealed(each.inputs ?? {}) as Props,
    props: revealed(each.outputs ?? {}) as Props,
    opts: {
      protect: each.protect ?? false,
      ignoreChanges: each.ignoreChanges ?? [],
      customTimeouts: { createSeconds: 0, updateSeconds: 0, deleteSeconds: each.customTimeouts?.delete ?? 0 },
    },
    dependsOn: Object.fromEntries(
      Object.entries(each.propertyDependencies ?? {}).map(([key, urns]) => [key, (urns ?? []).map(nameOf)]),
    ),
  }));
}

/** Secrets as the engine sends them to a pack. */
function revealed(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(revealed);
  const { plaintext } = value as { plaintext?: string };
  if (plaintext !== undefined) return secret(JSON.parse(plaintext));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, revealed(inner)]));
}
