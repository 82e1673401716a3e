/** AttachedImages: prepares the images of messages, and stores what is sent of them with the chat (R218). */
import { words } from '../../text';
import { describeFailure, type Failure, fail, type Outcome, succeed } from '../ports/failure';
import { type ImageFiles, type ImageReference, imageLimits, isPastedImage } from '../ports/message';
import type { DiskVault, FileEntry } from '../ports/vault';
import type { Mention } from '../session/entry';
import { type ImageFile, type PreparedImage, type PrepareImagePorts, prepareImage, tooLarge } from './prepare-image';

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
