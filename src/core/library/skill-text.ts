/** The text of a skill as the model gets it: its instructions, its files, and the tools that it limits a turn to. */
import { below } from '../base/list-edits';
import { toolNames } from '../markup/variables';
import { cutToTokens } from '../markup/budget';
import type { NoteOutline, Vault } from '../ports/vault';
import { folderNameOf, type GivenSkill, type Skill } from './skills';

/** What is sent of a skill. */
export interface SkillText {
  readonly name: string;
  /** Its instructions, cut to the tokens there are. */
  readonly text: string;
  /** Sentences of Docent's before them; empty if there is nothing to say. */
  readonly lead: string;
}

/** Where a skill is used: the files around it, and the tools that are declared. */
interface SkillPlace {
  readonly files: readonly string[];
  readonly toolNames: readonly string[];
  readonly tokens: number;
}

/** Maximum files of a skill that are named. */
const maxNamed = 30;

/** Writes a skill for the model (R135). */
export function writeSkill(
  { name, location, allowedTools }: Pick<Skill, 'name' | 'location' | 'allowedTools'>,
  body: string,
  { files, toolNames: offered, tokens }: SkillPlace,
): SkillText {
  const { text, cut } = cutToTokens(body, tokens);
  const sentences = [fileSentence(location, files, offered), limitSentence(allowedTools, offered)];
  return {
    name,
    text: cut ? `${text}\n[Cut here: the rest of this skill does not fit.]` : text,
    lead: sentences.filter((sentence) => sentence !== '').join('\n'),
  };
}

function fileSentence(location: string, files: readonly string[], offered: readonly string[]): string {
  if (files.length === 0 || !offered.includes(toolNames.readNote)) return '';
  const left = files.length - maxNamed;
  const more = left > 0 ? `, and ${left} more in ${folderOf(location)}` : '';
  return `Files of this skill: ${files.slice(0, maxNamed).join(', ')}${more}. Read one with ${toolNames.readNote} when the skill names it.`;
}

function limitSentence(allowedTools: readonly string[] | undefined, offered: readonly string[]): string {
  const allowed = allowedAmong({ allowedTools }, offered);
  return allowed === null ? '' : `This skill allows only these tools in this turn: ${allowed.join(', ')}.`;
}

/**
 * Returns the tools that a skill limits its turn to, or null if it does not limit it: the names of other programs' tools
 * say nothing about Docent's.
 */
export function allowedAmong(
  { allowedTools = [] }: { readonly allowedTools?: readonly string[] | undefined },
  known: readonly string[],
): readonly string[] | null {
  const allowed = allowedTools.filter((name) => known.includes(name));
  return allowed.length === 0 ? null : allowed;
}

/** Returns the paths of the files in a skill's folder, without its note; none for a skill outside the vault. */
export function filesOfSkill(vault: Pick<Vault, 'files'>, location: string): string[] {
  const folder = `${folderOf(location)}/`;
  if (!/\/skill\.md$/i.test(location)) return [];
  return below(vault.files(), folder)
    .filter(({ path }) => path !== location)
    .map(({ path }) => path);
}

function folderOf(location: string): string {
  return location.slice(0, Math.max(0, location.lastIndexOf('/')));
}

/** Returns the skill with this name that has precedence among those without a note; undefined if there is none. */
export function findGiven(skills: readonly GivenSkill[], name: string, location = ''): GivenSkill | undefined {
  const named = skills.filter((skill) => skill.name === name && (location === '' || skill.location === location));
  return named.at(-1);
}

/** Characters of a path; a longer run is none. A repetition without a bound needs stack for each character. */
const maxPath = 1_000;
const pathLike = new RegExp(`[\\w./%-]{1,${maxPath}}`, 'g');

/** Whether the run is the end of one that is too long. */
function isCut(before: RegExpExecArray | undefined, run: RegExpExecArray | undefined): boolean {
  return before !== undefined && before.index + maxPath === run?.index && before[0].length === maxPath;
}

/** Returns the file that the piece of text names in one of the folders of the Agent Skills format; '' if it names none. */
function resourceIn(piece: string): string {
  const start = piece.startsWith('./') ? 2 : 0;
  if (!['references/', 'scripts/', 'assets/'].some((folder) => piece.startsWith(folder, start))) return '';
  const doubled = piece.indexOf('//', start);
  let end = doubled === -1 ? piece.length : doubled;
  while (piece[end - 1] === '/') end -= 1;
  const isPath = piece.slice(start, end).includes('/');
  while (piece[end - 1] === '.') end -= 1;
  return isPath ? piece.slice(0, end) : '';
}

/** Returns the files that a skill names and its folder does not have, as they are written; each once. */
export function missingResources(
  vault: Pick<Vault, 'file'>,
  location: string,
  body: string,
  links: NoteOutline['links'] = [],
): string[] {
  const runs = [...body.matchAll(pathLike)].filter(
    ([run], index, all) => run.length < maxPath && !isCut(all[index - 1], all[index]),
  );
  const written = runs.map(([run]) => resourceIn(run));
  const linked = links.filter(({ target, path }) => path === undefined && !/^(?:[a-z][\w+.-]*:|#)/i.test(target));
  const targets = linked.map(({ target }) => target.replace(/#.*$/, ''));
  const named = [...new Set([...written, ...targets].map(decoded))].filter((path) => path !== '');
  return named.filter((path) => {
    const full = `${folderOf(location)}/${path.replace(/^\.\//, '')}`;
    return vault.file(full) === undefined && vault.file(`${full}.md`) === undefined;
  });
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Returns the name to show for a skill that can be at a path or have a label. */
export function skillNameOf(location: string): string {
  return /\/skill\.md$/i.test(location) ? folderNameOf(location) : location.slice(location.lastIndexOf('/') + 1);
}
