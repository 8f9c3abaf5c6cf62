import { setTimeout as sleep } from "node:timers/promises";
import { visibleAndStyled } from "../characters";

const pauseMs = 2000;

const escape = "\x1b[";
const onOtherScreen = `${escape}?1049h${escape}?25l`;
const asItWas = `${escape}?25h${escape}?1049l`;

/** Redraws a text on the terminal's alternate screen every two seconds, until Ctrl-C. It always restores the terminal. */
export async function redraw(text: () => Promise<string>): Promise<never> {
  let last = await text();
  const restore = () => process.stdout.write(asItWas);
  process.once("exit", restore);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(130));
  process.stdout.on("resize", () => {
    draw(last);
  });
  process.stdout.write(onOtherScreen);
  try {
    for (;;) {
      draw(last);
      await sleep(pauseMs);
      last = await text();
    }
  } finally {
    // The error message must be on the normal screen.
    process.off("exit", restore);
    restore();
  }
}

/** Draws as many lines as the terminal has room for, over the previous lines. */
function draw(text: string): void {
  const lines = visibleAndStyled(text).split("\n");
  const room = process.stdout.rows - 1;
  const more = lines.length - room;
  const fitting = more > 0 ? [...lines.slice(0, room - 1), `… ${more + 1} more lines`] : lines;
  process.stdout.write(`${escape}H${fitting.map((line) => `${line}${escape}K\r\n`).join("")}${escape}J`);
}
