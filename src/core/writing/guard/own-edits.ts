/**
 * The user's own edits of instruction files, in an editor of the app: a text counts as the user's if it was typed over a
 * saved text that was let in. What another program saved in between is what the next edit is typed over.
 */
import type { Digest } from '../../ports/device';
import type { FileEntry } from '../../ports/vault';

export interface SavedTexts {
  file(path: string): FileEntry | undefined;
  /** Returns the text of a file as it was last saved; null if it cannot be read. */
  readSaved(path: string): Promise<string | null>;
}

interface OwnEditsPorts {
  readonly digest: Digest;
  readonly saved: SavedTexts;
  /** Whether the file as it is saved was let in; null if its text was not compared yet. */
  isIn(entry: FileEntry): boolean | null;
  /** Whether a text was let in at a path. */
  isLetIn(path: string, text: string): boolean;
}

/** Characters of a text that is hashed at each keystroke, and hashes that are stored of one file. */
const maxTyped = 64_000;
const maxHashes = 500;

/** The edits of one file. */
interface Typing {
  /** The saved file over which the user types now. */
  print: string;
  /** Whether its text was let in, or is the user's; null until that is known. */
  isOver: boolean | null;
  /** What was typed last. */
  last: string | null;
  /** Hashes that wait for it. */
  waiting: string[];
  /** Hashes of the texts that are the user's, oldest first. */
  readonly own: Set<string>;
  /** Resolves when it is known. */
  known: Promise<void>;
}

export class OwnEdits {
  private readonly files = new Map<string, Typing>();

  constructor(private readonly ports: OwnEditsPorts) {}

  has(path: string): boolean {
    return this.files.has(path);
  }

  /** @param entry the file as it is saved, before the edit is */
  typed(entry: FileEntry, text: string): void {
    if (text.length > maxTyped) return;
    const print = printOf(entry);
    let typing = this.files.get(entry.path);
    if (typing?.print !== print) {
      const own = typing?.own ?? new Set<string>();
      const before = typing?.known ?? Promise.resolve();
      const isOver = entry.size === 0 ? true : this.ports.isIn(entry);
      typing = { print, isOver, last: null, waiting: [], own, known: before };
      if (typing.isOver === null) typing.known = this.look(typing, entry, before);
      this.files.set(entry.path, typing);
    }
    // The app may report an edit twice.
    if (typing.last === text) return;
    typing.last = text;
    const hash = this.ports.digest(text);
    if (typing.isOver === true) remember(typing, [hash]);
    else if (typing.isOver === null) typing.waiting.push(hash);
  }

  /** Whether a saved text is the user's, after what was typed before is known. */
  async isOwn(path: string, text: string): Promise<boolean> {
    await this.files.get(path)?.known;
    return this.isKnownOwn(path, text);
  }

  isKnownOwn(path: string, text: string): boolean {
    return this.files.get(path)?.own.has(this.ports.digest(text)) === true;
  }

  forget(path: string): void {
    this.files.delete(path);
  }

  moved(from: string, to: string): void {
    const typing = this.files.get(from);
    if (typing === undefined) return;
    this.files.delete(from);
    this.files.set(to, typing);
  }

  private async look(typing: Typing, entry: FileEntry, before: Promise<void>): Promise<void> {
    const { saved } = this.ports;
    const text = await saved.readSaved(entry.path).catch(() => null);
    const now = saved.file(entry.path);
    await before;
    // What was saved since then is not what the user saw.
    const isSame = now !== undefined && printOf(now) === typing.print;
    typing.isOver =
      isSame && text !== null && (this.ports.isLetIn(entry.path, text) || typing.own.has(this.ports.digest(text)));
    if (typing.isOver) remember(typing, typing.waiting);
    typing.waiting = [];
  }
}

function remember({ own }: Typing, hashes: readonly string[]): void {
  for (const hash of hashes) {
    own.delete(hash);
    own.add(hash);
  }
  for (const [oldest] of own.entries()) {
    if (own.size <= maxHashes) return;
    own.delete(oldest);
  }
}

/** The file as the index has it; another text has another one, or is caught when it is read. */
export function printOf({ size, modified }: FileEntry): string {
  return `${modified} ${size}`;
}
