/** The MentionSource contract: what typing a trigger offers. One file a source; several may share a trigger. */
import type { RegisteredPrompt } from '../library/prompt-registry';
import type { Vault } from '../ports/vault';
import type { Mention } from '../session/entry';
import type { Tool } from '../tools/tool';

type Trigger = '[[' | '/' | '@' | '#';

/** What sources know of the world. */
export interface MentionContext {
  readonly vault: Vault;
  /** Vault folder of the user's prompts and workspaces. */
  readonly agentFolder: string;
  readonly tools: readonly Tool[];
  /** The prompts that are registered, notes or not; the same list while nothing changes. */
  readonly prompts: readonly RegisteredPrompt[];
  readonly commands: readonly ChatCommand[];
  /** Path of the note in front. */
  readonly activeNote: string | null;
}

export interface Offer {
  /** Best first for an empty query; the same array while nothing changed. */
  readonly candidates: readonly Candidate[];
  /** The part of what was typed that candidates are matched against. */
  readonly query: string;
  /** Lines shown at most. */
  readonly lines: number;
}

export interface MentionSource {
  readonly id: Mention['kind'] | 'command' | 'run-prompt';
  /** The characters that open the list. */
  readonly trigger: Trigger;
  /** What there is to offer after the trigger and this text; null when the text asks for something else. */
  offer(context: MentionContext, typed: string): Offer | null;
  /**
   * Does a few milliseconds of the work behind `offer`, and returns whether more is left. Until it is done, the offer
   * of a large vault is the one before the vault's last change.
   */
  prepare?(context: MentionContext, typed: string): boolean | Promise<boolean>;
}

/** Lines of a list that is searched rather than read through. */
export const usualLines = 12;
/** Lines of a list that is short by itself. */
export const allLines = 50;

interface Line {
  /** A second line, such as the folder. */
  readonly detail: string;
  /** What is matched besides the name. */
  readonly keywords?: string;
}

export interface MentionCandidate extends Line {
  readonly mention: Mention;
  /** What the line shows when that is not the mention's label. */
  readonly name?: string;
  /** Notes that a folder or a tag stands for. */
  readonly notes?: number;
}

export interface CommandCandidate extends Line {
  readonly command: ChatCommand;
}

/** Candidate: one line of a suggester's list, which becomes a mention or runs a command. */
export type Candidate = MentionCandidate | CommandCandidate;

export function nameOf(candidate: Candidate): string {
  return 'command' in candidate ? candidate.command.name : (candidate.name ?? candidate.mention.label);
}

/** Tells the lines of one source apart. */
export function keyOf(candidate: Candidate): string {
  return 'command' in candidate ? candidate.command.id : candidate.mention.id;
}

// Finds the mention being typed: a trigger before the cursor, and what was typed after it.

export interface OpenTrigger {
  readonly trigger: Trigger;
  /** Where the trigger begins in the text. */
  readonly from: number;
  readonly query: string;
}

/** A query longer than this is ordinary text. */
const maxQueryLength = 80;

/** The trigger nearest to the cursor, on the cursor's line, not yet closed. */
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
    found = { trigger, from: lineStart + at, query };
  }
  return found;
}

/** A bare sign between words is ordinary text, `a / b` or `# Heading`; names after a slash are one word. */
function isOrdinary(trigger: Trigger, before: string, query: string): boolean {
  if ((before !== '' && !/\s/.test(before)) || /^\s/.test(query)) return true;
  return trigger === '/' && /\s/.test(query);
}

export interface MentionCount {
  readonly tokens: number;
  /** False for an estimate, which is shown with a tilde. */
  readonly exact: boolean;
}

/** MentionTokens: what the text that a mention stands for takes of a window, as chips show it. */
export interface MentionTokens {
  /** What can be said at once, without reading; null for what has no text of its own, and for parts of notes. */
  known(mention: Mention, modelId: string): MentionCount | null;
  /** Reads and counts in the background; null for what cannot be read. */
  count(mention: Mention, modelId: string, signal: AbortSignal): Promise<MentionCount | null>;
}

// The ChatCommand contract: something the chat does when it is chosen after `/`.

/** What commands can make the pane do. */
export interface ChatActions {
  showHelp(): void;
  newChat(): void;
  /** Ends the answer under way. */
  stop(): void;
  /** Answers the last message again. */
  resend(): void;
  /** Shows the next request as the model gets it. */
  showPrompt(): void;
  openSettings(): void;
  copyDiagnostics(): void;
  /** Has older messages summarised. */
  summarise(focus: string): void;
  /** Shows what stands in the window. */
  showContext(): void;
}

export interface ChatCommand {
  /** What is typed after the slash. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Whether words may follow it in the box; it then runs when the line is sent. */
  readonly takesWords?: boolean;
  /** @param rest the words that follow it */
  run(actions: ChatActions, rest?: string): void;
}

/** The command that a whole line in the box asks for, with the words behind it; null for a message. */
export function commandIn(
  line: string,
  commands: readonly ChatCommand[],
): { readonly command: ChatCommand; readonly rest: string } | null {
  const [, id = '', rest = ''] = /^\/([a-z-]+)(?:\s+([\s\S]*))?$/.exec(line.trim()) ?? [];
  const command = commands.find((each) => each.id === id && each.takesWords === true);
  return command === undefined ? null : { command, rest: rest.trim() };
}
