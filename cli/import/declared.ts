import { shareFields } from "../../provider/fields/share";
import { tunnelFields } from "../../provider/fields/tunnel";

export type KindName = "tunnel" | "share";

/** What is the same of all of a kind. */
export const kinds = {
  tunnel: { type: "frontdoor:index:IpsecTunnel", className: "IpsecTunnel", label: "IPsec tunnel", table: tunnelFields },
  share: { type: "frontdoor:index:IpsecShare", className: "IpsecShare", label: "IPsec share", table: shareFields },
} as const;

/** A value, or the id of the tunnel that a program makes under this logical name. */
export type Value = string | number | { tunnel: string };

/** A resource as an import file and a program declare it. */
export interface Declared {
  kind: KindName;
  /** What `pulumi import` finds it by: `<id>`, or `<frontdoorId>/<id>`. */
  importId: string;
  /** Logical name; no two of all kinds have one. */
  name: string;
  /** Every argument that a read by the id alone counts as set, in the order of the fields' table. */
  args: [name: string, value: Value][];
}
