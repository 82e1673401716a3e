/** @jest-environment node */
import fc from 'fast-check';
import { readImageHeader } from '../../../../src/core/images/attached-images';
import { imageLimits, imageTokens, isImagePath, sizeToSend } from '../../../../src/core/ports/message';
import { makePng } from '../../../support/make-png';

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  new Uint8Array(
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part)))),
  );

/** A JPEG up to its frame, behind other segments. */
const jpeg = (marker: number, width: number, height: number): Uint8Array =>
  bytes(
    [0xff, 0xd8, 0xff, 0xe0, 0, 6],
    'JFIF',
    [0xff, 0xff, 0xc4, 0, 4, 1, 2],
    [0xff, marker, 0, 17, 8, height >> 8, height & 255, width >> 8, width & 255, 3, 0, 0, 0],
  );

describe('the size of an image that is sent', () => {
  it('R218 leaves a small one as it is and makes a large one as small as models make it', () => {
    expect(sizeToSend(640, 480)).toEqual({ width: 640, height: 480 });
    expect(sizeToSend(4032, 3024)).toEqual({ width: 1264, height: 948 });
    expect(sizeToSend(3136, 700)).toEqual({ width: 1568, height: 350 });
    expect(sizeToSend(20_000, 1)).toEqual({ width: 1568, height: 1 });
  });

  it('R218 keeps within the longest side and the tokens, whatever comes in, and never grows', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20_000 }), fc.integer({ min: 1, max: 20_000 }), (width, height) => {
        const sent = sizeToSend(width, height);
        expect(Math.max(sent.width, sent.height)).toBeLessThanOrEqual(imageLimits.maxSideLength);
        expect((sent.width * sent.height) / 750).toBeLessThanOrEqual(imageLimits.maxTokens);
        expect(sent.width).toBeLessThanOrEqual(width);
        expect(sent.height).toBeLessThanOrEqual(height);
        expect(Math.min(sent.width, sent.height)).toBeGreaterThanOrEqual(1);
      }),
      { numRuns: 2_000 },
    );
  });

  it('R218 costs its pixels by the formula of the providers, up to their cap', () => {
    expect(imageTokens(1000, 750)).toBe(1000);
    expect(imageTokens(10, 10)).toBe(1);
    expect(imageTokens(8000, 8000)).toBe(1600);
  });
});

describe('files of images', () => {
  it('R218 are known by their names', () => {
    expect(['a.png', 'b/c.JPG', 'd.jpeg', 'e.gif', 'f.webp'].filter(isImagePath)).toHaveLength(5);
    expect(['a.svg', 'png', 'a.png.md', 'a.pdf', 'a.constructor'].filter(isImagePath)).toEqual([]);
  });

  it.each([
    ['PNG', makePng(7, 5), { mediaType: 'image/png', width: 7, height: 5 }],
    ['GIF', bytes('GIF89a', [7, 0, 5, 0]), { mediaType: 'image/gif', width: 7, height: 5 }],
    ['JPEG', jpeg(0xc0, 700, 500), { mediaType: 'image/jpeg', width: 700, height: 500 }],
    ['progressive JPEG', jpeg(0xc2, 700, 500), { mediaType: 'image/jpeg', width: 700, height: 500 }],
    [
      'lossy WebP',
      bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8 ', [0, 0, 0, 0, 0, 0, 0, 0x9d, 1, 0x2a, 7, 0, 5, 0]),
      { mediaType: 'image/webp', width: 7, height: 5 },
    ],
    [
      'lossy WebP that asks to be enlarged',
      bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8 ', [0, 0, 0, 0, 0, 0, 0, 0x9d, 1, 0x2a, 7, 0x40, 5, 0xc0]),
      { mediaType: 'image/webp', width: 7, height: 5 },
    ],
    [
      'lossless WebP',
      bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8L', [0, 0, 0, 0, 0x2f, 6, 0, 1, 0, 0, 0, 0, 0, 0]),
      { mediaType: 'image/webp', width: 7, height: 5 },
    ],
    [
      'extended WebP',
      bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8X', [0, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 4, 0, 0]),
      { mediaType: 'image/webp', width: 7, height: 5 },
    ],
  ])('R218 %s tells its size', (_format, file, header) => {
    expect(readImageHeader(file)).toEqual(header);
  });

  it('R218 that are none, or end too early, tell nothing', () => {
    for (const file of [
      bytes(''),
      bytes('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      bytes('GIF89a'),
      jpeg(0xc4, 9, 9),
    ]) {
      expect(readImageHeader(file)).toBeNull();
    }
    expect(readImageHeader(makePng(7, 5).subarray(0, 20))).toBeNull();
    expect(readImageHeader(jpeg(0xc0, 0, 500))).toBeNull();
  });

  it('never makes the reader throw', () => {
    const starts = [makePng(7, 5), jpeg(0xc0, 7, 5), bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8X'), bytes('GIF89a')];
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.nat(40), fc.uint8Array({ maxLength: 60 }), (start, keep, rest) => {
        const file = new Uint8Array(Buffer.concat([start.subarray(0, keep), rest]));
        const header = readImageHeader(file);
        expect(header === null || (header.width > 0 && header.height > 0)).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });
});
