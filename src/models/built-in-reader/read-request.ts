/** readRequest: extracts from a request plan what the built-in reader needs. */
import { decodeAttribute, decodeText } from '../../core/markup/escapes';
import { removeAppendedTags } from '../../core/markup/markup';
import { tags } from '../../core/markup/tags';
import { fail, succeed } from '../../core/ports/failure';
import { type Message, type ToolCallPart, type ToolResultPart, textOf, toolCallsOf } from '../../core/ports/message';
import type { RequestPlan } from '../../core/ports/request-plan';
import type { FileEntry } from '../../core/ports/vault';
import { unavailable } from '../../core/prompt/sections/notes';
import { PassageIndex, type SearchedNotes } from '../../core/search/passage-index';
import type { FoundPassage } from '../../core/search/rank-passages';
import { searchVault } from '../../core/search/search-vault';

export interface AnsweredCall {
  readonly call: ToolCallPart;
  readonly result: ToolResultPart;
}

interface AttachedNote {
  readonly path: string;
  readonly text: string;
}

export interface ReaderRequest {
  /** The user's latest message; empty if there is none. */
  readonly question: string;
  /** The user's earlier messages, newest first. */
  readonly earlier: readonly string[];
  /** The notes in the prompt, each path once, last attached first. */
  readonly attached: readonly AttachedNote[];
  /** The attached notes that could not be read, each with the reason. */
  readonly unread: readonly AttachedNote[];
  /** Calls made for this question that have results, in order. */
  readonly answered: readonly AnsweredCall[];
  readonly tools: ReadonlySet<string>;
  /** Whether the chat has no answer yet. */
  readonly isFirstAnswer: boolean;
  /** Calls in the whole chat; numbers the next one. */
  readonly callCount: number;
}

export function readRequest(plan: RequestPlan): ReaderRequest {
  const { messages } = plan;
  const lastUser = messages.map((message) => message.role).lastIndexOf('user');
  // A part may end without a line break, and markup is only recognized at the start of a line.
  const asked = messages.flatMap(({ role, parts }) =>
    role === 'user' ? [parts.map((part) => part.text).join('\n')] : [],
  );
  const own = asked.map((text) => decodeText(withoutMarkup(text)));
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? toolCallsOf(message.parts) : []));
  return {
    question: own.at(-1) ?? '',
    earlier: own.slice(0, -1).reverse(),
    ...newestFirst([plan.system, ...asked]),
    answered: answeredCalls(messages.slice(lastUser + 1)),
    tools: new Set(plan.tools.map((tool) => tool.name)),
    isFirstAnswer: !messages.some((message) => message.role === 'assistant' && textOf(message.parts).trim() !== ''),
    callCount: calls.length,
  };
}

function newestFirst(texts: readonly string[]): Pick<ReaderRequest, 'attached' | 'unread'> {
  const attached = new Map<string, AttachedNote>();
  const unread = new Map<string, AttachedNote>();
  for (const text of [...texts].reverse()) {
    for (const note of attachedNotesIn(text)) {
      const isUnread = note.text.startsWith(unavailable);
      const [known, said] = isUnread ? [unread, note.text.slice(unavailable.length).trim()] : [attached, note.text];
      if (!known.has(note.path)) known.set(note.path, { path: note.path, text: said });
    }
  }
  return { attached: [...attached.values()], unread: [...unread.values()] };
}

/** Removes appended context, which is meant for models that follow conventions and is not part of the note. */
function asGiven(part: ToolResultPart): ToolResultPart {
  return { ...part, text: decodeText(removeAppendedTags(part.text)) };
}

function answeredCalls(messages: readonly Message[]): AnsweredCall[] {
  const results = new Map<string, ToolResultPart>();
  for (const message of messages) {
    if (message.role === 'tool') for (const part of message.parts) results.set(part.callId, asGiven(part));
  }
  const answered: AnsweredCall[] = [];
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    for (const call of toolCallsOf(message.parts)) {
      const result = results.get(call.id);
      if (result !== undefined) answered.push({ call, result });
    }
  }
  return answered;
}

const noteElement = /^<note path="([^"]*)">\n([^]*?)\n<\/note>/gm;

/** Returns the notes in a prompt's text, in order. Bodies are escaped, so none contains a tag of its own. */
function attachedNotesIn(text: string): AttachedNote[] {
  return Array.from(text.matchAll(noteElement), (match) => ({
    path: decodeAttribute(match[1] ?? ''),
    text: decodeText(match[2] ?? ''),
  })).filter((note) => note.path !== '' && note.text.trim() !== '');
}

/** Returns a message without the elements that were put around the user's words. */
function withoutMarkup(text: string): string {
  let rest = text;
  for (const tag of tags) {
    rest = rest.replace(new RegExp(`^<${tag}(?: [^>]*)?>\\n[\\s\\S]*?\\n</${tag}>$`, 'gm'), '');
  }
  return rest.trim();
}

/** Searches the notes in the prompt with the same ranking as a vault search. */
export async function searchAttached(
  notes: readonly AttachedNote[],
  query: string,
  limit: number,
  signal: AbortSignal,
): Promise<readonly FoundPassage[]> {
  if (notes.length === 0) return [];
  const texts = new Map(notes.map((note) => [note.path, note.text]));
  const entries = notes.map((note): FileEntry => ({
    path: note.path,
    kind: 'note',
    size: note.text.length,
    modified: 1,
  }));
  const searched: SearchedNotes = {
    files: () => entries,
    read: (path) => {
      const text = texts.get(path);
      if (text === undefined) return Promise.resolve(fail({ kind: 'not-found', words: '', remedy: '' }));
      return Promise.resolve(succeed({ path, text, size: text.length, modified: 1 }));
    },
  };
  const found = await searchVault(searched, new PassageIndex(), query, { entries, limit }, signal);
  return found.passages;
}
