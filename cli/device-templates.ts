/** The devices that have a template, by their names in `--device`. */
export type Device = "strongswan" | "fortigate" | "cisco-ios-xe" | "pan-os";

/** The service's names of encryption algorithms, the strongest first. */
export const encryptions = ["AES256-GCM-16", "AES128-GCM-16", "AES256", "AES128"] as const;
/** The service's names of integrity algorithms. SHA2-384 is first because every device has it, and it fits group 20. */
export const integrities = ["SHA2-384", "SHA2-512", "SHA2-256", "SHA1"] as const;
/** Diffie-Hellman groups in the order of choice: elliptic curves, then large primes, then groups that are weak (RFC 8247). */
export const groups = [20, 19, 21, 16, 15, 14, 18, 17, 24, 5, 2] as const;

export type Encryption = (typeof encryptions)[number];
export type Integrity = (typeof integrities)[number];

/** The algorithms of a phase. What is undefined is not needed, or the service did not name it. */
export interface Suite {
  encryption: Encryption | undefined;
  integrity: Integrity | undefined;
  group: number | undefined;
}

/** The values of a tunnel, each in the form that all devices take. A value that the service did not give is a place of `Places`. */
export interface Values {
  /** Name of all objects on the device: at most 15 characters, which is FortiOS's limit. */
  name: string;
  serviceAddress: string;
  /** The site's public address, which is also its IKE id. */
  siteAddress: string;
  siteNetwork: { cidr: string; address: string; mask: string };
  loadBalancer: string;
  /** The addresses in the tunnel. */
  inside: { service: string; site: string; prefix: string; mask: string };
  phase1: Suite;
  phase2: Suite;
  /** Seconds. The margin is the time before the end of a lifetime, and the variation is at most what it varies by. */
  ike: Lifetime;
  ipsec: Lifetime;
  /** Seconds between two checks for a dead peer: a third of the service's time-out, because devices check three times. */
  dpdInterval: string;
  /** As the device writes it. */
  key: string;
}

export interface Lifetime {
  lifetime: string;
  rekey: string;
  margin: string;
  variation: string;
}

/** The places that the reader fills in, each with a sentence part about it. */
export class Places {
  private readonly all = new Map<string, string>();

  /** Returns the mark of a place, which works on no device. */
  add(name: string, about: string): string {
    const mark = `<FILL_IN:${name}>`;
    this.all.set(mark, about);
    return mark;
  }

  /** Returns the places in this text. */
  in(text: string): [mark: string, about: string][] {
    return [...this.all].filter(([mark]) => text.includes(mark));
  }
}

/** The MSS that fits every algorithm, with and without NAT. */
const mss = 1360;

export interface Template {
  title: string;
  comment: string;
  checkedBy: string;
  notes: string[];
  encryptions: { phase1: readonly Encryption[]; phase2: readonly Encryption[] };
  groups: readonly number[];
  /** Returns the key as the device writes it; undefined if the device could read it as something else. */
  keyText: (key: string) => string | undefined;
  body: (values: Values, places: Places) => string;
}

/** Characters that mean nothing else on any of the devices. */
export const isPlain = (key: string): boolean => /^[\w.~+/=@%^*:,-]+$/.test(key);
/** Some devices read such a text as a number: FortiOS and strongSwan read `0x…` as hexadecimal, and strongSwan also `0s…` as Base64. FortiOS drops the first 0 of `00x…`. */
const isNumber = (key: string): boolean => /^0+[xs]/i.test(key);

/** Writes keys that a quoted text can't hold safely as hexadecimal. */
const quotedOrHex = (key: string): string =>
  isPlain(key) && !isNumber(key) ? `"${key}"` : `0x${Buffer.from(key, "utf8").toString("hex")}`;

const isGcm = (encryption: Encryption): boolean => encryption.includes("GCM");
const bitsOf = (encryption: Encryption): string => encryption.slice(3, 6);

