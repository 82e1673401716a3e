/**
 * Skills: their format, which ones exist, their list in prompts, and what a model gets of each (R063, R132, R134, R135).
 */
import * as z from 'zod/v4';
import { words } from '../../text';
import { lazy } from '../base/lazy';
import { below, compareText, holdMadeFromFiles } from '../base/list-edits';
import { bodyOf } from '../markdown/properties';
import { cutToTokens } from '../markup/budget';
import { lines, oneLine } from '../markup/prose';
import { toolNames } from '../markup/variables';
import type { NoteOutline, Vault } from '../ports/vault';
import { describeWorkspace } from './user-notes';
import literatureNote from './built-in-skills/literature-note/SKILL.md';
import meetingMinutes from './built-in-skills/meeting-minutes/SKILL.md';
import repairLinks from './built-in-skills/repair-links/SKILL.md';

/** Sources of skills, weakest first: a later one overrides an earlier one with the same name (R134). */
const skillSources = ['built-in', 'plugin', 'user', 'agent-folder', 'workspace'] as const;
type SkillSource = (typeof skillSources)[number];

/** Expert instructions for one kind of task, stored as a note in the Agent Skills format (R063, R132). */
export interface Skill {
  readonly name: string;
  readonly description: string;
  readonly license?: string;
  readonly compatibility?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly allowedTools?: readonly string[];
  readonly source: SkillSource;
  /** Path of its note; for a skill without a note, a label such as `built-in/name`. */
  readonly location: string;
  /** Its text, if it is not in a note. */
  readonly body?: string;
}

/** A skill from outside the vault: built in, or provided by another plugin or the user's home folder. */
export interface GivenSkill extends Skill {
  readonly source: 'built-in' | 'plugin' | 'user';
  readonly body: string;
}

const maxNameLength = 64;
const maxDescriptionLength = 1024;
const maxCompatibilityLength = 500;

const text = (field: string): z.ZodString => z.string(words.agentFolder.fieldNotText(field));

/** Returns the schema for the name of a skill or subagent. */
export function nameSchema() {
  const say = words.agentFolder;
  return z
    .string({ error: ({ input }) => (isMissing(input) ? say.nameMissing : say.nameNotText) })
    .min(1, say.nameMissing)
    .max(maxNameLength, say.nameTooLong(maxNameLength))
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, say.nameShape);
}

export function descriptionSchema() {
  const say = words.agentFolder;
  return z
    .string({ error: ({ input }) => (isMissing(input) ? say.descriptionMissing : say.fieldNotText('description')) })
    .trim()
    .min(1, say.descriptionMissing)
    .max(maxDescriptionLength, say.descriptionTooLong(maxDescriptionLength));
}

/** Returns the schema for names separated by whitespace or commas, or a list of names. */
export function namesSchema(field: string) {
  return z
    .union([z.string(), z.array(z.string())], words.agentFolder.fieldNotList(field))
    .transform((value) => (typeof value === 'string' ? value.split(/[\s,]+/) : value.map((each) => each.trim())))
    .transform((names) => names.filter((name) => name !== ''));
}

const plainValue = () => z.union([z.string(), z.number(), z.boolean()]).transform(String);

/** The properties of a SKILL.md note; others are allowed and ignored. */
export const skillSchema = lazy(() =>
  z.object({
    name: nameSchema(),
    description: descriptionSchema(),
    license: text('license').nullish(),
    compatibility: text('compatibility')
      .max(maxCompatibilityLength, words.agentFolder.fieldTooLong('compatibility', maxCompatibilityLength))
      .nullish(),
    metadata: z.record(z.string(), plainValue(), words.agentFolder.fieldNotPairs('metadata')).nullish(),
    'allowed-tools': namesSchema('allowed-tools').nullish(),
  }),
);

function isMissing(input: unknown): boolean {
  return input === undefined || input === null;
}

/** Returns the problems in words, each one once. */
export function reasonsOf(error: z.ZodError): string {
  return [...new Set(error.issues.map(({ message, path }) => plain(message, path)))].join(' ');
}

/** Values inside a set of pairs have no messages of their own. */
function plain(message: string, path: readonly PropertyKey[]): string {
  return path.length > 1 ? words.agentFolder.fieldNotPairs(String(path[0])) : message;
}

export interface SkillProblem {
  /** Invalid: cannot be used. Hidden: another skill with the same name has precedence. */
  readonly kind: 'invalid' | 'hidden';
  readonly location: string;
  /** The reason, in plain words. */
  readonly words: string;
}

export interface SkillListing {
  /** One skill per name, sorted by name. */
  readonly skills: readonly Skill[];
  readonly problems: readonly SkillProblem[];
}

/**
 * Lists the skills of all sources by precedence, and those that cannot be used, with the reason (R134).
 * @param workspaceFolder folder of the selected workspace, empty for the root; null if none is selected
 * @param others skills without a note: from other plugins or the user's home folder
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
  return [...chosen.values()].sort((a, b) => compareText(a.name, b.name));
}

/** Returns a skill from its note's properties, or the problem with it. */
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

