/** The variables of a worker that every engine and its program get. None of them holds a credential of a stack. */
const inherited = new Set(
  [
    "PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR TMP TEMP",
    "XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_RUNTIME_DIR",
    "HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS",
    "PULUMI_HOME FRONTDOOR_STATE_DIR FRONTDOOR_BASE_URL FRONTDOOR_TOKEN_URL",
    "SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT USERPROFILE HOMEDRIVE HOMEPATH",
    "APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES",
  ].flatMap((line) => line.split(" ")),
);

/** Returns the part of a worker's environment that engines get: the list above, and the variables in the worker's settings. */
export function engineEnvironment(env: NodeJS.ProcessEnv, allowed: string[] = []): Record<string, string> {
  const isPassed = (name: string) =>
    inherited.has(name.toUpperCase()) || name.startsWith("LC_") || allowed.includes(name);
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value !== undefined && isPassed(name) ? [[name, value]] : [])),
  );
}
