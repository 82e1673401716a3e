/** Pretends to be a third-party plugin that touches a note shortly after each save. */
import { TFile, type TAbstractFile } from './files';
import type { Vault } from './vault';

const MODIFIED_LINE = /^(modified:[^\n]*?)( ?)(\r?)$/m;
const FRONTMATTER = /^---\r?\n[\s\S]*?\n---/;

/** Only trailing whitespace of the `modified` property changes, and only where there is such a property. */
export function attachRewriter(vault: Vault): void {
  const own = new Set<string>();
  vault.on('modify', (file: TAbstractFile) => {
    if (!(file instanceof TFile) || file.extension !== 'md' || own.delete(file.path)) return;
    setTimeout(() => void rewrite(file), 20 + vault.chaos.random() * 80);
  });

  const rewrite = async (file: TFile): Promise<void> => {
    try {
      if (file.deleted || touchModified(await vault.read(file)) === null) return;
      own.add(file.path);
      await vault.process(file, (text) => touchModified(text) ?? text);
    } catch {
      own.delete(file.path);
    }
  };
}

function touchModified(text: string): string | null {
  const block = FRONTMATTER.exec(text)?.[0];
  if (!block || !MODIFIED_LINE.test(block)) return null;
  const touched = block.replace(MODIFIED_LINE, (_, line: string, space: string, end: string) => {
    return line + (space ? '' : ' ') + end;
  });
  return touched + text.slice(block.length);
}
