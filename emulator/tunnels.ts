import type { Hono } from "hono";
import {
  acceptedAnswer,
  answer,
  checkAccept,
  conflict,
  invalid,
  isIn,
  jsonBody,
  listAnswer,
  listPage,
  listStates,
  readState,
  Refusal,
  type Request,
  respelled,
  type Routes,
  answerFields,
  writableState,
} from "./http";
import { readTunnelBody, type TunnelBody } from "./bodies";
import { beginWork, forgetDeleted, insert, living, type State, tunnelRecord, type World } from "./world";
import { type TunnelFields, type TunnelRecord } from "./records";
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

/** Spec: list entries and the answers to writes. */
const entryProperties = ["id", "name", "frontdoorId", "locationId", "status", "peerPublicIp", "peerCidr"] as const;

/** The fields that only a get shows (spec). */
const properties = [...entryProperties, "nlbPrivateIp", "nlbDnsName", "vpnConnectionId"] as const;

/** Spec: Endpoints, Tunnels. */
export function tunnelRoutes(app: Hono<Routes>, world: World): void {
  const { settings, store } = world;
  const read = (c: Request) => readState(world, store.tunnels, "tunnel", c);

  app.get("/", (c) => {
    const records = listStates(world, store.tunnels, c.req.param("frontdoorId") ?? "").map((state) =>
      respelled(settings, tunnelRecord(state)),
    );
    const query = new URL(c.req.url).searchParams;
    const page = listPage(records, { settings, query, properties, repeated: settings.repeatedTunnelFilter });
    return listAnswer(world, c, { ...page, content: page.content.map((record) => entry(world, record)) });
  });

  app.get("/:id", (c) => {
    const state = read(c);
    const record = tunnelRecord(state);
    const hidden = settings.nlbPrivateIpShown === "DEPLOYED" && !state.deployed;
    const full = hidden ? { ...record, nlbPrivateIp: "" } : record;
    return answer(world, c, answerFields(settings, full, ["nlbPrivateIp", "nlbDnsName", "vpnConnectionId"]));
  });

  app.post("/", async (c) => {
    const body = readTunnelBody(settings, await jsonBody(settings, c));
    const fields = placed(world, c.req.param("frontdoorId") ?? "", body);
    forgetDeleted(world, store.tunnels);
    const { id } = insert(world, store.tunnels, beginWork(world, { kind: "tunnel", op: "create" }, fields, false));
    const record = tunnelRecord({ id, seq: 0, fields, status: "NEW", since: 0, deployed: false });
    if (settings.createLocationHeader) c.header("location", `${new URL(c.req.url).pathname}/${id}`);
    return accepted(world, c, record, settings.createStatus, settings.createBody);
  });

  app.delete("/:id", (c) => {
    const state = writableState(world, store.tunnels, "tunnel", c);
    if (!isIn(settings.deleteAcceptedIn, state.status)) {
      throw conflict(settings, `IPsec tunnel ${state.id} is ${state.status} and cannot be deleted now`);
    }
    const { frontdoorId } = state.fields;
    const shares = living(world, store.shares).filter(({ fields }) => fields.frontdoorId === frontdoorId);
    if (shares.some(({ fields }) => fields.ipsecTunnelId === state.id)) {
      throw invalid(settings, "id", "IPsec tunnel without IPsec shares");
    }
    remove(world, state);
    const record = tunnelRecord({ ...state, status: "DELETING" });
    return accepted(world, c, record, settings.deleteStatus, settings.deleteBody);
  });

  app.get("/:id/tunnel-config", (c) =>
    answer(world, c, tunnelConfig(settings, ready(world, read(c)).id, world.clock.now())),
  );

  app.get("/:id/sample-config", (c) => {
    const state = ready(world, read(c));
    checkAccept(settings, c.req.header("accept"), ["text/plain"]);
    return c.text(sampleConfig(tunnelRecord(state), state.fields.psk));
  });

  app.get("/:id/metrics", (c) => {
    const { id, status, since } = read(c);
    const window = c.req.query("window") ?? "1h";
    const span = tunnelWindows.includes(window) ? windowMs(window) : undefined;
    if (span === undefined) throw invalid(settings, "window", tunnelWindows.join("|"));
    const nowMs = world.clock.now();
    const { downMs } = connectionOf(settings, id, nowMs);
    const series = metrics(id, window, span, { nowMs, sinceMs: status === "DEPLOYED" ? since : Infinity, downMs });
    return answer(world, c, settings.metricsForm === "samples" ? samples(series) : series);
  });
}

/** Returns the new tunnel's fields if its location, name and address are free. */
function placed(world: World, frontdoorId: string, body: TunnelBody): TunnelFields {
  const { settings } = world;
  const others = living(world, world.store.tunnels).filter(({ fields }) => fields.frontdoorId === frontdoorId);
  const locationId = body.locationId ?? settings.defaultLocationId;
  if (settings.oneTunnelPerLocation && others.some(({ fields }) => fields.locationId === locationId)) {
    throw conflict(settings, `Front door ${frontdoorId} has a tunnel at location ${locationId ?? "(none)"} already`);
  }
  if (settings.duplicateTunnelName === "refused" && others.some(({ fields }) => fields.name === body.name)) {
    throw conflict(settings, `Front door ${frontdoorId} has a tunnel named ${body.name} already`);
  }
  if (others.some(({ fields }) => fields.nlbPrivateIp === body.nlbPrivateIp)) {
    throw conflict(settings, `Address ${body.nlbPrivateIp ?? ""} is in use`);
  }
  return newTunnelFields(world, frontdoorId, body);
}

function remove(world: World, { id, fields, status, deployed }: State<TunnelFields>): void {
  const history = world.store.tunnels.get(id, fields.frontdoorId);
  // A second DELETE, where it is accepted, must not begin the teardown anew.
  if (!history || status === "DELETING") return;
  world.store.tunnels.append(history, beginWork(world, { kind: "tunnel", op: "delete" }, fields, deployed));
}

/** Spec: tunnel-config requires the tunnel to be DEPLOYED, and sample-config becomes available then. */
function ready(world: World, state: State<TunnelFields>): State<TunnelFields> {
  if (state.status === "DEPLOYED") return state;
  const status = world.settings.notReadyStatus;
  const error = status === 400 ? "invalid_request" : status === 404 ? world.settings.notFoundError : "conflict";
  throw new Refusal(status, error, `IPsec tunnel ${state.id} is ${state.status}, not DEPLOYED`);
}

function entry({ settings }: World, record: TunnelRecord): Record<string, unknown> {
  return answerFields(
    settings,
    Object.fromEntries(entryProperties.map((property) => [property, record[property]])),
    [],
  );
}

function accepted(world: World, c: Request, record: TunnelRecord, status: number, withBody: boolean): Response {
  const response = acceptedAnswer(c.req.header("accept"), entry(world, record), status, withBody);
  return c.newResponse(response.body, response);
}
