import { join } from "node:path";
import { safeText, troubleOf } from "../../provider/errors";
import type { TunnelResult } from "../../provider/functions/args";
import type { Reads } from "../../provider/functions/functions";
import { configuredFrontDoor, type ConfigOptions, reading } from "../shared/configuration";
import { filledIn, render, type Rendered, renderRemoval } from "./render";
import { type Device, devices, templateOf } from "./templates";
import { checkSecretOut, checkWritable, onlyOwner, writeText } from "../shared/files";
import { findTunnel, tunnelsOfStack } from "../shared/find";
import type { Io } from "../shared/io";
import { CheckFailed, exitCodeOf, Misuse } from "../shared/outcome";
import { tableOf, visible } from "../shared/output";

export interface DeviceOptions extends ConfigOptions {
  device?: Device;
  list?: true;
  /** Every tunnel of the selected stack. */
  all?: true;
  /** What removes the configuration, instead of the configuration. */
  remove?: true;
  /** With `all` a folder. */
  out?: string;
  force?: true;
  json?: true;
  /** `NAME=VALUE`: what stands in the file for `<FILL_IN:NAME>`. */
  fill?: string[];
}

/** Writes the configuration of a tunnel for a device. Prints it only if the options ask for that, because it has the pre-shared key. */
export async function deviceConfig(io: Io, text: string | undefined, options: DeviceOptions): Promise<void> {
  const { device, list: isList = false, all: isAll = false, json: isJson = false } = options;
  if (isList) {
    printDevices(io, isJson);
    return;
  }
  if ((text === undefined && !isAll) || device === undefined) {
    const lacks = device === undefined ? "--device" : "the tunnel";
    throw new Misuse(
      `${lacks} is missing. Name a tunnel, and with --device one of: ${devices.join(", ")}. --list says more about them. [invalid-option]`,
    );
  }
  if (text === undefined) await allSites(io, device, options);
  else if (isAll) throw new Misuse("a tunnel and --all exclude each other. Give one of them. [options-conflict]");
  else await oneSite(io, device, { ...options, text });
}

/** One document for a device. */
interface Site extends Rendered {
  tunnel: Pick<TunnelResult, "id" | "name">;
}

async function oneSite(io: Io, device: Device, options: DeviceOptions & { text: string }): Promise<void> {
  const { text, out, force: isForced = false, json: isJson = false, remove: isRemoval = false } = options;
  const isPrinted = checkSecretOut(io, "device configuration", isRemoval ? (out ?? "-") : out, isForced);
  const { config, frontdoorId } = await configuredFrontDoor(io, options);
  const found = await reading(io, config, async (reads) => {
    const tunnel = await findTunnel(io, reads, { text, frontdoorId });
    return siteOf(reads, device, { tunnel, isRemoval });
  });
  const [site = found] = filledIn([found], options.fill);
  const { text: configuration, fillIn, isKeyFound } = site;
  const about = { tunnel: site.tunnel, device, fillIn, isKeyFound };
  if (out === undefined || isPrinted) {
    if (isJson) io.printJson({ ...about, deviceConfig: configuration });
    else io.print(visible(configuration));
    return;
  }
  writeText(io, out, configuration, { isForced, mode: onlyOwner });
  if (isJson) io.printJson({ ...about, written: out });
  io.say(wordsOf(out, site, isRemoval));
}

/** Writes a file for each tunnel of the selected stack into a folder. One that cannot be written does not keep the others from it. */
async function allSites(io: Io, device: Device, options: DeviceOptions): Promise<void> {
  const { out, force: isForced = false, json: isJson = false, remove: isRemoval = false } = options;
  if (out === undefined || out === "-")
    throw new Misuse(
      "--all writes a file for each tunnel. Name an existing folder with --out FOLDER. [invalid-option]",
    );
  const { config, frontdoorId } = await configuredFrontDoor(io, options);
  const named = await tunnelsOfStack(io, frontdoorId);
  const fileOf = (name: string) => safeText(name, 100).replace(/[^\w.-]|^\./g, "_");
  const pathOf = ({ name, id }: (typeof named)[number]) => {
    const isUnique = named.filter((each) => fileOf(each.name) === fileOf(name)).length === 1;
    return join(out, `${fileOf(isUnique ? name : `${name}-${id}`)}${isRemoval ? "-remove.txt" : ".conf"}`);
  };
  for (const each of named) checkWritable(io, pathOf(each), isForced);
  const failures: string[] = [];
  const found = await reading(io, config, async (reads) => {
    const sites: (Site & { path: string })[] = [];
    for (const each of named)
      try {
        const tunnel = await reads.getTunnel({ id: each.id, frontdoorId });
        sites.push({ ...(await siteOf(reads, device, { tunnel, isRemoval })), path: pathOf(each) });
      } catch (error) {
        if (troubleOf(error) === undefined || exitCodeOf(error) !== 1) throw error;
        failures.push(`${each.name}: ${(error as Error).message}`);
      }
    return sites;
  });
  const sites = filledIn(found, options.fill);
  for (const { path, text } of sites) writeText(io, path, text, { isForced, mode: onlyOwner });
  const written = sites.map(({ tunnel, fillIn, isKeyFound, path }) => ({ tunnel, fillIn, isKeyFound, written: path }));
  if (isJson) io.printJson({ device, sites: written, failed: failures });
  else for (const site of sites) io.say(wordsOf(site.path, site, isRemoval));
  if (failures.length > 0) throw new CheckFailed(failures.join("\n"));
}

/** Reads a tunnel, and fills the device's template. */
async function siteOf(
  reads: Reads,
  device: Device,
  { tunnel, isRemoval }: { tunnel: TunnelResult; isRemoval: boolean },
): Promise<Site> {
  const { id, name, frontdoorId } = tunnel;
  const place = { id, frontdoorId };
  const about = { id, name };
  if (isRemoval) {
    const { tunnels } = await reads.getTunnelConfig(place);
    return { tunnel: about, ...renderRemoval(device, { tunnel, entry: tunnels[0] }) };
  }
  const [{ tunnels }, sample, { shares }] = await Promise.all([
    reads.getTunnelConfig(place),
    reads.getSampleConfig(place),
    reads.getShares({ ipsecTunnelId: [id], frontdoorId }),
  ]);
  const ports = shares
    .filter(({ status }) => !["DELETING", "DELETED"].includes(status))
    .map((share) => share.ingressPort);
  return { tunnel: about, ...render(device, { tunnel, entry: tunnels[0], sample, ports }) };
}

/** What the command says of a file. */
function wordsOf(path: string, { fillIn, isKeyFound, missing }: Rendered, isRemoval: boolean): string {
  const places = fillIn.length > 0 ? ` Fill in: ${fillIn.join(", ")}.` : "";
  if (isRemoval) return `${path} is written. It holds no key.${places}`;
  const about = isKeyFound
    ? "It holds the pre-shared key, and only you can read it."
    : `It lacks the pre-shared key, ${missing}.`;
  return `${path} is written. ${about}${places}`;
}

/** Prints what the heads of the templates say. */
function printDevices(io: Io, isJson: boolean): void {
  const all = devices.map((device) => {
    const { make, model, firmware, load, checked } = templateOf(device);
    return { device, make, model, firmware, load, checked };
  });
  if (isJson) io.printJson({ devices: all });
  else {
    const rows = all.map(({ device, make, model, firmware, checked }) => [device, make, model, firmware, checked]);
    io.print(tableOf(["DEVICE", "MAKE", "MODEL", "FIRMWARE", "CHECKED"], rows));
  }
}
