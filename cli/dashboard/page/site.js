/**
 * Returns the site of a tunnel as a text; undefined if the front door or the network is secret, not known yet or missing. Tunnels of one
 * front door to one network lead to one site, whatever the addresses of their peers. The policies, `impact`, `status` and this page ask here.
 */
export function siteOf(frontdoorId, peerCidr) {
  const network = networkIn(peerCidr);
  return typeof frontdoorId !== "string" || network === undefined ? undefined : `${frontdoorId} ${network}`;
}

/**
 * Returns a function that tells if a tunnel is the only one of its site. If the site of another tunnel is unknown, it answers no for every
 * tunnel. A tunnel that is DELETING or DELETED leads to no site.
 */
export function onlyTunnels(tunnels, site = ({ frontdoorId, peerCidr }) => siteOf(frontdoorId, peerCidr)) {
  const isThere = ({ status }) => status !== "DELETED" && status !== "DELETING";
  const at = Map.groupBy(tunnels.filter(isThere), site);
  const isAlone = (tunnel, place) => (at.get(place) ?? []).every((other) => other === tunnel);
  return (tunnel) => {
    const own = site(tunnel);
    return own !== undefined && isThere(tunnel) && isAlone(tunnel, own) && isAlone(tunnel, undefined);
  };
}

/** Returns one spelling for all spellings of a network; undefined if the value is no address and no CIDR block. */
function networkIn(value) {
  const text = String(value);
  const [, a, b, c, d, bits = 32] = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})(?:\/(\d{1,2}))?$/.exec(text) ?? [];
  // Frontdoor takes IPv4 only. Any other block is compared by its text.
  if (a === undefined) return /^[\da-f:.]*:[\da-f:.]*(\/\d+)?$/i.test(text) ? text.toLowerCase() : undefined;
  const size = 2 ** (32 - bits);
  const address = [a, b, c, d].reduce((sum, byte) => sum * 256 + Number(byte), 0);
  return `${Math.floor(address / size)}/${bits}`;
}
