/** AttachedImages: prepares the images of messages, and stores what is sent of them with the chat (R218). */
import { words } from '../../text';
import { describeFailure, type Failure, fail, type Outcome, succeed } from '../ports/failure';
import {
  type DrawImage,
  type ImageBytes,
  type ImageFiles,
  type ImageReference,
  type ImageType,
  imageLimits,
  isPastedImage,
  sizeToSend,
} from '../ports/message';
import type { DiskVault, FileEntry } from '../ports/vault';
import type { Mention } from '../session/entry';

export interface AttachedImagesPorts extends PrepareImagePorts {
  readonly vault: Pick<DiskVault, 'file' | 'readBytes'>;
  readonly files: ImageFiles;
}

/** Prepared vault images cached until they are sent; the oldest are dropped, and prepared again if needed. */
const maxHeld = 2 * imageLimits.maxImages;

export class AttachedImages {
  private readonly held = new Map<string, Promise<Outcome<PreparedImage>>>();

  constructor(private readonly ports: AttachedImagesPorts) {}

  /** Attaches a file from outside the vault. It is on disk when this resolves, so that a draft can refer to it. */
  async add(file: ImageFile, conversation: string): Promise<Outcome<Mention>> {
    const prepared = await prepareImage(file, conversation, this.ports);
    if (!prepared.ok) return prepared;
    const { image, bytes } = prepared.value;
    const stored = await this.ports.files.write(image, bytes);
    if (!stored.ok) return stored;
    return succeed({ kind: 'image', id: image.digest, label: file.name, apart: true, image });
  }

  /** Deletes the stored file of an added image that will not be sent. */
  async drop(mention: Mention): Promise<void> {
    if (mention.image !== undefined && isPastedImage(mention)) await this.ports.files.remove(mention.image);
  }

  /**
   * Returns the mention with its image prepared as it is now, or with the reason that it cannot be sent. Stores
   * nothing; an image deleted from the vault since stays as it was last prepared.
   */
  async prepare(mention: Mention, conversation: string): Promise<Mention> {
    if (mention.kind !== 'image' || isPastedImage(mention)) return mention;
    return withPrepared(mention, await this.preparedOf(mention.id, conversation));
  }

  /** Returns the mentions to store with a message, after writing what is sent of each image to disk. */
  settle(mentions: readonly Mention[], conversation: string): Promise<readonly Mention[]> {
    let images = 0;
    return Promise.all(
      mentions.map(async (mention) => {
        if (mention.kind !== 'image') return mention;
        images += 1;
        return images > imageLimits.maxImages ? withProblem(mention, tooMany()) : this.store(mention, conversation);
      }),
    );
  }

  /**
   * Returns the mentions with their images copied to another chat, which has them also when the files of this one are
   * deleted. One that cannot be copied stays where it is.
   */
  async copy(mentions: readonly Mention[], conversation: string): Promise<readonly Mention[]> {
    const copied: Mention[] = [];
    // One after another, since a long chat may have very many.
    for (const mention of mentions) {
      const bytes = mention.image === undefined ? null : await this.ports.files.read(mention.image);
      const image = mention.image && { ...mention.image, conversation: plainName(conversation) };
      const stored = image && bytes !== null ? await this.ports.files.write(image, bytes) : null;
      copied.push(image && stored?.ok === true ? { ...mention, image } : mention);
    }
    return copied;
  }

  private async store(mention: Mention, conversation: string): Promise<Mention> {
    if (isPastedImage(mention)) return mention;
    const prepared = await this.preparedOf(mention.id, conversation);
    if (prepared?.ok !== true) return withPrepared(mention, prepared);
    const stored = await this.ports.files.write(prepared.value.image, prepared.value.bytes);
    return stored.ok ? withImage(mention, prepared.value.image) : withProblem(mention, stored.failure);
  }

  /** Returns the prepared image; null if the vault has no such file. */
  private async preparedOf(path: string, conversation: string): Promise<Outcome<PreparedImage> | null> {
    const entry = this.ports.vault.file(path);
    if (entry === undefined) return null;
    const key = JSON.stringify([conversation, entry.path, entry.modified, entry.size]);
    const prepared = this.held.get(key) ?? this.prepareFile(entry, conversation);
    this.held.delete(key);
    this.held.set(key, prepared);
    for (const oldest of this.held.keys()) if (this.held.size > maxHeld) this.held.delete(oldest);
    const outcome = await prepared;
    // An unreadable file may be complete later, such as after a sync.
    if (!outcome.ok) this.held.delete(key);
    return outcome;
  }

  private async prepareFile({ path, size }: FileEntry, conversation: string): Promise<Outcome<PreparedImage>> {
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (size > imageLimits.maxFile) return fail(tooLarge(name, size));
    const read = await this.ports.vault.readBytes(path);
    return read.ok ? prepareImage({ name, bytes: read.value }, conversation, this.ports) : read;
  }
}

/** @param prepared null for an image deleted from the vault */
function withPrepared(mention: Mention, prepared: Outcome<PreparedImage> | null): Mention {
  if (prepared === null) return mention.image === undefined ? withProblem(mention, missingFile(mention.id)) : mention;
  return prepared.ok ? withImage(mention, prepared.value.image) : withProblem(mention, prepared.failure);
}

function withImage({ problem: _problem, ...mention }: Mention, image: ImageReference): Mention {
  return { ...mention, image };
}

