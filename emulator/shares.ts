import * as z from "zod";
import { connectionOf, metrics, samples, windowMs } from "./fields";
import { answer, conflict, hostAndPort, invalid, isIn, readState, shareName, text } from "./http";
import type { ShareFields } from "./records";
import type { Definition } from "./resource";
import { living, type World } from "./world";

/** Spec: IPsec share, Limits. */
const body = z.object({
  name: shareName,
  ipsecTunnelId: text,
  envZId: text,
  target: hostAndPort,
  ingressPort: z
    .int({ error: "integer" })
    .min(1, { error: "integer from 1 to 65535" })
    .max(65535, { error: "integer from 1 to 65535" }),
  locationId: text.optional(),
});

type ShareBody = z.infer<typeof body>;

/** Spec: IPsec share, and Endpoints, Shares. */
export const shares: Definition<ShareFields, ShareBody> = {
  idPrefix: "shr",
  properties: ["id", "name", "frontdoorId", "ipsecTunnelId", "envZId", "target", "ingressPort", "locationId", "status"],
  body,
  patch: body.partial().extend({ locationId: text.nullable().optional() }),
  placed(world, frontdoorId, share, old) {
    checkIdle(world, [...(old ? [old.fields.ipsecTunnelId] : []), share.ipsecTunnelId], old?.id);
    return placed(world, frontdoorId, share, old?.id);
  },
  checkDelete(world, { id, fields }) {
    checkIdle(world, [fields.ipsecTunnelId], id);
  },
  routes(app, world) {
    const { settings } = world;
    app.get("/:id/metrics", (c) => {
      const { id, status, since, fields } = readState(world, world.tables.share, c);
      const duration = c.req.query("duration") ?? "1h";
      const span = settings.shareDurations?.includes(duration) === false ? undefined : windowMs(duration);
      if (span === undefined) throw invalid(settings, "duration", settings.shareDurations?.join("|") ?? "duration");
      const nowMs = world.clock.now();
      const { downMs } = connectionOf(settings, fields.ipsecTunnelId, nowMs);
      const series = metrics(id, duration, span, { nowMs, sinceMs: status === "DEPLOYED" ? since : Infinity, downMs });
      return answer(c, settings.metricsForm === "samples" ? samples(series) : series);
    });
  },
};

/** Refuses a write while another share of these tunnels changes, if a load balancer accepts only one change at a time. */
function checkIdle(world: World, tunnelIds: string[], self: string | undefined): void {
  if (world.settings.tunnelShareChanges === "together") return;
  const changing = living(world, world.tables.share).find(
    ({ id, status, fields }) =>
      id !== self && tunnelIds.includes(fields.ipsecTunnelId) && ["NEW", "DELETING"].includes(status),
  );
  if (changing)
    throw conflict(world.settings, `The load balancer is busy: IPsec share ${changing.id} is ${changing.status}`);
}

/** Returns the share's fields if its tunnel accepts it and its port and name are free. `self` is the share in an update. */
function placed(world: World, frontdoorId: string, body: ShareBody, self: string | undefined): ShareFields {
  const { settings, tables } = world;
  const tunnel = living(world, tables.tunnel, frontdoorId).find(({ id }) => id === body.ipsecTunnelId);
  if (!tunnel) throw invalid(settings, "ipsecTunnelId", "IPsec tunnel identifier");
  if (!isIn(settings.shareAcceptedOnTunnelIn, tunnel.status)) {
    throw invalid(settings, "ipsecTunnelId", `identifier of an IPsec tunnel that is not ${tunnel.status}`);
  }
  if (settings.unknownEnvironment === "refused" && !Object.hasOwn(settings.environments, body.envZId)) {
    throw invalid(settings, "envZId", "identifier of an environment");
  }
  const others = living(world, tables.share, frontdoorId).filter(({ id }) => id !== self);
  const samePort = others.find(
    ({ fields }) => fields.ipsecTunnelId === tunnel.id && fields.ingressPort === body.ingressPort,
  );
  if (samePort && settings.duplicateIngressPort === "refused") {
    throw conflict(
      settings,
      `Ingress port ${body.ingressPort} of tunnel ${tunnel.id} is taken by share ${samePort.id}`,
    );
  }
  if (settings.duplicateShareName === "refused" && others.some(({ fields }) => fields.name === body.name)) {
    throw conflict(settings, `Front door ${frontdoorId} has a share named ${body.name} already`);
  }
  return {
    name: body.name,
    frontdoorId,
    ipsecTunnelId: tunnel.id,
    envZId: body.envZId,
    target: body.target,
    ingressPort: body.ingressPort,
    locationId:
      body.locationId ?? (settings.shareLocationFromTunnel ? tunnel.fields.locationId : settings.defaultLocationId),
  };
}
