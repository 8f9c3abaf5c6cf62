import { isBusy, isFailed, type Named } from "../provider/api/wire";
import { safeText } from "../provider/errors";
import { configuredFrontDoor, type ConfigOptions, reading } from "./shared/configuration";
import { type Connected, connectionsOf, counts, numbersOf, remediesFor } from "./shared/connections";
import type { Io } from "./shared/io";
import { CheckFailed, NotAllRead } from "./shared/outcome";
import { columns, status, styled } from "./shared/output";
import { onlyTunnels } from "./dashboard/page/site.js";

export interface StatusOptions extends ConfigOptions {
  json?: true;
}

/** A tunnel or share with its status, or a tunnel with the status of its connection. */
interface Shown {
  kind: "tunnel" | "share" | "connection";
  id: string;
  name: string;
  status: string;
  /** The service's words on a connection, or why it could not be read. */
  message?: string | undefined;
  /** True for a tunnel, and for its connection, if its site has no other tunnel. */
  isOnlyTunnel?: boolean;
}

/**
 * Prints what is in ERROR or DOWN, then what is changing, then counts. @throws CheckFailed if something is in ERROR or DOWN, NotAllRead if
 * nothing is, but a connection could not be read.
 */
export async function showStatus(io: Io, options: StatusOptions): Promise<void> {
  const { config, frontdoorId } = await configuredFrontDoor(io, options);
  const { tunnels, shares, known } = await reading(io, config, async (reads) => {
    const [{ tunnels }, { shares }] = await Promise.all([
      reads.getTunnels({ frontdoorId }),
      reads.getShares({ frontdoorId }),
    ]);
    return { tunnels, shares, known: await connectionsOf(reads, tunnels) };
  });
  const isOnly = onlyTunnels(tunnels);
  const marked = tunnels.map((tunnel) => ({ ...tunnel, isOnlyTunnel: isOnly(tunnel) }));
  const all = [...marked.map(shownAs("tunnel")), ...shares.map(shownAs("share"))];
  const connections = marked
    .filter((tunnel) => tunnel.status === "DEPLOYED")
    .flatMap((tunnel) => connectionShown(tunnel, known.get(tunnel.id)));
  const problems = [...all, ...connections].filter((each) => isFailed(each) || each.status === "DOWN");
  const notRead = connections.filter((each) => each.status === unread);
  const changing = all.filter(isBusy);
  if (options.json) {
    const numbers = { tunnels: numbersOf(tunnels), shares: numbersOf(shares), connections: numbersOf(connections) };
    io.printJson({ frontdoorId, problems, notRead, changing, ...numbers });
  } else {
    const found = columns([...problems, ...notRead, ...changing].map(rowOf));
    const row = (name: string, text: string) => [styled("bold", name), text];
    const summary = [
      row("front door", frontdoorId),
      row("tunnels", counts(tunnels, "none")),
      row("connections", counts(connections, "none")),
      row("shares", counts(shares, "none")),
    ];
    io.print(`${found === "" ? "" : `${found}\n`}${columns(summary)}`);
  }
  const partial = `${notRead.length} of ${connections.length} connections could not be read`;
  if (problems.length > 0) {
    const rest = notRead.length === 0 ? [] : [`${partial}.`];
    const remedies = [...remediesFor(problems), ...rest].join(" ");
    throw new CheckFailed(`problems: ${counts(problems)}. ${remedies} [status-problems]`);
  }
  if (notRead.length > 0)
    throw new NotAllRead(
      `${partial}, so it is not known whether they are UP. Nothing that was read has failed. ` +
        "Give the account the right to read `tunnel-config`, or follow the reason in each line that begins with UNREAD. [connections-not-read]",
    );
}

type Marked = Named & Pick<Shown, "isOnlyTunnel">;

const shownAs =
  (kind: Shown["kind"]) =>
  ({ id, name, status, isOnlyTunnel }: Marked): Shown => ({
    kind,
    id,
    name,
    status,
    ...(isOnlyTunnel !== undefined && { isOnlyTunnel }),
  });

/** Stands for the status of a connection that could not be read. */
const unread = "UNREAD";

/** Returns the connection of a tunnel; none if the service names no status. */
function connectionShown(tunnel: Marked, known: Connected = { trouble: "not read" }): Shown[] {
  const { status = known.trouble === undefined ? undefined : unread, message = known.trouble } = known;
  return status === undefined ? [] : [{ ...shownAs("connection")({ ...tunnel, status }), message }];
}

const rowOf = ({ kind, id, name, status: text, message = "", isOnlyTunnel = false }: Shown): string[] => {
  const words = message === "" ? "" : `: ${safeText(message, 200)}`;
  return [status(text), kind, `${safeText(name, 80)} (${id}${isOnlyTunnel ? ", one tunnel" : ""})${words}`];
};
