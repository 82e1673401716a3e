/** Which files direct the agent: context files such as AGENTS.md, skills, prompts, workspaces, and the like. */
import { words } from '../../../text';
import type { Steps } from '../../base/async';
import { foldPlace } from '../../base/fold';
import { remember } from '../../base/lazy';
import { compareText, type FollowingList, followList, takeAt } from '../../base/list-edits';
import type { FileEntry } from '../../ports/vault';

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

/** The path of what the settings say to the model, which is asked about as a file is. No folder lists it. */
export const settingsFile = words.instructions.settingsFile;

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
    { place: `/${settingsFile}`, kind: 'base-prompt' },
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
  const isOther = otherFinder(folded.map(({ place }) => place));
  const judge = remember(maxFolders, (folder): FolderKinds => {
    const own = foldPlace(folder);
    const inside = notes.filter(({ place }) => place.slice(0, place.lastIndexOf('/') + 1) === (own || '/'));
    return {
      folder,
      kind: folders.find(({ place }) => own.startsWith(place))?.kind ?? null,
      names: new Map(inside.map(({ place, kind }) => [place.slice((own || '/').length), kind])),
    };
  });
  return (path) => {
    if (isOther(path)) return null;
    const { folder, kind, names: own } = judge(path.slice(0, path.lastIndexOf('/') + 1));
    if (kind !== null) return kind;
    const name = foldPlace(path.slice(folder.length));
    return own.get(name) ?? names.get(name) ?? null;
  };
}

/**
 * Returns what rules out most notes by two letters at each end, which no folding changes but for their case: what is in
 * the folder of a place begins as the place does, and a name that counts in any folder ends as the name does.
 */
function otherFinder(places: readonly string[]): (path: string) => boolean {
  const pairs = new Set(
    places
      .map((place) => place.normalize('NFD'))
      .map((place) => pairAt(place, place.includes('/') ? place.search(/[^/]/) : place.length - 5)),
  );
  const isOther = (pair: number): boolean => pair > 0 && !pairs.has(pair);
  return (path) => {
    const dot = path.length - 3;
    const isNote = path.charCodeAt(dot) === 46 && pairAt(path, dot + 1) === pairAt('md', 0);
    return isNote && isOther(pairAt(path, dot - 2)) && isOther(pairAt(path, 0));
  };
}

/** Returns two letters in any case as a number; 0 if one of them is not ASCII, or a slash. */
function pairAt(text: string, at: number): number {
  const [one, other] = [text.charCodeAt(at), text.charCodeAt(at + 1)];
  return one < 128 && other < 128 && one !== 47 && other !== 47 ? (one | 32) * 128 + (other | 32) : 0;
}

export interface ListedFiles {
  /** Sorted by path. */
  files(): readonly FileEntry[];
  /** Returns the paths of which `find` does not return null, in any order, also those of hidden files. */
  readonly findPaths?: (find: (path: string) => unknown) => Steps<string[]>;
}

/** Lists the files that direct the agent or wait to. */
export function followInstructions(listed: ListedFiles, kindOf: () => FindKind): FollowingList<FileEntry> {
  const { findPaths } = listed;
  return followList(
    () => listed.files(),
    kindOf,
    (find) => (entry: FileEntry) => find(entry.path) !== null,
    (a, b) => compareText(a.path, b.path),
    findPaths && ((all, find) => takeAt(all, findPaths(find))),
  );
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
