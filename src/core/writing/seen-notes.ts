/** Seen notes: the text of each note as the model was last shown it, against which its writes are checked (H6). */
import type { Vault } from '../ports/vault';

export class SeenNotes {
  private readonly texts = new Map<string, string>();

  see(path: string, text: string): void {
    this.texts.set(path, text);
  }

  textOf(path: string): string | undefined {
    return this.texts.get(path);
  }

  move(from: string, to: string): void {
    const text = this.texts.get(from);
    this.texts.delete(from);
    if (text !== undefined) this.texts.set(to, text);
  }

  forget(path: string): void {
    this.texts.delete(path);
  }
}

/** The vault for tools that show the model whole notes or parts of them: each text that is read counts as seen. */
export function recordReads(vault: Vault, seen: SeenNotes): Vault {
  return {
    name: vault.name,
    files: () => vault.files(),
    folders: () => vault.folders(),
    file: (path) => vault.file(path),
    outline: (path) => vault.outline(path),
    backlinks: (path) => vault.backlinks(path),
    resolveLink: (linkText, fromPath) => vault.resolveLink(linkText, fromPath),
    read: async (path, signal) => {
      const read = await vault.read(path, signal);
      if (read.ok) seen.see(read.value.path, read.value.text);
      return read;
    },
  };
}
