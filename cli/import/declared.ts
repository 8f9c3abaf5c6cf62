import { shareFields } from "../../provider/fields/share";
import { tunnelFields } from "../../provider/fields/tunnel";

export type KindName = "tunnel" | "share";

/** The properties of each kind. */
export const kinds = {
  tunnel: { type: "frontdoor:index:IpsecTunnel", className: "IpsecTunnel", label: "IPsec tunnel", table: tunnelFields },
  share: { type: "frontdoor:index:IpsecShare", className: "IpsecShare", label: "IPsec share", table: shareFields },
} as const;

/** A value, or the id of the tunnel that the program declares under this logical name. */
export type Value = string | number | { tunnel: string };

/** A resource as an import file and a program declare it. */
export interface Declared {
  kind: KindName;
  /** The id for `pulumi import`: `<id>`, or `<frontdoorId>/<id>`. */
  importId: string;
  /** The logical name. It is unique among all kinds. */
  name: string;
  /** Every argument that counts as set after a read by id only, in the order of the fields' table. */
  args: [name: string, value: Value][];
}