/** `sha384`, as most devices write `SHA2-384`. */
const hashOf = (integrity: Integrity): string => integrity.toLowerCase().replace("sha2-", "sha");

const missing = (places: Places, phase: 1 | 2, what: string): string =>
  places.add(`PHASE_${phase}_${what.toUpperCase()}`, `the ${what} of phase ${phase}, which Frontdoor did not name`);

const curves: Record<number, string> = {
  ...{ 2: "modp1024", 5: "modp1536", 14: "modp2048", 15: "modp3072", 16: "modp4096", 17: "modp6144", 18: "modp8192" },
  ...{ 19: "ecp256", 20: "ecp384", 21: "ecp521", 24: "modp2048s256" },
};

const strongswan: Template = {
  title: "strongSwan (/etc/swanctl/conf.d)",
  comment: "#",
  checkedBy:
    "Checked with strongSwan 5.9.8: between two network namespaces the tunnel comes up with this file, and carries TCP.",
  notes: [
    "Policy-based, with one pair of selectors. It needs no interface and no inside address.",
    "Behind a NAT nothing changes: strongSwan then uses UDP 4500. Its IKE id is the public address of the site.",
    "Load the file with: swanctl --load-all. The last lines of this file show how to clamp the TCP MSS.",
    "It has no keepalive. If an idle tunnel goes down, ping the load balancer from a host of the site every few seconds.",
    "strongSwan takes a dead peer for alive for up to 3 minutes. With retransmit_tries = 2 in the section charon of",
    "strongswan.conf it is half a minute.",
  ],
  encryptions: { phase1: encryptions, phase2: encryptions },
  groups,
  keyText: quotedOrHex,
  body: (values, places) => {
    const { name, serviceAddress, siteAddress, ike, ipsec } = values;
    const proposal = (phase: 1 | 2, { encryption, integrity, group }: Suite): string => {
      const isNamed = encryption && group && (integrity ?? (phase === 2 && isGcm(encryption)));
      if (!isNamed) return missing(places, phase, "proposal");
      const hash = isGcm(encryption)
        ? `gcm16${phase === 1 && integrity ? `-prf${hashOf(integrity)}` : ""}`
        : `-${integrity ? hashOf(integrity) : ""}`;
      return `aes${bitsOf(encryption)}${hash}-${curves[group] ?? ""}`;
    };
    return `connections {
  ${name} {
    version = 2
    mobike = no
    remote_addrs = ${serviceAddress}
    local {
      auth = psk
      id = ${siteAddress}
    }
    remote {
      auth = psk
      id = ${serviceAddress}
    }
    proposals = ${proposal(1, values.phase1)}
    rekey_time = ${ike.rekey}
    over_time = ${ike.margin}
    rand_time = ${ike.variation}
    dpd_delay = ${values.dpdInterval}
    keyingtries = 0
    children {
      ${name} {
        local_ts = ${values.siteNetwork.cidr}
        remote_ts = ${values.loadBalancer}/32
        esp_proposals = ${proposal(2, values.phase2)}
        life_time = ${ipsec.lifetime}
        rekey_time = ${ipsec.rekey}
        rand_time = ${ipsec.variation}
        start_action = start
        close_action = start
        dpd_action = restart
      }
    }
  }
}
secrets {
  ike-${name} {
    id-service = ${serviceAddress}
    id-site = ${siteAddress}
    secret = ${values.key}
  }
}
# The TCP MSS of forwarded connections, with nftables:
#   nft add table ip frontdoor
#   nft add chain ip frontdoor forward '{ type filter hook forward priority mangle; }'
#   nft add rule ip frontdoor forward ip daddr ${values.loadBalancer} tcp flags syn tcp option maxseg size set ${mss}
#   nft add rule ip frontdoor forward ip saddr ${values.loadBalancer} tcp flags syn tcp option maxseg size set ${mss}
`;
  },
};

