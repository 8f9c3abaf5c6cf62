// Messages about answers that do not show which resource they mean. At most 60 words each.

export const mayTakeEffect = (label: string): string =>
  `${label}: an interrupted run has sent a create, which can still take effect, and the service does not show the resource yet. ` +
  `Nothing was sent. Run \`pulumi up\` again in a minute. [create-pending]`;

export const answeredAnother = (label: string, id = "one without an id"): string =>
  `${label}: the service answered the create with another resource (${id}), and does not show yours. The state does not have it. ` +
  `Run \`pulumi up\` again: the provider reads the service before it sends another create. [foreign-answer]`;

export const anothersInState = (label: string): string =>
  `${label}: the service answered the create with this id, which is another resource's. That resource was not changed. ` +
  `Run \`pulumi up\` to find your own, or delete it at the service. [foreign-answer]`;

export const adoptOtherKind = (label: string, id: string, missing: readonly string[]): string =>
  `${label}: ${id} is no resource of this kind, because the service shows it without ${missing.slice(0, 5).join(", ")}. ` +
  `That resource was not changed. Correct the id in \`adopt\`. [adopt-missing]`;
