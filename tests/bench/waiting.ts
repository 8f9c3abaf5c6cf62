import { Contender, type Cost, type Name } from "./contender";
import { counted } from "./compare";

const shares = 1000;
const provisionSeconds = 30;
const marginMs = 2_000;

/** The provider process while a thousand shares wait for their end, all at once; the floor's only sleeps as long. */
export async function measureWaiting() {
  const [floor, ours] = [await wait("floor"), await wait("ours")];
  return {
    shares,
    provisionSeconds,
    seconds: ours.wallMs / 1000,
    floorPeakMegabytes: floor.provider.peakBytes / 1e6,
    providerPeakMegabytes: ours.provider.peakBytes / 1e6,
    coreShareWhileWaiting: coreShare(ours),
    requests: counted(ours.requests),
  };
}

async function wait(name: Name): Promise<Cost> {
  const size = { shares, parallel: 1100, checkpoints: false };
  const contender = await Contender.open(name, size, { provisionSeconds, latencyMs: 0 });
  try {
    return await contender.run("up");
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
