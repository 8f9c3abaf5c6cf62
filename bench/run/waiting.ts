import { Contender, type Cost } from "./contender";
import { counted } from "./compare";

const shares = 1000;
const provisionSeconds = 30;
const marginMs = 2_000;
const names = ["floor", "ours", "hello", "plugin"] as const;
type Name = (typeof names)[number];

/** The provider processes while a thousand shares wait for their end, all at once; those of the floors only sleep as long. */
export async function measureWaiting() {
  const waited: Partial<Record<Name, object>> = {};
  for (const name of names) {
    const cost = await Contender.costOfUp(
      name,
      { shares, parallel: 1100, checkpoints: false },
      { provisionSeconds, latencyMs: 0 },
    );
    waited[name] = {
      seconds: cost.wallMs / 1000,
      peakMegabytes: cost.provider.peakBytes / 1e6,
      // The floors send nothing by which their waits could be told.
      ...(cost.requests.length > 0 && { coreShare: coreShare(cost), requests: counted(cost.requests) }),
    };
  }
  return { shares, provisionSeconds, ...waited };
}

/** From after the last POST until before the first share is ready. */
function coreShare({ timeline, requests }: Cost): number {
  const posts = requests.filter(({ method }) => method === "POST").map(({ at }) => at);
  const [fromMs, toMs] = [Math.max(...posts) + marginMs, Math.min(...posts) + provisionSeconds * 1000];
  const meanwhile = timeline.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
  const [first, last] = [meanwhile[0], meanwhile.at(-1)];
  return first && last ? (last.cpuMs - first.cpuMs) / (last.atMs - first.atMs) : NaN;
}
