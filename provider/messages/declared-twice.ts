// The messages about two resources of the program, or an old and a new one, with one id, name, port or location.

export const idTwice = (id: string, ...names: [string, string]): string => {
  const [first, second] = names.sort();
  return `${id} is the id of two resources of the program, "${first}" and "${second}". This resource was not changed. Keep only one of the two in the program. [id-twice]`;
};

export const nameTwice = (name: string, frontdoorId: string, ...names: [string, string]): string =>
  `resources "${names[0]}" and "${names[1]}" have the same name "${name}" on front door ${frontdoorId}. This resource was not changed. ` +
  `Give the newer resource another name. [name-twice]`;

export const portTwice = (holder: string): string =>
  `is also the port of ${holder}. Give one of the two shares another port. [port-twice]`;

export const placeTwice = (holder: string): string =>
  `is also the location of tunnel "${holder}". A front door has one tunnel per location. Give one of the two tunnels another location. [place-twice]`;

/** A warning. `names` are the logical names of two tunnels. */
export const placeShared = (locationId: string, ...names: [string, string]): string =>
  `frontdoor: IPsec tunnels "${names[0]}" and "${names[1]}" have one location, ${locationId}. frontdoor:oneTunnelPerLocation is false, so the service decides. ` +
  "If it refuses one of them, give that tunnel another location. [place-twice]";

/** `names` are the logical names of two tunnels. */
export const locationsOpen = (frontdoorId: string, ...names: [string, string]): string =>
  `IPsec tunnels "${names[0]}" and "${names[1]}" of front door ${frontdoorId} name no location. If the service chooses the same one, it refuses the second tunnel. ` +
  "Give each tunnel a `locationId` of its own (one tunnel for each location). [location-open]";

export const tunnelRetained = (label: string): string =>
  `${label}: a tunnel with \`retainOnDelete\` cannot be replaced at its location, because the old one stays there. ` +
  "This tunnel was not changed. Undo the change, or give another `locationId` in the same edit. [retained-tunnel]";
