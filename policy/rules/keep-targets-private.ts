import { z } from "zod";
import { hostPortOf } from "../../provider/addresses";
import { text } from "../known";
import { blockOf, blocksOf, isWithin, privateNetworks } from "../networks";
import { resourceRule } from "../rule";
import { networkList } from "../settings";

/** Reserved for private use, or never delegated because private use is widespread; `example` and `test` are for examples and tests. */
const privateSuffixes = ["internal", "local", "lan", "home.arpa", "intranet", "private", "corp"];

export const keepTargetsPrivate = resourceRule(
  {
    name: "keep-targets-private",
    topic: "Services",
    description: "A share's target must be a private address or a name in your own domains.",
    reason:
      "A share lets a remote site reach its target through your hosting agent. With a public target the site goes out to the internet under your address, and whoever holds that name decides where it ends.",
    fix: "publish a private address, or add the domain of the target to allowedSuffixes (or its network to allowedNetworks).",
    unknowns:
      "An unknown target is passed over until it is known. Names are not looked up; a name without a dot counts as private, as only the agent's own search domains resolve it.",
    severity: "high",
    settings: {
      allowedSuffixes: z
        .array(
          z.string().regex(/^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,252}$/, { error: "must be a domain such as corp.example" }),
        )
        .default([...privateSuffixes, "example", "test"])
        .describe("Domains that targets may be in, they themselves included."),
      allowedNetworks: networkList(privateNetworks).describe("Networks that targets given by address may be in."),
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
  ({ props }, { allowedSuffixes, allowedNetworks }, report) => {
    const host = hostPortOf(text(props, "target") ?? "")?.host;
    if (host === undefined) return;
    const block = blockOf(host);
    if (block) {
      if (!isWithin(block, blocksOf(allowedNetworks))) report("target is an address outside allowedNetworks.");
    } else if (host.includes(".") && !allowedSuffixes.some((suffix) => isUnder(host, suffix.toLowerCase())))
      report("target is a name outside allowedSuffixes.");
  },
);

const isUnder = (host: string, suffix: string) => host === suffix || host.endsWith(`.${suffix}`);
