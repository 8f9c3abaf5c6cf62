import type { Hono } from "hono";
import { html } from "hono/html";
import { isLoopback, type Controls } from "./admin";
import { logLine } from "./request-log";
import type { Routes } from "./routing";

const requestsShown = 30;

/** A page at `/` for people: what there is and what was asked last. Keys and tokens are not on it. */
export function statusPage(app: Hono<Routes>, controls: Controls): void {
  app.get("/", (c) => {
    if (!isLoopback(c.req.url)) return c.text("Not for web pages", 403);
    const last = controls.requests.slice(-requestsShown).reverse();
    // The html tag escapes every value.
    return c.html(
      html`<!doctype html>
        <meta charset="utf-8" />
        <title>Front door emulator</title>
        <style>
          body {
            font: 14px system-ui;
            margin: 2em;
          }
          td,
          th {
            text-align: left;
            padding: 0.2em 1em 0.2em 0;
          }
        </style>
        <h1>Front door emulator</h1>
        <p>Its clock says ${new Date(controls.clock.now()).toISOString()}</p>
        <h2>Tunnels</h2>
        ${table(["id", "name", "status", "locationId", "peerPublicIp", "peerCidr", "nlbPrivateIp"], controls.tunnels())}
        <h2>Shares</h2>
        ${table(["id", "name", "status", "ipsecTunnelId", "ingressPort", "target", "envZId"], controls.shares())}
        <h2>Last requests</h2>
        <ul>
          ${last.map((entry) => html`<li>${new Date(entry.at).toISOString()} ${logLine(entry)}</li>`)}
        </ul>`,
    );
  });
}

function table<Row extends object>(columns: (keyof Row & string)[], rows: Row[]) {
  return html`<table>
    <tr>
      ${columns.map((column) => html`<th>${column}</th>`)}
    </tr>
    ${rows.map(
      (row) =>
        html`<tr>
          ${columns.map((column) => html`<td>${String(row[column] ?? "")}</td>`)}
        </tr>`,
    )}
  </table>`;
}
