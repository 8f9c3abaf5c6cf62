/** The page below `docs` that solves the problem of a code. */
const codesOf = {
  "before-you-start.md#credentials": "token-missing credentials-file credentials-file-open access-refused",
  "before-you-start.md#ids": "front-door-missing not-found-front-door no-ids-found",
  "how-to/applications.md#if-it-fails": "set-incomplete",
  "how-to/sites.md": "place-twice place-taken location-open",
  "how-to/adopt-and-import.md":
    "id-twice import-dynamic resume-refused adopt-missing adopt-differs adopt-differs-from-state",
  "how-to/adopt-and-import.md#import-many": "import-id",
  "how-to/adopt-and-import.md#resources-that-the-command-leaves-out": "import-incomplete",
  "how-to/emulator.md#if-it-fails": "emulator-failed",
  "how-to/hand-over.md":
    "key-not-printed tunnel-config-missing device-value-refused device-no-common config-not-current",
  "how-to/applications.md": "port-cycle port-in-use impact-refused",
  "how-to/upgrade-and-rename.md#rename": "name-twice",
  "how-to/policies.md": "policy-sdk-missing",
  "how-to/policies.md#levels-and-settings": "policy-settings unknown-policy",
  "how-to/policies.md#write-a-report": "no-report",
  "how-to/recover.md#by-symptom":
    "stopped deadline share-error share-gone tunnel-error tunnel-ended seen-elsewhere status-error",
  "how-to/recover.md#detect-drift": "value-differs changed-outside settings-reset",
  "reference/configuration.md#the-request-log": "log-not-written",
  "how-to/recover.md#without-the-creation-records": "records-not-kept identical-exists adopted create-pending",
  "how-to/replace-a-tunnel.md": "retained-tunnel tunnel-replaced",
  "how-to/see-the-impact.md#limits": "impact-too-large",
  "how-to/see-the-impact.md#when-the-command-refuses-the-preview": "impact-not-understood",
  "how-to/several-stacks.md": "tunnel-not-published",
  "how-to/several-stacks.md#change-another-argument-of-the-tunnel": "tunnel-in-use",
  "how-to/sites.md#stop-managing-delete-nothing": "retained",
  "how-to/tunnel-down.md": "connection-down status-problems",
  "how-to/use-the-plugin.md": "provider-not-plugin",
  "how-to/use-the-plugin.md#if-it-fails": "unknown-type plugin-version",
  "how-to/hand-over.md#keep-the-key-in-a-vault": "key-not-found",
  "how-to/verify.md": "not-confirmed",
  "how-to/verify.md#if-it-is-stopped": "verify-ended verify-left",
  "how-to/verify.md#tell-us": "verify-unusable",
  "reference/configuration.md": "invalid-setting unknown-setting",
  "reference/configuration.md#an-api-account": "client-refused not-a-token",
  "reference/configuration.md#credentials": "credentials-twice credentials-incomplete",
  "reference/configuration.md#limits-and-times": "too-many-requests long-pause",
  "reference/configuration.md#proxies-and-certificates": "proxy-invalid certificate-not-trusted",
  "reference/configuration.md#rotate-credentials": "token-refused",
  "reference/configuration.md#which-setting-wins": "front-door-differs",
  "reference/configuration.md#the-url": "unreachable not-the-service",
};

export const guides = new Map(
  Object.entries(codesOf).flatMap(([page, codes]) => codes.split(" ").map((code) => [code, page])),
);