const fortigate: Template = {
  title: "FortiGate (FortiOS 7)",
  comment: "#",
  checkedBy: "Checked by parser (netutils), not on a device.",
  notes: [
    "Route-based, with one pair of selectors, 0.0.0.0/0 on both sides.",
    "Behind a NAT nothing changes: NAT traversal is on, and the IKE id is the public address of the site.",
  ],
  encryptions: { phase1: encryptions, phase2: encryptions },
  groups: groups.filter((group) => group !== 24),
  keyText: quotedOrHex,
  body: (values, places) => {
    const { name, inside, siteNetwork } = values;
    const proposal = (phase: 1 | 2, { encryption, integrity }: Suite): string => {
      if (encryption === undefined) return missing(places, phase, "proposal");
      const cipher = `aes${bitsOf(encryption)}`;
      if (isGcm(encryption) && phase === 2) return `${cipher}gcm`;
      if (integrity === undefined) return missing(places, phase, "proposal");
      return isGcm(encryption) ? `${cipher}gcm-prf${hashOf(integrity)}` : `${cipher}-${hashOf(integrity)}`;
    };
    const group = (phase: 1 | 2, suite: Suite) => suite.group ?? missing(places, phase, "group");
    const outside = places.add("OUTSIDE_INTERFACE", "the interface with the public address, such as wan1");
    const hosts = places.add("INSIDE_INTERFACE", "the interface of the hosts, such as internal");
    return `config vpn ipsec phase1-interface
    edit "${name}"
        set interface "${outside}"
        set ike-version 2
        set peertype any
        set net-device disable
        set proposal ${proposal(1, values.phase1)}
        set dhgrp ${group(1, values.phase1)}
        set keylife ${values.ike.lifetime}
        set localid-type address
        set localid "${values.siteAddress}"
        set nattraversal enable
        set dpd on-idle
        set dpd-retrycount 3
        set dpd-retryinterval ${values.dpdInterval}
        set remote-gw ${values.serviceAddress}
        set psksecret ${values.key}
    next
end
config vpn ipsec phase2-interface
    edit "${name}"
        set phase1name "${name}"
        set proposal ${proposal(2, values.phase2)}
        set pfs enable
        set dhgrp ${group(2, values.phase2)}
        set keylifeseconds ${values.ipsec.lifetime}
        set auto-negotiate enable
        set src-subnet 0.0.0.0 0.0.0.0
        set dst-subnet 0.0.0.0 0.0.0.0
    next
end
config system interface
    edit "${name}"
        set ip ${inside.site} 255.255.255.255
        set remote-ip ${inside.service} ${inside.mask}
        set allowaccess ping
    next
end
config router static
    edit 0
        set dst ${values.loadBalancer} 255.255.255.255
        set device "${name}"
    next
end
config firewall address
    edit "${name}-site"
        set subnet ${siteNetwork.address} ${siteNetwork.mask}
    next
    edit "${name}-lb"
        set subnet ${values.loadBalancer} 255.255.255.255
    next
end
config firewall policy
    edit 0
        set name "${name}"
        set srcintf "${hosts}"
        set dstintf "${name}"
        set srcaddr "${name}-site"
        set dstaddr "${name}-lb"
        set action accept
        set schedule "always"
        set service "ALL"
        set tcp-mss-sender ${mss}
        set tcp-mss-receiver ${mss}
    next
end
`;
  },
};

