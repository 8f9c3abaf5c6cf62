import { z } from "zod";
import { isOwn, isUnder, targetOf } from "../hosts";
import { text } from "../known";
import { blockOf, blocksOf, isWithin, privateNetworks } from "../networks";
import { resourceRule } from "../rule";
import { networkList } from "../settings";

/** Domains that are reserved for private use, or that are never delegated because private use is widespread. */
const privateSuffixes = ["internal", "local", "lan", "home.arpa", "intranet", "private", "corp"];
const exampleSuffixes = ["example", "test"];
/** Single labels that are no top-level domains. All names in a top-level domain belong to other people. */
const singleLabels = [...privateSuffixes, ...exampleSuffixes, "home", "localdomain", "invalid"];

const domainName =
  /^(?=.{1,253}$)[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?(?:\.[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?)*$/;
/** Domains such as `co.uk`, in which anyone can have a name. */
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

/** Matches a single label with a dot at its end, such as `ai.`. It is a top-level domain, and search domains do not apply. */
const absoluteLabel = /^[^.:[\]]+\.:/;

export const keepTargetsPrivate = resourceRule(
  {
    name: "keep-targets-private",
    topic: "Services",
    description: "A share's target must be a private address or a name in your own domains.",
    reason:
      "A share lets a remote site reach its target through your hosting agent. With a public target the site reaches the internet under your address. The owner of the name then decides where the traffic ends.",
    fix: "publish a private address, or add the target's domain to allowedSuffixes, or its network to allowedNetworks.",
    unknowns:
      "The policy skips an unknown target until it is known. It does not look names up, so it does not see that a name in your domains leads to a public address. A name without a dot counts as private, because the agent looks it up in its own search domains. If none of them has it, some resolvers ask for a top-level domain with that name. The policy treats an IPv4 address in IPv6 form as the IPv4 address. It also refuses every target that refuse-metadata-targets refuses, and no list allows it. List only your own domains in allowedSuffixes: anyone can have a name in domains such as `com` and `co.uk`. The policy refuses such a domain in allowedSuffixes only if it is a common one.",
    severity: "high",
    settings: {
      allowedSuffixes: domainList([...privateSuffixes, ...exampleSuffixes]).describe(
        "Domains of allowed targets. The domain itself is also allowed.",
      ),
      allowedNetworks: networkList(privateNetworks).describe("Networks of allowed targets that are addresses."),
      refusedSuffixes: domainList([]).describe("Domains of refused targets. This list wins over the allowed ones."),
      refusedNetworks: networkList([]).describe(
        "Networks of refused targets, such as your management network. This list wins over the allowed ones.",
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
