import type { ExchangeAction, When } from "./exchange";

export interface Answer {
  status: number;
  headers?: Record<string, string> | undefined;
  /** No string is sent as JSON. */
  body?: unknown;
}

/** Answers this instead. */
export function answering(answer: Answer & When): ExchangeAction {
  return async (work) => {
    if (answer.when === "after") await work();
    return responseOf(answer);
  };
}

/** What a gateway or a captive portal answers: a page. */
export const htmlPage = (status: number): Answer => ({
  status,
  headers: { "content-type": "text/html" },
  body: "<!doctype html><title>Gateway</title><h1>Something is not right</h1>",
});

/** A body that says JSON and is none. */
export const garbage: Answer = {
  status: 200,
  headers: { "content-type": "application/json" },
  body: '{"id":"tnl-\u0000\u001b[2J',
};

/** A redirect; without a location to the same address: who follows it gets the true answer. */
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
