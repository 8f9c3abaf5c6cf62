import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { blocksOf } from "./pages";
import { well } from "../harness/command";
import { type Shell, useShell } from "../harness/copies";
import { dynamicClasses, pluginClasses } from "../harness/environment";
import { removeFolder } from "../harness/folder";

let shell: Shell;
useShell((opened) => (shell = opened));

/** The classes of the vaults' Pulumi packages that docs/how-to/vault.md uses, with the arguments that it gives. */
const vaults = {
  aws: { "secretsmanager.Secret": [], "secretsmanager.SecretVersion": ["secretId", "secretString"] },
  azure: { "keyvault.Secret": ["keyVaultId", "name", "value"] },
  gcp: {
    "secretmanager.Secret": ["secretId", "replication"],
    "secretmanager.SecretVersion": ["secret", "secretData"],
  },
  vault: { "kv.SecretV2": ["mount", "name", "dataJson"] },
  pulumiservice: { Environment: ["organization", "project", "name", "yaml"] },
} satisfies Record<string, Record<string, string[]>>;

/** Writes stand-ins for those packages, whose plugins come from a server of Pulumi's. Each writes to a file what it is given. */
function writeVaults(modules: string, given: string): void {
  for (const [vault, classes] of Object.entries(vaults)) {
    const folder = join(modules, "@pulumi", vault);
    mkdirSync(folder, { recursive: true });
    const code = ['const pulumi = require("@pulumi/pulumi");'];
    const types = ['import * as pulumi from "@pulumi/pulumi";'];
    for (const [path, names] of Object.entries<string[]>(classes)) {
      const [name = "", space] = path.split(".").toReversed();
      const target = space === undefined ? "exports" : `(exports.${space} ??= {})`;
      const record = `require("node:fs").appendFileSync(${JSON.stringify(given)}, \`${vault}.${path} \${JSON.stringify(inputs)}\\n\`)`;
      const provider = `{ async create(inputs) { ${record}; return { id: "${path}", outs: inputs }; } }`;
      const make = `constructor(name, args, opts) { super(${provider}, name, { ...args }, opts, "${vault}", "${name}"); }`;
      code.push(`${target}.${name} = class extends pulumi.dynamic.Resource { ${make} };`);
      const args = names.map((each) => `${each}: any`).join("; ");
      const declared = `class ${name} extends pulumi.CustomResource { constructor(name: string, args?: { ${args} }); }`;
      types.push(
        space === undefined ? `export declare ${declared}` : `export declare namespace ${space} { ${declared} }`,
      );
    }
    writeFileSync(join(folder, "index.js"), code.join("\n"));
    writeFileSync(join(folder, "index.d.ts"), types.join("\n"));
  }
}

const expectTypes = () =>
  shell.paste("tsc --noEmit --strict --skipLibCheck --target es2022 --module node20 --types node index.ts");
const up = () => shell.paste("export PULUMI_NODEJS_TRANSPILE_ONLY=true\npulumi up --yes --skip-preview");
const expectNoChanges = () =>
  shell.paste("export PULUMI_NODEJS_TRANSPILE_ONLY=true\npulumi preview --expect-no-changes");

it.each([
  ["vault", dynamicClasses],
  ["vault-plugin", pluginClasses],
])("docs/how-to/vault.md gives the key to each vault, and Pulumi has it only encrypted: %s", async (name, classes) => {
  const folder = await shell.project(name);
  const modules = join(folder, "node_modules");
  // What is no stand-in is found in the folder above.
  rmSync(modules);
  const outside = mkdtempSync(join(tmpdir(), "frontdoor-vaults-"));
  const given = join(outside, "given");
  try {
    writeVaults(modules, given);
    // The hook needs a newer engine: tests/engine/hooks.all.test.ts.
    const program = blocksOf("docs/how-to/vault.md").flatMap(({ language, title, code }) =>
      language === "ts" && title !== "hook" ? code : [],
    );
    writeFileSync(join(folder, "index.ts"), program.join("\n").replace(`"${dynamicClasses}"`, `"${classes}"`));
    await shell.paste("pulumi config set keyVaultId /vaults/vpn");
    await expectTypes();
    const { text } = await shell.paste("pulumi up --yes --logtostderr -v=2");
    expect(text).toContain("+ 9 created");
    await expectNoChanges();

    const { emulator } = shell.copies;
    const key = emulator.samplePsk(emulator.tunnels()[0]?.id ?? "");
    const withKey = readFileSync(given, "utf8").match(new RegExp(`^\\S+(?= .*${key})`, "gm"));
    expect(withKey?.sort()).toEqual([
      ...["aws.secretsmanager.SecretVersion", "azure.keyvault.Secret", "gcp.secretmanager.SecretVersion"],
      ...["pulumiservice.Environment", "vault.kv.SecretV2"],
    ]);
    expect(well(await shell.copies.pulumi(name, "stack", "export", "--show-secrets")).stdout).toContain(key);
  } finally {
    removeFolder(outside);
  }
});

