import * as fs from "node:fs";
import { delimiter } from "node:path";
import { filledIn, render, type Rendered, renderRemoval } from "../../cli/devices/render";
import { type Device, devices as all, templateOf } from "../../cli/devices/templates";
import type { TunnelConfigEntry, TunnelResult } from "../../provider/functions/args";
import { keyIn } from "../../provider/functions/pre-shared-key";
import { useEmulator } from "./command";

const tunnel: TunnelResult = {
  ...{ id: "tnl-1", name: "hq", frontdoorId: "fd-1", locationId: "loc-1", status: "DEPLOYED" },
  ...{ peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", nlbPrivateIp: "10.90.0.10" },
};
const entry: TunnelConfigEntry = {
  ...{ outsideIpAddress: "198.51.100.1", insideCidr: "169.254.10.0/30", ikeVersions: ["ikev1", "ikev2"] },
  phase1EncryptionAlgorithms: ["AES128", "AES256", "AES256-GCM-16"],
  phase1IntegrityAlgorithms: ["SHA1", "SHA2-256", "SHA2-384"],
  phase1DHGroupNumbers: [2, 14, 20],
  phase1LifetimeSeconds: 28_800,
  phase2EncryptionAlgorithms: ["AES128", "AES256", "AES256-GCM-16"],
  phase2IntegrityAlgorithms: ["SHA1", "SHA2-256"],
  phase2DHGroupNumbers: [2, 14, 19],
  phase2LifetimeSeconds: 3600,
  ...{ rekeyMarginTimeSeconds: 540, rekeyFuzzPercentage: 50, dpdTimeoutSeconds: 45, dpdTimeoutAction: "clear" },
};
const keyLine = "pre-shared-key a_Key.9";

const ports = [8443, 443, 8444];

const filled = (device: Device, change: Partial<TunnelConfigEntry> = {}, sample = keyLine) =>
  render(device, { tunnel, entry: { ...entry, ...change }, sample, ports });
const linesOf = (text: string) => text.split("\n").map((line) => line.trim());

describe("--fill", () => {
  const filledWith = (...given: string[]): Rendered => filledIn([filled("fortigate")], given)[0] ?? filled("fortigate");

  it("fills in what it names, and leaves the rest", () => {
    const { text, fillIn } = filledWith("OUTSIDE_INTERFACE=wan1");
    expect([fillIn, text.includes("OUTSIDE_INTERFACE")]).toEqual([["INSIDE_INTERFACE"], false]);
    expect(text).toContain('set interface "wan1"');
    const whole = filledWith("OUTSIDE_INTERFACE=wan1", "INSIDE_INTERFACE=$&lan").text;
    expect(whole).toContain('set srcintf "$&lan"');
    expect(whole).toContain("# There is nothing to fill in.");
    expect(whole).not.toMatch(/FILL_IN|Fill in before/);
  });

  it.each(["WAN=wan1", "OUTSIDE_INTERFACE", "OUTSIDE_INTERFACE=", "OUTSIDE_INTERFACE=a b"])("refuses %s", (given) => {
    expect(() => filledWith(given)).toThrow(/OUTSIDE_INTERFACE, INSIDE_INTERFACE.*\[invalid-option\]/);
  });
});

describe("the template of", () => {
  /** Lines with the algorithms, times and key: with the strongest algorithms, and with AES128, SHA1 and group 2. Parsers read the files of the other devices (tests/devices). */
  const lines: Partial<Record<Device, [strong: string[], weak: string[]]>> = {
    strongswan: [
      ["proposals = aes256gcm16-prfsha384-ecp384", "esp_proposals = aes256gcm16-ecp256", 'secret = "a_Key.9"'],
      ["proposals = aes128-sha384-ecp384", "esp_proposals = aes128-sha1-modp1024"],
    ],
    "strongswan-ipsec-conf": [
      ["ike=aes256gcm16-prfsha384-ecp384!", "esp=aes256gcm16-ecp256!", "margintime=540s", "rekeyfuzz=50%"],
      ["ike=aes128-sha384-ecp384!", "esp=aes128-sha1-modp1024!"],
    ],
    pfsense: [
      [
        ...["Encryption Algorithm: AES256-GCM, 128 bits", "Hash: SHA384", "DH Group: 20", "Pre-Shared Key: a_Key.9"],
        ...["Encryption Algorithms: AES256-GCM, 128 bits, and no other", "PFS key group: 19", "Life Time: 28800"],
      ],
      ["Encryption Algorithm: AES, 128 bits", "Hash Algorithms: SHA1", "PFS key group: 2"],
    ],
    "check-point": [
      [
        ...["IKE SA (Phase 1) Encryption Algorithm: AES-256", "IPsec SA (Phase 2) Encryption Algorithm: AES-GCM-256"],
        ...["Use Perfect Forward Secrecy: Group 19", "Renegotiate IKE security associations every (minutes): 480"],
      ],
      ["IPsec SA (Phase 2) Encryption Algorithm: AES-128", "IPsec SA (Phase 2) Data Integrity: SHA1"],
    ],
    generic: [
      [
        ...["Encryption: AES256-GCM-16", "Integrity and PRF: SHA2-384", "Diffie-Hellman group: 20"],
        ...["Perfect forward secrecy, group: 19", "Renew it after, in seconds: 28260", "TCP MSS: 1360"],
      ],
      ["Encryption: AES128", "Integrity: SHA1", "Perfect forward secrecy, group: 2"],
    ],
  };

  it.each(all)("%s has the tunnel's values, and the strongest algorithms of both sides", (device) => {
    const { text, isKeyFound } = filled(device);
    expect(linesOf(text)).toEqual(expect.arrayContaining(lines[device]?.[0] ?? []));
    for (const value of ["198.51.100.1", "203.0.113.7", "10.90.0.10", "a_Key.9"]) expect(text).toContain(value);
    expect([isKeyFound, /undefined|NaN|LOAD_BALANCER|WEAK/.exec(text)]).toEqual([true, null]);
    expect(text.endsWith("\n")).toBe(true);
  });

  it.each(all)("%s takes AES-CBC, and names weak algorithms", (device) => {
    const cbc = { phase1EncryptionAlgorithms: ["AES128"], phase2EncryptionAlgorithms: ["AES128"] };
    // The template of ASA has no weak group.
    const [group, weak] = device === "cisco-asa" ? [14, "WEAK: SHA1."] : [2, "WEAK: SHA1, group 2."];
    const { text } = filled(device, { ...cbc, phase2IntegrityAlgorithms: ["SHA1"], phase2DHGroupNumbers: [group] });
    expect(linesOf(text)).toEqual(expect.arrayContaining(lines[device]?.[1] ?? []));
    expect(text).toContain(weak);
  });

  it.each(all)("%s says at its top what to fill in, who checked it, and that it is secret", (device) => {
    const { text, fillIn } = filled(device);
    const [head = "", body = ""] = text.split(/\n\n(.*)/s);
    expect(head.split("\n").every((line) => /^[#!]/.test(line))).toBe(true);
    expect(head).toMatch(/^. For the tunnel hq \(tnl-1\)\n. SECRET: this file holds the pre-shared key\.\n/);
    const { make, model, firmware, load, checked } = templateOf(device);
    expect(head.split("\n").map((line) => line.slice(2))).toEqual(
      expect.arrayContaining([
        ...[`Make: ${make}`, `Model: ${model}`, `Firmware: ${firmware}`, `Load: ${load}`, `Checked: ${checked}`],
      ]),
    );
    const places = new Set([...body.matchAll(/<FILL_IN:(\w+)>/g)].map(([, name]) => name));
    expect([...places].sort()).toEqual([...fillIn].sort());
    for (const name of fillIn) expect(head).toMatch(new RegExp(`^.   <FILL_IN:${name}>  (the|a) .`, "m"));
    expect(fillIn).toEqual(templateOf(device).places.map(([mark]) => mark.slice("<FILL_IN:".length, -1)));
    expect(`${head}${body}`).not.toMatch(/\{\{|\}\}/);
  });

  it.each(all)("%s marks each value that the service did not give, and only these", (device) => {
    const nothing = { tunnel: { ...tunnel, nlbPrivateIp: "" }, entry: {}, sample: "no key here", ports };
    const { text, fillIn, isKeyFound } = render(device, nothing);
    expect(isKeyFound).toBe(false);
    expect(text).toContain("The pre-shared key is missing");
    expect(text).toContain("did not name its IKE versions. This file uses IKEv2.");
    const missing = ["SERVICE_ADDRESS", "LOAD_BALANCER", "DPD_INTERVAL", "PRE_SHARED_KEY", "PHASE_2_LIFETIME"];
    expect(fillIn).toEqual(expect.arrayContaining(missing));
    const body = text.split(/\n\n(.*)/s)[1] ?? "";
    expect(/28800|3600|aes|sha[123]|group\d|169\.254/.exec(body)).toBeNull();
    expect(/undefined|NaN/.exec(text)).toBeNull();
    const one = render(device, { tunnel, entry: { ...entry, dpdTimeoutSeconds: undefined }, sample: keyLine, ports });
    expect(one.fillIn.filter((name) => !filled(device).fillIn.includes(name))).toEqual(["DPD_INTERVAL"]);
  });

  it.each<[string, Partial<TunnelConfigEntry>, Partial<TunnelResult>]>([
    ["gave .* as outsideIpAddress", { outsideIpAddress: "1.2.3.4\n}" }, {}],
    ["gave .* as peerPublicIp", {}, { peerPublicIp: "2001:db8::1" }],
    ["gave .* as peerCidr", {}, { peerCidr: "10.0.0.0/8 any" }],
    ["gave .* as insideCidr", { insideCidr: "169.254.1.1/32" }, {}],
    ["gave .* as phase1LifetimeSeconds", { phase1LifetimeSeconds: -1 }, {}],
    ["accepts .* needs IKEv2", { ikeVersions: ["ikev1"] }, {}],
    ["accepts .* encryption of phase 2", { phase2EncryptionAlgorithms: ["ROT13"] }, {}],
    ["accepts .* group of phase 1", { phase1DHGroupNumbers: [99] }, {}],
  ])("every device refuses a service that %s", (problem, change, tunnelChange) => {
    const code = problem.startsWith("gave") ? "device-value-refused" : "device-no-common";
    const source = { tunnel: { ...tunnel, ...tunnelChange }, entry: { ...entry, ...change }, sample: keyLine, ports };
    for (const device of all)
      expect(() => render(device, source)).toThrow(new RegExp(`Frontdoor ${problem}.*\\[${code}\\]$`));
    const none = { tunnel, entry: undefined, sample: keyLine, ports };
    for (const device of all) expect(() => render(device, none)).toThrow(/\[tunnel-config-missing\]$/);
  });

  it.each(all)("%s keeps a hostile name in one comment", (device) => {
    const named = { ...tunnel, name: "x\nset admin\u2028'\"?`$(id)" };
    const { text } = render(device, { tunnel: named, entry, sample: keyLine, ports });
    expect(text.split("\n")[0]).toMatch(/^[#!] .* x set admin _+\(id\) \(tnl-1\)$/);
    expect(linesOf(text)).not.toContain("set admin");
    // FortiOS counts quotes in comments, and Cisco's command line answers a question mark at once.
    const answered = { fortigate: /["']/, "cisco-ios-xe": /\?/, "cisco-asa": /\?/ }[device as string];
    expect(text.split("\n").filter((line) => /^[#!]/.test(line) && answered?.test(line))).toEqual([]);
  });
});

describe("the ports of the shares", () => {
  const expected: [Device, string[]][] = [
    ["fortigate", ["set tcp-portrange 443 8443-8444", 'set service "fd-tnl1" "PING"']],
    [
      "pan-os",
      ["set service fd-tnl1 protocol tcp port 443,8443-8444", "set rulebase security rules fd-tnl1 service fd-tnl1"],
    ],
    [
      "juniper-srx",
      [
        "set applications application fd-tnl1 term 443 protocol tcp destination-port 443",
        "set applications application fd-tnl1 term 8443-8444 protocol tcp destination-port 8443-8444",
        "set security policies from-zone <FILL_IN:INSIDE_ZONE> to-zone <FILL_IN:TUNNEL_ZONE> policy fd-tnl1 match application fd-tnl1",
      ],
    ],
    ["pfsense", ["Destination Port Range: 443,8443-8444"]],
    ["check-point", ["Rule: from 10.20.0.0/16 to 10.90.0.10, TCP 443,8443-8444, accept"]],
  ];

  it.each(expected)("are what the policy of %s allows", (device, lines) => {
    const { text } = filled(device);
    expect(linesOf(text)).toEqual(expect.arrayContaining(lines));
    expect(
      /service (?:"ALL"|any)$|policy fd-tnl1 match application any|any service|Protocol: Any/m.exec(text),
    ).toBeNull();
  });

  it.each(expected)("are a place to fill in for %s while there is no share", (device) => {
    const { text, fillIn } = render(device, { tunnel, entry, sample: keyLine, ports: [] });
    expect(fillIn).toContain("PORTS");
    expect(text).toMatch(
      /^. {3}<FILL_IN:PORTS> {2}the ports of the applications, such as 443: the tunnel has no share yet$/m,
    );
  });
});

describe("--remove", () => {
  it.each(all)("%s: removes what its file configures, and has no key", (device) => {
    const { text, fillIn } = renderRemoval(device, { tunnel, entry });
    const [head = "", body = ""] = text.split(/\n\n(.*)/s);
    expect(head).toMatch(/^. Removes what the file for the tunnel hq \(tnl-1\) configured\n. For: .*\n[^]*^. Load: ./m);
    expect([...new Set([...body.matchAll(/<FILL_IN:(\w+)>/g)].map(([, name]) => name))].sort()).toEqual(
      [...fillIn].sort(),
    );
    for (const name of fillIn) expect(head).toContain(`   <FILL_IN:${name}>  the `);
    expect(/\{\{|undefined|SECRET|a_Key/.exec(text)).toBeNull();
    expect(text.split("\n").filter((line) => /^[#!]/.test(line) && /["'?]/.test(line))).toEqual([]);
    expect(filled(device).text).not.toMatch(/^----$|^delete|^no /m);
  });

  /** The objects that a body makes, each as the word that names it in what removes it. */
  const objects: [Device, RegExp, (match: string[]) => string][] = [
    ["pan-os", /^set (.*? fd-tnl1) /gm, ([, path = ""]) => `delete ${path}\n`],
    ["pan-os", /^set ((?:(?! fd-).)*? tunnel\.\S+)/gm, ([, path = ""]) => `delete ${path}\n`],
    ["juniper-srx", /^set (.*? fd-tnl1(?:-\w+)?) /gm, ([, path = ""]) => `delete ${path}\n`],
    [
      "cisco-ios-xe",
      /^(crypto ikev2 \w+ fd-tnl1|crypto ipsec (?:profile|transform-set) fd-tnl1|ip route .*|interface .*)/gm,
      ([, line = ""]) => `no ${line}\n`,
    ],
    [
      "cisco-asa",
      /^(crypto ipsec .*|route .*|interface .*|crypto ikev2 policy .*)$/gm,
      ([, line = ""]) => `no ${line}\n`,
    ],
    ["fortigate", /^config (?!system interface)(.*)$/gm, ([, table = ""]) => `config ${table}\n    delete `],
    ["mikrotik", /^(\/ip .*)$/gm, ([, menu = ""]) => `${menu}\nremove `],
  ];
  it.each(objects)("%s: leaves none of %s", (device, made, removing) => {
    const [, body = ""] = filled(device).text.split(/\n\n(.*)/s);
    const { text } = renderRemoval(device, { tunnel, entry });
    const expected = [...body.matchAll(made)].map(removing);
    expect(expected.length).toBeGreaterThan(1);
    expect(expected.filter((line) => !text.includes(line))).toEqual([]);
  });
});

describe("a pre-shared key", () => {
  /** The form in which each of these keys is itself. */
  const asSample = (key: string) => `<pre_shared_key>${key}</pre_shared_key>`;
  const hex = (key: string) => Buffer.from(key).toString("hex");

  it.each(['a"b', "a\\b", "a}b", "a#b", "a?b", "a$b c", "0xabcdef", "0sYWJj", "00xabc", "a;b", "a'b"])(
    "%j never breaks out",
    (key) => {
      const line = (device: Device) => linesOf(filled(device, {}, asSample(key)).text);
      expect(line("strongswan")).toContain(`secret = 0x${hex(key)}`);
      expect(line("strongswan-ipsec-conf")).toContain(`203.0.113.7 198.51.100.1 : PSK 0x${hex(key)}`);
      expect(line("fortigate")).toContain(`set psksecret 0x${hex(key)}`);
      expect(line("juniper-srx")).toContain(`set security ike policy fd-tnl1 pre-shared-key hexadecimal "${hex(key)}"`);
      for (const device of ["cisco-ios-xe", "cisco-asa", "pan-os"] as const) {
        const named = /^0+[xs]/.exec(key)?.[0] ?? /[^\w]/.exec(key)?.[0];
        expect(() => line(device)).toThrow(
          `that ${templateOf(device).make} ${templateOf(device).model} could read as something else (${JSON.stringify(named)})`,
        );
      }
      for (const device of ["generic", "pfsense", "check-point"] as const)
        expect(line(device).filter((each) => each.endsWith(`: ${key}`))).toHaveLength(1);
    },
  );

  it.each([
    ["a\\b", '"a\\5Cb"'],
    ["a?b$c d{}", '"a\\3Fb\\24c\\20d\\7B\\7D"'],
    ["0xabcdef", `"0x${hex("0xabcdef")}"`],
  ])("%j is %s in RouterOS", (key, secret) => {
    expect(filled("mikrotik", {}, asSample(key)).text).toContain(` secret=${secret}\n`);
  });

  it.each<[Device, string]>([
    ["cisco-ios-xe", "6"],
    ["cisco-ios-xe", "hex"],
    ["pan-os", "-AQ==abcdef"],
    ["fortigate", "tab\tbed"],
    ...all.map((device) => [device, "schlüssel"] as [Device, string]),
    ...(["generic", "pfsense", "check-point"] as const).map((device) => [device, "#edged "] as [Device, string]),
  ])("of another meaning to %s is refused, and not shown: %j", (device, key) => {
    const attempt = () => filled(device, {}, asSample(key));
    expect(attempt).toThrow(/\[device-value-refused\]$/);
    const [character] = /[ü\t]| $/.exec(key) ?? [];
    if (character !== undefined) expect(attempt).toThrow(`(${JSON.stringify(character)})`);
    if (key.length > 3) expect(attempt).not.toThrow(key);
  });

  const key = "Ab.9_cdEF-x==";
  it.each([
    ...[` pre-shared-key ${key}`, ` pre-shared-key local 0 ${key}`, `  pre-shared-key address 198.51.100.1 key ${key}`],
    ...[`crypto isakmp key ${key} address 198.51.100.1`, `  - Pre-Shared Key           : ${key}`],
    ...[`set security ike policy p pre-shared-key ascii-text "${key}"`, `203.0.113.7 198.51.100.1 : PSK "${key}"`],
    ...[`set network ike gateway g authentication pre-shared-key key ${key}`, `    set psksecret ${key}`],
    ...[`<pre_shared_key>${key}</pre_shared_key>`, `    secret = ${key}`, `pre-shared-key ${key}\r`],
    `pre-shared-key ${key}\nsecret = "${key}"`,
  ])("is found in: %s", (line) => {
    expect(keyIn(`! head\nauthentication local pre-share\n${line}\n! end\n`, "198.51.100.1").key).toBe(key);
  });

  it.each([
    ...["no key", "! pre-shared-key in-the-portal", "# pre-shared-key: see the portal", " pre-shared-key <your key>"],
    ...[" pre-shared-key ********", " pre-shared-key one\n pre-shared-key two", "auth-method=pre-shared-key secret="],
  ])("is not guessed from: %j", (text) => {
    expect(keyIn(text, "198.51.100.1").key).toBeUndefined();
  });

  it.each([
    ['pre-shared-key a"b', "a quotation mark"],
    [" pre-shared-key address 198.51.100.1 key a'b", "an apostrophe"],
    ['secret = "a"b"', "a quotation mark"],
    ['secret = "a\\b"', "a backslash"],
    ["secret = 'a b", "an apostrophe"],
    ['set psksecret "a\\"b"', "a backslash"],
    ['Pre-Shared Key: "a "b" c"', "a quotation mark"],
    ['203.0.113.7 198.51.100.1 : PSK "a', "a quotation mark"],
    ['set security ike policy p pre-shared-key ascii-text "a\\"b";', "a backslash"],
    ["<pre_shared_key>a&amp;b</pre_shared_key>", "an ampersand"],
  ])("is not cut where its form is unclear, and the character is named: %s", (line, character) => {
    const missing = `whose form is unclear because of ${character}: copy it from the sample configuration`;
    expect(keyIn(`! head\n${line}\n! end`, "198.51.100.1")).toEqual({ missing });
    expect(filled("generic", {}, line).text).toContain(missing);
  });

  it("of two is the one on the line of the service's address", () => {
    const lines = ["198.51.100.1", "198.51.100.2"].map((address, n) => `pre-shared-key address ${address} key k${n}`);
    expect(keyIn(lines.join("\n"), "198.51.100.2").key).toBe("k1");
    expect(keyIn(lines.join("\n"), "198.51.100.3").missing).toMatch(/of which .* has 2: choose/);
  });

  it.each([
    [" pre-shared-key abc;", "abc;"],
    ["set psksecret a;b;", "a;b;"],
    ["set security ike policy p pre-shared-key ascii-text abc;", "abc"],
    ['pre-shared-key ascii-text "abc;";', "abc;"],
  ])("keeps a semicolon of its own in: %s", (line, own) => {
    expect(keyIn(line, undefined).key).toBe(own);
  });

  it.each([
    [" pre-shared-key ****", /masks: ask for the key$/],
    [" pre-shared-key ab******", /masks: ask for the key$/],
    ["pre-shared-key: [REDACTED]", /masks: ask for the key$/],
    ["secret = (hidden)", /masks: ask for the key$/],
    ["set psksecret ENC AAABBB==", /only encrypted: ask for the key$/],
    ['pre-shared-key ascii-text "$9$abc";', /only encrypted: ask for the key$/],
    ["crypto isakmp key 6 ABC address 198.51.100.1", /only encrypted: ask for the key$/],
    ["no key", /not found/],
  ])("is missing for a reason in: %s", (line, missing) => {
    expect(keyIn(line, "198.51.100.1")).toEqual({ missing: expect.stringMatching(missing) as string });
  });
});

describe("pulumi-frontdoor device-config", () => {
  let key: string;
  const here = useEmulator((emulator) => {
    emulator.seedTunnel({ id: "tnl-1", name: "hq", peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" });
    emulator.seedShare({ id: "shr-1", name: "web", ipsecTunnelId: "tnl-1", ingressPort: 8443 });
    key = emulator.samplePsk("tnl-1");
  });
  const textOf = (name: string) => fs.readFileSync(here.path(name), "utf8");

  it("takes the id after --fill, which can be repeated", async () => {
    const fill = "--fill OUTSIDE_INTERFACE=wan1 --fill INSIDE_INTERFACE=lan";
    const { code, stdout } = await here.run(`device-config --device fortigate ${fill} hq --out hq.conf --json`);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { fillIn: [] }]);
  });

  it("writes a file that only its owner can read, and tells with --json what it wrote, without the key", async () => {
    const { code, stdout, text } = await here.run("device-config hq --device fortigate --out hq.conf --json");
    const fillIn = ["OUTSIDE_INTERFACE", "INSIDE_INTERFACE"];
    const tunnel = { id: "tnl-1", name: "hq" };
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      { tunnel, device: "fortigate", fillIn, isKeyFound: true, written: "hq.conf" },
    ]);
    expect(text).not.toContain(key);
    expect([textOf("hq.conf").includes(key), fs.statSync(here.path("hq.conf")).mode & 0o777]).toEqual([true, 0o600]);
  });

  it("--remove prints what removes the configuration, or writes it, without the key", async () => {
    const { code, stdout, text } = await here.run("device-config hq --device pan-os --remove");
    expect([code, stdout, text.includes(key)]).toEqual([0, expect.stringMatching(/^delete service fd-tnl1$/m), false]);
    const { stderr } = await here.run("device-config hq --device mikrotik --remove --out off.txt");
    expect(stderr).toMatch(/^off\.txt is written\. It holds no key\.$/m);
    expect(textOf("off.txt")).not.toContain(key);
  });

  it("fills in the ports of the tunnel's shares", async () => {
    here.emulator.seedShare({ id: "shr-2", name: "api", ipsecTunnelId: "tnl-1", ingressPort: 9000 });
    here.emulator.setStatus("shr-2", "DELETING");
    await here.run("device-config hq --device fortigate --out hq.conf");
    expect(textOf("hq.conf")).toContain("set tcp-portrange 8443\n");
  });

  describe("--all", () => {
    const entry = (name: string, id: string, outputs: object = {}) => ({
      ...{ urn: `urn:pulumi:dev::net::frontdoor:index:IpsecTunnel::${name}`, type: "frontdoor:index:IpsecTunnel" },
      ...{ custom: true, id, inputs: {}, outputs: { frontdoorId: "fd-1", ...outputs } },
    });
    /** Selects a stack by a program in place of Pulumi, which selected-stack.all.test.ts runs. */
    const openStack = (...resources: object[]) => {
      fs.mkdirSync(here.path("sites"));
      fs.writeFileSync(here.path("Pulumi.yaml"), "name: net\nruntime: nodejs\n");
      const answers = '"stack --show-name") echo dev ;; "stack export") cat state.json ;; *) echo "{}" ;;';
      fs.writeFileSync(here.path("pulumi"), `#!/bin/sh\ncase "$1 $2" in ${answers} esac\n`, { mode: 0o755 });
      fs.writeFileSync(here.path("state.json"), JSON.stringify({ version: 3, deployment: { resources } }));
    };
    const line = "device-config --all --device fortigate --out sites";
    const run = (text: string) => here.run(text, { PATH: `${here.workspace.folder}${delimiter}/bin` });

    it("writes a file for each tunnel of the selected stack, with the same values filled in", async () => {
      here.emulator.seedTunnel({ id: "tnl-2", name: "made-by-hand", locationId: "loc-2" });
      here.emulator.seedTunnel({ id: "tnl-3", name: "of another stack", locationId: "loc-3" });
      openStack(entry("hq", "tnl-1"), entry("../branch", "tnl-2"), entry("far", "tnl-9", { frontdoorId: "fd-9" }));
      const { code, stderr } = await run(`${line} --fill OUTSIDE_INTERFACE=wan1`);
      expect([code, fs.readdirSync(here.path("sites")).sort()]).toEqual([0, ["_._branch.conf", "hq.conf"]]);
      expect(stderr).toMatch(/^sites\/hq\.conf is written\. It holds .* Fill in: INSIDE_INTERFACE\.$/m);
      for (const [file, id] of [
        ["hq", "tnl-1"],
        ["_._branch", "tnl-2"],
      ] as const) {
        const text = textOf(`sites/${file}.conf`);
        expect(text).toContain('set interface "wan1"');
        expect(text).toContain(here.emulator.samplePsk(id));
        expect(fs.statSync(here.path(`sites/${file}.conf`)).mode & 0o777).toBe(0o600);
      }
      expect((await run(line)).stderr).toMatch(/exists already.*\[file-exists\]\n$/);
      expect((await run(`${line} --remove`)).code).toBe(0);
      expect(textOf("sites/hq-remove.txt")).toContain('delete "fd-tnl1"');
    });

    it("names a tunnel that it can't write, and writes the others", async () => {
      here.emulator.seedTunnel({ id: "tnl-2", name: "new", locationId: "loc-2" });
      here.emulator.setStatus("tnl-2", "NEW");
      openStack(entry("branch", "tnl-2"), entry("hq", "tnl-1"));
      const { code, stdout, text } = await run(`${line} --json`);
      expect([code, fs.readdirSync(here.path("sites"))]).toEqual([1, ["hq.conf"]]);
      expect(JSON.parse(stdout)).toMatchObject({
        device: "fortigate",
        sites: [{ tunnel: { id: "tnl-1" }, written: "sites/hq.conf" }],
        failed: [expect.stringMatching(/^branch: /) as string],
      });
      expect(text).not.toContain(key);
    });

    it("needs a folder, a stack with tunnels, and no tunnel beside it", async () => {
      for (const [wrong, says] of [
        ["device-config --all --device fortigate", /--out FOLDER\. \[invalid-option\]\n$/],
        ["device-config hq --all --device fortigate --out sites", /\[options-conflict\]\n$/],
        [line, /no stack is selected .*\[invalid-option\]\n$/],
      ] as const)
        expect(await run(wrong)).toMatchObject({ code: 2, stderr: expect.stringMatching(says) as string });
      openStack();
      expect((await run(line)).stderr).toMatch(/stack dev has no tunnel of front door fd-1 .*\[invalid-option\]\n$/);
    });
  });

  it("prints the configuration with --force or --out - only", async () => {
    const refused = await here.run("device-config hq --device pan-os");
    expect([refused.code, refused.stdout]).toEqual([2, ""]);
    expect(refused.stderr).toMatch(/the device configuration holds .* --out FILE\. \[key-not-printed\]\n$/);
    expect((await here.onTerminal("device-config hq --device pan-os --json").end).code).toBe(2);
    expect(here.emulator.requests).toEqual([]);
    for (const way of ["--force", "--out -", "--out - --json"])
      expect((await here.run(`device-config hq --device pan-os ${way}`)).stdout).toContain(key);
  });

  it("names the devices if the name or the tunnel is wrong or missing", async () => {
    for (const [line, code] of [
      ["hq --device cisco --out x", "wrong-usage"],
      ["hq --out x", "invalid-option"],
      ["--device fortigate --out x", "invalid-option"],
    ] as const) {
      const wrong = await here.run(`device-config ${line}`);
      expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining(all.join(", "))]);
      expect(wrong.stderr).toContain(`[${code}]`);
    }
    expect(here.emulator.requests).toEqual([]);
  });

  it("--list prints make, model, firmware and check of each device, and sends no request", async () => {
    const { stdout } = await here.run("device-config --list");
    const { devices } = JSON.parse((await here.run("device-config --list --json")).stdout) as {
      devices: (Record<"make" | "model" | "firmware" | "load" | "checked", string> & { device: Device })[];
    };
    expect(devices.map(({ device }) => device)).toEqual(all);
    const lines = stdout.split("\n").map((line) => line.split(/ {2,}/));
    for (const { device, make, model, firmware, load, checked } of devices) {
      expect(lines).toContainEqual([device, make, model, firmware, checked]);
      expect([make, model, firmware, load, checked].filter((each) => each === "")).toEqual([]);
    }
    expect(here.emulator.requests).toEqual([]);
  });

  it("writes nothing for a tunnel that is not ready", async () => {
    here.emulator.setStatus("tnl-1", "NEW");
    expect((await here.run("device-config hq --device strongswan --out hq.conf")).code).toBe(1);
    expect(fs.existsSync(here.path("hq.conf"))).toBe(false);
  });
});
