/** Stores the logs and images of chats on disk: `<agent folder>/chats/<conversation>/` (S1, S8). */
import { type App, type DataAdapter, normalizePath, type Vault } from 'obsidian';
import { byteLength } from '../core/base/cut';
import type { AppendedShard, SessionStore, Shard, ShardMark, StoredConversation } from '../core/ports/device';
import { fail, messageOf, type Outcome, succeed } from '../core/ports/failure';
import type { ImageFiles, ImageReference, ImageType } from '../core/ports/message';
import { isListedPlace } from '../core/writing/guard/path-guard';
import { words } from '../text';
import { moveToTrash } from './trash';

/** Bytes after which a writer session starts a new file, so that sync services never handle a large one. */
const rotateAt = 1_000_000;

/** Folders of chats that are looked at at a time, since a phone opens few files at once. */
const describedAtOnce = 64;

/**
 * Implements SessionStore with visible files: `<agent folder>/chats/<conversation>/<writer>-<session>.jsonl` (S1, S8).
 */
export class SessionFiles implements SessionStore {
  /** Maps each conversation to the number of the file being appended to and its size as far as this process knows. */
  private readonly open = new Map<string, { number: number; size: number }>();
  /** Maps each conversation that was opened to the folder in which it was last, once its files are there. */
  private readonly places = new Map<string, Promise<string>>();

  /**
   * @param folder the folder of all conversations, read at each use because the user may move it
   * @param writer the name of this writer session, part of every file name it creates
   * @param owner hears when the folder of all conversations does not exist, so that `folder` can follow it first, and
   * of what was stored
   */
  constructor(
    private readonly adapter: DataAdapter,
    private readonly folder: () => string,
    private readonly writer: string,
    private readonly owner?: { find(): Promise<void>; used(conversation: string): void },
  ) {}

  async conversations(): Promise<Outcome<readonly StoredConversation[]>> {
    return this.attempt(words.failures.logNotRead, words.failures.logNotReadRemedy, async () => {
      if (!(await this.adapter.exists(this.folder()))) return [];
      const { folders } = await this.adapter.list(this.folder());
      const described: (StoredConversation | null)[] = [];
      for (let start = 0; start < folders.length; start += describedAtOnce) {
        const some = folders.slice(start, start + describedAtOnce);
        described.push(...(await Promise.all(some.map((folder) => this.describeOrReport(folder)))));
      }
      // Images of a message that was never sent are in a folder without a log.
      return described.filter((conversation) => conversation !== null);
    });
  }

  async shards(conversationId: string, names?: readonly string[]): Promise<Outcome<readonly Shard[]>> {
    return this.attempt(words.failures.logNotRead, words.failures.logNotReadRemedy, async () => {
      const logs = (await this.logsOf(conversationId)).filter((path) => names?.includes(nameOf(path)) ?? true);
      return Promise.all(logs.map((path) => this.readShard(path)));
    });
  }

  readonly marks = async (conversationId: string): Promise<Outcome<readonly ShardMark[]>> =>
    this.attempt(words.failures.logNotRead, words.failures.logNotReadRemedy, async () => {
      // Only what reads and extends a chat asks for its marks; a list of all chats must copy none.
      await this.follow(conversationId);
      const logs = await this.logsOf(conversationId);
      const marks = await Promise.all(logs.map((path) => this.markOf(path)));
      return marks.filter((mark) => mark !== null);
    });

  async append(conversationId: string, lines: string): Promise<Outcome<AppendedShard | undefined>> {
    return this.attempt(words.failures.logNotWritten, words.failures.logNotWrittenRemedy, async () => {
      const bytes = byteLength(lines);
      const shard = this.open.get(conversationId) ?? { number: 1, size: 0 };
      if (shard.size > 0 && shard.size + bytes > rotateAt) Object.assign(shard, { number: shard.number + 1, size: 0 });
      this.open.set(conversationId, shard);
      const suffix = shard.number === 1 ? '' : `-${shard.number}`;
      const path = normalizePath(`${this.folderOf(conversationId)}/${this.writer}${suffix}.jsonl`);
      await this.appendTo(path, lines, shard.size > 0);
      shard.size += bytes;
      this.owner?.used(conversationId);
      const mark = await this.markOf(path).catch(() => null);
      return mark === null ? undefined : { ...mark, added: bytes };
    });
  }

