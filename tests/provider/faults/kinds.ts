import type { Kind } from "./fault-matrix";
import {
  setCreate,
  setDelete,
  setUpdate,
  shareCreate,
  shareDelete,
  sharePatch,
  sharePut,
  shareRead,
  tunnelCreate,
  tunnelDelete,
  tunnelRead,
} from "./fault-scenarios";

const ofShares = /^\/ipsec-shares$/;
const ofOneShare = /^\/ipsec-shares\/./;

/** Every kind of request, and an operation that sends it. */
export const kinds: Record<string, Kind> = {
  "token request before a create": {
    where: { method: "POST", path: /^\/oauth/ },
    scenario: shareCreate,
    isTokenFetched: true,
  },
  "token request before a delete": {
    where: { method: "POST", path: /^\/oauth/ },
    scenario: shareDelete,
    isTokenFetched: true,
  },
  "POST of a share": { where: { method: "POST", path: ofShares }, scenario: shareCreate },
  "POST of a tunnel": { where: { method: "POST", path: /^\/ipsec-tunnels$/ }, scenario: tunnelCreate },
  "GET of a share": { where: { method: "GET", path: ofOneShare }, scenario: shareRead },
  "GET of a tunnel": { where: { method: "GET", path: /^\/ipsec-tunnels\/[^/]+$/ }, scenario: tunnelRead },
  "GET of a tunnel and below it in a create": {
    where: { method: "GET", path: /^\/ipsec-tunnels\/./ },
    scenario: tunnelCreate,
  },
  "list in a create": { where: { method: "GET", path: ofShares }, scenario: shareCreate },
  "list in an update": { where: { method: "GET", path: ofShares }, scenario: sharePatch },
  "list in a delete": { where: { method: "GET", path: ofShares }, scenario: shareDelete },
  PUT: { where: { method: "PUT", path: ofOneShare }, scenario: sharePut },
  PATCH: { where: { method: "PATCH", path: ofOneShare }, scenario: sharePatch },
  "DELETE of a share": { where: { method: "DELETE", path: ofOneShare }, scenario: shareDelete },
  "DELETE of a tunnel": { where: { method: "DELETE", path: /^\/ipsec-tunnels\/./ }, scenario: tunnelDelete },
  "POST in a set's create": { where: { method: "POST", path: ofShares }, scenario: setCreate },
  "list in a set's create": { where: { method: "GET", path: ofShares }, scenario: setCreate },
  "PATCH in a set's update": { where: { method: "PATCH", path: ofOneShare }, scenario: setUpdate },
  "PUT in a set's update": { where: { method: "PUT", path: ofOneShare }, scenario: setUpdate },
  "POST in a set's update": { where: { method: "POST", path: ofShares }, scenario: setUpdate },
  "DELETE in a set's update": { where: { method: "DELETE", path: ofOneShare }, scenario: setUpdate },
  "list in a set's update": { where: { method: "GET", path: ofShares }, scenario: setUpdate },
  "DELETE in a set's delete": { where: { method: "DELETE", path: ofOneShare }, scenario: setDelete },
  "list in a set's delete": { where: { method: "GET", path: ofShares }, scenario: setDelete },
};
