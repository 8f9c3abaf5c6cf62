import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Emulator } from "../../emulator";
import { useEmulator } from "../cli/command";
import { type Shell, useShell } from "../harness/copies";
import { textOf } from "./pages";

/** The requests that docs/permissions.md names for each command. */
const named = Object.fromEntries(
  [...textOf("docs/permissions.md").matchAll(/^\| `(.+?)` +\| (.+) \|$/gm)].map(([, command = "", cell = ""]) => [
    command,
    [...cell.matchAll(/`([A-Z]+ [^`]+)`/g)].map(([, request = ""]) => request).sort(),
  ]),
);

/** Takes the requests of the last command, each kind once, as the page writes them. */
function taken({ requests }: Emulator): string[] {
  const kinds = requests
    .splice(0)
    .map(({ method, path }) => `${method} ${path.replace(/\/((shr|tnl)-|no-such-name)[\w-]+/, "/ID")}`);
  return [...new Set(kinds)];
}

type Seen = Record<string, string[]>;

function add(seen: Seen, command: string, requests: string[]): void {
  seen[command] = [...new Set([...(seen[command] ?? []), ...requests])].sort();
}

interface Site {
  peerCidr?: string;
  target?: string;
  adopt?: string;
}

const program = ({ peerCidr = "172.31.0.0/16", target = "10.20.100.1:8443", adopt = "" }: Site = {}) => `
  import { IpsecSite } from "pulumi-frontdoor";
  const place = { peerPublicIp: "203.0.113.1", peerCidr: "${peerCidr}", locationId: "us-east-1" };
  export const { tunnelId } = new IpsecSite("hq", {
    ...{ ...place, envZId: "ijcrWb-ZOq"${adopt && `, adopt: "${adopt}"`} },
    shares: {
      web: { target: "${target}", ingressPort: 443 },
      mail: { target: "10.20.100.9:993", ingressPort: 993 },
    },
  });
`;

describe("Pulumi", () => {
  let shell: Shell;
  useShell((opened) => (shell = opened));

  it("sends the requests that docs/permissions.md names", async () => {
    const seen: Seen = {};
    const { emulator } = shell.copies;
    const file = join(await shell.project("permissions", program()), "index.ts");
    const run = async (name: string, options = "") => {
      await shell.paste(`export PULUMI_NODEJS_TRANSPILE_ONLY=true\npulumi ${name} ${options}`);
      add(seen, `pulumi ${name}`, taken(emulator));
    };
    const edit = async (site: Site) => {
      writeFileSync(file, program(site));
      await run("preview");
      await run("up", "--yes --skip-preview");
    };
    await run("preview");
    await run("up", "--yes --skip-preview");
    await edit({ target: "10.20.100.2:8443" });
    await edit({ target: "10.20.100.2:8443", peerCidr: "172.30.0.0/16" });
    const [share] = emulator.shares().filter(({ status }) => status === "DEPLOYED");
    emulator.patchShare(share?.id ?? "", { status: "ERROR" });
    await run("refresh", "--yes");
    await run("up", "--yes --skip-preview");
    await run("destroy", "--yes --skip-preview");
    const { id } = emulator.seedTunnel({
      ...{ peerPublicIp: "203.0.113.1", peerCidr: "172.31.0.0/16", locationId: "us-east-1" },
      ...{ name: "hq", status: "DEPLOYED" },
    });
    await edit({ adopt: id });
    expect(seen).toEqual(Object.fromEntries(Object.keys(seen).map((command) => [command, named[command]])));
  });
});

describe("the command", () => {
  const here = useEmulator((emulator) => {
    emulator.seedTunnel({ id: "tnl-1", name: "hq", status: "DEPLOYED" });
    emulator.seedShare({ id: "shr-1", name: "web", ipsecTunnelId: "tnl-1", status: "DEPLOYED" });
  });

  it("sends the requests that docs/permissions.md names", async () => {
    const seen: Seen = {};
    for (const [command, ...lines] of [
      ["status", "status"],
      ["tunnels", "tunnels"],
      ["shares", "shares"],
      ["tunnel", "tunnel tnl-1"],
      ["share", "share shr-1"],
      ["sample-config", "sample-config tnl-1 --out -"],
      ["device-config", "device-config tnl-1 --device strongswan --out -"],
      ["metrics", "metrics tnl-1", "metrics shr-1"],
      ["watch", "watch"],
      ["doctor", "doctor"],
      ["import", "import --out -"],
      ["verify", "verify"],
      ["verify --write", "verify --write --yes --tunnel tnl-1"],
      ["explain", "explain deadline"],
    ] as const)
      for (const line of lines) {
        expect(await here.run(line)).toMatchObject({ code: 0 });
        add(seen, `pulumi-frontdoor ${command}`, taken(here.emulator));
      }
    expect(seen).toEqual(Object.fromEntries(Object.keys(seen).map((command) => [command, named[command]])));
  });
});