describe("docs/how-to/move-in.md takes over 20 resources without a write", () => {
  const [terraform, aws, table] = blocksOf("docs/how-to/move-in.md").filter(
    ({ mark }) => mark?.file === "tests/docs/moving-in.long.test.ts",
  );

  /** Makes what another tool has made: tunnels, and an application on each if it says so. */
  function seed(count: number, isPublishing: boolean) {
    const { emulator } = shell.copies;
    return Array.from({ length: count }, (_, n) => {
      const networks = { peerPublicIp: `203.0.113.${n + 1}`, peerCidr: `172.${n + 16}.0.0/16` };
      const site = { name: `site-${n}`, locationId: `loc-${n}`, ...networks };
      const { id } = emulator.seedTunnel({ ...site, status: "DEPLOYED" });
      const web = {
        name: `web-${n}`,
        target: "web.internal:443",
        ingressPort: 443,
        envZId: "env-1",
        ipsecTunnelId: id,
      };
      return { site, id, web, share: isPublishing ? emulator.seedShare({ ...web, status: "DEPLOYED" }).id : "" };
    });
  }

  async function expectAdopted(): Promise<void> {
    await up();
    expect(shell.copies.writes()).toEqual([]);
    const { stdout } = await shell.paste("pulumi stack export");
    const { deployment } = JSON.parse(stdout) as { deployment: { resources: { id?: string; type: string }[] } };
    const adopted = deployment.resources.flatMap(({ id, type }) => (/Ipsec(Tunnel|Share)$/.test(type) ? id : []));
    const { emulator } = shell.copies;
    expect(adopted.sort()).toEqual([...emulator.tunnels(), ...emulator.shares()].map(({ id }) => id).sort());
    expect(adopted).toHaveLength(20);
    await expectNoChanges();
  }

  it("that a Terraform state has", async () => {
    const folder = await shell.project("terraform", terraform?.code);
    const object = (id: string, path: string, data: object) => ({
      attributes: { id, path, data: JSON.stringify(data) },
    });
    const instances = seed(10, true).flatMap(({ site, id, web, share }) => [
      object(id, "/v2/fd-1/ipsec-tunnels", site),
      object(share, "/v2/fd-1/ipsec-shares", web),
    ]);
    const resources = [
      { type: "restapi_object", name: "frontdoor", instances },
      { type: "aws_instance", name: "other", instances: [{ attributes: { id: "i-1" } }] },
    ];
    writeFileSync(join(folder, "terraform.tfstate"), JSON.stringify({ version: 4, resources }));
    await expectTypes();
    await expectAdopted();
  });

  it("that have the addresses and networks of AWS VPN connections", async () => {
    const folder = await shell.project("aws", aws?.code);
    const all = seed(20, false);
    const CustomerGateways = all.map(({ site }) => ({
      CustomerGatewayId: `cgw-${site.name}`,
      IpAddress: site.peerPublicIp,
    }));
    // The first connection uses BGP.
    const VpnConnections = all.map(({ site }, n) => ({
      ...{ VpnConnectionId: `vpn-${site.name}`, CustomerGatewayId: `cgw-${site.name}` },
      Routes: n === 0 ? [] : [{ DestinationCidrBlock: site.peerCidr, State: "available" }],
    }));
    writeFileSync(join(folder, "customer-gateways.json"), JSON.stringify({ CustomerGateways }));
    writeFileSync(join(folder, "vpn-connections.json"), JSON.stringify({ VpnConnections }));
    await expectTypes();
    await expectAdopted();
  });

  it("that a spreadsheet names", async () => {
    const folder = shell.copies.copy("sites-from-csv");
    shell.go("sites-from-csv");
    await shell.paste("pulumi stack init moved");
    const [columns = ""] = table?.code.split("\n") ?? [];
    const all = seed(10, true);
    const sites = all.map(({ site, id }) => [site.name, site.peerPublicIp, site.peerCidr, site.locationId, id]);
    const applications = all.map(({ site, web, share }) => [site.name, "web", web.target, 443, web.envZId, share]);
    writeFileSync(join(folder, "sites.csv"), [columns, ...sites].join("\n"));
    const [head = ""] = readFileSync(join(folder, "applications.csv"), "utf8").split("\n");
    writeFileSync(join(folder, "applications.csv"), [head, ...applications].join("\n"));
    await expectAdopted();
    removeFolder(folder);
  });
});

