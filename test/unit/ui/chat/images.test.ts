/** @jest-environment jsdom */
/** Images drawn again before they are sent: their format, their ground, and what cannot be drawn. */
import { installDom } from 'obsidian-workbench/jest';
import { succeed } from '../../../../src/core/ports/failure';
import type { ImageReference } from '../../../../src/core/ports/message';
import { openImages } from '../../../../src/ui/chat/images';
import { fakeVault } from '../../../support/fake-vault';
import { digestOf } from '../../../support/image-ports';
import { makePng } from '../../../support/make-png';

/** What is done on canvases, in order. */
let done: string[];
/** Bytes that a canvas writes in each format; undefined for one that it cannot write. */
let written: Readonly<Record<string, number | undefined>>;
let bitmap: { width: number; height: number; close: () => void };

beforeEach(() => {
  installDom(window);
  done = [];
  written = { 'image/png': 1_000, 'image/jpeg': 400 };
  bitmap = { width: 3, height: 2, close: () => done.push('close') };
  Object.assign(window, { createImageBitmap: () => Promise.resolve(bitmap) });
  jest.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(function (this: HTMLCanvasElement, kind) {
    const context = {
      ...{ fillStyle: 'black', imageSmoothingQuality: 'low' },
      fillRect: (...box: number[]) => done.push(`fill ${context.fillStyle} ${box.join(' ')}`),
      drawImage: (image: unknown, ...box: number[]) =>
        done.push(`draw ${image === bitmap} ${box.join(' ')}, ${context.imageSmoothingQuality}, ${this.width} wide`),
    };
    return kind === '2d' ? (context as unknown as null) : null;
  });
  jest.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((take, type = '', quality) => {
    done.push(`write ${type} ${quality}`);
    const size = written[type];
    const bytes = new Uint8Array(size ?? 1);
    const blob = { type: size === undefined ? 'image/png' : type, arrayBuffer: () => Promise.resolve(bytes.buffer) };
    take(blob as unknown as Blob);
  });
});
afterEach(() => jest.restoreAllMocks());

function openWith(files: Readonly<Record<string, string>> = {}): ReturnType<typeof openImages> {
  const file = {
    write: () => Promise.resolve(succeed(undefined)),
    read: () => Promise.resolve(null),
    remove: () => Promise.resolve(),
    pathOf: ({ digest }: ImageReference) => `chats/${digest}`,
    addressOf: ({ digest }: ImageReference) => `app://chats/${digest}`,
    addressOfFile: (path: string) => `app://vault/${path}`,
  };
  return openImages({ vault: fakeVault(files), files: file, digest: digestOf });
}

/** A picture as a camera writes it: nothing of it is read but its size. */
const jpeg = Uint8Array.of(0xff, 0xd8, 0xff, 0xc0, 0, 17, 8, 0, 2, 0, 3, 3, 0, 0, 0, 0, 0);

const add = async (bytes: Uint8Array): Promise<readonly unknown[]> => {
  const added = await openWith().attached.add({ name: 'Keel', bytes }, 'c1');
  const { mediaType, width, height, bytes: size } = (added.ok && added.value.image) || {};
  return [mediaType, width, height, size];
};

it('draws what is no photograph as a PNG, which loses nothing', async () => {
  expect(await add(makePng(3, 2))).toEqual(['image/png', 3, 2, 1_000]);
  expect(done).toEqual(['draw true 0 0 3 2, high, 3 wide', 'write image/png 0.88', 'close']);
});

it('draws a photograph as a JPEG, on white', async () => {
  expect(await add(jpeg)).toEqual(['image/jpeg', 3, 2, 400]);
  expect(done).toEqual([
    ...['fill white 0 0 3 2', 'draw true 0 0 3 2, high, 3 wide', 'write image/jpeg 0.88', 'close'],
  ]);
});

it('draws a PNG that is as large as a photograph as a JPEG', async () => {
  written = { 'image/png': 1_500_000, 'image/jpeg': 400 };
  expect(await add(makePng(3, 2))).toEqual(['image/png', 3, 2, 1_500_000]);
  written = { 'image/png': 1_500_001, 'image/jpeg': 400 };
  expect(await add(makePng(3, 2))).toEqual(['image/jpeg', 3, 2, 400]);
});

it('draws a large image at the size that is sent', async () => {
  bitmap = { ...bitmap, width: 20_000, height: 10_000 };
  const [, width, height] = await add(makePng(3, 2));
  expect([width, height]).toEqual([1_549, 774]);
});

it('gives up, and leaves no bitmap in memory, where the browser draws or writes none', async () => {
  const nothing = [undefined, undefined, undefined, undefined];
  // A browser writes what it cannot write as a PNG.
  written = { 'image/jpeg': undefined };
  expect(await add(jpeg)).toEqual(nothing);
  expect(done.at(-1)).toBe('close');
  jest.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  expect(await add(makePng(3, 2))).toEqual(nothing);
  jest.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((take) => take(null));
  expect(await add(makePng(3, 2))).toEqual(nothing);
});

it('names the places of what is sent, and of a file only while it exists', () => {
  const images = openWith({ 'Keel.png': 'x' });
  const image: ImageReference = {
    ...{ digest: 'd', mediaType: 'image/png', width: 1, height: 1, bytes: 1, conversation: 'c1' },
  };
  expect([images.pathOf(image), images.addressOf(image)]).toEqual(['chats/d', 'app://chats/d']);
  expect([images.addressOfFile('Keel.png'), images.addressOfFile('Lost.png')]).toEqual(['app://vault/Keel.png', null]);
});
