/**
 * The MentionSource contract: the suggestions that a trigger opens. One file per source; several may share a trigger.
 */
import type { RegisteredPrompt } from '../library/prompt-registry';
import type { Skill } from '../library/skills';
import type { OfferedResource } from '../ports/network';
import type { Vault } from '../ports/vault';
import type { ChatChoices, Mention } from '../session/entry';
import type { Tool } from '../tools/tool';

type Trigger = '[[' | '/' | '@' | '#';

/** The triggers that find everything that can be attached, ranked alike. */
export const findAll: readonly Trigger[] = ['[[', '@'];

/** The state that sources read. */
export interface MentionContext {
  readonly vault: Vault;
  /** Vault folder of the user's prompts and workspaces. */
  readonly agentFolder: string;
  readonly tools: readonly Tool[];
  /** All registered prompts, from notes or not; the same array while nothing changes. */
  readonly prompts: readonly RegisteredPrompt[];
  readonly commands: readonly ChatCommand[];
  /** The resources of connected servers; the same array while nothing changes. */
  readonly resources?: readonly OfferedResource[];
  /** The skills of the chat; the same array while nothing changes. */
  readonly skills: readonly Skill[];
  /** Path of the active note; null for none. */
  readonly activeNote: string | null;
}

interface Offer {
  /** The candidates, best first for an empty query; the same array while nothing changes. */
  readonly candidates: readonly Candidate[];
  /** The part of the typed text that candidates are matched against. */
  readonly query: string;
  /** The maximum number of lines to show. */
  readonly lines: number;
}

export interface MentionSource {
  readonly id: Mention['kind'] | 'command' | 'run-prompt';
  /** What opens the list: each of these. */
  readonly triggers: readonly Trigger[];
  /** Returns the suggestions for the text after the trigger; null if the text is not for this source. */
  offer(context: MentionContext, typed: string): Offer | null;
  /**
   * Does a few milliseconds of the work for `offer` and returns whether more remains. Until it is done, suggestions of
   * a large vault are those from before the vault's last change.
   */
  prepare?(context: MentionContext, typed: string): boolean | Promise<boolean>;
}

/** The maximum lines of a long list, which is searched. */
export const usualLines = 12;
/** The maximum lines of a short list, which is shown whole. */
export const allLines = 50;

interface Line {
  /** A second line, such as the folder. */
  readonly detail: string;
  /** Text that is matched in addition to the name. */
  readonly keywords?: string;
}

export interface MentionCandidate extends Line {
  readonly mention: Mention;
  /** The shown name, if it is not the mention's label. */
  readonly name?: string;
  /** The number of notes in a folder or with a tag. */
  readonly notes?: number;
}

export interface CommandCandidate extends Line {
  readonly command: ChatCommand;
}

/** Candidate: one line of the suggestion list, which inserts a mention or runs a command. */
export type Candidate = MentionCandidate | CommandCandidate;

export function nameOf(candidate: Candidate): string {
  return 'command' in candidate ? candidate.command.name : (candidate.name ?? candidate.mention.label);
}

/** Returns a key that is unique within a source. */
export function keyOf(candidate: Candidate): string {
  return 'command' in candidate ? candidate.command.id : candidate.mention.id;
}

// The mention being typed: a trigger before the cursor, and the text typed after it.

export interface OpenTrigger {
  readonly trigger: Trigger;
  /** Where the trigger begins in the text. */
  readonly from: number;
  readonly query: string;
  /** The text that a link will show, with the bar before it, as in `[[Note|text`; empty if there is none. */
  readonly shown: string;
}

/** Characters beyond which a query is ordinary text. */
const maxQueryLength = 80;

/** Returns the unclosed trigger nearest to the cursor on its line; null for none. */
export function findTrigger(text: string, cursor: number, triggers: Iterable<Trigger>): OpenTrigger | null {
  const line = text.slice(text.lastIndexOf('\n', cursor - 1) + 1, cursor);
  const lineStart = cursor - line.length;
  let found: OpenTrigger | null = null;
  for (const trigger of triggers) {
    const at = line.lastIndexOf(trigger);
    if (at < 0 || (found !== null && lineStart + at < found.from)) continue;
    const query = line.slice(at + trigger.length);
    if (query.length > maxQueryLength || query.includes(']]')) continue;
    if (trigger !== '[[' && isOrdinary(trigger, line.charAt(at - 1), query)) continue;
    const bar = trigger === '[[' ? query.indexOf('|') : -1;
    const end = bar < 0 ? query.length : bar;
    found = { trigger, from: lineStart + at, query: query.slice(0, end), shown: query.slice(end) };
  }
  return found;
}

