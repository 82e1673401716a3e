/** Finds notes of the agent folder, and context files, that a sync service stored in two versions. */
import { words } from '../../../text';
import { conflictCopiesIn } from '../../base/conflict-copy';
import { aboutNote, type Check, fine } from '../check';

const say = words.diagnostics.conflictCopies;

export const conflictCopiesCheck: Check = {
  id: 'conflict-copies',
  label: say.label,
  run: ({ vault, agentFolder, contextFiles }) => {
    const copies = [...conflictCopiesIn(vault.files().map(({ path }) => path))];
    const own = copies.filter(
      ([original]) =>
        original.startsWith(`${agentFolder()}/`) || contextFiles().some((name) => `/${original}`.endsWith(`/${name}`)),
    );
    const results = own.flatMap(([original, each]) =>
      each.map((copy) => aboutNote(copy, 'warning', say.found(original.slice(original.lastIndexOf('/') + 1)))),
    );
    return Promise.resolve(results.length === 0 ? [fine(say.none)] : results);
  },
};
