/** The vault without the instruction files that wait: for the agent they do not exist, and nothing of them is read. */
import { words } from '../../../text';
import { raceAbort } from '../../base/async';
import { compareText, followList, showAll } from '../../base/list-edits';
import { fail } from '../../ports/failure';
import type { DiskVault, FileEntry } from '../../ports/vault';
import { type PreparedVault, visibleLinks } from './fence';
import type { InstructionFiles } from './instructions';

/** Returns a view of the vault in which a file that waits does not exist. */
export function withoutWaiting(vault: DiskVault, instructions: InstructionFiles): PreparedVault {
  let rules: { readonly revision: number; readonly kindOf: InstructionFiles['kindOf'] } | null = null;
  const files = followList(
    () => vault.files(),
    () => {
      const { revision, kindOf } = instructions;
      if (rules?.revision !== revision || rules.kindOf !== kindOf) rules = { revision, kindOf };
      return rules;
    },
    ({ kindOf }) => {
      // The list of those files was made already; to find them again, every path of the vault would be looked up.
      const out = instructions.list.current().filter((entry) => instructions.isOut(entry, kindOf));
      const paths = new Set(out.map(({ path }) => path));
      return paths.size === 0 ? showAll : (entry: FileEntry) => !paths.has(entry.path);
    },
    (a, b) => compareText(a.path, b.path),
  );
  const find = (path: string): FileEntry | undefined => {
    const entry = vault.file(path);
    return entry === undefined || instructions.isOut(entry) ? undefined : entry;
  };
  const isVisible = (path: string): boolean => find(path) !== undefined;
  const isWaiting = (path: string): boolean => {
    const entry = vault.file(path);
    return entry !== undefined && instructions.isOut(entry);
  };
  /** A file that was just saved is compared first, so that what was let in is not refused. */
  const waits = async (path: string, signal?: AbortSignal): Promise<boolean> => {
    if (instructions.isBeingCompared(path)) {
      const compared = instructions.refresh();
      await (signal === undefined ? compared : raceAbort(compared, signal));
    }
    return isWaiting(path);
  };
  return {
    name: vault.name,
    files: files.current,
    prepare: files.prepare,
    folders: () => vault.folders(),
    file: find,
    read: async (path, signal) => {
      if (await waits(path, signal)) return refuseWaiting(path);
      const read = await vault.read(path, signal);
      return read.ok && instructions.isTextOut(read.value.path, read.value.text) ? refuseWaiting(path) : read;
    },
    readBytes: async (path) => ((await waits(path)) ? refuseWaiting(path) : vault.readBytes(path)),
    // What directs nobody in any spelling waits for nothing, and is not looked up twice.
    tags: (path) => (instructions.kindOf(path) === null || isVisible(path) ? vault.tags(path) : undefined),
    ...visibleLinks(
      vault,
      (path) => (isVisible(path) ? path : undefined),
      (path) => !isWaiting(path),
    ),
  };
}

export function refuseWaiting(path: string) {
  return fail<never>({
    ...{ kind: 'refused', words: words.instructions.waits(path), remedy: words.instructions.waitsRemedy },
    action: 'review-instructions',
  });
}
