/** NoteTokens: the exact tokens of notes by path and version, kept in memory only and forgotten on change. */
import type { Outcome } from '../core/ports/failure';
import type { FileEntry, NoteText, Vault } from '../core/ports/vault';
import type { TextCounter } from './text-counter';

export class NoteTokens {
  private readonly held = new Map<string, { readonly entry: FileEntry; readonly tokens: number }>();

  /** @param read gives a note's text, as the cache of notes does */
  constructor(
    private readonly vault: Pick<Vault, 'file'>,
    private readonly read: (path: string, signal: AbortSignal) => Promise<Outcome<NoteText>>,
    private readonly counter: TextCounter,
  ) {}

  /** What is known without reading; undefined when the note has changed, or was never counted. */
  known(path: string): number | undefined {
    const entry = this.vault.file(path);
    const held = entry && this.held.get(entry.path);
    return held && sameVersion(held.entry, entry) ? held.tokens : undefined;
  }

  /** Reads and counts what is not known; undefined for what cannot be read or counted. */
  async count(path: string, signal: AbortSignal): Promise<number | undefined> {
    const known = this.known(path);
    if (known !== undefined) return known;
    const entry = this.vault.file(path);
    const note = await this.read(path, signal);
    if (!note.ok || entry === undefined) return undefined;
    const [tokens] = await this.counter.count([note.value.text]).catch(() => [null]);
    if (tokens === null || tokens === undefined) return undefined;
    // The version that was asked for: a note that changed meanwhile is counted again when it is asked for again.
    this.held.set(entry.path, { entry, tokens });
    return tokens;
  }

  /** Forgets the given paths, whatever their times say. */
  forget(paths: Iterable<string>): void {
    for (const path of paths) this.held.delete(path);
  }
}

function sameVersion(a: FileEntry, b: FileEntry): boolean {
  return a.modified === b.modified && a.size === b.size;
}
