import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { readsOf } from "../../provider/functions/reads";
import { openPool } from "../../provider/http/send";
import { openService, type Service } from "../../provider/service";
import { systemClock } from "../../provider/time/clock";
import { OwnFolder } from "../../provider/ledger/own-folder";
import { stateFolder } from "../../provider/ledger/record-files";
import { type ConnectionOptions, connectionOf } from "../connection";
import { Misuse } from "../outcome";
import { print, printJson, say } from "../output";
import { SinceFile } from "../watch/since";
import { dashboardApp } from "./app";
import { Doorkeeper } from "./doorkeeper";
import { Live } from "./live";
import { looksAt } from "./looks";

export interface DashboardOptions extends ConnectionOptions {
  port: number;
  json?: true;
}

const nothingIsCreated = { read: () => [], write: () => undefined, remove: () => undefined };

/** Serves the dashboard until Ctrl-C or SIGTERM. @throws FrontdoorError if the service refuses, Misuse. */
export async function showDashboard({ port, json: isJson, ...given }: DashboardOptions): Promise<void> {
  const { config, frontdoorId } = await connectionOf(given, process.env);
  const transport = openPool(config.requestTimeoutMs);
  const service = openService({ config, clock: systemClock, transport, records: nothingIsCreated, say });
  try {
    const { url, stop } = await serveDashboard(service, { frontdoorId, port, options: toPaste(given) });
    if (isJson) printJson({ url, frontdoorId });
    else print(`${url}\n`);
    if (!isJson) say("Open this address: it lets one browser in, once. Ctrl-C ends it.");
    await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
    stop();
  } finally {
    await service.close();
  }
}

/** Serves the dashboard on 127.0.0.1. The address opens it once. */
async function serveDashboard(
  service: Service,
  { frontdoorId, port, options }: { frontdoorId: string; port: number; options: string },
) {
  const looks = looksAt(service, frontdoorId);
  // What would only fail in the page fails here, with the command's exit code.
  await looks.tunnels();
  const door = new Doorkeeper();
  const { baseUrl } = service.config;
  const about = { title: `Front door ${frontdoorId}`, address: baseUrl, frontdoorId, options };
  const sinceFile = new SinceFile(new OwnFolder(stateFolder(process.env), "watch"), baseUrl, frontdoorId);
  const live = new Live(looks, systemClock, about, () => sinceFile.read(systemClock.wall()));
  const { fetch } = dashboardApp({ door, live, frontdoorId, reads: readsOf(service) });
  const server = serve({ fetch, hostname: "127.0.0.1", port });
  await once(server, "listening").catch((error: unknown) => {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new Misuse(`the dashboard can't use port ${port} (${code}). Choose another --port. [port-not-free]`);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${door.path}`;
  const stop = () => {
    server.close();
    if ("closeAllConnections" in server) server.closeAllConnections();
  };
  return { url, stop };
}

/** Returns the options as a shell reads them, so that a command on the page finds the same front door. */
function toPaste(given: ConnectionOptions): string {
  const { stackConfig, baseUrl, frontdoorId, tokenFile, username } = given;
  const options = Object.entries({ stackConfig, baseUrl, frontdoorId, tokenFile, username });
  const quoted = (text: string) => (/^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
  return options
    .flatMap(([name, value]) =>
      value === undefined
        ? []
        : [`--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} ${quoted(value)}`],
    )
    .join(" ");
}
