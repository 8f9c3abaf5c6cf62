import { newTunnelFields } from "./new-tunnel";
import { beginWork, decree, insert, living, type World } from "./world";

/** A site with its services: target and port by name. */
const sites = {
  hamburg: { peerPublicIp: "203.0.113.10", peerCidr: "192.168.10.0/24" },
  lyon: { peerPublicIp: "203.0.113.20", peerCidr: "192.168.20.0/24" },
  porto: { peerPublicIp: "203.0.113.30", peerCidr: "192.168.30.0/24" },
};
const services = {
  intranet: { target: "intranet.corp.example:443", ingressPort: 443 },
  database: { target: "10.8.0.15:5432", ingressPort: 5432 },
  ssh: { target: "bastion.corp.example:22", ingressPort: 22 },
  "file-server": { target: "10.8.0.21:445", ingressPort: 445 },
};

/** The time between two shares, so that the page shows changes. */
const firstMs = 1000;
const everyMs = 1500;

/** Adds three sites whose shares come up from NEW, one of them to ERROR. Returns false if one of the sites exists. */
export function seedDemo(world: World): boolean {
  const { store, settings, clock } = world;
  const { frontdoorId } = settings;
  const names = Object.keys(sites).map((site) => `demo-${site}`);
  if (living(world, store.tunnels).some(({ fields }) => names.includes(fields.name))) return false;
  let count = 0;
  for (const [site, peer] of Object.entries(sites)) {
    const locationId = `demo-${site}`;
    const fields = newTunnelFields(world, frontdoorId, { name: locationId, locationId, ...peer });
    const tunnel = insert(world, store.tunnels, decree(world, fields, "DEPLOYED", true));
    for (const [service, published] of Object.entries(services)) {
      const share = { name: `${site}-${service}`, envZId: "env-demo", ...published, frontdoorId, locationId };
      const begun = beginWork(world, { kind: "share", op: "create" }, { ...share, ipsecTunnelId: tunnel.id }, false);
      const isFailing = site === "porto" && service === "file-server";
      const settles = { at: clock.now() + firstMs + everyMs * count++, to: "DEPLOYED" as const };
      insert(
        world,
        store.shares,
        isFailing ? { ...begun, settles: { ...settles, to: "ERROR" } } : { ...begun, settles },
      );
    }
  }
  return true;
}
