// Makes a PNG small: at most 256 colors from a palette, as flat pictures such as screenshots bear well.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const maxColors = 256;

/** Returns the picture with at most 256 colors. Takes what browsers write: 8 bits a channel, not interlaced. */
export function limitColors(png) {
  const { width, height, pixels } = readPixels(png);
  const counts = new Map();
  for (const color of pixels) counts.set(color, (counts.get(color) ?? 0) + 1);
  const palette = choosePalette(counts);
  const nearest = new Map([...counts.keys()].map((color) => [color, findNearest(color, palette)]));
  const rows = Buffer.alloc(height * (width + 1));
  for (let at = 0; at < pixels.length; at++) {
    rows[Math.floor(at / width) * (width + 1) + 1 + (at % width)] = nearest.get(pixels[at]);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits a pixel, from a palette.
  header.set([8, 3], 8);
  const colors = Buffer.from(palette.flatMap((color) => channelsOf(color)));
  const parts = [chunk('IHDR', header), chunk('PLTE', colors), chunk('IDAT', deflateSync(rows, { level: 9 }))];
  return Buffer.concat([signature, ...parts, chunk('IEND', Buffer.alloc(0))]);
}

const channelsOf = (color) => [color >> 16, (color >> 8) & 255, color & 255];

/** Takes the most frequent colors, leaving out those that hardly differ from one taken before. */
function choosePalette(counts) {
  const byCount = [...counts].sort(([, a], [, b]) => b - a).map(([color]) => color);
  for (let distance = 0; ; distance += 4) {
    const taken = [];
    for (const color of byCount) {
      if (taken.every((other) => distanceOf(color, other) > distance)) taken.push(color);
      if (taken.length > maxColors) break;
    }
    if (taken.length <= maxColors) return taken;
  }
}

function findNearest(color, palette) {
  let best = 0;
  for (let at = 1; at < palette.length; at++) {
    if (distanceOf(color, palette[at]) < distanceOf(color, palette[best])) best = at;
  }
  return best;
}

/** The largest difference between two channels, so that no hue goes astray. */
function distanceOf(a, b) {
  return Math.max(
    Math.abs((a >> 16) - (b >> 16)),
    Math.abs(((a >> 8) & 255) - ((b >> 8) & 255)),
    Math.abs((a & 255) - (b & 255)),
  );
}

function readPixels(png) {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const [depth, kind, , , interlace] = png.subarray(24, 29);
  if (!png.subarray(0, 8).equals(signature) || depth !== 8 || ![2, 6].includes(kind) || interlace !== 0)
    throw new Error('The picture is not a PNG with 8 bits a channel.');
  const channels = kind === 2 ? 3 : 4;
  const rows = unfilter(inflateSync(dataOf(png)), width * channels, channels);
  const pixels = new Uint32Array(width * height);
  for (let at = 0; at < pixels.length; at++) pixels[at] = rows.readUIntBE(at * channels, 3);
  return { width, height, pixels };
}

function dataOf(png) {
  const parts = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  return Buffer.concat(parts);
}

/** Adds to each byte what its row’s filter predicts from the bytes to the left and above. */
function unfilter(data, rowBytes, channels) {
  const rows = Buffer.alloc((data.length / (rowBytes + 1)) * rowBytes);
  for (let start = 0, from = 0; start < rows.length; start += rowBytes, from += rowBytes + 1) {
    for (let at = 0; at < rowBytes; at++) {
      const left = at < channels ? 0 : rows[start + at - channels];
      const above = start === 0 ? 0 : rows[start + at - rowBytes];
      const corner = at < channels || start === 0 ? 0 : rows[start + at - rowBytes - channels];
      rows[start + at] = data[from + 1 + at] + predictors[data[from]](left, above, corner);
    }
  }
  return rows;
}

const predictors = [
  () => 0,
  (left) => left,
  (_left, above) => above,
  (left, above) => (left + above) >> 1,
  (left, above, corner) => {
    const [toLeft, toAbove] = [Math.abs(above - corner), Math.abs(left - corner)];
    const toCorner = Math.abs(left + above - 2 * corner);
    if (toLeft <= toAbove && toLeft <= toCorner) return left;
    return toAbove <= toCorner ? above : corner;
  },
];

function chunk(name, data) {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}