const ciscoIosXe: Template = {
  title: "Cisco IOS-XE 16.12 or later",
  comment: "!",
  checkedBy: "Checked by parser (ciscoconfparse2), not on a device.",
  notes: [
    "Route-based: a VTI has one pair of selectors, 0.0.0.0/0 on both sides.",
    "Behind a NAT nothing changes: NAT traversal is on by default, and the IKE id is the public address of the site.",
    "If the device has another crypto ikev2 policy without a match line, add the proposal to that policy instead.",
  ],
  encryptions: { phase1: encryptions, phase2: encryptions },
  groups: groups.filter((group) => group !== 17 && group !== 18),
  // A keyword can stand before the key.
  keyText: (key) => (isPlain(key) && !isNumber(key) && !/^(?:[06]|hex|local|remote)$/.test(key) ? key : undefined),
  body: (values, places) => {
    const { name, serviceAddress, inside, phase1, phase2 } = values;
    const cipher = (phase: 1 | 2, { encryption }: Suite): string => {
      if (encryption === undefined) return missing(places, phase, "encryption");
      if (phase === 1) return `aes-${isGcm(encryption) ? "gcm" : "cbc"}-${bitsOf(encryption)}`;
      return `${isGcm(encryption) ? "esp-gcm" : "esp-aes"} ${bitsOf(encryption)}`;
    };
    const hash = (phase: 1 | 2, { integrity }: Suite): string =>
      integrity === undefined ? missing(places, phase, "integrity") : hashOf(integrity);
    const group = (phase: 1 | 2, suite: Suite) => suite.group ?? missing(places, phase, "group");
    const isAead = ({ encryption }: Suite) => encryption !== undefined && isGcm(encryption);
    // The transform of SHA1 has no number.
    const espHash = isAead(phase2) ? "" : ` esp-${hash(2, phase2).replace(/^sha1$/, "sha")}-hmac`;
    const outside = places.add("OUTSIDE_INTERFACE", "the interface toward the internet, such as GigabitEthernet1");
    const number = places.add("TUNNEL_NUMBER", "a free number of a tunnel interface, such as 10");
    return `crypto ikev2 proposal ${name}
 encryption ${cipher(1, phase1)}
 ${isAead(phase1) ? "prf" : "integrity"} ${hash(1, phase1)}
 group ${group(1, phase1)}
crypto ikev2 policy ${name}
 proposal ${name}
crypto ikev2 keyring ${name}
 peer ${name}
  address ${serviceAddress}
  pre-shared-key ${values.key}
crypto ikev2 profile ${name}
 match identity remote address ${serviceAddress} 255.255.255.255
 identity local address ${values.siteAddress}
 authentication remote pre-share
 authentication local pre-share
 keyring local ${name}
 lifetime ${values.ike.lifetime}
 dpd ${values.dpdInterval} 3 periodic
crypto ipsec transform-set ${name} ${cipher(2, phase2)}${espHash}
 mode tunnel
crypto ipsec profile ${name}
 set security-association lifetime seconds ${values.ipsec.lifetime}
 set transform-set ${name}
 set pfs group${group(2, phase2)}
 set ikev2-profile ${name}
interface Tunnel${number}
 ip address ${inside.site} ${inside.mask}
 ip tcp adjust-mss ${mss}
 tunnel source ${outside}
 tunnel mode ipsec ipv4
 tunnel destination ${serviceAddress}
 tunnel protection ipsec profile ${name}
ip route ${values.loadBalancer} 255.255.255.255 Tunnel${number}
`;
  },
};

