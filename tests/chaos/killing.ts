import type { Emulator, Exchange, ExchangeAction } from "../../emulator";
import type { Cancel, Kill } from "./schedule";

const collection = { tunnel: "/ipsec-tunnels", share: "/ipsec-shares" };

/**
 * Calls `strike` at the moment the plan names; it comes once. A process killed "before send" dies as its request arrives,
 * which is then thrown away: to the service it is the same.
 */
export function planKill({ faults }: Emulator, plan: Kill, strike: () => void): void {
  let seen = 0;
  const isTheWrite = ({ method, path }: Exchange) =>
    method === plan.method && path.startsWith(collection[plan.kind]) && seen++ === plan.nth;

  const action: ExchangeAction = async (work, exchange) => {
    const { wire } = exchange;
    if (plan.when === "before send") {
      strike();
      wire.incoming.socket.destroy();
      return new Response(null, { status: 500 });
    }
    if (plan.when === "after send") strike();
    const answer = await work();
    if (plan.when === "after answer") wire.outgoing.once("finish", strike);
    if (plan.when === "mid-wait") strikeAtNextLook();
    if (plan.when === "before save") strikeAtLastLook(await idOf(answer, exchange));
    return answer;
  };
  faults.onRequest({ match: isTheWrite, times: 1, action });

  function strikeAtNextLook(): void {
    faults.onRequest({
      match: ({ method, path }) => method === "GET" && path.startsWith(collection[plan.kind]),
      times: 1,
      action: (work) => {
        strike();
        return work();
      },
    });
  }

  /** The look that shows the end of it: from then on the provider has nothing more to ask. */
  function strikeAtLastLook(id: string | undefined): void {
    let isOver = false;
    faults.onRequest({
      match: ({ method }) => method === "GET" && !isOver,
      times: Infinity,
      action: async (work, { path, wire }) => {
        const answer = await work();
        if (isOver || id === undefined || !(await isLast(plan, id, path, answer))) return answer;
        isOver = true;
        wire.outgoing.once("finish", strike);
        return answer;
      },
    });
  }
}

/** Calls `interrupt` at the moment the plan names, and again where it says so; what it answers ends the waiting for that. */
export function planCancel({ faults }: Emulator, { requests, ms, againMs }: Cancel, interrupt: () => void): () => void {
  const timers: NodeJS.Timeout[] = [];
  const after = (pauseMs: number, act: () => void) => {
    timers.push(setTimeout(act, pauseMs));
  };
  const cancel = () => {
    after(ms, interrupt);
    if (againMs !== undefined) after(ms + againMs, interrupt);
  };
  let seen = 0;
  if (requests === 0) cancel();
  else
    faults.onRequest({
      match: () => ++seen === requests,
      times: 1,
      action: (work) => {
        cancel();
        return work();
      },
    });
  return () => {
    for (const timer of timers) clearTimeout(timer);
  };
}

async function idOf(answer: Response, { path }: Exchange): Promise<string | undefined> {
  if (path.split("/").length > 2) return path.split("/")[2];
  const text = await answer.clone().text();
  return text.startsWith("{") ? (JSON.parse(text) as { id?: string }).id : undefined;
}

async function isLast({ kind, method }: Kill, id: string, path: string, answer: Response): Promise<boolean> {
  // A deployed tunnel's sample configuration is what is read last.
  if (kind === "tunnel" && method === "POST") return path === `/ipsec-tunnels/${id}/sample-config`;
  if (path === `${collection[kind]}/${id}` && answer.status === 404) return true;
  const text = await answer.clone().text();
  if (!text.startsWith("{")) return false;
  const body = JSON.parse(text) as { id?: string; status?: string; content?: { id: string; status: string }[] };
  const entry = (body.content ?? [body]).find((each) => each.id === id);
  const over = method === "DELETE" ? ["DELETED"] : ["DEPLOYED", "ERROR"];
  return over.includes(entry?.status ?? "");
}
