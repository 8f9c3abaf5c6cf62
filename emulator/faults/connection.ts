import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Answer, responseOf } from "./answer";
import type { ExchangeAction, When } from "./exchange";

/** Cuts the connection without an answer. */
export function dropping({ when }: When): ExchangeAction {
  return async (work, { wire }) => {
    if (when === "after") await work();
    wire.incoming.socket.destroy();
    return RESPONSE_ALREADY_SENT;
  };
}

/** Waits in real time before the work. The emulator's clock does not matter. */
export function delaying({ delayMs }: { delayMs: number }): ExchangeAction {
  return async (work, { closing }) => {
    await sleep(delayMs, undefined, { signal: closing }).catch(() => undefined);
    return closing.aborted ? RESPONSE_ALREADY_SENT : work();
  };
}

/**
 * Answers at once, or cuts the connection, and does the work later on the emulator's clock. Until then nothing shows that the request has
 * arrived.
 */
export function committingLate({ delayMs, answer }: { delayMs: number; answer?: Answer | undefined }): ExchangeAction {
  return (work, { wire, clock, closing }) => {
    clock.after(delayMs, () => {
      if (!closing.aborted) void work();
    });
    if (answer) return Promise.resolve(responseOf(answer));
    wire.incoming.socket.destroy();
    return Promise.resolve(RESPONSE_ALREADY_SENT);
  };
}

/** Does the work, sends half of its answer and cuts the connection. */
export const cutting: ExchangeAction = async (work, { wire }) => {
  const answer = await work();
  const body = Buffer.from(await answer.clone().arrayBuffer());
  const length = Math.max(body.length, 2);
  wire.outgoing.writeHead(answer.status, { "content-type": "application/json", "content-length": length });
  await new Promise((resolve) => wire.outgoing.write(body.subarray(0, length / 2), resolve));
  wire.incoming.socket.destroy();
  return RESPONSE_ALREADY_SENT;
};

/** Does the work and answers with an endless body, in blocks of 64 kB as fast as the client reads. */
export const endless: ExchangeAction = async (work) => {
  const { status } = await work();
  const block = new Uint8Array(64 * 1024).fill(32);
  return streamed(status, () => Promise.resolve(block));
};

/** Does the work and answers with one byte per second of real time, without an end. */
export const trickling: ExchangeAction = async (work, { closing }) => {
  const { status } = await work();
  const byte = new Uint8Array([32]);
  return streamed(status, async () => {
    await sleep(1000, undefined, { signal: closing }).catch(() => undefined);
    return byte;
  });
};

const bombBytes = 200 * 1024 * 1024;
let packed: Buffer<ArrayBuffer> | undefined;

/** Does the work and answers with 200 kB of gzip that unpack to 200 MB. */
export const bombing: ExchangeAction = async (work) => {
  const { status } = await work();
  packed ??= gzipSync(Buffer.alloc(bombBytes, 32));
  return new Response(packed, {
    status,
    headers: { "content-type": "application/json", "content-encoding": "gzip" },
  });
};

function streamed(status: number, next: () => Promise<Uint8Array<ArrayBuffer>>): Response {
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      controller.enqueue(await next());
    },
  });
  return new Response(body, { status: status === 204 ? 200 : status, headers: { "content-type": "application/json" } });
}
