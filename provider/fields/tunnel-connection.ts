import { shareFields } from "./share";
import type { Table } from "./field";
import { entryFields } from "./tunnel-config";
import * as values from "./values";

/** Rows of what the service says of the connection. */
const fact = { type: "string | undefined", visible: "in state" } as const;

/** The fields of a tunnel connection, which only waits until the VPN connection of a tunnel is UP. */
export const tunnelConnectionFields = {
  tunnelId: {
    is: values.id("the id of an IPsec tunnel"),
    doc: "Id of the tunnel whose VPN connection to wait for.",
    whenOmitted: "refused",
    onChange: "move",
    visible: "in state",
  },
  frontdoorId: { ...shareFields.frontdoorId, doc: "Front door that owns the tunnel." },
  outsideIpAddress: { ...fact, doc: entryFields.outsideIpAddress.doc },
  insideCidr: { ...fact, doc: entryFields.insideCidr.doc },
} satisfies Table;