/** Returns the name of the folder that contains a skill's note. */
export function folderNameOf(path: string): string {
  return path.split('/').at(-2) ?? '';
}

const noSkills: readonly GivenSkill[] = [];

const chatListings = holdMadeFromFiles<ChatListing>();

interface ChatListing {
  given: readonly GivenSkill[];
  listing: SkillListing;
  /** The folder of the workspace. */
  readonly folder: string | null;
}

/**
 * Lists the skills of a chat: those of its workspace are used before all others. Returns the same listing until the
 * vault or the given skills change.
 * @param workspace path of the workspace's note; null if none is selected
 */
export function skillsOfChat(
  vault: Vault,
  agentFolder: string,
  workspace: string | null,
  given: readonly GivenSkill[] = noSkills,
): SkillListing {
  const held = chatListings.get(vault.files(), `${agentFolder}\n${workspace ?? ''}`, () => {
    const folder = folderOfWorkspace(vault, workspace);
    const from = [agentFolder, folder ?? agentFolder].map(skillFolderIn);
    const listing = listSkills(vault, agentFolder, folder, given);
    // A note that does not exist may come under any spelling of its path.
    const note = workspace === null ? [] : [vault.file(workspace)?.path ?? ''];
    return [{ given, listing, folder }, [...from, ...note]];
  });
  if (held.given !== given) {
    held.given = given;
    held.listing = listSkills(vault, agentFolder, held.folder, given);
  }
  return held.listing;
}

/** Returns the folder of a workspace without slashes around it; null if there is no such workspace. */
function folderOfWorkspace(vault: Vault, workspace: string | null): string | null {
  if (workspace === null || vault.file(workspace) === undefined) return null;
  return describeWorkspace(vault, workspace).rootFolder.replace(/^\/+|\/+$/g, '');
}

function skillFolderIn(folder: string): string {
  return folder === '' ? 'skills/' : `${folder}/skills/`;
}

function skillNotesIn(vault: Vault, folder: string): readonly string[] {
  const prefix = skillFolderIn(folder);
  return below(vault.files(), prefix)
    .filter(({ kind, path }) => kind === 'note' && isSkillNote(path.slice(prefix.length)))
    .map(({ path }) => path);
}

function isSkillNote(below: string): boolean {
  return /^[^/]+\/skill\.md$/i.test(below);
}

const shipped = (name: string, description: string, note: string): GivenSkill => ({
  name,
  description,
  license: 'MIT',
  source: 'built-in',
  location: `built-in/${name}`,
  body: bodyOf(note),
});

/** THE list of skills that ship with Docent; the weakest source. Names and descriptions are those of the notes. */
export const builtInSkills: readonly GivenSkill[] = [
  shipped('literature-note', 'Turns a source into a note of claims, quotations and questions.', literatureNote),
  shipped('meeting-minutes', 'Turns notes of a meeting into minutes with decisions and tasks.', meetingMinutes),
  shipped('repair-links', 'Finds broken links in notes and proposes repairs.', repairLinks),
];

/** Returns the skills without a note that can be used, weakest first. */
export function withBuiltIn(given: readonly GivenSkill[] = noSkills): readonly GivenSkill[] {
  const rank = ({ source }: GivenSkill): number => skillSources.indexOf(source);
  return [...builtInSkills, ...given.filter((skill) => checkGiven(skill) === undefined)].sort(
    (a, b) => rank(a) - rank(b),
  );
}

/** Returns the list of skills for prompts and for `${AgentSkills}` (R035, R063); empty if there are none. */
export function formatSkills(skills: readonly Pick<Skill, 'name' | 'description' | 'location' | 'body'>[]): string {
  if (skills.length === 0) return '';
  return lines(
    '# Available skills',
    '',
    `If a skill fits the task, load it once with ${toolNames.activateSkill}:`,
    ...skills.map(
      ({ name, description, location, body }) =>
        `- **${name}**: ${oneLine(description)}` +
        // A skill without a note has no path that a model could use.
        (body === undefined ? `\n  Location: ${oneLine(location)}` : ''),
    ),
  );
}

// The text of a skill as the model gets it: its instructions, its files, and the tools that it limits a turn to.

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
  vault: { file(path: string): unknown },
  location: string,
  body: string,
  links: NoteOutline['links'] = [],
): string[] {
  const runs = [...body.matchAll(pathLike)].filter(
    ([run], index, all) => run.length < maxPath && !isCut(all[index - 1], all[index]),
  );
  const written = runs.map(([run]) => resourceIn(run));
  const linked = links.filter(({ target, path }) => path === undefined && !/^(?:[a-z][\w+.-]*:|#)/i.test(target));
  const targets = linked.map(({ target }) => target.replace(/#.*$/s, ''));
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
