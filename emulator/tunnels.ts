import * as z from "zod";
import {
  connectionOf,
  metrics,
  newTunnelFields,
  sampleConfig,
  samples,
  tunnelConfig,
  tunnelWindows,
  windowMs,
} from "./fields";
import {
  answer,
  answerFields,
  cidr,
  conflict,
  hasHostBits,
  invalid,
  ipv4,
  notPublic,
  readState,
  Refusal,
  type Request,
  text,
} from "./http";
import type { TunnelFields } from "./records";
import { type Definition, recordOf } from "./resource";
import { living, type State, type World } from "./world";

/** Spec: IPsec tunnel, Limits. */
const body = z.object({
  name: text,
  peerPublicIp: ipv4,
  peerCidr: cidr,
  locationId: text.optional(),
  nlbPrivateIp: ipv4.optional(),
});

type TunnelBody = z.infer<typeof body>;

/** Spec: list entries and the answers to writes. */
const entryProperties = ["id", "name", "frontdoorId", "locationId", "status", "peerPublicIp", "peerCidr"] as const;

const fromProvisioning = ["nlbDnsName", "vpnConnectionId"] as const;

/** Spec: Endpoints, Tunnels. */
export const tunnels: Definition<TunnelFields, TunnelBody> = {
  idPrefix: "tnl",
  properties: [...entryProperties, "nlbPrivateIp", ...fromProvisioning],
  entryProperties,
  untilDeployed: fromProvisioning,
  body,
  placed,
  checkDelete(world, { id, fields: { frontdoorId } }) {
    if (living(world, world.tables.share, frontdoorId).some(({ fields }) => fields.ipsecTunnelId === id)) {
      throw invalid(world.settings, "id", "IPsec tunnel without IPsec shares");
    }
  },
  shown({ settings }, state) {
    const record = recordOf(tunnels, state);
    const hidden = settings.nlbPrivateIpShown === "DEPLOYED" && !state.deployed;
    const full = hidden ? { ...record, nlbPrivateIp: "" } : record;
    return answerFields(settings, full, ["nlbPrivateIp", ...fromProvisioning]);
  },
  repeatedFilter: ({ repeatedTunnelFilter }) => repeatedTunnelFilter,
  routes(app, world) {
    const { settings } = world;
    const read = (c: Request) => readState(world, world.tables.tunnel, c);

    app.get("/:id/tunnel-config", (c) =>
      answer(c, tunnelConfig(settings, ready(world, read(c)).id, world.clock.now())),
    );

    app.get("/:id/sample-config", (c) => {
      const state = ready(world, read(c));
      return c.text(sampleConfig(recordOf(tunnels, state), state.fields.psk));
    });

    app.get("/:id/metrics", (c) => {
      const { id, status, since } = read(c);
      const window = c.req.query("window") ?? "1h";
      const span = tunnelWindows.includes(window) ? windowMs(window) : undefined;
      if (span === undefined) throw invalid(settings, "window", tunnelWindows.join("|"));
      const nowMs = world.clock.now();
      const { downMs } = connectionOf(settings, id, nowMs);
      const series = metrics(id, window, span, { nowMs, sinceMs: status === "DEPLOYED" ? since : Infinity, downMs });
      return answer(c, settings.metricsForm === "samples" ? samples(series) : series);
    });
  },
};

/** Returns the new tunnel's fields if its values are allowed, and its location, name and address are free. */
function placed(world: World, frontdoorId: string, body: TunnelBody): TunnelFields {
  const { settings } = world;
  if (settings.peerMustBePublic && notPublic.check(body.peerPublicIp)) {
    throw invalid(settings, "peerPublicIp", "public IPv4 address");
  }
  if (settings.cidrHostBits === "refused" && hasHostBits(body.peerCidr)) {
    throw invalid(settings, "peerCidr", "IPv4 CIDR block without host bits");
  }
  const others = living(world, world.tables.tunnel, frontdoorId);
  const locationId = body.locationId ?? settings.defaultLocationId;
  if (settings.oneTunnelPerLocation && others.some(({ fields }) => fields.locationId === locationId)) {
    throw conflict(settings, `Front door ${frontdoorId} has a tunnel at location ${locationId ?? "(none)"} already`);
  }
  if (others.some(({ fields }) => fields.nlbPrivateIp === body.nlbPrivateIp)) {
    throw conflict(settings, `Address ${body.nlbPrivateIp ?? ""} is in use`);
  }
  return newTunnelFields(world, frontdoorId, body);
}

/** Spec: tunnel-config requires the tunnel to be DEPLOYED, and sample-config becomes available then. */
function ready(world: World, state: State<TunnelFields>): State<TunnelFields> {
  if (state.status === "DEPLOYED") return state;
  const status = world.settings.notReadyStatus;
  const error = status === 400 ? "invalid_request" : status === 404 ? world.settings.notFoundError : "conflict";
  throw new Refusal(status, error, `IPsec tunnel ${state.id} is ${state.status}, not DEPLOYED`);
}