  /**
   * Appends the lines to a file, or creates it with them. What this process appended to before is taken to be there
   * still: on a phone, each question to the file system takes milliseconds.
   */
  private async appendTo(path: string, lines: string, isKnown: boolean): Promise<void> {
    try {
      if (isKnown || (await this.adapter.exists(path))) return await this.adapter.append(path, lines);
    } catch (thrown) {
      // A part of the lines may have been written.
      if (await this.adapter.exists(path)) throw thrown;
    }
    await ensureFolders(this.adapter, path.slice(0, path.lastIndexOf('/')));
    await this.adapter.write(path, lines);
  }

  /**
   * Resolves once a conversation can go on in the folder that the user has set since it was opened: with copies of all its
   * files, since its images belong to it. The files before stay where they are.
   */
  private follow(conversationId: string): Promise<string> {
    const before = this.places.get(conversationId);
    const to = this.folderOf(conversationId);
    const copy = async (): Promise<string> => {
      const from = await before;
      if (from === undefined || from === to) return to;
      // What cannot be copied of a log is written again from memory; the rest is copied the next time.
      return this.copyFiles(from, to).then(
        () => to,
        () => from,
      );
    };
    const there = copy();
    this.places.set(conversationId, there);
    return there;
  }

  /** Copies the files of a folder that another one does not have: that may have a new image, or all if it was moved. */
  private async copyFiles(from: string, to: string): Promise<void> {
    if (!(await this.adapter.exists(from))) return;
    await ensureFolders(this.adapter, to);
    const [there, here] = [await this.adapter.list(from), await this.adapter.list(to)];
    const known = new Set(here.files.map(nameOf));
    for (const path of there.files) {
      const copy = `${to}/${nameOf(path)}`;
      const isThere = known.has(nameOf(path));
      // A copy that was cut off; the logs go on in their new place.
      const isTorn = isThere && !path.endsWith('.jsonl') && !(await this.isSameSize(path, copy));
      if (isTorn) await this.adapter.remove(copy);
      if (isTorn || !isThere) await this.adapter.copy(path, copy);
    }
  }

  private async isSameSize(one: string, other: string): Promise<boolean> {
    return (await this.adapter.stat(one))?.size === (await this.adapter.stat(other))?.size;
  }

  /** Returns the paths of the logs of a conversation, sorted; none if it has no folder. */
  private async logsOf(conversationId: string): Promise<string[]> {
    const list = async (): Promise<string[]> => {
      const { files } = await this.adapter.list(this.folderOf(conversationId));
      return files.filter((path) => path.endsWith('.jsonl')).sort();
    };
    // Whether the folder is there is asked only when nothing is found in it.
    const logs = await list().catch(() => null);
    if (logs !== null && logs.length > 0) return logs;
    const isThere = (): Promise<boolean> => this.adapter.exists(this.folderOf(conversationId));
    if (await isThere()) return logs ?? list();
    if (await this.adapter.exists(normalizePath(this.folder()))) return [];
    await this.owner?.find();
    return (await isThere()) ? list() : [];
  }

  private async markOf(path: string): Promise<ShardMark | null> {
    const stat = await this.adapter.stat(path);
    return stat === null ? null : { name: nameOf(path), size: stat.size, modified: stat.mtime };
  }

  /**
   * Returns a shard with its text. An unreadable shard becomes one damaged line, which is counted and shown, so that it
   * hides no other shard.
   */
  private async readShard(path: string): Promise<Shard> {
    const name = nameOf(path);
    try {
      return { name, text: await this.adapter.read(path) };
    } catch (thrown) {
      return { name, text: `${messageOf(thrown)}\n`, isUnread: true };
    }
  }

  /** Throws for what is no name of one folder: the layout of the app, which syncs, names the chat that a view opens. */
  private folderOf(conversationId: string): string {
    const isName = /^[^\\/]+$/.test(conversationId) && conversationId.trim() !== '' && isListedPlace(conversationId);
    if (!isName) throw new Error(conversationId.slice(0, 100));
    return normalizePath(`${this.folder()}/${conversationId}`);
  }

  /** A folder that cannot be listed hides no other chat. */
  private async describeOrReport(folder: string): Promise<StoredConversation | null> {
    try {
      return await this.describe(folder);
    } catch (thrown) {
      return { id: nameOf(folder), modified: 0, size: 0, unlisted: { folder, detail: messageOf(thrown) } };
    }
  }

  private async describe(folder: string): Promise<StoredConversation | null> {
    const { files } = await this.adapter.list(folder);
    if (!files.some((path) => path.endsWith('.jsonl'))) return null;
    const stats = await Promise.all(files.map((path) => this.adapter.stat(path)));
    return {
      id: nameOf(folder),
      modified: stats.reduce((newest, stat) => Math.max(newest, stat?.mtime ?? 0), 0),
      size: stats.reduce((sum, stat) => sum + (stat?.size ?? 0), 0),
    };
  }

