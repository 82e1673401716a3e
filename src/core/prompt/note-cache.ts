/** A cache of note texts for prompts and display. Dropped on change; never a base for a write. */
import type { Outcome } from '../ports/failure';
import type { FileEntry, NoteText, Vault } from '../ports/vault';

/** Characters kept in all; the notes read longest ago go first. */
const capacity = 8_000_000;

export class NoteCache {
  private readonly held = new Map<string, { readonly entry: FileEntry; readonly note: NoteText }>();
  private characters = 0;

  constructor(private readonly vault: Vault) {}

  async read(path: string, signal: AbortSignal): Promise<Outcome<NoteText>> {
    const entry = this.vault.file(path);
    const held = entry && this.held.get(entry.path);
    if (entry && held && held.entry.modified === entry.modified && held.entry.size === entry.size) {
      return { ok: true, value: held.note };
    }
    const outcome = await this.vault.read(path, signal);
    if (outcome.ok && entry) this.keep(entry, outcome.value);
    return outcome;
  }

  /** Forgets the given paths, whatever their times say. */
  forget(paths: Iterable<string>): void {
    for (const path of paths) {
      const held = this.held.get(path);
      if (held === undefined) continue;
      this.characters -= held.note.text.length;
      this.held.delete(path);
    }
  }

  private keep(entry: FileEntry, note: NoteText): void {
    this.forget([entry.path]);
    this.held.set(entry.path, { entry, note });
    this.characters += note.text.length;
    for (const path of this.held.keys()) {
      if (this.characters <= capacity) return;
      this.forget([path]);
    }
  }
}