function withProblem({ image: _image, ...mention }: Mention, failure: Failure): Mention {
  return { ...mention, problem: describeFailure(failure) };
}

export function tooMany(): Failure {
  const { tooMany: text, tooManyRemedy } = words.images;
  return { kind: 'limit', words: text(imageLimits.maxImages), remedy: tooManyRemedy };
}

function missingFile(path: string): Failure {
  return { kind: 'not-found', words: words.chatView.attachmentMissing(path), remedy: words.failures.noteMissingRemedy };
}

// Preparing an image: its type is detected by content, it is redrawn at the size models use, and named by its digest.

interface PrepareImagePorts {
  readonly draw: DrawImage;
  /** SHA-256 as lowercase hex. */
  readonly digest: (bytes: Uint8Array) => string;
}

/** A file from outside the vault, such as from the clipboard. */
export interface ImageFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

interface PreparedImage extends ImageBytes {
  readonly image: ImageReference;
}

/**
 * Redraws an image, which removes everything but pixels: no location, no time, no second frame. An image too large for
 * the memory of a phone is refused by its header, before it is decoded.
 */
async function prepareImage(
  { name, bytes }: ImageFile,
  conversation: string,
  { draw, digest }: PrepareImagePorts,
): Promise<Outcome<PreparedImage>> {
  if (bytes.length > imageLimits.maxFile) return fail(tooLarge(name, bytes.length));
  const header = readImageHeader(bytes);
  if (header === null) return fail(notAnImage(name));
  const { mediaType, width, height } = header;
  if (width * height > imageLimits.maxPixels) return fail(tooManyPixels(name, width, height));
  try {
    const drawn = await draw({ mediaType, bytes }, sizeToSend);
    const image: ImageReference = {
      digest: digest(drawn.bytes),
      mediaType: drawn.mediaType,
      width: drawn.width,
      height: drawn.height,
      bytes: drawn.bytes.length,
      conversation: plainName(conversation),
    };
    return succeed({ image, mediaType: drawn.mediaType, bytes: drawn.bytes });
  } catch {
    // Each browser engine has its own message for an image that cannot be drawn; none of them helps the user.
    return fail({
      kind: 'unreadable',
      words: words.images.unreadable(name),
      remedy: words.images.unreadableRemedy,
    });
  }
}

/**
 * Returns the folder of a chat's images, as stored references name it. The user may have given the folder of a chat
 * another name, and a reference with other characters in it would not be read again.
 */
function plainName(conversation: string): string {
  return conversation.replace(/[^\w-]/g, '') || 'images';
}

function tooLarge(name: string, bytes: number): Failure {
  return {
    kind: 'too-large',
    words: words.images.tooLarge(name, bytes, imageLimits.maxFile),
    remedy: words.images.smallerRemedy,
  };
}

function tooManyPixels(name: string, width: number, height: number): Failure {
  return {
    kind: 'too-large',
    words: words.images.tooManyPixels(name, width, height),
    remedy: words.images.smallerRemedy,
  };
}

export function notAnImage(name: string): Failure {
  return { kind: 'invalid-input', words: words.images.notAnImage(name), remedy: words.images.notAnImageRemedy };
}

/** The header of an image file, read so that other files and far too large images are never decoded. */
export interface ImageHeader {
  readonly mediaType: ImageType;
  /** Pixels, before the orientation is applied. */
  readonly width: number;
  readonly height: number;
}

/** Detects an image by content, not by name; returns null for other formats and truncated files. Never throws. */
export function readImageHeader(bytes: Uint8Array): ImageHeader | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const read of [readPng, readGif, readWebp, readJpeg]) {
    const header = read(view);
    if (header !== null && header.width > 0 && header.height > 0) return header;
  }
  return null;
}

function readPng(view: DataView): ImageHeader | null {
  if (view.byteLength < 24 || !hasText(view, 1, 'PNG\r\n') || !hasText(view, 12, 'IHDR')) return null;
  return { mediaType: 'image/png', width: view.getUint32(16), height: view.getUint32(20) };
}

function readGif(view: DataView): ImageHeader | null {
  if (view.byteLength < 10 || !hasText(view, 0, 'GIF8')) return null;
  return { mediaType: 'image/gif', width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

/** Reads the three kinds of WebP: lossy, lossless, and extended. */
function readWebp(view: DataView): ImageHeader | null {
  if (view.byteLength < 30 || !hasText(view, 0, 'RIFF') || !hasText(view, 8, 'WEBP')) return null;
  const mediaType = 'image/webp';
  if (hasText(view, 12, 'VP8 ')) {
    return { mediaType, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  }
  if (hasText(view, 12, 'VP8L')) {
    const packed = view.getUint32(21, true);
    return { mediaType, width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
  }
  if (!hasText(view, 12, 'VP8X')) return null;
  const three = (at: number): number => view.getUint16(at, true) + (view.getUint8(at + 2) << 16);
  return { mediaType, width: three(24) + 1, height: three(27) + 1 };
}

/** Walks the segments of a JPEG up to the frame header, which contains the size. */
function readJpeg(view: DataView): ImageHeader | null {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return null;
  let at = 2;
  while (at + 9 <= view.byteLength) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    const isFill = marker === 0xff;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { mediaType: 'image/jpeg', height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += isFill ? 1 : 2 + view.getUint16(at + 2);
  }
  return null;
}

function hasText(view: DataView, at: number, text: string): boolean {
  return [...text].every((character, index) => view.getUint8(at + index) === character.charCodeAt(0));
}
