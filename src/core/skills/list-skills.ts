/** Lists the skills of all sources by precedence, with the ones that cannot be used and why (R134). */
import { words } from '../../text';
import type { FileEntry, NoteOutline, Vault } from '../ports/vault';
import { builtInSkills } from './built-in-skills';
import { type GivenSkill, reasonsOf, type Skill, type SkillSource, skillSchema, skillSources } from './skill';

export interface SkillProblem {
  /** Invalid: cannot be used. Hidden: another of its name stands before it. */
  readonly kind: 'invalid' | 'hidden';
  readonly location: string;
  /** The reason, in plain words. */
  readonly words: string;
}

export interface SkillListing {
  /** One for each name, sorted by name. */
  readonly skills: readonly Skill[];
  readonly problems: readonly SkillProblem[];
}

/**
 * @param workspaceFolder folder of the selected workspace, empty for the root; null when none is selected
 * @param others skills without a note: of other plugins, of the user's home
 */
export function listSkills(
  vault: Vault,
  agentFolder: string,
  workspaceFolder: string | null = null,
  others: readonly GivenSkill[] = [],
): SkillListing {
  const problems: SkillProblem[] = [];
  const found: Skill[] = [...builtInSkills];
  for (const given of others) {
    const invalid = checkGiven(given);
    if (invalid === undefined) found.push(given);
    else problems.push(invalid);
  }
  const folders: readonly (readonly [SkillSource, string | null])[] = [
    ['agent-folder', agentFolder],
    ['workspace', workspaceFolder === agentFolder ? null : workspaceFolder],
  ];
  for (const [source, folder] of folders) {
    if (folder === null) continue;
    for (const path of skillNotesIn(vault, folder)) {
      const read = readSkill(path, vault.outline(path), source);
      if ('kind' in read) problems.push(read);
      else found.push(read);
    }
  }
  return { skills: chooseByPrecedence(found, problems), problems };
}

function chooseByPrecedence(found: readonly Skill[], problems: SkillProblem[]): Skill[] {
  const rank = ({ source }: Skill): number => skillSources.indexOf(source);
  const chosen = new Map<string, Skill>();
  for (const skill of [...found].sort((a, b) => rank(b) - rank(a))) {
    const winner = chosen.get(skill.name);
    if (winner === undefined) chosen.set(skill.name, skill);
    else {
      const reason = words.agentFolder.hiddenBy(skill.name, winner.location);
      problems.push({ kind: 'hidden', location: skill.location, words: reason });
    }
  }
  return [...chosen.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A skill from its note's properties, or what is wrong with it. */
export function readSkill(path: string, outline: NoteOutline | undefined, source: SkillSource): Skill | SkillProblem {
  const invalid = (reason: string): SkillProblem => ({ kind: 'invalid', location: path, words: reason });
  if (outline === undefined) return invalid(words.agentFolder.notIndexed);
  const checked = skillSchema().safeParse(outline.properties);
  if (!checked.success) return invalid(reasonsOf(checked.error));
  const { name, description, license, compatibility, metadata, 'allowed-tools': allowedTools } = checked.data;
  const folder = folderNameOf(path);
  if (name !== folder) return invalid(words.agentFolder.nameElsewhere(name, folder));
  return {
    name,
    description,
    ...(license == null ? {} : { license }),
    ...(compatibility == null ? {} : { compatibility }),
    ...(metadata == null ? {} : { metadata }),
    ...(allowedTools == null ? {} : { allowedTools }),
    source,
    location: path,
  };
}

function checkGiven(given: GivenSkill): SkillProblem | undefined {
  const { allowedTools, ...rest } = given;
  const checked = skillSchema().safeParse({ ...rest, 'allowed-tools': allowedTools });
  if (checked.success) return undefined;
  return { kind: 'invalid', location: given.location, words: reasonsOf(checked.error) };
}

/** The name of the folder that holds a skill's note. */
export function folderNameOf(path: string): string {
  return path.split('/').at(-2) ?? '';
}

const foundNotes = new WeakMap<readonly FileEntry[], Map<string, readonly string[]>>();

/** Lives as long as the vault's list of files, which is a new one whenever a note was added or removed. */
function skillNotesIn(vault: Vault, folder: string): readonly string[] {
  const files = vault.files();
  const known = foundNotes.get(files) ?? new Map<string, readonly string[]>();
  foundNotes.set(files, known);
  const prefix = folder === '' ? 'skills/' : `${folder}/skills/`;
  const paths =
    known.get(prefix) ??
    files
      .filter(({ kind, path }) => kind === 'note' && path.startsWith(prefix) && isSkillNote(path.slice(prefix.length)))
      .map(({ path }) => path);
  known.set(prefix, paths);
  return paths;
}

function isSkillNote(below: string): boolean {
  return /^[^/]+\/skill\.md$/i.test(below);
}
