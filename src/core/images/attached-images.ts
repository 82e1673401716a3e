/** AttachedImages: makes the pictures of messages ready, and keeps what is sent of them beside the chat (R218). */
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

/** Pictures of the vault that are held until they are sent; the oldest are forgotten, and made ready anew. */
const maxHeld = 2 * imageLimits.maxImages;

export class AttachedImages {
  private readonly held = new Map<string, Promise<Outcome<PreparedImage>>>();

  constructor(private readonly ports: AttachedImagesPorts) {}

  /** Takes a file in that is not of the vault. It is on the disk when this returns, so that a draft can refer to it. */
  async add(file: ImageFile, conversation: string): Promise<Outcome<Mention>> {
    const prepared = await prepareImage(file, conversation, this.ports);
    if (!prepared.ok) return prepared;
    const { image, bytes } = prepared.value;
    const stored = await this.ports.files.write(image, bytes);
    if (!stored.ok) return stored;
    return succeed({ kind: 'image', id: image.digest, label: file.name, apart: true, image });
  }

  /** Takes away the file of one that was added and will not be sent. */
  async drop(mention: Mention): Promise<void> {
    if (mention.image !== undefined && isPastedImage(mention)) await this.ports.files.remove(mention.image);
  }

  /**
   * The mention with what would be sent of its picture as it is now, or with why it cannot be. Nothing is stored, and a
   * picture that has gone from the vault since stays as it was made ready before.
   */
  async prepare(mention: Mention, conversation: string): Promise<Mention> {
    if (mention.kind !== 'image' || isPastedImage(mention)) return mention;
    return withPrepared(mention, await this.preparedOf(mention.id, conversation));
  }

  /** The mentions as they are to be stored with a message: what is sent of each picture is on the disk from here on. */
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

  /** Null when the vault has no such file. */
  private async preparedOf(path: string, conversation: string): Promise<Outcome<PreparedImage> | null> {
    const entry = this.ports.vault.file(path);
    if (entry === undefined) return null;
    const key = JSON.stringify([conversation, entry.path, entry.modified, entry.size]);
    const prepared = this.held.get(key) ?? this.prepareFile(entry, conversation);
    this.held.delete(key);
    this.held.set(key, prepared);
    for (const oldest of this.held.keys()) if (this.held.size > maxHeld) this.held.delete(oldest);
    const outcome = await prepared;
    // What could not be opened now may be there in full later, as after a sync.
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

/** @param prepared null for one that has gone from the vault */
function withPrepared(mention: Mention, prepared: Outcome<PreparedImage> | null): Mention {
  if (prepared === null) return mention.image === undefined ? withProblem(mention, gone(mention.id)) : mention;
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

function gone(path: string): Failure {
  return { kind: 'not-found', words: words.pane.attachmentMissing(path), remedy: words.failures.noteMissingRemedy };
}
