import { byId, element, setAttribute, setCommand, setText, sync } from "./dom.js";
import { onlyTunnels } from "./site.js";
import { amount, connectionWord, exportLine, isDown, isFailed, keyOf, plural, sinceWords } from "./words.js";

const text = { compare: new Intl.Collator("en", { numeric: true }).compare };
const byName = (a, b) => text.compare(a.name, b.name);
const byPort = (a, b) =>
  (a.status === "DELETED") - (b.status === "DELETED") || a.ingressPort - b.ingressPort || byName(a, b);

/** Returns the front doors with their tunnels and shares that pass the filter, tunnels with a problem first. */
export function topologyOf({ tunnels = [], shares = [], connections = {} }, isWanted) {
  const sharesOf = Map.groupBy(shares.filter(isWanted).sort(byPort), ({ frontdoorId, ipsecTunnelId }) =>
    keyOf("tunnel", { frontdoorId, id: ipsecTunnelId }),
  );
  const isOnlyTunnel = onlyTunnels(tunnels);
  const branches = tunnels.map((tunnel) => {
    const key = keyOf("tunnel", tunnel);
    const branch = { key, ...tunnel, isOnly: isOnlyTunnel(tunnel), shares: sharesOf.get(key) ?? [] };
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
  const rank = (tunnel) => {
    if (tunnel.status === "DELETED") return 3;
    if (isFailed(tunnel) || isDown(connections[tunnel.key])) return 0;
    return tunnel.shares.some(isFailed) ? 1 : 2;
  };
  shown.sort((a, b) => rank(a) - rank(b) || byName(a, b));
  return [...Map.groupBy(shown, ({ frontdoorId }) => frontdoorId)];
}

/** The number of shares up to which all tunnels are expanded. */
const expandedShares = 60;
/** The tunnels that the user expanded or collapsed, by key. */
const toggled = new Map();
export const resetToggles = () => {
  toggled.clear();
};

/** Shows the front doors in the tree. `current` is the key of the selection. */
export function showTopology(state, { isWanted, isFiltered }, names, current, requestShow) {
  const frontDoors = topologyOf(state, isWanted);
  const isSmall = (state.shares?.length ?? 0) <= expandedShares;
  const isCurrent = (share) => keyOf("share", share) === current;
  sync(
    byId("tree"),
    frontDoors,
    ([id]) => id,
    makeFrontDoor,
    (node, [id, tunnels]) => {
      setText(node.querySelector(".name"), `Front door ${id}`);
      const count = tunnels.reduce((sum, { shares }) => sum + shares.length, 0);
      const known = tunnels.filter(({ isMissing }) => !isMissing).length;
      setText(node.querySelector(".soft"), `${plural(known, "tunnel")}, ${plural(count, "share")}`);
      const update = (each, tunnel) => {
        const isOpen = toggled.get(tunnel.key) ?? (isFiltered || isSmall || tunnel.shares.some(isCurrent));
        updateTunnel(each, { tunnel, names, isOpen, connection: state.connections?.[tunnel.key], current });
        each.querySelector(".toggle").onclick = () => {
          toggled.set(tunnel.key, !isOpen);
          requestShow();
        };
      };
      sync(node.querySelector("ul"), tunnels, ({ key }) => key, makeTunnel, update);
    },
  );
  const isEmpty = !state.tunnels?.length && !state.shares?.length;
  byId("search").hidden = isEmpty;
  const nothing = byId("nothing");
  nothing.hidden = frontDoors.length > 0 || !state.tunnels;
  const next = state.switches ? nextOnEmulator : nextOnService;
  setText(nothing.firstElementChild, isEmpty ? next : "Nothing matches the filter.");
  const line = nothing.lastElementChild;
  line.hidden = !isEmpty || state.about?.frontdoorId === undefined;
  if (!line.hidden) setCommand(line.firstElementChild, exportLine(state.about));
}

const nextOnService =
  "This front door has no tunnels and no shares yet.\nNext: declare an IpsecTunnel in your Pulumi program, and run pulumi\u00a0up. It then shows here. In a shell without this front door's settings, set them and FRONTDOOR_TOKEN first:";
const nextOnEmulator =
  "There are no tunnels and no shares yet.\nNext: press “Seed a demo”, or run pulumi\u00a0up in a shell in which you have run:";

const makeFrontDoor = () =>
  element(
    "li",
    { class: "frontdoor" },
    element("p", {}, element("span", { class: "name" }), " ", element("span", { class: "soft" })),
    element("ul"),
  );

const status = () => element("span", { class: "status" });
const span = (name) => element("span", { class: name });

/** Shows the short name. The whole name is its title. */
function setName(node, name, short = name) {
  setText(node, short);
  setAttribute(node, "title", name);
}

const makeTunnel = ({ isMissing }) =>
  element(
    "li",
    { class: "tunnel" },
    element(
      "h3",
      {},
      element("button", { class: "toggle", type: "button" }),
      element(
        isMissing ? "span" : "a",
        { class: "node" },
        span("name"),
        status(),
        span("connection"),
        element("span", { class: "soft" }, span("place"), element("span", { class: "inside", "data-status": "ERROR" })),
        span("why"),
      ),
    ),
    element("ul", { class: "shares" }),
  );

function updateTunnel(node, { tunnel, names, isOpen, connection, current }) {
  const toggle = node.querySelector(".toggle");
  setAttribute(toggle, "aria-label", `Shares of ${tunnel.name}`);
  setAttribute(toggle, "aria-expanded", String(isOpen));
  toggle.disabled = tunnel.shares.length === 0;
  const head = node.querySelector(".node");
  if (!tunnel.isMissing) updateLink(head, tunnel.key, current);
  setName(head.querySelector(".name"), tunnel.name, names.get(tunnel.key));
  const { isMissing, isOnly, locationId, peerPublicIp } = tunnel;
  const place = isMissing ? ["This tunnel does not exist"] : [locationId, peerPublicIp, isOnly && "one tunnel"];
  setText(head.querySelector(".place"), [...place, plural(tunnel.shares.length, "share")].filter(Boolean).join(" · "));
  const failed = tunnel.shares.filter(isFailed).length;
  const inside = head.querySelector(".inside");
  inside.hidden = isOpen || failed === 0;
  setText(inside, `${amount(failed)} failed`);
  // A connection that is known implies DEPLOYED: one word says both.
  const word = tunnel.status === "DEPLOYED" ? connectionWord(connection) : undefined;
  updateStatus(head.querySelector(".status"), word === undefined ? tunnel.status : undefined);
  updateStatus(head.querySelector(".connection"), word);
  setWhy(head.querySelector(".why"), word !== undefined && isDown(connection) ? connection : undefined);
  const list = node.querySelector(".shares");
  sync(
    list,
    isOpen ? tunnel.shares : [],
    (share) => keyOf("share", share),
    makeShare,
    (each, share) => updateShare(each, share, names.get(keyOf("share", share)), current),
  );
  // One stop of the tab key for all of them: arrow keys go on from there.
  if (!list.querySelector('a[tabindex="0"]')) list.querySelector("a")?.setAttribute("tabindex", "0");
}

/** Shows why a connection is DOWN, and since when. */
function setWhy(node, connection) {
  node.hidden = connection === undefined;
  if (connection) setText(node, [connection.statusMessage, sinceWords(connection)].filter(Boolean).join(" · "));
}

const makeShare = () =>
  element(
    "li",
    {},
    element("a", { class: "share", tabindex: "-1" }, span("port"), span("name"), span("target"), status()),
  );

function updateShare(node, share, short, current) {
  const link = node.firstElementChild;
  const [port, name, target, state] = link.children;
  updateLink(link, node.dataset.key, current);
  setText(port, String(share.ingressPort ?? ""));
  setName(name, share.name, short);
  setText(target, share.target ?? "");
  setAttribute(target, "title", share.target);
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
