import { Contender, type Cost } from "./contender";
import { counted } from "./compare";

const shares = 1000;
const provisionSeconds = 30;
const marginMs = 2_000;

/** The provider process while a thousand shares wait for their end, all at once. */
export async function measureWaiting() {
  const size = { shares, parallel: 1100, checkpoints: false };
  const contender = await Contender.open("ours", size, { provisionSeconds, latencyMs: 0 });
  try {
    const cost = await contender.run("up");
    return {
      shares,
      provisionSeconds,
      seconds: cost.wallMs / 1000,
      providerPeakMegabytes: cost.provider.peakBytes / 1e6,
      coreShareWhileWaiting: coreShare(cost),
      requests: counted(cost.requests),
    };
  } finally {
    contender.close();
  }
}

/** From after the last POST until before the first share is ready. */
function coreShare({ timeline, requests }: Cost): number {
  const posts = requests.filter(({ method }) => method === "POST").map(({ at }) => at);
  const [fromMs, toMs] = [Math.max(...posts) + marginMs, Math.min(...posts) + provisionSeconds * 1000];
  const meanwhile = timeline.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
  const [first, last] = [meanwhile[0], meanwhile.at(-1)];
  return first && last ? (last.cpuMs - first.cpuMs) / (last.atMs - first.atMs) : NaN;
}
