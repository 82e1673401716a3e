/** Pictures in memory: drawing keeps the bytes and scales the size, files are held in a map. */
import { createHash } from 'node:crypto';
import { AttachedImages, readImageHeader } from '../../src/core/images/attached-images';
import { fail, succeed } from '../../src/core/ports/failure';
import type { DrawImage, ImageFiles, ImageReference } from '../../src/core/ports/message';
import type { DiskVault } from '../../src/core/ports/vault';
import type { ImagePorts } from '../../src/ui/state/ports';
import { noSpace } from './memory-ports';

export interface FakeImages {
  readonly attached: AttachedImages;
  readonly ports: ImagePorts;
  readonly files: ImageFiles;
  /** Bytes by path. */
  readonly stored: Map<string, Uint8Array>;
  /** Paths in the order in which they were written. */
  readonly written: string[];
  /** Whether the disk takes no more. */
  isFull: boolean;
}

export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** As a canvas would, but that it keeps the bytes; it fails where there are no pixels. */
export const fakeDraw: DrawImage = ({ bytes }, fit) => {
  const header = readImageHeader(bytes);
  if (header === null || bytes.length < 40) return Promise.reject(new Error('InvalidStateError'));
  const mediaType = header.mediaType === 'image/jpeg' ? 'image/jpeg' : 'image/png';
  return Promise.resolve({ mediaType, bytes, ...fit(header.width, header.height) });
};

export const pathOfImage = ({ conversation, digest }: ImageReference): string => `chats/${conversation}/${digest}`;

export function imagePorts(vault: DiskVault, draw: DrawImage = fakeDraw): FakeImages {
  const stored = new Map<string, Uint8Array>();
  const written: string[] = [];
  const files: ImageFiles = {
    write: (image, bytes) => {
      if (fake.isFull) return Promise.resolve(fail(noSpace));
      if (!stored.has(pathOfImage(image))) written.push(pathOfImage(image));
      stored.set(pathOfImage(image), bytes);
      return Promise.resolve(succeed(undefined));
    },
    read: (image) => Promise.resolve(stored.get(pathOfImage(image)) ?? null),
    remove: (image) => Promise.resolve(void stored.delete(pathOfImage(image))),
  };
  const attached = new AttachedImages({ vault, files, draw, digest: digestOf });
  const ports: ImagePorts = {
    attached,
    pathOf: pathOfImage,
    addressOf: (image) => `app://chat/${image.digest}`,
    addressOfFile: (path) => (vault.file(path) === undefined ? null : `app://vault/${path}`),
  };
  const fake: FakeImages = { attached, ports, files, stored, written, isFull: false };
  return fake;
}