/** Whether a trigger is ordinary text, as in `a / b` or `# Heading`; names after a slash are one word. */
function isOrdinary(trigger: Trigger, before: string, query: string): boolean {
  if ((before !== '' && !/\s/.test(before)) || /^\s/.test(query)) return true;
  return trigger === '/' && /\s/.test(query);
}

export interface MentionCount {
  readonly tokens: number;
  /** False for an estimate, which is shown with “≈”. */
  readonly exact: boolean;
}

/** MentionTokens: how many tokens the text of a mention uses, as chips show it. */
export interface MentionTokens {
  /** Returns a count that needs no reading; null for mentions without text, and for parts of notes. */
  known(mention: Mention, modelId: string): MentionCount | null;
  /** Reads and counts in the background; resolves to null if it cannot be read. */
  count(mention: Mention, modelId: string, signal: AbortSignal): Promise<MentionCount | null>;
  /** Counts a text that is sent in place of a mention's own. */
  countText(text: string, modelId: string): Promise<MentionCount | null>;
}

// The ChatCommand contract: an action of the chat, selected after `/`.

/** The actions of the chat view that commands can run. */
export interface ChatActions {
  showHelp(): void;
  newChat(): void;
  /** Stops the current answer. */
  stop(): void;
  /** Requests a new answer to the last message. */
  resend(): void;
  /** Shows the prompt of the next request. */
  showPrompt(): void;
  openSettings(): void;
  copyDiagnostics(): void;
  /** Summarizes older messages. */
  summarise(focus: string): void;
  /** Shows the context. */
  showContext(): void;
  /** Stores choices of the chat, then shows these words. */
  choose(choices: ChatChoices, said: string): void;
  /** Shows words that need no answer. */
  report(said: string): void;
}

export interface ChatCommand {
  /** The text typed after the slash. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Whether text may follow it in the composer; the command then runs when the text is sent. */
  readonly takesWords?: boolean;
  /** What may follow it, offered as a list; each is a command that runs as soon as it is chosen. */
  readonly choices?: readonly ChatCommand[];
  /** @param rest the text that follows it */
  run(actions: ChatActions, rest?: string): void;
}

/** Parses a line that runs a command with text after it; returns null for a message. */
export function commandIn(
  line: string,
  commands: readonly ChatCommand[],
): { readonly command: ChatCommand; readonly rest: string } | null {
  const [, id = '', rest = ''] = /^\/([a-z-]+)(?:\s+([\s\S]*))?$/.exec(line.trim()) ?? [];
  const command = commands.find((each) => each.id === id && each.takesWords === true);
  return command === undefined ? null : { command, rest: rest.trim() };
}

/**
 * Returns what the name after a slash at the beginning of a message attaches, once it is typed to its end or pasted: a
 * skill, a prompt, or a tool. The longest of several names counts; null for none, and for a command of the chat.
 * @param contextOf asked only when the text begins with a slash
 * @param before the text as it was before
 */
export function completedName(
  sources: readonly MentionSource[],
  contextOf: () => MentionContext,
  before: string,
  text: string,
): Mention | null {
  if (!text.startsWith('/')) return null;
  const context = contextOf();
  if (commandIn(text, context.commands) !== null) return null;
  const offered = sources
    .filter(({ triggers }) => triggers.includes('/'))
    .flatMap((source) => source.offer(context, '')?.candidates ?? [])
    .flatMap((candidate) => ('mention' in candidate ? [candidate.mention] : []));
  const written = offered.filter(({ label }) => isCompleted(label, text) && !isCompleted(label, before));
  const [longest = null] = written.sort((a, b) => b.label.length - a.label.length);
  // The box knows a mention by its name as it is written.
  return longest === null ? null : { ...longest, label: text.slice(1, longest.label.length + 1) };
}

/** Whether the text begins with this name and cannot go on as a longer word; the list is open over a single word. */
function isCompleted(label: string, text: string): boolean {
  const end = label.length + 1;
  if (text.slice(0, end).toLowerCase() !== `/${label}`.toLowerCase()) return false;
  return /^\s/.test(text.slice(end)) || (text.length === end && /\s/.test(label));
}

export interface OpenChoice {
  readonly name: string;
  readonly choices: readonly ChatCommand[];
  readonly open: OpenTrigger;
}

/** Returns the choices of a command that is all of the text but for what is typed after it; null for none. */
export function findChoice(text: string, cursor: number, commands: readonly ChatCommand[]): OpenChoice | null {
  if (text.slice(cursor).trim() !== '') return null;
  const [, id, query = ''] = /^\/([a-z-]+)[ \t]+(\S*)$/.exec(text.slice(0, cursor)) ?? [];
  const { name = '', choices } = commands.find((each) => each.id === id) ?? {};
  return choices === undefined ? null : { name, choices, open: { trigger: '/', from: 0, query, shown: '' } };
}
