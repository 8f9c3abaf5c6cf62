import { readFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";
import { parse } from "csv-parse/sync";
import { IpsecSite } from "pulumi-frontdoor";
import * as z from "zod";

const text = z.string("must not be empty");
const name = text.regex(/^[a-z0-9-]+$/, "must have only a-z, 0-9 and hyphens");
const port = "must be a whole number from 1 to 65535";
const siteColumns = {
  site: name,
  peerPublicIp: z.ipv4("must be an IPv4 address, such as 203.0.113.7"),
  peerCidr: z.cidrv4("must be an IPv4 block, such as 10.20.0.0/16"),
  ...{ locationId: text, rotation: text.optional(), adopt: text.optional() },
};
const applicationColumns = {
  ...{ site: name, application: name },
  target: text.regex(/^[^\s:]+:\d+$/, "must be host:port"),
  ingressPort: z.coerce.number(port).int(port).min(1, port).max(65_535, port),
  ...{ envZId: text, adopt: text.optional() },
};

const problems: string[] = [];

/** Reads a table by the names of its columns. A cell beyond them is `extra`. An empty cell is omitted, and so is a row of such cells. */
function read<Columns extends z.ZodRawShape>(file: string, shape: Columns) {
  const bytes = readFileSync(file);
  // PowerShell 5 writes UTF-16 with a mark.
  const csv = new TextDecoder(bytes.toString("hex", 0, 2) === "fffe" ? "utf-16le" : "utf-8").decode(bytes);
  if (csv.includes("\0")) {
    problems.push(`${file} is not UTF-8. Export it as "CSV UTF-8"`);
    return [];
  }
  const columns = (names: string[]) => [...names, "extra"];
  const cast = (cell: string) => (cell === "" ? undefined : cell);
  const options = { delimiter: /^[^\n]*;/.test(csv) ? ";" : ",", bom: true, trim: true, relax_column_count: true };
  const records: { site?: string; application?: string }[] = parse(csv, { ...options, columns, cast });
  // An export that failed must not delete every site.
  if (records.length === 0) problems.push(`${file} has no rows`);
  return records.flatMap((record, index) => {
    if (Object.values(record).join("") === "") return [];
    const at = `${file}, row ${index + 2}`;
    const first = records.findIndex((each) => each.site === record.site && each.application === record.application);
    if (first < index) problems.push(`${at}: repeats row ${first + 2}`);
    const { data, error } = z.strictObject(shape).safeParse(record);
    for (const { path, message } of error?.issues ?? []) problems.push(`${at}: ${[...path, message].join(" ")}`);
    return data ? [{ at, row: data }] : [];
  });
}

const sites = read("sites.csv", siteColumns);
const applications = read("applications.csv", applicationColumns);
const names = sites.map(({ row }) => row.site);
for (const { at, row } of applications)
  if (!names.includes(row.site)) problems.push(`${at}: site is in no valid row of sites.csv`);
if (problems.length > 0) throw new pulumi.RunError(`Nothing was sent.\n${problems.join("\n")}`);

/** `host:port` of each application, as its site reaches it. */
export const endpoints: Record<string, IpsecSite["endpoints"]> = {};
for (const { site, ...tunnel } of sites.map(({ row }) => row)) {
  const own = applications.flatMap(({ row }) => (row.site === site ? row : []));
  const shares = own.map(({ site: _site, application, ...share }) => [application, share] as const);
  endpoints[site] = new IpsecSite(site, { ...tunnel, shares: Object.fromEntries(shares) }).endpoints;
}
