// The causes of refusals: problem, the words of the service, effect, one action, code.

import { safeText } from "../errors";
import { type Mentioned, mention } from "./messages";

/** `words` are the service's own, if it has refused something. */
const quoted = (words: string): string => (words === "" ? "" : ` (${words})`);

const isThisVeryOne = (id: string): string =>
  `${id} is this very resource, which Pulumi would create before it deletes it`;
const isKept =
  "It is this very resource: `retainOnDelete` keeps it. Undo the change of its arguments, and run `pulumi up`.";
const deleteFirst = "Set `deleteBeforeReplace: true` in its options.";

/** The owner of a resource that occupies a needed place. */
export type Owner = "itself" | "retained" | "this program" | "this stack" | "maybe this stack" | "unknown";

export function portInUse(
  { label, ingressPort, tunnelId, holder }: { label: string; ingressPort: number; tunnelId: string; holder: Mentioned },
  owner: Owner,
  words = "",
): string {
  const problem = `${label}: port ${ingressPort} of tunnel ${tunnelId} is already used by share ${mention(holder)}${quoted(words)}. Your share was not changed.`;
  switch (owner) {
    case "itself":
      return `${problem} ${isThisVeryOne(holder.id)}. ${deleteFirst} [port-in-use]`;
    case "retained":
      return `${problem} ${isKept} [port-in-use]`;
    case "this program":
      return `${problem} Give your share another \`ingressPort\`, or first move ${holder.id} in a separate \`pulumi up\`. [port-in-use]`;
    case "this stack":
      return `${problem} To use ${holder.id}, set \`adopt: "${holder.id}"\` in the arguments. [port-in-use]`;
    case "maybe this stack":
      return `${problem} If you renamed that share in the program, add its previous name to \`aliases\`. [port-in-use]`;
    case "unknown":
      return `${problem} Choose another \`ingressPort\`. [port-in-use]`;
  }
}

/** A tunnel that refuses a share: `isDeclared` if the program has the tunnel, `isNew` if the share was to be created. */
interface RefusingTunnel {
  frontdoorId: string;
  tunnelId: string;
  status: string;
  isDeclared: boolean;
  isNew: boolean;
  words: string;
}

export function tunnelGone(
  label: string,
  { frontdoorId, tunnelId, status, isDeclared, isNew, words }: RefusingTunnel,
): string {
  const problem =
    status === "missing" ? `${frontdoorId} has no tunnel ${tunnelId}` : `tunnel ${tunnelId} is ${safeText(status, 30)}`;
  const action = isDeclared
    ? "Run `pulumi up --refresh` for the whole program."
    : "Correct `ipsecTunnelId`: `frontdoor tunnels` lists the ids.";
  return `${label}: ${problem}${quoted(words)}. The share was not ${isNew ? "created" : "changed"}. ${action} [tunnel-missing]`;
}

export const placePending = (
  label: string,
  locationId: string,
  holder: Mentioned,
  reason: string,
  words: string,
): string =>
  `${label}: location ${safeText(locationId, 80)} is occupied by tunnel ${mention(holder)}, whose delete has not ended: ${reason}${quoted(words)}. ` +
  `Nothing was created. Run \`pulumi up\` again. [pending-delete]`;

export function placeTaken(label: string, locationId: string, holder: Mentioned, owner: Owner, words = ""): string {
  const place = safeText(locationId, 80);
  const problem = `${label}: location ${place} is occupied by tunnel ${mention(holder)}${quoted(words)}. Your tunnel was not created.`;
  switch (owner) {
    case "itself":
      return `${problem} ${isThisVeryOne(holder.id)}. ${deleteFirst} [place-taken]`;
    case "retained":
      return `${problem} ${isKept} [place-taken]`;
    case "this program":
      return `${problem} Give your tunnel a \`locationId\` of its own (one tunnel for each location). [place-taken]`;
    case "this stack":
      return `${problem} To use ${holder.id}, set \`adopt: "${holder.id}"\` in the arguments. [place-taken]`;
    case "maybe this stack":
      return `${problem} If you renamed that tunnel in the program, add its previous name to \`aliases\`. [place-taken]`;
    case "unknown":
      return `${problem} Choose another \`locationId\`. [place-taken]`;
  }
}
