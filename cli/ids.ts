import { type Config, idPattern } from "../provider/config";
import { problemIn, safeText, troubleOf } from "../provider/errors";
import { openPool } from "../provider/http/send";
import { entriesOf, RawClient, textIn } from "./shared/raw-client";
import { configOf, type ConfigOptions } from "./shared/configuration";
import type { Io } from "./shared/io";
import { CheckFailed } from "./shared/outcome";
import { styled, tableOf } from "./shared/output";

export interface IdsOptions extends ConfigOptions {
  json?: true;
}

interface Named {
  id: string;
  name?: string;
}

interface FrontDoor extends Named {
  environments: (Named & { zId?: string; status?: string })[];
}

/** What was found, and where to look for the rest. */
export interface Ids {
  organizationId: string | undefined;
  frontDoors: FrontDoor[];
  notes: string[];
}

const console = "https://nfconsole.io";

/**
 * Prints the ids. @throws CheckFailed if no front door was found, FrontdoorError if the service can't be reached,
 */
export async function ids(io: Io, options: IdsOptions): Promise<void> {
  const config = await configOf(io, options);
  io.say(`reading from ${config.baseUrl} with ${config.credentials.source}`);
  const transport = openPool(config.requestTimeoutMs);
  const found = await findIds(config, new RawClient(rooted(config), transport, io)).finally(transport.close);
  if (options.json) io.printJson(found);
  else io.print(textOf(found));
  if (found.frontDoors.length === 0)
    throw new CheckFailed("no front door was found. Follow the notes on standard output. [no-ids-found]");
}

/** The organization is below the gateway's root, and not below `/frontdoor`. */
const rooted = (config: Config): Config => ({ ...config, baseUrl: config.baseUrl.replace(/\/frontdoor$/, "") });

/** Reads the ids by calls outside the specification. What a call refuses becomes a note. @throws FrontdoorError. */
export async function findIds(config: Config, client: RawClient): Promise<Ids> {
  const notes: string[] = [];
  const read = async (path: string, query?: [string, string][]): Promise<{ body: unknown } | string> => {
    try {
      const { status, body, words } = await client.request("GET", path, query ? { query } : {});
      return status < 300 ? { body } : `it answered ${words}`;
    } catch (error) {
      const trouble = troubleOf(error);
      if (trouble?.kind === "unexpected-response") return problemIn((error as Error).message);
      throw error;
    }
  };
  const self = await read("/identity/v1/identities/self");
  const organizationId =
    typeof self === "string"
      ? undefined
      : textIn((self.body as { organizationId?: unknown } | undefined)?.organizationId);
  if (organizationId === undefined)
    notes.push(
      `organization: ${typeof self === "string" ? self : "the response shows none"}. In the console (${console}), see Organization.`,
    );

  const doors = new Map<string, FrontDoor>();
  const problems: string[] = [];
  const add = (answer: { body: unknown } | string) => {
    if (typeof answer === "string") problems.push(answer);
    else
      for (const entry of entriesOf(answer.body)) {
        const id = textIn(entry["id"]);
        if (id !== undefined && idPattern.test(id))
          doors.set(id, { ...doors.get(id), ...namedIn(entry, id), environments: [] });
      }
  };
  if (organizationId !== undefined) add(await read("/frontdoor", [["organizationId", organizationId]]));
  for (let page = 0; page < 50; page++) {
    const before = doors.size;
    const answer = await read("/frontdoor/v2", [
      ["page", String(page)],
      ["size", "100"],
    ]);
    add(answer);
    if (typeof answer === "string" || entriesOf(answer.body).length === 0 || (page > 0 && doors.size === before)) break;
  }
  const unlisted = doors.has(config.frontdoorId ?? "") ? undefined : config.frontdoorId;
  if (unlisted !== undefined) doors.set(unlisted, { id: unlisted, environments: [] });
  if (doors.size === 0)
    notes.push(
      `front doors: ${problems[0] ?? "the lists are empty"}. In the console, open Frontdoor: the id is in the page's URL.`,
    );

  for (const door of doors.values()) {
    const answer = await read(`/frontdoor/${door.id}/environments`);
    if (door.id === unlisted && typeof answer === "string") {
      doors.delete(door.id);
      notes.push(
        `front door ${door.id}, which the configuration names: no list shows it, and ${answer}. Check the id.`,
      );
      continue;
    }
    const entries = typeof answer === "string" ? [] : entriesOf(answer.body);
    door.environments = entries.flatMap((entry) => {
      const id = textIn(entry["id"]) ?? textIn(entry["zId"]);
      if (id === undefined) return [];
      const [zId, status] = [textIn(entry["zId"]), textIn(entry["status"])];
      return [{ ...namedIn(entry, id), ...(zId !== undefined && { zId }), ...(status !== undefined && { status }) }];
    });
    const why =
      typeof answer === "string"
        ? answer
        : entries.length === 0
          ? "there are none: enroll a Frontdoor agent first"
          : door.environments.some(({ zId }) => zId === undefined)
            ? "the list shows no zId"
            : undefined;
    if (why !== undefined)
      notes.push(
        `environments of ${door.id}: ${why}. In the console, open the front door's environment: its zId is a share's envZId.`,
      );
  }
  return { organizationId, frontDoors: [...doors.values()], notes: notes.map((note) => safeText(note, 500)) };
}

function namedIn(entry: Record<string, unknown>, id: string): Named {
  const name = textIn(entry["name"]);
  return { id, ...(name !== undefined && { name }) };
}

function textOf({ organizationId, frontDoors, notes }: Ids): string {
  const plain = (text: string | undefined) => safeText(text ?? "–", 100);
  const parts = [`organization  ${plain(organizationId)}\n`];
  for (const { id, name, environments } of frontDoors) {
    parts.push(`\nfront door    ${styled("bold", plain(id))}${name === undefined ? "" : ` (${plain(name)})`}\n`);
    if (environments.length > 0)
      parts.push(
        tableOf(
          ["ENVIRONMENT", "zId (envZId)", "STATUS"],
          environments.map((each) => [plain(each.name ?? each.id), plain(each.zId), plain(each.status)]),
        ),
      );
  }
  if (notes.length > 0) parts.push("\n", ...notes.map((note) => `note: ${note}\n`));
  parts.push("\nLocations are not listed by any known call. Ask NetFoundry, or see: npx pulumi-frontdoor tunnels\n");
  return parts.join("");
}
