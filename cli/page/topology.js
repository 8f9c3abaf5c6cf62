import { keyOf } from "./changes.js";
import { byId, element, setAttribute, setText, sync } from "./dom.js";
import { connectionWord, plural } from "./words.js";

const text = { compare: new Intl.Collator("en", { numeric: true }).compare };
const byName = (a, b) => text.compare(a.name, b.name);
const byPort = (a, b) => a.ingressPort - b.ingressPort || byName(a, b);

/** Returns the front doors with their tunnels and shares that pass the filter. */
export function topologyOf({ tunnels = [], shares = [] }, isWanted) {
  const sharesOf = Map.groupBy(shares.filter(isWanted).sort(byPort), ({ frontdoorId, ipsecTunnelId }) =>
    keyOf("tunnel", { frontdoorId, id: ipsecTunnelId }),
  );
  const branches = tunnels.map((tunnel) => {
    const key = keyOf("tunnel", tunnel);
    const branch = { key, ...tunnel, shares: sharesOf.get(key) ?? [] };
    sharesOf.delete(key);
    return branch;
  });
  // The service can list a share before its tunnel, and one whose tunnel is gone.
  for (const [key, orphans] of sharesOf)
    branches.push({
      key,
      isMissing: true,
      frontdoorId: orphans[0].frontdoorId,
      name: orphans[0].ipsecTunnelId,
      shares: orphans,
    });
  const shown = branches.filter((branch) => branch.shares.length > 0 || (!branch.isMissing && isWanted(branch)));
  return [...Map.groupBy(shown.sort(byName), ({ frontdoorId }) => frontdoorId)];
}

/** Shows the front doors in the tree. `current` is the key of the selection. */
export function showTopology(state, isWanted, current) {
  const frontDoors = topologyOf(state, isWanted);
  sync(
    byId("tree"),
    frontDoors,
    ([id]) => id,
    makeFrontDoor,
    (node, [id, tunnels]) => {
      setText(node.querySelector(".name"), `Front door ${id}`);
      setText(node.querySelector(".soft"), plural(tunnels.filter(({ isMissing }) => !isMissing).length, "tunnel"));
      const update = (each, tunnel) => updateTunnel(each, tunnel, state.connections?.[tunnel.key], current);
      sync(node.querySelector("ul"), tunnels, ({ key }) => key, makeTunnel, update);
    },
  );
  const nothing = byId("nothing");
  nothing.hidden = frontDoors.length > 0 || !state.look;
  const isEmpty = !state.tunnels?.length && !state.shares?.length;
  setText(nothing, isEmpty ? "There are no tunnels and no shares." : "Nothing matches the filter.");
}

const makeFrontDoor = () =>
  element(
    "li",
    { class: "frontdoor" },
    element("p", { class: "node" }, element("span", { class: "name" }), element("span", { class: "soft" })),
    element("ul"),
  );

const status = () => element("span", { class: "status" });
const span = (name) => element("span", { class: name });

const makeTunnel = ({ isMissing }) =>
  element(
    "li",
    { class: "tunnel" },
    element(
      "h3",
      {},
      element(isMissing ? "span" : "a", { class: "node" }, span("name"), span("soft"), status(), span("connection")),
    ),
    element("ul", { class: "shares" }),
  );

function updateTunnel(node, tunnel, connection, current) {
  const head = node.querySelector(".node");
  if (!tunnel.isMissing) updateLink(head, tunnel.key, current);
  setText(head.querySelector(".name"), tunnel.name);
  const place = tunnel.isMissing
    ? "this tunnel is not there"
    : [tunnel.locationId, tunnel.peerPublicIp].filter(Boolean).join(" · ");
  setText(head.querySelector(".soft"), place);
  updateStatus(head.querySelector(".status"), tunnel.status);
  updateStatus(
    head.querySelector(".connection"),
    tunnel.status === "DEPLOYED" ? connectionWord(connection) : undefined,
  );
  const list = node.querySelector(".shares");
  sync(
    list,
    tunnel.shares,
    (share) => keyOf("share", share),
    makeShare,
    (each, share) => updateShare(each, share, current),
  );
  // One stop of the tab key for all of them: arrow keys go on from there.
  if (!list.querySelector('a[tabindex="0"]')) list.querySelector("a")?.setAttribute("tabindex", "0");
}

const makeShare = () =>
  element(
    "li",
    {},
    element("a", { class: "share", tabindex: "-1" }, span("port"), span("name"), span("target"), status()),
  );

function updateShare(node, share, current) {
  const link = node.firstElementChild;
  const [port, name, target, state] = link.children;
  updateLink(link, node.dataset.key, current);
  setText(port, String(share.ingressPort ?? ""));
  setText(name, share.name);
  setText(target, share.target ?? "");
  updateStatus(state, share.status);
}

function updateLink(link, key, current) {
  setAttribute(link, "href", `#${key}`);
  setAttribute(link, "aria-current", key === current ? "true" : undefined);
}

function updateStatus(node, word) {
  node.hidden = word === undefined;
  if (word === undefined) return;
  setText(node, word);
  setAttribute(node, "data-status", word);
}

/** Moves through the shares of one tunnel with Up, Down, Home and End. */
export function moveByKeys(event) {
  const from = event.target.closest(".share");
  const links = from ? [...from.closest("ul").querySelectorAll(".share")] : [];
  const at = links.indexOf(from);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 }[event.key];
  const next = to === undefined ? undefined : links[to];
  if (!next) return;
  event.preventDefault();
  from.setAttribute("tabindex", "-1");
  next.setAttribute("tabindex", "0");
  next.focus();
}
