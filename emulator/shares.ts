import type { Hono } from "hono";
import {
  acceptedAnswer,
  answer,
  conflict,
  invalid,
  isIn,
  jsonBody,
  listAnswer,
  listPage,
  listStates,
  readState,
  type Request,
  respelled,
  type Routes,
  answerFields,
  writableState,
} from "./http";
import { readShareBody, readSharePatch, type ShareBody, type SharePatch } from "./bodies";
import { beginWork, forgetDeleted, insert, living, shareRecord, type State, type World } from "./world";
import { type ShareFields, type ShareRecord } from "./records";
import { connectionOf, metrics, samples, windowMs } from "./fields";

/** Spec: IPsec share. */
const properties = [
  "id",
  "name",
  "frontdoorId",
  "ipsecTunnelId",
  "envZId",
  "target",
  "ingressPort",
  "locationId",
  "status",
] as const;

/** Spec: Endpoints, Shares. */
export function shareRoutes(app: Hono<Routes>, world: World): void {
  const { settings, store } = world;
  const read = (c: Request) => readState(world, store.shares, "share", c);

  app.get("/", (c) => {
    const records = listStates(world, store.shares, c.req.param("frontdoorId") ?? "").map((state) =>
      respelled(settings, shareRecord(state)),
    );
    const query = new URL(c.req.url).searchParams;
    const page = listPage(records, { settings, query, properties, repeated: "any" });
    return listAnswer(world, c, { ...page, content: page.content.map((record) => answerFields(settings, record, [])) });
  });

  app.get("/:id", (c) => answer(world, c, answerFields(settings, shareRecord(read(c)), [])));

  app.post("/", async (c) => {
    const body = readShareBody(settings, await jsonBody(settings, c));
    checkIdle(world, [body.ipsecTunnelId], undefined);
    const fields = placed(world, c.req.param("frontdoorId") ?? "", body, undefined);
    forgetDeleted(world, store.shares);
    const { id } = insert(world, store.shares, beginWork(world, { kind: "share", op: "create" }, fields, false));
    if (settings.createLocationHeader) c.header("location", `${new URL(c.req.url).pathname}/${id}`);
    const record = shareRecord({ id, seq: 0, fields, status: "NEW", since: 0, deployed: false });
    return accepted(world, c, record, settings.createStatus, settings.createBody);
  });

  app.put("/:id", async (c) => {
    const body = readShareBody(settings, await jsonBody(settings, c));
    return update(world, c, updatable(world, c), body);
  });

  app.patch("/:id", async (c) => {
    const patch = readSharePatch(settings, await jsonBody(settings, c));
    const state = updatable(world, c);
    const named = Object.keys(patch).length > 0;
    if (!named && settings.emptyPatch === "refused")
      throw invalid(settings, "body", "object with a property to change");
    if (!named && settings.emptyPatch === "ignored") {
      return accepted(world, c, shareRecord(state), settings.updateStatus, settings.updateBody);
    }
    return update(world, c, state, patched(state.fields, patch));
  });

  app.delete("/:id", (c) => {
    const state = writableState(world, store.shares, "share", c);
    if (!isIn(settings.deleteAcceptedIn, state.status)) {
      throw conflict(settings, `IPsec share ${state.id} is ${state.status} and cannot be deleted now`);
    }
    checkIdle(world, [state.fields.ipsecTunnelId], state.id);
    const history = store.shares.get(state.id, state.fields.frontdoorId);
    // A second DELETE, where it is accepted, must not begin the teardown anew.
    if (history && state.status !== "DELETING") {
      store.shares.append(history, beginWork(world, { kind: "share", op: "delete" }, state.fields, state.deployed));
    }
    const record = shareRecord({ ...state, status: "DELETING" });
    return accepted(world, c, record, settings.deleteStatus, settings.deleteBody);
  });

  app.get("/:id/metrics", (c) => {
    const { id, status, since, fields } = read(c);
    const duration = c.req.query("duration") ?? "1h";
    const span = settings.shareDurations?.includes(duration) === false ? undefined : windowMs(duration);
    if (span === undefined) throw invalid(settings, "duration", settings.shareDurations?.join("|") ?? "duration");
    const nowMs = world.clock.now();
    const { downMs } = connectionOf(settings, fields.ipsecTunnelId, nowMs);
    const series = metrics(id, duration, span, { nowMs, sinceMs: status === "DEPLOYED" ? since : Infinity, downMs });
    return answer(world, c, settings.metricsForm === "samples" ? samples(series) : series);
  });
}

