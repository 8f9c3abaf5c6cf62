import type { ExchangeAction, When } from "./exchange";

export interface Answer {
  status: number;
  headers?: Record<string, string> | undefined;
  /** No string is sent as JSON. */
  body?: unknown;
}

/** Returns a fault that answers with this instead. */
export function answering(answer: Answer & When): ExchangeAction {
  return async (work) => {
    if (answer.when === "after") await work();
    return responseOf(answer);
  };
}

/** Returns a fault that answers with a page, as a gateway or a captive portal does. */
export const htmlPage = (status: number): Answer => ({
  status,
  headers: { "content-type": "text/html" },
  body: "<!doctype html><title>Gateway</title><h1>Something is not right</h1>",
});

/** Returns a fault with a body that is declared as JSON, but is no JSON. */
export const garbage: Answer = {
  status: 200,
  headers: { "content-type": "application/json" },
  body: '{"id":"tnl-\u0000\u001b[2J',
};

/** Returns a fault with a redirect, by default to the same address. A client that follows it gets the true answer. */
export function redirecting({ status, location, when }: { status: number; location?: string | undefined } & When) {
  const action: ExchangeAction = (work, exchange) =>
    answering({ status, headers: { location: location ?? exchange.wire.incoming.url ?? "/" }, when })(work, exchange);
  return action;
}

export function responseOf({ status, headers, body }: Answer): Response {
  if (body === undefined) return new Response(null, { status, headers: { ...headers } });
  if (typeof body === "string") return new Response(body, { status, headers: { ...headers } });
  return Response.json(body, { status, headers: { ...headers } });
}
