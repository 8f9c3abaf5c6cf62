import { isPresent } from "../../api/status";
import type { WireShare } from "../../api/types";
import { FrontdoorError, wordsOf } from "../../errors";
import { sameSpelling } from "../../fields/values";
import { portInUse, tunnelGone } from "../../messages/refusals";
import { propertyIn, refusedStep, saysOf, sharePlace } from "../../operations/refused-step";
import type { Kind, Service } from "../../service";
import { isOver, type Until } from "../../time/clock";
import { pauseAfter } from "../../time/ticks";
import { mentioned, ownerOf } from "../owner";
import type { ShareInputs } from "./inputs";
import { shareLabel } from "./outputs";

/**
 * Finds the cause of a refused write. Returns once a pending share has freed the port, so that the write can be sent again.
 * @throws the error, with its cause if the tunnel is gone or another share has the port.
 */
export async function awaitPort(
  service: Service,
  { name, frontdoorId, ipsecTunnelId, ingressPort }: ShareInputs,
  id: string | undefined,
  error: unknown,
  until: Until,
): Promise<void> {
  const says = saysOf(error, sharePlace);
  if (says === "for good") throw error;
  const { trouble } = error as FrontdoorError;
  const words = wordsOf(error);
  const { tunnels, shares } = service.frontDoor(frontdoorId);
  const label = shareLabel(name);
  // A read that fails leaves the refusal as it is.
  const tunnel = await tunnels.calls.get(ipsecTunnelId, until).then(
    (found) => found?.status ?? "missing",
    () => "unclear",
  );
  const isGone = ["missing", "DELETING", "DELETED"].includes(tunnel);
  if (isGone && refusedStep(says, "tunnel gone") === "explain")
    throw new FrontdoorError(
      tunnelGone(label, {
        ...{ frontdoorId, tunnelId: ipsecTunnelId, status: tunnel, words },
        ...{ isDeclared: tunnels.declarations.isInState(ipsecTunnelId), isNew: id === undefined },
      }),
      trouble,
    );
  const holder = (await listedOn(shares, ipsecTunnelId, until)).find(
    (share) => share.id !== id && usesPort(share, { ipsecTunnelId, ingressPort }),
  );
  if (!holder || !/port/i.test(propertyIn(error) ?? "port")) throw error;
  const isLeaving = shares.ledger.record("port needed", holder.id) === "wait";
  const step = refusedStep(says, isLeaving ? "holder leaves" : "holder stays");
  if (step === "fail") throw error;
  if (step === "wait" && (await isFreed(shares, holder.id, error, until))) return;
  const place = { label, ingressPort, tunnelId: ipsecTunnelId, holder: mentioned(shares, holder) };
  throw new FrontdoorError(portInUse(place, ownerOf(shares, holder, name), words), trouble);
}

const listedOn = ({ calls }: Kind<WireShare>, tunnelId: string, until: Until): Promise<WireShare[]> =>
  calls.list([["ipsecTunnelId", tunnelId]], until).then(
    ({ entries }) => entries,
    () => [],
  );

/** Waits until this run has moved or deleted the share that has the port. False if it stays, or still shows after 30 s. */
async function isFreed({ clock, ledger }: Kind<WireShare>, id: string, error: unknown, until: Until): Promise<boolean> {
  if ((await ledger.awaitEnd(id, until)) !== undefined) return false;
  if (isOver(clock, until)) throw error;
  const { news } = ledger;
  if (news.sinceMs("freed", id) === undefined) news.note("freed", id);
  if (!news.isRecent("freed", id)) return false;
  // A list can still show the share.
  await clock.sleep(pauseAfter(news.sinceMs("freed", id) ?? 0, clock.random()), until.signal);
  return true;
}

/** True if the share has this port of the tunnel, and is not being deleted. */
export const usesPort = (share: WireShare, of: Pick<ShareInputs, "ipsecTunnelId" | "ingressPort">): boolean =>
  isPresent(share) && sameSpelling(share.ipsecTunnelId, of.ipsecTunnelId) && share.ingressPort === of.ingressPort;
