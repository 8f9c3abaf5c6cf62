import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Copies } from "../harness/copies";
import { bringUp, destroy, outputsOf } from "./bring-up";

it("the quickstart makes a tunnel and three shares and tells how to reach them", async () => {
  const copies = await Copies.open();
  try {
    writeFileSync(join(copies.copy("quickstart"), "Pulumi.yaml"), "name: frontdoor-quickstart\nruntime: nodejs\n");
    const writes = await bringUp(copies, "quickstart");
    expect(writes).toEqual(["POST /ipsec-tunnels", ...Array<string>(3).fill("POST /ipsec-shares")]);
    const { sampleConfig, endpoints, nlbDnsName, ...rest } = await outputsOf(copies, "quickstart");
    expect(sampleConfig).toBe("[secret]");
    expect(endpoints).toMatchObject({ "app-db": `${String(nlbDnsName)}:8443` });
    expect(Object.keys(rest).sort()).toEqual(["tunnelId", "vpnConnectionId"]);
    await destroy(copies, "quickstart");
  } finally {
    await copies.close();
  }
});