describe("examples/sites-from-csv/README.md", () => {
  const [preview = "", problems = "", impact = "", removed = ""] = blocksOf("examples/sites-from-csv/README.md").map(
    ({ code }) => code,
  );
  let folder: string;

  beforeAll(async () => {
    folder = shell.copies.copy("sites-from-csv");
    shell.go("sites-from-csv");
    await shell.paste("pulumi stack init dev");
  });

  beforeEach(() => {
    shell.go("sites-from-csv");
  });

  const rowsIn = (file: string) => readFileSync(join(folder, file), "utf8").trim().split("\n");
  /** Writes a table as spreadsheets do where a comma separates decimals. */
  const write = (file: string, rows: string[]) => {
    const cells = rows.map((row) => row.split(",").map((cell) => (cell === "" ? cell : `"${cell}"`)));
    writeFileSync(join(folder, file), `\uFEFF${cells.map((row) => row.join(";")).join("\r\n")}\r\n`);
  };
  const said = async (command: string): Promise<string> => {
    try {
      return (await shell.paste(command)).text;
    } catch (error) {
      return String(error);
    }
  };

  it("names file, row and column of each problem, and sends nothing", async () => {
    const [sites, applications] = [rowsIn("sites.csv"), rowsIn("applications.csv")];
    const change = (rows: string[], row: number, from: string, to: string) =>
      rows.with(row - 1, rows[row - 1]?.replace(from, to) ?? "");
    write("sites.csv", change(sites, 3, "203.0.113.2", "203.0.113"));
    const paris = applications[1]?.replace("berlin", "paris") ?? "";
    write("applications.csv", [...change(applications, 4, "443,443", "443,0"), paris]);
    const shown = `Nothing was sent.\n${problems}`.trim().replace(/\n/g, "\n    ");
    expect(await said(preview)).toContain(shown);
    // PowerShell 5 writes UTF-16.
    for (const file of ["sites.csv", "applications.csv"])
      writeFileSync(join(folder, file), `\uFEFF${readFileSync(join(folder, file), "utf8")}`, "utf16le");
    expect(await said(preview)).toContain(shown);

    write(
      "sites.csv",
      [...sites, ",,,,", sites[1] ?? ""].map((row, n) => `${row},${["note", "", "a,b"][n] ?? ""}`),
    );
    write("applications.csv", [applications[0] ?? ""]);
    const text = await said(preview);
    expect(text).toContain("sites.csv, row 6: repeats row 2");
    expect(text).toContain('sites.csv, row 3: Unrecognized keys: "note", "extra"');
    expect(text).toContain("applications.csv has no rows");
    expect(shell.copies.emulator.requests).toEqual([]);
  });

  it("declares 50 sites, and a row that is removed deletes only its site", async () => {
    const sites = Array.from({ length: 50 }, (_, n) => [
      n === 7 ? "porto" : `site-${n}`,
      `203.0.113.${n + 1}`,
      `172.16.${n}.0/24`,
      `loc-${n}`,
      "",
    ]);
    const applications = sites.map(([site]) => `${site},intranet,web.internal:443,443,env-1,`);
    const writeAll = (isKept: (row: string) => boolean) => {
      write("sites.csv", ["site,peerPublicIp,peerCidr,locationId,adopt", ...sites.map(String).filter(isKept)]);
      write("applications.csv", ["site,application,target,ingressPort,envZId,adopt", ...applications.filter(isKept)]);
    };
    writeAll(() => true);
    await up();
    const posts = shell.copies.writes();
    expect([posts.length, new Set(posts)]).toEqual([100, new Set(["POST /ipsec-tunnels", "POST /ipsec-shares"])]);

    writeAll((row) => !row.startsWith("porto,"));
    const linesOf = (text: string) => text.split("\n").map((line) => line.replace(/(shr|tnl)-\d+|\s+/g, " "));
    const { stdout } = await shell.paste(impact);
    expect(linesOf(stdout)).toEqual(expect.arrayContaining(linesOf(removed.trim())));
    expect(shell.copies.writes()).toEqual([]);
    const { emulator } = shell.copies;
    const { id } = emulator.tunnels().find(({ peerPublicIp }) => peerPublicIp === "203.0.113.8") ?? { id: "" };
    const share = emulator.shares().find(({ ipsecTunnelId }) => ipsecTunnelId === id);
    await up();
    expect(shell.copies.writes()).toEqual([`DELETE /ipsec-shares/${share?.id}`, `DELETE /ipsec-tunnels/${id}`]);
    await expectNoChanges();
  });
});