const panOs: Template = {
  title: "PAN-OS 10.1 or later",
  comment: "#",
  checkedBy: "Checked by parser (the paths and values of pan-os-python), not on a device.",
  notes: [
    "Paste the lines that begin with set in configuration mode, and commit.",
    "Route-based: without a proxy id, the selectors are one pair, 0.0.0.0/0 on both sides.",
    "Behind a NAT nothing changes: NAT traversal is on, and the IKE id is the public address of the site.",
    `The MTU of the tunnel interface, ${mss + 40}, makes PAN-OS clamp the TCP MSS to ${mss}.`,
    "The tunnel monitor pings the inside address of Frontdoor's end, which keeps the tunnel up.",
  ],
  // In phase 1, AES-GCM takes its hash from the group, so AES-CBC comes first.
  encryptions: { phase1: ["AES256", "AES128", "AES256-GCM-16", "AES128-GCM-16"], phase2: encryptions },
  groups: groups.filter((group) => ![17, 18, 24].includes(group)),
  // PAN-OS reads a text that begins with -AQ== as an encrypted key.
  keyText: (key) => (isPlain(key) && !isNumber(key) && !key.startsWith("-AQ==") ? key : undefined),
  body: (values, places) => {
    const { name, serviceAddress, inside } = values;
    const cipher = (phase: 1 | 2, { encryption }: Suite): string =>
      encryption === undefined
        ? missing(places, phase, "encryption")
        : `aes-${bitsOf(encryption)}-${isGcm(encryption) ? "gcm" : "cbc"}`;
    const hash = (phase: 1 | 2, { encryption, integrity }: Suite): string => {
      if (encryption !== undefined && isGcm(encryption)) return phase === 1 ? "non-auth" : "none";
      return integrity === undefined ? missing(places, phase, "integrity") : hashOf(integrity);
    };
    const group = (phase: 1 | 2, suite: Suite) => suite.group ?? missing(places, phase, "group");
    const outside = places.add("OUTSIDE_INTERFACE", "the interface with the public address, such as ethernet1/1");
    const unit = `tunnel.${places.add("TUNNEL_NUMBER", "a free number of a tunnel interface, such as 10")}`;
    const router = places.add("VIRTUAL_ROUTER", "the virtual router of the hosts, such as default");
    const zone = places.add("TUNNEL_ZONE", "the zone of the tunnel, such as vpn");
    const hosts = places.add("INSIDE_ZONE", "the zone of the hosts, such as trust");
    const ike = `set network ike crypto-profiles ike-crypto-profiles ${name}`;
    const ipsec = `set network ike crypto-profiles ipsec-crypto-profiles ${name}`;
    const gateway = `set network ike gateway ${name}`;
    const tunnel = `set network tunnel ipsec ${name}`;
    const route = `set network virtual-router ${router} routing-table ip static-route ${name}`;
    const rule = `set rulebase security rules ${name}`;
    return `${ike} encryption ${cipher(1, values.phase1)}
${ike} hash ${hash(1, values.phase1)}
${ike} dh-group group${group(1, values.phase1)}
${ike} lifetime seconds ${values.ike.lifetime}
${ipsec} esp encryption ${cipher(2, values.phase2)}
${ipsec} esp authentication ${hash(2, values.phase2)}
${ipsec} dh-group group${group(2, values.phase2)}
${ipsec} lifetime seconds ${values.ipsec.lifetime}
${gateway} authentication pre-shared-key key ${values.key}
${gateway} protocol version ikev2
${gateway} protocol ikev2 ike-crypto-profile ${name}
${gateway} protocol ikev2 dpd enable yes
${gateway} protocol ikev2 dpd interval ${values.dpdInterval}
${gateway} protocol-common nat-traversal enable yes
${gateway} local-address interface ${outside}
${gateway} peer-address ip ${serviceAddress}
${gateway} local-id type ipaddr
${gateway} local-id id ${values.siteAddress}
${gateway} peer-id type ipaddr
${gateway} peer-id id ${serviceAddress}
set network interface tunnel units ${unit} ip ${inside.site}/${inside.prefix}
set network interface tunnel units ${unit} mtu ${mss + 40}
${tunnel} auto-key ike-gateway ${name}
${tunnel} auto-key ipsec-crypto-profile ${name}
${tunnel} tunnel-interface ${unit}
${tunnel} tunnel-monitor enable yes
${tunnel} tunnel-monitor destination-ip ${inside.service}
set network virtual-router ${router} interface ${unit}
${route} destination ${values.loadBalancer}/32
${route} interface ${unit}
set zone ${zone} network layer3 ${unit}
${rule} from ${hosts}
${rule} to ${zone}
${rule} source ${values.siteNetwork.cidr}
${rule} destination ${values.loadBalancer}/32
${rule} application any
${rule} service any
${rule} action allow
`;
  },
};

export const templates: Record<Device, Template> = {
  strongswan,
  fortigate,
  "cisco-ios-xe": ciscoIosXe,
  "pan-os": panOs,
};
