import { isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";
import { failed, safeText } from "../provider/errors";
import type { TunnelConfigEntry, TunnelResult } from "../provider/functions/args";
import { type Key, keyIn } from "../provider/functions/pre-shared-key";
import { connectionOf, type ConnectionOptions, reading } from "./connection";
import {
  type Device,
  encryptions,
  groups,
  isPlain,
  integrities,
  type Lifetime,
  Places,
  type Suite,
  type Template,
  templates,
  type Values,
} from "./device-templates";
import { writeText } from "./files";
import { findTunnel } from "./find";
import type { Io } from "./io";
import { Misuse } from "./outcome";
import { visible } from "./output";
import { checkSecretOut, onlyOwner } from "./sample-config";

export interface DeviceOptions extends ConnectionOptions {
  device?: Device;
  out?: string;
  force?: true;
  json?: true;
}

/** Writes the configuration of a tunnel for a device. Prints it only if the options ask for that, because it has the pre-shared key. */
export async function deviceConfig(io: Io, text: string, options: DeviceOptions): Promise<void> {
  const { device, out, force: isForced = false, json: isJson = false } = options;
  if (device === undefined)
    throw new Misuse(`--device is missing. Give it one of: ${Object.keys(templates).join(", ")}. [invalid-option]`);
  const isPrinted = checkSecretOut(io, "device configuration", out, isForced);
  const { config, frontdoorId } = await connectionOf(io, options);
  const { tunnel, entry, sample } = await reading(io, config, async (reads) => {
    const tunnel = await findTunnel(io, reads, { text, frontdoorId });
    const place = { id: tunnel.id, frontdoorId };
    const [{ tunnels }, sample] = await Promise.all([reads.getTunnelConfig(place), reads.getSampleConfig(place)]);
    return { tunnel, entry: tunnels[0], sample };
  });
  const { text: configuration, fillIn, missing, isKeyFound } = render(device, tunnel, entry, sample);
  const { id, name } = tunnel;
  if (out === undefined || isPrinted) {
    if (isJson) io.printJson({ tunnel: { id, name }, device, fillIn, isKeyFound, deviceConfig: configuration });
    else io.print(visible(configuration));
    return;
  }
  writeText(io, out, configuration, { isForced, mode: onlyOwner });
  if (isJson) io.printJson({ tunnel: { id, name }, device, fillIn, isKeyFound, written: out });
  const about = isKeyFound
    ? "It holds the pre-shared key, and only you can read it."
    : `It lacks the pre-shared key, ${missing}.`;
  io.say(`${out} is written. ${about}${fillIn.length > 0 ? ` Fill in: ${fillIn.join(", ")}.` : ""}`);
}

const labelOf = ({ id, name }: Pick<TunnelResult, "id" | "name">): string =>
  `IPsec tunnel "${safeText(name, 80)}" (${safeText(id, 80)})`;

/** A configuration with the names of the places that the reader fills in. */
interface Rendered {
  text: string;
  fillIn: string[];
  isKeyFound: boolean;
  /** Why there is no key. */
  missing: string;
}

/** Fills a device's template. @throws FrontdoorError `failed` if there is no tunnel configuration, or the device cannot take a value. */
export function render(
  device: Device,
  tunnel: TunnelResult,
  entry: TunnelConfigEntry | undefined,
  sample: string,
): Rendered {
  if (entry === undefined)
    throw failed(
      `${labelOf(tunnel)}: Frontdoor has no tunnel configuration for it. Nothing was written. Try again once frontdoor tunnel shows a connection. [tunnel-config-missing]`,
    );
  const template = templates[device];
  const places = new Places();
  const found = keyIn(sample, entry.outsideIpAddress);
  const values = valuesOf(new Reader(tunnel, entry, places), device, found);
  const body = template.body(values, places);
  const left = places.in(body);
  const { title, checkedBy, notes } = template;
  const { missing } = found;
  const isKeyFound = found.key !== undefined;
  // FortiOS counts quotes also in comments, and IOS-XE answers a question mark at once.
  const plainName = safeText(`${tunnel.name} (${tunnel.id})`, 120).replace(/[^\w .:()@/+-]/g, "_");
  const head = [
    `${title}, for the tunnel ${plainName}`,
    isKeyFound ? "SECRET: this file holds the pre-shared key." : "The pre-shared key is missing: see below.",
    checkedBy,
    "",
    left.length > 0 ? "Fill in before you load this file:" : "There is nothing to fill in.",
    ...left.map(([mark, about]) => `  ${mark}  ${about}`),
    "",
    ...choices(values, entry),
    ...notes,
  ];
  const text = `${head.map((line) => `${template.comment} ${line}`.trimEnd()).join("\n")}\n\n${body}`;
  return { text, fillIn: left.map(([mark]) => mark.slice("<FILL_IN:".length, -1)), isKeyFound, missing };
}

/** The algorithms that were chosen, and a warning about each weak one. */
function choices({ phase1, phase2 }: Values, { ikeVersions = [] }: TunnelConfigEntry): string[] {
  const inWords = ({ encryption, integrity, group }: Suite) =>
    [encryption, integrity, group === undefined ? undefined : `group ${group}`].filter(Boolean).join(" ");
  const all = [phase1, phase2];
  const weak = [
    ...(all.some(({ integrity }) => integrity === "SHA1") ? ["SHA1"] : []),
    ...[2, 5, 24].filter((group) => all.some((suite) => suite.group === group)).map((group) => `group ${group}`),
  ];
  return [
    `Chosen from what Frontdoor accepts: IKEv2, phase 1 ${inWords(phase1)}, phase 2 ${inWords(phase2)}.`,
    ...(ikeVersions.length > 0 ? [] : ["Frontdoor did not name its IKE versions. This file uses IKEv2."]),
    ...(weak.length > 0 ? [`WEAK: ${weak.join(", ")}. Frontdoor accepts nothing stronger that this device has.`] : []),
  ];
}

function valuesOf(read: Reader, device: Device, key: Key): Values {
  const template = templates[device];
  const { entry } = read;
  const versions = entry.ikeVersions ?? [];
  if (versions.length > 0 && !versions.some((version) => /^ike ?-?v?2$/i.test(version)))
    read.refuseAll(`accepts ${safeText(versions.join(", "), 80)} and the template needs IKEv2`);
  const network = read.network("peerCidr", read.tunnel.peerCidr, "SITE_NETWORK");
  const interval = read.seconds("dpdTimeoutSeconds", "DPD_INTERVAL", (timeout) =>
    Math.max(10, Math.floor(timeout / 3)),
  );
  return {
    name: `fd-${read.tunnel.id.replace(/[^A-Za-z0-9]/g, "").slice(-12)}`,
    serviceAddress: read.address("outsideIpAddress", entry.outsideIpAddress, "SERVICE_ADDRESS"),
    siteAddress: read.address("peerPublicIp", read.tunnel.peerPublicIp, "SITE_ADDRESS"),
    siteNetwork: network,
    loadBalancer: read.address("nlbPrivateIp", read.tunnel.nlbPrivateIp, "LOAD_BALANCER"),
    inside: read.inside(),
    phase1: read.suite(1, template),
    phase2: read.suite(2, template),
    ike: read.lifetime(1),
    ipsec: read.lifetime(2),
    dpdInterval: interval,
    key: read.key(key, template),
  };
}

/** Reads the values of a tunnel one by one: a missing one becomes a place, and one of another form is refused. */
class Reader {
  constructor(
    readonly tunnel: TunnelResult,
    readonly entry: TunnelConfigEntry,
    private readonly places: Places,
  ) {}

  refuse(problem: string): never {
    throw failed(`${this.problem(problem)} [device-value-refused]`);
  }

  refuseAll(problem: string): never {
    throw failed(`${this.problem(problem)} [device-no-common]`);
  }

  private problem(problem: string): string {
    return `${labelOf(this.tunnel)}: Frontdoor ${problem}. Nothing was written. Use frontdoor sample-config instead.`;
  }

  private missing(property: string, name: string): string {
    return this.places.add(name, `${property} of the tunnel, which Frontdoor did not give`);
  }

  address(property: string, value: string | undefined, name: string): string {
    if (value === undefined || value === "") return this.missing(property, name);
    if (isIPv4(value)) return value;
    return this.refuse(`gave "${safeText(value, 60)}" as ${property}, which is no IPv4 address`);
  }

  network(property: string, value: string | undefined, name: string) {
    if (value === undefined || value === "") {
      const cidr = this.missing(property, name);
      const mask = this.places.add(`${name}_MASK`, `the mask of ${property}, such as 255.255.255.0`);
      return { cidr, address: cidr, mask, prefix: this.places.add(`${name}_PREFIX`, `the length of ${property}`) };
    }
    if (!/^[\d.]+\/\d+$/.test(value) || !ipaddr.IPv4.isValidCIDRFourPartDecimal(value))
      this.refuse(`gave "${safeText(value, 60)}" as ${property}, which is no IPv4 network`);
    const address = ipaddr.IPv4.networkAddressFromCIDR(value).toString();
    const prefix = value.split("/")[1] ?? "";
    const mask = ipaddr.IPv4.subnetMaskFromPrefixLength(Number(prefix)).toString();
    return { cidr: `${address}/${prefix}`, address, mask, prefix };
  }

  /** The first host of the inside network is the service's, and the second one is the site's. */
  inside(): Values["inside"] {
    const { insideCidr } = this.entry;
    const { address, mask, prefix } = this.network("insideCidr", insideCidr, "INSIDE_NETWORK");
    if (insideCidr === undefined || insideCidr === "") {
      const site = this.places.add("INSIDE_ADDRESS", "the second host of insideCidr, which Frontdoor did not give");
      const service = this.places.add("INSIDE_ADDRESS_OF_SERVICE", "the first host of insideCidr");
      return { service, site, prefix, mask };
    }
    if (Number(prefix) > 30) this.refuse(`gave "${insideCidr}" as insideCidr, which has no two hosts`);
    const octets = address.split(".");
    const host = (number: number) => [...octets.slice(0, 3), Number(octets[3]) + number].join(".");
    return { service: host(1), site: host(2), prefix, mask };
  }

  /** Chooses the first algorithms, in the order of the device, that the service accepts. */
  suite(phase: 1 | 2, template: Template): Suite {
    const choose = <Kind extends string | number>(
      what: string,
      known: readonly Kind[],
      offered: readonly Kind[] = [],
    ) => {
      const chosen = known.find((each) => offered.includes(each));
      if (chosen === undefined && offered.length > 0)
        this.refuseAll(
          `accepts ${safeText(offered.join(", "), 80)} as ${what} of phase ${phase}, and the template has none of them`,
        );
      return chosen;
    };
    const { entry } = this;
    const encryption = choose<string>(
      "encryption",
      template.encryptions[`phase${phase}`],
      entry[`phase${phase}EncryptionAlgorithms`],
    );
    const integrity = choose<string>("integrity", integrities, entry[`phase${phase}IntegrityAlgorithms`]);
    const group = choose<number>("group", template.groups, entry[`phase${phase}DHGroupNumbers`]);
    return {
      encryption: encryptions.find((each) => each === encryption),
      // The ESP of AES-GCM has its own integrity.
      integrity:
        phase === 2 && encryption?.includes("GCM") ? undefined : integrities.find((each) => each === integrity),
      group: groups.find((each) => each === group),
    };
  }

  seconds(property: keyof TunnelConfigEntry, name: string, from: (seconds: number) => number = (it) => it): string {
    const value = this.entry[property];
    if (value === undefined) return this.missing(property, name);
    if (typeof value === "number" && Number.isSafeInteger(value) && value > 0) return String(from(value));
    return this.refuse(`gave ${safeText(String(value), 20)} as ${property}, which is no time`);
  }

  /** Keys are renewed a margin before the end of a lifetime, and up to a part of the margin earlier. */
  lifetime(phase: 1 | 2): Lifetime {
    const { rekeyMarginTimeSeconds: margin, rekeyFuzzPercentage: fuzz, ...entry } = this.entry;
    const total = entry[`phase${phase}LifetimeSeconds`];
    const lifetime = this.seconds(`phase${phase}LifetimeSeconds`, `PHASE_${phase}_LIFETIME`);
    const marginText = this.seconds("rekeyMarginTimeSeconds", "REKEY_MARGIN");
    const isKnown = total !== undefined && margin !== undefined && total > margin;
    const rekey = isKnown
      ? String(total - margin)
      : this.places.add(`PHASE_${phase}_REKEY_TIME`, `seconds until phase ${phase} is renewed, less than its lifetime`);
    const variation =
      isKnown && fuzz !== undefined
        ? String(Math.round(Math.min((margin * fuzz) / 100, (total - margin) / 2)))
        : this.places.add("REKEY_VARIATION", "seconds by which a renewal may be earlier, less than the time until it");
    return { lifetime, rekey, margin: marginText, variation };
  }

  key({ key, missing }: Key, { title, keyText }: Template): string {
    if (key === undefined) return this.places.add("PRE_SHARED_KEY", `the pre-shared key, ${missing}`);
    const text = /^[\x20-\x7e]+$/.test(key) ? keyText(key) : undefined;
    const character = Array.from(key).find((each) => !isPlain(each));
    const what = character === undefined ? "its form" : JSON.stringify(character);
    return text ?? this.refuse(`gave a pre-shared key that ${title} could read as something else (${what})`);
  }
}
