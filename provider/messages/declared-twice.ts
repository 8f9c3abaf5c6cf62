// The messages of check about two resources of the program with one id, name, port or location.

export const idTwice = (id: string, ...names: [string, string]): string => {
  const [first, second] = names.sort();
  return `${id} is the id of two resources of the program, "${first}" and "${second}". Nothing was changed. Remove one of the two from the program. [id-twice]`;
};

export const nameTwice = (name: string, frontdoorId: string, ...names: [string, string]): string =>
  `resources "${names[0]}" and "${names[1]}" have the same name "${name}" on front door ${frontdoorId}. Nothing was changed. ` +
  `Give the newer resource another name. [name-twice]`;

export const portTwice = (holder: string): string =>
  `is also the port of ${holder}. Give one of the two shares another port. [port-twice]`;

export const placeTwice = (holder: string): string =>
  `is also the location of tunnel "${holder}". A front door has one tunnel per location. Give one of the two tunnels another location. [place-twice]`;
