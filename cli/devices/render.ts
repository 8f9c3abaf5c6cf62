import { isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";
import { failed, safeText } from "../../provider/errors";
import type { TunnelConfigEntry, TunnelResult } from "../../provider/functions/args";
import { keyIn } from "../../provider/functions/pre-shared-key";
import {
  type Device,
  encryptions,
  fill,
  groups,
  integrities,
  type Make,
  makes,
  numberStart,
  type Section,
  special,
  type Suite,
  type Template,
  templateOf,
  type Values,
  wordsOf,
} from "./templates";
import { Misuse } from "../shared/outcome";

const labelOf = ({ id, name }: Pick<TunnelResult, "id" | "name">): string =>
  `IPsec tunnel "${safeText(name, 80)}" (${safeText(id, 80)})`;

/** A text for a device, with the names of the places that the reader fills in. */
export interface Rendered {
  text: string;
  fillIn: string[];
  isKeyFound: boolean;
  /** Why there is no key. */
  missing: string;
}

/** What Frontdoor has of a tunnel. */
export interface Source {
  tunnel: TunnelResult;
  entry: TunnelConfigEntry | undefined;
  /** The sample configuration, which has the key. */
  sample: string;
  /** The ports of the tunnel's shares. */
  ports: readonly number[];
}

/** Fills a device's template. @throws FrontdoorError `failed` if there is no tunnel configuration, or the device cannot take a value. */
export function render(device: Device, source: Source): Rendered {
  const { tunnel, sample } = source;
  const entry = entryOf(source);
  const found = keyIn(sample, entry.outsideIpAddress);
  const template = templateOf(device);
  const read = new Reader(tunnel, entry, makes[device]);
  const suites = [read.suite(1), read.suite(2)] as const;
  const values = { ...valuesOf(read, suites, read.key(found.key, template)), ports: read.ports(source.ports) };
  const isKeyFound = found.key !== undefined;
  const lead = [
    `For the tunnel ${plainName(tunnel)}`,
    isKeyFound ? "SECRET: this file holds the pre-shared key." : "The pre-shared key is missing: see below.",
    ...choices(suites, entry),
  ];
  return { ...written({ ...template, lead, values, missing: found.missing }), isKeyFound, missing: found.missing };
}

/** Fills the part of a device's template that removes the configuration. It has no key. @throws FrontdoorError as `render`. */
export function renderRemoval(device: Device, source: Pick<Source, "tunnel" | "entry">): Rendered {
  const { comment, make, model, removal } = templateOf(device);
  const read = new Reader(source.tunnel, entryOf(source), makes[device]);
  const values = valuesOf(read, [read.suite(1), read.suite(2)], undefined);
  const lead = [
    `Removes what the file for the tunnel ${plainName(source.tunnel)} configured`,
    `For: ${make} ${model}. Not tried on a device.`,
  ];
  return { ...written({ ...removal, comment, lead, values, missing: "" }), isKeyFound: false, missing: "" };
}

function entryOf({ tunnel, entry }: Pick<Source, "tunnel" | "entry">): TunnelConfigEntry {
  if (entry !== undefined) return entry;
  throw failed(
    `${labelOf(tunnel)}: Frontdoor has no tunnel configuration for it. Nothing was written. Try again once npx pulumi-frontdoor tunnel shows a connection. [tunnel-config-missing]`,
  );
}

/** FortiOS counts quotes also in comments, and IOS-XE answers a question mark at once. */
const plainName = ({ name, id }: TunnelResult): string =>
  safeText(`${name} (${id})`, 120).replace(/[^\w .:()@/+-]/g, "_");

interface Filling extends Section {
  comment: string;
  /** The first lines of the head. */
  lead: string[];
  values: Values;
  /** Why there is no key. */
  missing: string;
}

function written({ comment, lead, head, places, body, values, missing }: Filling): Pick<Rendered, "text" | "fillIn"> {
  const left = new Map(places.map(([mark, about]) => [mark, fill(about, values, aboutPlace)]));
  const filled = fill(body, values, (name) => {
    const mark = `<FILL_IN:${(name.match(/[A-Z]?[a-z]+|\d/g) ?? []).join("_").toUpperCase()}>`;
    left.set(mark, name === "preSharedKey" ? `the pre-shared key, ${missing}` : aboutPlace(name));
    return mark;
  });
  const top = [
    ...[...lead, "", ...fill(head.join("\n"), values, aboutPlace).trimEnd().split("\n"), ""],
    left.size > 0 ? fillInBefore : "There is nothing to fill in.",
    ...[...left].map(([mark, about]) => `  ${mark}  ${about}`),
  ];
  const text = `${top.map((line) => `${comment} ${line}`.trimEnd()).join("\n")}\n\n${filled}`;
  return { text, fillIn: [...left.keys()].map((mark) => mark.slice("<FILL_IN:".length, -1)) };
}

const fillInBefore = "Fill in before you load this file:";

/** Replaces the places that `--fill NAME=VALUE` names. @throws Misuse for a name that none of the files has a place for */
export function filledIn<File extends Rendered>(files: readonly File[], given: readonly string[] = []): File[] {
  const known = [...new Set(files.flatMap(({ fillIn }) => fillIn))];
  const values = given.map((each) => {
    const [, name = "", value = ""] = /^(\w+)=([\x21-\x7e]+)$/.exec(each) ?? [];
    if (known.includes(name)) return [name, value] as const;
    throw new Misuse(
      `--fill takes NAME=VALUE without spaces, and this file has these names: ${known.join(", ") || "none"}. Nothing was written. Correct --fill. [invalid-option]`,
    );
  });
  return files.map((file) => values.reduce((rendered, [name, value]) => filledOne(rendered, name, value), file));
}

function filledOne<File extends Rendered>(rendered: File, name: string, value: string): File {
  const mark = `<FILL_IN:${name}>`;
  const isAbout = (line: string) => /^\W+<FILL_IN:/.test(line) && line.includes(`${mark}  `);
  const lines = rendered.text.split("\n").filter((line) => !isAbout(line));
  const text = lines.map((line) => line.replaceAll(mark, () => value)).join("\n");
  const fillIn = rendered.fillIn.filter((left) => left !== name);
  return {
    ...rendered,
    fillIn,
    text: fillIn.length > 0 ? text : text.replace(fillInBefore, "There is nothing to fill in."),
  };
}

/** What a place is, if its value is not named as the property of the tunnel, or as the word after `phase1.`. */
const aboutValues: Record<string, string> = {
  serviceAddress: "outsideIpAddress",
  siteAddress: "peerPublicIp",
  loadBalancer: "nlbPrivateIp",
  siteNetwork: "peerCidr",
  siteNetworkAddress: "the address of peerCidr",
  siteNetworkMask: "the mask of peerCidr, such as 255.255.255.0",
  insideAddress: "the second host of insideCidr",
  insideAddressOfService: "the first host of insideCidr",
  insideMask: "the mask of insideCidr",
  insidePrefix: "the length of insideCidr",
  rekeyMargin: "rekeyMarginTimeSeconds",
  rekeyFuzz: "rekeyFuzzPercentage",
  dpdInterval: "the seconds between two checks, a third of dpdTimeoutSeconds",
  lifetime: "the lifetime in seconds",
  lifetimeMinutes: "the lifetime in minutes",
  rekey: "the seconds until the renewal, less than the lifetime",
  variation: "the seconds by which a renewal may be earlier, less than the time until it",
};

function aboutPlace(name: string): string {
  if (name === "ports") return "the ports of the applications, such as 443: the tunnel has no share yet";
  const [, phase, word = name] = /^phase(\d)\.(\w+)$/.exec(name) ?? [];
  const about = aboutValues[word] ?? `the ${word}`;
  return `${about}${phase === undefined ? "" : ` of phase ${phase}`}, which Frontdoor did not give`;
}

/** The algorithms that were chosen, and a warning about each weak one. */
function choices(suites: readonly Suite[], { ikeVersions = [] }: TunnelConfigEntry): string[] {
  const inWords = suites.map(({ phase, encryption, integrity, group }) =>
    [`phase ${phase}`, encryption, integrity, group === undefined ? "" : `group ${group}`].filter(Boolean).join(" "),
  );
  const weak = [
    ...(suites.some(({ integrity }) => integrity === "SHA1") ? ["SHA1"] : []),
    ...[2, 5, 24].filter((group) => suites.some((suite) => suite.group === group)).map((group) => `group ${group}`),
  ];
  return [
    `Chosen from what Frontdoor accepts: IKEv2, ${inWords.join(", ")}.`,
    ...(ikeVersions.length > 0 ? [] : ["Frontdoor did not name its IKE versions. This file uses IKEv2."]),
    ...(weak.length > 0 ? [`WEAK: ${weak.join(", ")}. Frontdoor accepts nothing stronger that this device has.`] : []),
  ];
}

/** The MSS that fits every algorithm, with and without NAT. */
const mss = 1360;

/** Each value in the form that all devices take. What is undefined becomes a place. */
function valuesOf(read: Reader, suites: readonly [Suite, Suite], preSharedKey: string | undefined): Values {
  const { tunnel, entry, make } = read;
  const versions = entry.ikeVersions ?? [];
  if (versions.length > 0 && !versions.some((version) => /^ike ?-?v?2$/i.test(version)))
    read.refuseAll(`accepts ${safeText(versions.join(", "), 80)} and the template needs IKEv2`);
  const site = read.network("peerCidr", tunnel.peerCidr);
  const dpdTimeout = read.seconds("dpdTimeoutSeconds");
  return {
    // At most 15 characters, which is FortiOS's limit.
    name: `fd-${tunnel.id.replace(/[^A-Za-z0-9]/g, "").slice(-12)}`,
    serviceAddress: read.address("outsideIpAddress", entry.outsideIpAddress),
    siteAddress: read.address("peerPublicIp", tunnel.peerPublicIp),
    loadBalancer: read.address("nlbPrivateIp", tunnel.nlbPrivateIp),
    siteNetwork: site?.cidr,
    siteNetworkAddress: site?.address,
    siteNetworkMask: site?.mask,
    ...read.inside(),
    ...read.times(),
    // Devices check three times.
    dpdInterval: dpdTimeout === undefined ? undefined : String(Math.max(10, Math.floor(dpdTimeout / 3))),
    ...wordsOf(make, suites[0]),
    ...wordsOf(make, suites[1]),
    mss: String(mss),
    mtu: String(mss + 40),
    preSharedKey,
  };
}

/** Reads the values of a tunnel one by one: a missing one is undefined, and one of another form is refused. */
type PhaseTime = "lifetime" | "lifetimeMinutes" | "rekey" | "variation";

class Reader {
  constructor(
    readonly tunnel: TunnelResult,
    readonly entry: TunnelConfigEntry,
    readonly make: Make,
  ) {}

  refuse(problem: string): never {
    throw failed(`${this.problem(problem)} [device-value-refused]`);
  }

  refuseAll(problem: string): never {
    throw failed(`${this.problem(problem)} [device-no-common]`);
  }

  private problem(problem: string): string {
    return `${labelOf(this.tunnel)}: Frontdoor ${problem}. Nothing was written. Use npx pulumi-frontdoor sample-config instead.`;
  }

  address(property: string, value: string | undefined): string | undefined {
    if (value === undefined || value === "") return undefined;
    if (isIPv4(value)) return value;
    return this.refuse(`gave "${safeText(value, 60)}" as ${property}, which is no IPv4 address`);
  }

  network(property: string, value: string | undefined) {
    if (value === undefined || value === "") return undefined;
    if (!/^[\d.]+\/\d+$/.test(value) || !ipaddr.IPv4.isValidCIDRFourPartDecimal(value))
      this.refuse(`gave "${safeText(value, 60)}" as ${property}, which is no IPv4 network`);
    const address = ipaddr.IPv4.networkAddressFromCIDR(value).toString();
    const prefix = value.split("/")[1] ?? "";
    const mask = ipaddr.IPv4.subnetMaskFromPrefixLength(Number(prefix)).toString();
    return { cidr: `${address}/${prefix}`, address, mask, prefix };
  }

  /** The first host of the inside network is the service's, and the second one is the site's. */
  inside(): Values {
    const network = this.network("insideCidr", this.entry.insideCidr);
    if (network === undefined) return {};
    const { cidr, address, mask, prefix } = network;
    if (Number(prefix) > 30) this.refuse(`gave "${cidr}" as insideCidr, which has no two hosts`);
    const octets = address.split(".");
    const host = (number: number) => [...octets.slice(0, 3), Number(octets[3]) + number].join(".");
    return { insideAddress: host(2), insideAddressOfService: host(1), insideMask: mask, insidePrefix: prefix };
  }

  /** Chooses the first algorithms, in the order of the device, that the service accepts. */
  suite(phase: 1 | 2): Suite {
    const { entry, make } = this;
    const choose = <Kind>(what: string, known: readonly Kind[], offered: readonly unknown[] = []) => {
      const chosen = known.find((each) => offered.includes(each));
      if (chosen === undefined && offered.length > 0)
        this.refuseAll(
          `accepts ${safeText(offered.join(", "), 80)} as ${what} of phase ${phase}, and the template has none of them`,
        );
      return chosen;
    };
    const known = make.encryptions?.[phase - 1] ?? encryptions;
    const encryption = choose("encryption", known, entry[`phase${phase}EncryptionAlgorithms`]);
    const hashes = make.integrities?.[phase - 1] ?? integrities;
    const hasOwn = phase === 2 && encryption?.includes("GCM") === true;
    const integrity = hasOwn ? "" : choose("integrity", hashes, entry[`phase${phase}IntegrityAlgorithms`]);
    return {
      phase,
      encryption,
      integrity,
      group: choose("group", make.groups ?? groups, entry[`phase${phase}DHGroupNumbers`]),
    };
  }

  seconds(property: keyof TunnelConfigEntry): number | undefined {
    const value = this.entry[property];
    if (value === undefined) return undefined;
    if (typeof value === "number" && Number.isSafeInteger(value) && value > 0) return value;
    return this.refuse(`gave ${safeText(String(value), 20)} as ${property}, which is no time`);
  }

  /** Ports as the device writes them, those in a row as a range. */
  ports(ports: readonly number[]): string | undefined {
    const ranges: [first: number, last: number][] = [];
    for (const port of [...new Set(ports)].sort((a, b) => a - b)) {
      const range = ranges.at(-1);
      if (range?.[1] === port - 1) range[1] = port;
      else ranges.push([port, port]);
    }
    const words = ranges.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`));
    return words.length === 0 ? undefined : words.join(this.make.portSeparator ?? ",");
  }

  /** Keys are renewed a margin before the end of a lifetime, and up to a part of the margin earlier. */
  times(): Values {
    const margin = this.seconds("rekeyMarginTimeSeconds");
    const phases = [this.timesOf(1, margin), this.timesOf(2, margin)];
    const variations = phases.map(({ variation }) => variation);
    const isVaried = margin !== undefined && variations.every((each) => each !== undefined);
    const all: Record<string, number | undefined> = {
      rekeyMargin: margin,
      rekeyFuzz: isVaried ? Math.floor((100 * Math.min(...variations)) / margin) : undefined,
    };
    for (const [index, times] of phases.entries())
      for (const [name, time] of Object.entries(times)) all[`phase${index + 1}.${name}`] = time;
    return Object.fromEntries(Object.entries(all).map(([name, time]) => [name, time?.toString()]));
  }

  /** The seconds of one phase, as far as the service gave them. */
  private timesOf(phase: 1 | 2, margin: number | undefined): Partial<Record<PhaseTime, number>> {
    const lifetime = this.seconds(`phase${phase}LifetimeSeconds`);
    if (lifetime === undefined) return {};
    const times = { lifetime, lifetimeMinutes: Math.floor(lifetime / 60) };
    if (margin === undefined || lifetime <= margin) return times;
    const rekey = lifetime - margin;
    const { rekeyFuzzPercentage: fuzz } = this.entry;
    if (!fuzz) return { ...times, rekey };
    return { ...times, rekey, variation: Math.round(Math.min((margin * fuzz) / 100, rekey / 2)) };
  }

  /** The key as the device writes it. The message about another one names the character, and nothing else of the key. */
  key(key: string | undefined, { make, model }: Template): string | undefined {
    if (key === undefined) return undefined;
    const text = /^[\x20-\x7e]+$/.test(key) ? this.make.keyText(key) : undefined;
    if (text !== undefined) return text;
    const [what] = /[^\x20-\x7e]/u.exec(key) ?? /^ | $/.exec(key) ?? key.match(special) ?? numberStart.exec(key) ?? [];
    const named = what === undefined ? "its form" : JSON.stringify(what);
    return this.refuse(`gave a pre-shared key that ${make} ${model} could read as something else (${named})`);
  }
}