function updatable(world: World, c: Request): State<ShareFields> {
  const state = writableState(world, world.store.shares, "share", c);
  if (isIn(world.settings.updateAcceptedIn, state.status)) return state;
  throw conflict(world.settings, `IPsec share ${state.id} is ${state.status} and cannot be updated now`);
}

function patched(old: ShareFields, patch: SharePatch): ShareBody {
  // A null clears: the service chooses as if the client had named none.
  const locationId = patch.locationId === undefined ? old.locationId : patch.locationId;
  return {
    name: patch.name ?? old.name,
    ipsecTunnelId: patch.ipsecTunnelId ?? old.ipsecTunnelId,
    envZId: patch.envZId ?? old.envZId,
    target: patch.target ?? old.target,
    ingressPort: patch.ingressPort ?? old.ingressPort,
    ...(locationId !== null && { locationId }),
  };
}

/** Updates a share. An update recreates the share, with the same path as a create (spec). */
function update(world: World, c: Request, state: State<ShareFields>, body: ShareBody): Response {
  const { settings, store } = world;
  checkIdle(world, [state.fields.ipsecTunnelId, body.ipsecTunnelId], state.id);
  const fields = placed(world, state.fields.frontdoorId, body, state.id);
  const history = store.shares.get(state.id, state.fields.frontdoorId);
  if (history) store.shares.append(history, beginWork(world, { kind: "share", op: "update" }, fields, false));
  const record = shareRecord({ ...state, fields, status: "NEW" });
  return accepted(world, c, record, settings.updateStatus, settings.updateBody);
}

/** Refuses a write while another share of these tunnels changes, if a load balancer accepts only one change at a time. */
function checkIdle(world: World, tunnelIds: string[], self: string | undefined): void {
  if (world.settings.tunnelShareChanges === "together") return;
  const changing = living(world, world.store.shares).find(
    ({ id, status, fields }) =>
      id !== self && tunnelIds.includes(fields.ipsecTunnelId) && ["NEW", "DELETING"].includes(status),
  );
  if (changing)
    throw conflict(world.settings, `The load balancer is busy: IPsec share ${changing.id} is ${changing.status}`);
}

/** Returns the share's fields if its tunnel accepts it and its port and name are free. `self` is the share in an update. */
function placed(world: World, frontdoorId: string, body: ShareBody, self: string | undefined): ShareFields {
  const { settings, store } = world;
  const tunnel = living(world, store.tunnels).find(
    ({ id, fields }) => id === body.ipsecTunnelId && fields.frontdoorId === frontdoorId,
  );
  if (!tunnel) throw invalid(settings, "ipsecTunnelId", "IPsec tunnel identifier");
  if (!isIn(settings.shareAcceptedOnTunnelIn, tunnel.status)) {
    throw invalid(settings, "ipsecTunnelId", `identifier of an IPsec tunnel that is not ${tunnel.status}`);
  }
  if (settings.unknownEnvironment === "refused" && !Object.hasOwn(settings.environments, body.envZId)) {
    throw invalid(settings, "envZId", "identifier of an environment");
  }
  const others = living(world, store.shares).filter(
    ({ id, fields }) => id !== self && fields.frontdoorId === frontdoorId,
  );
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

function accepted(world: World, c: Request, record: ShareRecord, status: number, withBody: boolean): Response {
  const response = acceptedAnswer(c.req.header("accept"), answerFields(world.settings, record, []), status, withBody);
  return c.newResponse(response.body, response);
}
