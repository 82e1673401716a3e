/** What a goal keeps of a file that was made, changed or deleted on the way to it (R116, R125). */
import type { Artifact } from '../session/goal-entry';

/** Characters of a path. */
const longestPath = 400;

/** The path of a file as someone wrote it, in brackets or ticks or without; empty for what is no path in a vault. */
function pathIn(written: string): string {
  const bare = written
    .trim()
    .replace(/^`(.*)`$/, '$1')
    .replace(/^!?\[\[([^\]|#]+)(?:[#|][^\]]*)?\]\]$/, '$1')
    .replace(/^(?:\.?\/)+/, '')
    .replace(/\/+$/, '')
    .trim();
  const isPath = bare.length <= longestPath && !/\p{Cc}|:\/\/|^[A-Za-z]:/u.test(bare);
  return isPath && !bare.split('/').some((part) => part === '..' || part === '.' || part === '') ? bare : '';
}

/** The artifact of a change to a note or file; its path is empty when what was written is no path. */
export function artifactOf(written: string, action: Artifact['action']): Artifact {
  const path = pathIn(written);
  return { type: typeOf(path), path, action };
}

function typeOf(path: string): Artifact['type'] {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const ending = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? 'md';
  if (ending === 'md') return 'note';
  return ending === 'canvas' || ending === 'base' ? ending : 'attachment';
}
