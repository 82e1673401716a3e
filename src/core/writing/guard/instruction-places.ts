/** Which files direct the agent: context files such as AGENTS.md, skills, prompts, workspaces, and the like. */
import { foldPlace, isAscii } from '../../base/fold';
import { remember } from '../../base/lazy';

export type InstructionKind =
  | 'context'
  | 'base-prompt'
  | 'mode'
  | 'prompt'
  | 'workspace'
  | 'skill'
  | 'subagent'
  | 'background'
  | 'memory';

/**
 * A file or folder whose text directs the agent; a folder ends in a slash, a name alone counts in any folder, and one
 * after a slash in the root alone.
 */
export interface InstructionPlace {
  readonly place: string;
  readonly kind: InstructionKind;
}

const folderKinds: Readonly<Record<string, InstructionKind>> = {
  ...{ modes: 'mode', prompts: 'prompt', workspaces: 'workspace', skills: 'skill', subagents: 'subagent' },
};
const noteKinds: readonly (readonly [name: string, kind: InstructionKind])[] = [
  ['system', 'base-prompt'],
  ['system-extra', 'base-prompt'],
  ['system-reminder', 'base-prompt'],
  ['commit', 'background'],
  ['compaction', 'background'],
  ['memory', 'memory'],
];

/**
 * Returns the places of the agent folder, and the names of files that direct the agent from any folder: context files,
 * and skills, which the folder of a workspace may have.
 * @param ownPrompt the note with the custom system prompt; null if it has none in the vault
 */
export function instructionPlaces(
  agentFolder: string,
  contextFiles: readonly string[],
  ownPrompt: string | null,
): InstructionPlace[] {
  return [
    ...Object.entries(folderKinds).map(([name, kind]) => ({ place: `${agentFolder}/${name}/`, kind })),
    ...noteKinds.map(([name, kind]) => ({ place: `${agentFolder}/${name}.md`, kind })),
    ...(ownPrompt === null
      ? []
      : [{ place: ownPrompt.includes('/') ? ownPrompt : `/${ownPrompt}`, kind: 'base-prompt' as const }]),
    { place: 'SKILL.md', kind: 'skill' },
    ...[...new Set(['AGENTS.md', ...contextFiles])].map((name) => ({ place: name.trim(), kind: 'context' as const })),
  ];
}

export type FindKind = (path: string) => InstructionKind | null;

/** Returns the kind of a path in any spelling; a folder's path is folded once for all files in it. */
export function kindFinder(places: readonly InstructionPlace[]): FindKind {
  const folded = places
    .map(({ place, kind }) => ({ place: foldPlace(place), kind }))
    .filter(({ place }) => place !== '');
  const folders = folded.filter(({ place }) => place.endsWith('/'));
  const notes = folded.filter(({ place }) => place.includes('/') && !place.endsWith('/'));
  const names = new Map(folded.filter(({ place }) => !place.includes('/')).map(({ place, kind }) => [place, kind]));
  const lengths = new Set([...names.keys()].map(({ length }) => length));
  const judge = remember(maxFolders, (folder): FolderKinds => {
    const own = foldPlace(folder);
    const inside = notes.filter(({ place }) => place.slice(0, place.lastIndexOf('/') + 1) === (own || '/'));
    return {
      folder,
      kind: folders.find(({ place }) => own.startsWith(place))?.kind ?? null,
      names: new Map(inside.map(({ place, kind }) => [place.slice((own || '/').length), kind])),
    };
  });
  // Lists are sorted by path, so that files of one folder come one after another.
  let last = judge('');
  return (path) => {
    if (!path.startsWith(last.folder) || path.indexOf('/', last.folder.length) !== -1)
      last = judge(path.slice(0, path.lastIndexOf('/') + 1));
    const { folder, kind, names: own } = last;
    if (kind !== null) return kind;
    // Most names are ruled out by their length, which folding leaves as it is unless they have other letters.
    if (own.size === 0 && !lengths.has(path.length - folder.length) && isAscii(path)) return null;
    const name = foldPlace(path.slice(folder.length));
    return own.get(name) ?? names.get(name) ?? null;
  };
}

const maxFolders = 20_000;

/** What the files directly in a folder are. */
interface FolderKinds {
  /** Empty for the root, else with its slash. */
  readonly folder: string;
  readonly kind: InstructionKind | null;
  /** By folded name. */
  readonly names: ReadonlyMap<string, InstructionKind>;
}
