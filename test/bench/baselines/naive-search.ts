/** The naive search: reads every note for each question, and counts the words of the question in it. */
import type { Vault } from '../../../src/core/ports/vault';

export async function searchNaively(vault: Vault, question: string): Promise<readonly string[]> {
  const words: readonly string[] = question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const found: { readonly path: string; readonly hits: number }[] = [];
  for (const { path } of vault.files()) {
    const note = await vault.read(path);
    if (!note.ok) continue;
    const own: readonly string[] = note.value.text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    const hits = own.filter((word) => words.includes(word)).length;
    if (hits > 0) found.push({ path, hits });
  }
  return found.sort((a, b) => b.hits - a.hits).map(({ path }) => path);
}
