// The causes of refusals: problem, the words of the service, effect, one action, code.

import { safeText } from "../errors";
import { type Mentioned, mention } from "./messages";

/** `words` are the service's own, if it has refused something. */
const quoted = (words: string): string => (words === "" ? "" : ` (${words})`);

/** The owner of a resource that occupies a needed place. */
export type Owner = "this program" | "this stack" | "maybe this stack" | "unknown";

export function portInUse(
  { label, ingressPort, tunnelId, holder }: { label: string; ingressPort: number; tunnelId: string; holder: Mentioned },
  owner: Owner,
  words = "",
): string {
  const problem = `${label}: port ${ingressPort} of tunnel ${tunnelId} is already used by share ${mention(holder)}${quoted(words)}. Your share was not changed.`;
  switch (owner) {
    case "this program":
      return `${problem} Move or remove ${holder.id} first, in a separate \`pulumi up\`. [port-in-use]`;
    case "this stack":
      return `${problem} To use ${holder.id}, set \`adopt: "${holder.id}"\` in the arguments. [port-in-use]`;
    case "maybe this stack":
      return `${problem} If you renamed that share in the program, add its previous name to \`aliases\`. [port-in-use]`;
    case "unknown":
      return `${problem} Choose another \`ingressPort\`. [port-in-use]`;
  }
}

export const tunnelGone = (label: string, tunnelId: string, status: string, words: string): string =>
  `${label}: the service refused the share, because its tunnel ${tunnelId} is ${safeText(status, 30)}${quoted(words)}. The share was not changed. ` +
  `Run \`pulumi up --refresh\` for the whole program. [tunnel-missing]`;

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
  const problem = `${label}: location ${place} is occupied by tunnel ${mention(holder)}${quoted(words)}. Nothing was changed.`;
  switch (owner) {
    case "this program":
      return `${problem} Move or remove ${holder.id} first, in a separate \`pulumi up\`. [place-taken]`;
    case "this stack":
      return `${problem} To use ${holder.id}, set \`adopt: "${holder.id}"\` in the arguments. [place-taken]`;
    case "maybe this stack":
      return `${problem} If you renamed that tunnel in the program, add its previous name to \`aliases\`. [place-taken]`;
    case "unknown":
      return `${problem} Choose another \`locationId\`. [place-taken]`;
  }
}
