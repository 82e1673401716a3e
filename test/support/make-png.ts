/** A real PNG of one colour, made here, so that no picture of anyone is needed. */
import { crc32, deflateSync } from 'node:zlib';

/** @param colour red, green and blue */
export function makePng(
  width: number,
  height: number,
  colour: readonly [number, number, number] = [40, 120, 90],
): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, Buffer.from(colour))]);
  const pixels = Buffer.concat(Array.from({ length: height }, () => row));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const end = Buffer.alloc(0);
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(pixels)), chunk('IEND', end)];
  return new Uint8Array(Buffer.concat([signature, ...chunks]));
}

function chunk(kind: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(kind, 'latin1'), data]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(named, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}