  private async attempt<Value>(problem: string, remedy: string, action: () => Promise<Value>): Promise<Outcome<Value>> {
    try {
      return succeed(await action());
    } catch (thrown) {
      return fail({ kind: 'storage', words: `${problem} (${messageOf(thrown)})`, remedy });
    }
  }
}

/** Moves the folder of a chat to the trash. */
export async function trashChat(app: App, path: string): Promise<Outcome<void>> {
  const { notTrashed, notTrashedRemedy, noFolder } = words.chats;
  const folder = app.vault.getFolderByPath(normalizePath(path));
  try {
    if (folder === null) throw new Error(noFolder);
    await moveToTrash(app, folder);
    return succeed(undefined);
  } catch (thrown) {
    return fail({ kind: 'storage', words: notTrashed(messageOf(thrown)), remedy: notTrashedRemedy });
  }
}

/** Returns the last part of a path: a shard is named by its file alone, so that its name stays when the folder moves. */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Hex digits of the digest in a file name. */
const nameLength = 32;

const ends: Readonly<Record<ImageType, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

export interface ChatImages extends ImageFiles {
  /** Returns the path of an image's file, whether or not the file exists. */
  pathOf(image: ImageReference): string;
  /** Returns Obsidian's resource URL of that file, for display. */
  addressOf(image: ImageReference): string;
  /** Returns Obsidian's resource URL of any file in the vault, or null if the file does not exist. */
  addressOfFile(path: string): string | null;
}

/**
 * Implements ImageFiles with visible files: `<agent folder>/chats/<conversation>/<digest>.<format>`, so that images
 * move with their chat.
 * @param folder the folder of all conversations, read at each use because the user may move it
 */
export function createImageFiles(vault: Vault, folder: () => string): ChatImages {
  const { adapter } = vault;
  const pathOf = ({ conversation, digest, mediaType }: ImageReference): string =>
    normalizePath(`${folder()}/${plain(conversation)}/${plain(digest).slice(0, nameLength)}.${ends[mediaType]}`);
  return {
    pathOf,
    addressOf: (image) => adapter.getResourcePath(pathOf(image)),
    addressOfFile: (path) => {
      const file = vault.getFileByPath(path);
      return file === null ? null : vault.getResourcePath(file);
    },
    write: (image, bytes) => writeOnce(adapter, pathOf(image), bytes),
    read: async (image) => {
      try {
        const bytes = new Uint8Array(await adapter.readBinary(pathOf(image)));
        // A crash can leave a file with its full length and nothing in it but zeros.
        return bytes.length === image.bytes && bytes.some((byte) => byte !== 0) ? bytes : null;
      } catch {
        return null;
      }
    },
    remove: async (image) => {
      try {
        if (await adapter.exists(pathOf(image))) await adapter.remove(pathOf(image));
      } catch {
        // A leftover image file does no harm.
      }
    },
  };
}

/**
 * Removes path characters: a log written by another program may contain anything, and no reference may lead out of the
 * folder.
 */
function plain(name: string): string {
  return name.replace(/[^\w-]/g, '');
}

async function writeOnce(adapter: DataAdapter, path: string, bytes: Uint8Array): Promise<Outcome<void>> {
  try {
    const known = await adapter.stat(path);
    if (known?.size === bytes.length && (await isSame(adapter, path, bytes))) return succeed(undefined);
    await ensureFolders(adapter, path.slice(0, path.lastIndexOf('/')));
    await adapter.writeBinary(path, bytes.slice().buffer);
    return succeed(undefined);
  } catch (thrown) {
    const { notStored, notStoredRemedy } = words.images;
    return fail({ kind: 'storage', words: `${notStored} (${messageOf(thrown)})`, remedy: notStoredRemedy });
  }
}

async function isSame(adapter: DataAdapter, path: string, bytes: Uint8Array): Promise<boolean> {
  const stored = new Uint8Array(await adapter.readBinary(path).catch(() => new ArrayBuffer(0)));
  return stored.length === bytes.length && stored.every((byte, at) => byte === bytes[at]);
}

/** Creates a folder and its parents through the adapter, for files that Obsidian does not index. */
export async function ensureFolders(adapter: Pick<DataAdapter, 'exists' | 'mkdir'>, folder: string): Promise<void> {
  if (await adapter.exists(folder)) return;
  let path = '';
  for (const segment of folder.split('/')) {
    path = path === '' ? segment : `${path}/${segment}`;
    if (!(await adapter.exists(path))) await adapter.mkdir(path);
  }
}
