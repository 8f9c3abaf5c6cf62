import { z } from "zod";
import { isOwn, isUnder, targetOf } from "../hosts";
import { text } from "../known";
import { blockOf, blocksOf, isWithin, privateNetworks } from "../networks";
import { resourceRule } from "../rule";
import { networkList } from "../settings";

/** Reserved for private use, or never delegated because private use is widespread; `example` and `test` are for examples and tests. */
const privateSuffixes = ["internal", "local", "lan", "home.arpa", "intranet", "private", "corp"];
const exampleSuffixes = ["example", "test"];
/** A single label that is none of these is a top-level domain: all of its names are someone else's. */
const singleLabels = [...privateSuffixes, ...exampleSuffixes, "home", "localdomain", "invalid"];

const domainName =
  /^(?=.{1,253}$)[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?(?:\.[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?)*$/;
/** `co.uk` and the like, where anyone can have a name. */
const publicSecondLevel = /^(?:ac|co|com|edu|gov|gob|ne|net|or|org)\.[a-z]{2}$/;

const isOwnDomain = (suffix: string) =>
  domainName.test(suffix) &&
  (suffix.includes(".") || singleLabels.includes(suffix.toLowerCase())) &&
  !publicSecondLevel.test(suffix.toLowerCase());

const domainList = (initial: string[]) =>
  z
    .array(
      z
        .string()
        .refine(isOwnDomain, { error: "must be a domain of your own such as corp.example, without a dot at its end" }),
    )
    .default(initial);

/** `ai.`: with a dot at its end a single label is not looked up in search domains, but is a top-level domain. */
const absoluteLabel = /^[^.:[\]]+\.:/;

export const keepTargetsPrivate = resourceRule(
  {
    name: "keep-targets-private",
    topic: "Services",
    description: "A share's target must be a private address or a name in your own domains.",
    reason:
      "A share lets a remote site reach its target through your hosting agent. With a public target the site goes out to the internet under your address, and whoever holds that name decides where it ends.",
    fix: "publish a private address, or add the domain of the target to allowedSuffixes (or its network to allowedNetworks).",
    unknowns:
      "An unknown target is passed over until it is known. Names are not looked up: a name in your domains that leads to a public address is not seen. A name without a dot counts as private, as it is looked up in the agent's own search domains; where none of them has it, some resolvers ask for a top-level domain of that name. An IPv4 address that is written as an IPv6 one is judged as what it is. What refuse-metadata-targets refuses is refused here too, and no list allows it. Only the common ones of the domains where anyone can have a name (`com`, `co.uk`) are refused in allowedSuffixes: name domains that are yours.",
    severity: "high",
    settings: {
      allowedSuffixes: domainList([...privateSuffixes, ...exampleSuffixes]).describe(
        "Domains that targets may be in, they themselves included.",
      ),
      allowedNetworks: networkList(privateNetworks).describe("Networks that targets given by address may be in."),
      refusedSuffixes: domainList([]).describe("Domains that no target may be in, whatever is allowed."),
      refusedNetworks: networkList([]).describe(
        "Networks that no target may be in, whatever is allowed, such as the one your machines are managed from.",
      ),
    },
    baseline: "mandatory",
    strict: { enforcementLevel: "mandatory", allowedSuffixes: privateSuffixes },
    sources: [
      { title: "RFC 2606", url: "https://www.rfc-editor.org/rfc/rfc2606", says: "`example` and `test`" },
      { title: "RFC 8375", url: "https://www.rfc-editor.org/rfc/rfc8375", says: "`home.arpa`" },
      {
        title: "ICANN resolution 2024.07.29.06",
        url: "https://www.icann.org/en/board-activities-and-meetings/materials/approved-resolutions-special-meeting-of-the-icann-board-29-07-2024-en",
        says: "`internal` is reserved for private use",
      },
    ],
  },
  "share",
  ({ props }, { allowedSuffixes, allowedNetworks, refusedSuffixes, refusedNetworks }, report) => {
    const host = targetOf(props)?.host;
    if (host === undefined) return;
    const block = blockOf(host);
    const isUnderOne = (suffixes: readonly string[]) => suffixes.some((suffix) => isUnder(host, suffix.toLowerCase()));
    if (isOwn(host)) report("target is the agent's own machine, a metadata service or the API of a cluster.");
    else if (block && isWithin(block, blocksOf(refusedNetworks))) report("target is in one of refusedNetworks.");
    else if (isUnderOne(refusedSuffixes)) report("target is in one of refusedSuffixes.");
    else if (absoluteLabel.test(text(props, "target") ?? "")) report("target is a top-level domain.");
    else if (block) {
      if (!isWithin(block, blocksOf(allowedNetworks))) report("target is an address outside allowedNetworks.");
    } else if (host.includes(".") && !isUnderOne(allowedSuffixes)) report("target is a name outside allowedSuffixes.");
  },
);
