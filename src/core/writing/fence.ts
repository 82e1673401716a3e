/** The fence: what the user keeps from the agent does not exist for it, in any list, search, link or read. */
import { words } from '../../text';
import { fail } from '../failure';
import type { FileEntry, Vault } from '../ports';

export interface FenceRules {
  /** The app's "Excluded files": path prefixes, or regular expressions between slashes. */
  readonly excluded: readonly string[];
  /** Folders of Docent's own that hold transcripts and copies, without a trailing slash. */
  readonly ownFolders: readonly string[];
}

/**
 * The layer over a guarded vault.
 * @param rules asked at each use; the same object means the same rules
 */
export function fence(vault: Vault, rules: () => FenceRules): Vault {
  const files = remember<FileEntry>(
    () => vault.files(),
    rules,
    (entry, hides) => !hides(entry.path),
  );
  const folders = remember<string>(
    () => vault.folders(),
    rules,
    (path, hides) => !hides(`${path}/`),
  );
  const visible = (path: string): boolean => !hider(rules())(path);
  const find = (path: string): FileEntry | undefined => {
    const entry = vault.file(path);
    return entry && visible(entry.path) ? entry : undefined;
  };
  return {
    name: vault.name,
    files,
    folders,
    file: find,
    read: async (path, signal) => {
      const entry = vault.file(path);
      if (entry !== undefined && !visible(entry.path)) {
        return fail({
          kind: 'refused',
          words: words.failures.pathHidden(path),
          remedy: words.failures.pathHiddenRemedy,
        });
      }
      return vault.read(path, signal);
    },
    outline: (path) => {
      const entry = find(path);
      const outline = entry && vault.outline(entry.path);
      if (outline === undefined) return undefined;
      const links = outline.links.map((link) =>
        link.path === undefined || visible(link.path)
          ? link
          : { target: link.target, embed: link.embed, line: link.line },
      );
      return { ...outline, links };
    },
    backlinks: (path) => (find(path) ? vault.backlinks(path).filter(visible) : []),
    resolveLink: (linkText, fromPath) => {
      const target = vault.resolveLink(linkText, fromPath);
      return target !== undefined && visible(target) ? target : undefined;
    },
  };
}

/** Whether the rules keep a path from the agent; for paths that do not exist yet. */
export function isKept(path: string, rules: FenceRules): boolean {
  return hider(rules)(path);
}

type Hides = (path: string) => boolean;

const compiled = new WeakMap<FenceRules, Hides>();

function hider(rules: FenceRules): Hides {
  const known = compiled.get(rules);
  if (known !== undefined) return known;
  const tests = [...rules.ownFolders.map((folder) => startsWith(`${folder}/`)), ...rules.excluded.map(compile)];
  const hides: Hides = (path) => tests.some((test) => test(path));
  compiled.set(rules, hides);
  return hides;
}

/** One excluded entry; a broken expression hides nothing, as in the app. */
function compile(pattern: string): Hides {
  const expression = /^\/(.+)\/$/.exec(pattern)?.[1];
  if (expression === undefined) return startsWith(pattern);
  try {
    const test = new RegExp(expression);
    return (path) => test.test(path);
  } catch {
    return () => false;
  }
}

function startsWith(prefix: string): Hides {
  const folded = prefix.toLowerCase();
  return (path) => folded !== '' && path.toLowerCase().startsWith(folded);
}

/** Filters a list once for each state of the list and the rules. */
function remember<Item>(
  list: () => readonly Item[],
  rules: () => FenceRules,
  keeps: (item: Item, hides: Hides) => boolean,
): () => readonly Item[] {
  let last: { readonly from: readonly Item[]; readonly rules: FenceRules; readonly kept: readonly Item[] } | null =
    null;
  return () => {
    const from = list();
    const current = rules();
    if (last === null || last.from !== from || last.rules !== current) {
      const hides = hider(current);
      last = { from, rules: current, kept: from.filter((item) => keeps(item, hides)) };
    }
    return last.kept;
  };
}
