import { crc32, deflateSync, inflateSync } from "node:zlib";

// Makes a screenshot a quarter of its size, so that the package can contain it: a PNG whose pixels name one of a few colors.

/** Returns the same picture with at most `most` colors. It takes the RGB PNGs that Chromium writes. */
export function withFewColors(png: Buffer, most = 40): Buffer {
  const { header, pixels, width, height } = decoded(png);
  const colors = new Map<number, number>();
  const colorAt = (at: number) => pixels.readUIntBE(at * 3, 3);
  for (let at = 0; at < width * height; at++) colors.set(colorAt(at), (colors.get(colorAt(at)) ?? 0) + 1);
  const palette = paletteOf([...colors], most);
  const indexes = new Map([...colors.keys()].map((color) => [color, nearest(palette, color)]));
  const lines = Buffer.alloc(height * (width + 1));
  for (let at = 0; at < width * height; at++)
    lines[Math.floor(at / width) * (width + 1) + 1 + (at % width)] = indexes.get(colorAt(at)) ?? 0;
  const newHeader = Buffer.from(header);
  newHeader[9] = 3; // a palette
  const colorsOfPalette = Buffer.from(palette.flatMap((color) => [0, 1, 2].map((channel) => part(color, channel))));
  return Buffer.concat([
    png.subarray(0, 8),
    chunk("IHDR", newHeader),
    chunk("PLTE", colorsOfPalette),
    chunk("IDAT", deflateSync(lines, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

const part = (color: number, channel: number) => (color >> (16 - 8 * channel)) & 255;

function decoded(png: Buffer) {
  let header = Buffer.alloc(13);
  const data: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const body = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
    const type = png.toString("latin1", at + 4, at + 8);
    if (type === "IHDR") header = Buffer.from(body);
    if (type === "IDAT") data.push(body);
  }
  if (header[8] !== 8 || header[9] !== 2) throw new Error("This picture is no RGB PNG with 8 bits");
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  return { header, width, height, pixels: unfiltered(inflateSync(Buffer.concat(data)), width * 3, height) };
}

/** Returns the bytes of a picture without PNG's filters, each of which adds up neighbours. */
function unfiltered(raw: Buffer, stride: number, height: number): Buffer {
  const pixels = Buffer.alloc(height * stride);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x;
      const left = x < 3 ? 0 : (pixels[at - 3] ?? 0);
      const up = y === 0 ? 0 : (pixels[at - stride] ?? 0);
      const corner = x < 3 || y === 0 ? 0 : (pixels[at - stride - 3] ?? 0);
      const guesses = [0, left, up, (left + up) >> 1, paeth(left, up, corner)];
      pixels[at] = (raw[y * (stride + 1) + 1 + x] ?? 0) + (guesses[raw[y * (stride + 1)] ?? 0] ?? 0);
    }
  return pixels;
}

function paeth(left: number, up: number, corner: number): number {
  const [toLeft, toUp, toCorner] = [left, up, corner].map((each) => Math.abs(left + up - corner - each)) as [
    number,
    number,
    number,
  ];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

type Counted = [color: number, count: number];

/** Returns the most frequent color of each box that the median cut makes. */
function paletteOf(colors: Counted[], most: number): number[] {
  const boxes = [colors];
  while (boxes.length < most) {
    const [widest] = boxes.map((box) => ({ box, ...spreadOf(box) })).sort((a, b) => b.weight - a.weight);
    if (!widest || widest.weight === 0) break;
    const { box, channel, middle } = widest;
    const isLow = ([color]: Counted) => part(color, channel) <= middle;
    boxes.splice(
      boxes.indexOf(box),
      1,
      box.filter(isLow),
      box.filter((each) => !isLow(each)),
    );
  }
  return boxes.map((box) => box.reduce((top, each) => (each[1] > top[1] ? each : top))[0]);
}

/** The channel in which the colors of a box differ most, the middle between them, and how much a cut there gains. */
function spreadOf(box: Counted[]) {
  const spreads = [0, 1, 2].map((channel) => {
    const values = box.map(([color]) => part(color, channel));
    const [low, high] = [Math.min(...values), Math.max(...values)];
    return { channel, spread: high - low, middle: (low + high) / 2 };
  });
  const [most] = spreads.sort((a, b) => b.spread - a.spread);
  const { channel = 0, spread = 0, middle = 0 } = most ?? {};
  const pixels = box.reduce((sum, [, count]) => sum + count, 0);
  return { channel, middle, weight: spread * Math.log(2 + pixels) };
}

function nearest(palette: number[], color: number): number {
  const distance = (other: number) =>
    [0, 1, 2].reduce((sum, channel) => sum + (part(other, channel) - part(color, channel)) ** 2, 0);
  return palette.reduce((best, other, at) => (distance(other) < distance(palette[best] ?? 0) ? at : best), 0);
}

function chunk(type: string, body: Buffer): Buffer {
  const whole = Buffer.alloc(12 + body.length);
  whole.writeUInt32BE(body.length, 0);
  whole.write(type, 4, "latin1");
  body.copy(whole, 8);
  whole.writeUInt32BE(crc32(whole.subarray(4, 8 + body.length)), 8 + body.length);
  return whole;
}
