/**
 * A chat as a note: its messages and answers as Markdown that reads and links like any note. What would run or load
 * something in a note is made harmless, because nobody reviews this text.
 */
import { words } from '../../text';
import { createWorkBudget } from '../base/async';
import { addUsage } from '../ports/model';
import type { Digest, SessionStore } from '../ports/device';
import { type Outcome, succeed } from '../ports/failure';
import type { Usage } from '../ports/message';
import { activeEntries } from '../session/branches';
import type { Mention, SessionEntry } from '../session/entry';
import { mergeShards } from '../session/log-format';
import { spentIn } from '../session/log-state';
import { activeContentIn } from '../writing/guard/active-content';
import { guardNewPath } from '../writing/guard/path-guard';
import { foldTaint } from '../writing/guard/taint';
import { type ChatSummary, summariseChat } from './chat-index';
import { type AnswerItem, foldTranscript, type TranscriptItem } from './transcript';
import type { UsagePlace } from './usage';

/** Characters of a note beyond which its messages are checked one by one alone. */
const maxCheckedTogether = 400_000;
/** Bytes of a name, without its extension. */
const maxNameBytes = 120;

export interface NotedChat extends Pick<ChatSummary, 'id' | 'title' | 'started' | 'changed' | 'model'> {
  readonly entries: readonly SessionEntry[];
  /** The messages and answers to write, in order. */
  readonly items: readonly TranscriptItem[];
}

export interface ChatNote {
  readonly title: string;
  /** Empty if nothing was said in the chat. */
  readonly text: string;
  /** The source of the untrusted text that the chat has read; null for none. */
  readonly taint: string | null;
}

export interface ChatNotePorts {
  readonly store: Pick<SessionStore, 'shards'>;
  readonly digest: Digest;
}

/** A note has the sum of a chat, not its days. */
const uncounted: UsagePlace = { day: () => '', isMetered: () => true };

/** Reads a stored chat as a note, as its branch in view shows it. */
export async function readChatNote(
  id: string,
  { store, digest }: ChatNotePorts,
  more: Readonly<Record<string, string>> = {},
): Promise<Outcome<ChatNote>> {
  const shards = await store.shards(id);
  if (!shards.ok) return shards;
  const log = mergeShards(shards.value, digest);
  const entries = activeEntries(log.entries);
  const items = foldTranscript(entries);
  const summary = summariseChat(id, log, 0, uncounted);
  const isEmpty = !items.some(({ type }) => type === 'user' || type === 'answer');
  const text = isEmpty ? '' : await writeChatNote({ ...summary, entries, items }, more);
  return succeed({ title: summary.title, text, taint: foldTaint(log.entries) });
}

/** Returns the Markdown of a chat; pauses on the way if it is long. */
export async function writeChatNote(chat: NotedChat, more: Readonly<Record<string, string>> = {}): Promise<string> {
  const head = propertiesOf(chat, more);
  const text = head + (await messagesOf(chat.items, false));
  const isLong = text.length > maxCheckedTogether;
  if (!isLong && activeContentIn('Chat.md', text).length === 0) return text;
  // Definitions of links reach other messages, so those that are harmless one by one may not be so together.
  const strict = head + (await messagesOf(chat.items, true));
  if (isLong || activeContentIn('Chat.md', strict).length === 0) return strict;
  return `${head}${words.chatNotes.leftOut}\n`;
}

/** What the whole chat used, without what its prices do not say. */
export function usageOfChat(entries: readonly SessionEntry[]): {
  readonly tokens: number;
  readonly cost: number | null;
} {
  let sum: Usage | undefined;
  let isPriced = true;
  for (const entry of entries) {
    const { usage } = entry as { readonly usage?: Usage };
    if (usage === undefined) continue;
    sum = addUsage(sum, usage);
    isPriced &&= usage.cost !== undefined;
  }
  const tokens = (sum?.inputTokens ?? 0) + (sum?.outputTokens ?? 0);
  return { tokens, cost: sum !== undefined && isPriced ? spentIn(entries) : null };
}

function propertiesOf(chat: NotedChat, more: Readonly<Record<string, string>>): string {
  const { tokens, cost } = usageOfChat(chat.entries);
  const lines = {
    title: textProperty(chat.title),
    created: dateProperty(chat.started),
    updated: dateProperty(chat.changed),
    model: textProperty(chat.model),
    tokens: tokens === 0 ? '' : `${tokens}`,
    cost: cost === null ? '' : `${Number(cost.toFixed(6))}`,
    chat: textProperty(chat.id),
    ...more,
  };
  const given = Object.entries(lines).filter(([, value]) => value !== '');
  return `---\n${given.map(([key, value]) => `${key}: ${value}\n`).join('')}---\n\n`;
}

/** A string of YAML; empty for a text that is active even as a property. */
function textProperty(text: string): string {
  const plain = text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  const line = JSON.stringify(plain);
  return plain === '' || activeContentIn('Chat.md', `---\ntitle: ${line}\n---\n`).length > 0 ? '' : line;
}

/** A date and time of Obsidian, in the zone of this device; empty for an unknown time. */
function dateProperty(time: number): string {
  if (time <= 0 || Number.isNaN(new Date(time).getTime())) return '';
  const local = new Date(time - new Date(time).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19);
}

async function messagesOf(items: readonly TranscriptItem[], isStrict: boolean): Promise<string> {
  const say = words.chatNotes;
  const budget = createWorkBudget(new AbortController().signal);
  const written: string[] = [];
  let [questions, answers] = [0, 0];
  for (const item of items) {
    if (item.type === 'user') {
      written.push(`## ${say.message((questions += 1))}`, harmless(item.text, isStrict), attachedIn(item.mentions));
      await budget.spend(item.text.length + 1);
    } else if (item.type === 'answer') {
      const text = answerText(item);
      if (text === '') continue;
      written.push(
        `## ${say.answer((answers += 1), nameOfModel(item.model))}`,
        harmless(text, isStrict),
        sourcesOf(item),
      );
      await budget.spend(text.length + 1);
    } else if (item.type === 'summary' && !item.undone) {
      written.push(`> ${say.summarised}`);
    }
  }
  return `${written.filter((part) => part !== '').join('\n\n')}\n`;
}

/** What the agent said, without tool calls and thoughts. */
function answerText({ parts }: Pick<AnswerItem, 'parts'>): string {
  return parts
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('\n\n')
    .trim();
}

/** The name of a model without its provider. */
export function nameOfModel(model: string): string {
  return model.slice(model.indexOf('/') + 1);
}

function attachedIn(mentions: readonly Mention[]): string {
  const links = mentions.flatMap(({ kind, id }) => (kind === 'note' || kind === 'heading' ? linkTo(id) : []));
  return links.length === 0 ? '' : words.chatNotes.attached([...new Set(links)]);
}

function sourcesOf({ parts }: AnswerItem): string {
  const paths = parts.flatMap((part) => (part.type === 'tool-call' ? (part.result?.sources ?? []) : []));
  const links = paths.flatMap(({ path }) => linkTo(path));
  return links.length === 0 ? '' : words.chatNotes.sources([...new Set(links)]);
}

/** A link to a note; none if its path could end the link early. */
function linkTo(path: string): string[] {
  const isPlain = /^[^\n[\]|^]+$/.test(path);
  const [file = '', ...rest] = path.split('#');
  return isPlain ? [`[[${[file.replace(/\.md$/i, ''), ...rest].join('#')}]]`] : [];
}

const definition = /^[ \t>*+-]{0,20}\[[^\]\n]{1,999}\]:/;

/** Returns a text of which nothing runs or loads in a note. */
function harmless(text: string, isStrict: boolean): string {
  const lines = text
    .replace(/\r\n?/g, '\n')
    .replace(/[\0\p{Cs}]/gu, '')
    .trim()
    .split('\n');
  const plain = lines.map((line) => (isStrict && definition.test(line) ? words.chatNotes.lineLeftOut : line));
  if (isHarmless(plain.join('\n'))) return plain.join('\n');
  const changed = plain.map(harmlessLine).join('\n');
  return isHarmless(changed) ? changed : words.chatNotes.leftOut;
}

/** Code that would run becomes plain code, and an image that would load becomes a link. */
function harmlessLine(line: string): string {
  if (isHarmless(line)) return line;
  const tries = [line.replace(/^(\s*(?:[>*+-]\s*)*(?:`{3,}|~{3,})).*$/, '$1text'), line.replace(/!\[/g, '[')];
  return tries.find(isHarmless) ?? words.chatNotes.lineLeftOut;
}

function isHarmless(text: string): boolean {
  return activeContentIn('Chat.md', text).length === 0;
}

// Names of notes, which every file system takes.

/**
 * Returns a file name for a title, without its extension: one line, none of the characters that a file system or a link
 * refuses, and not too long.
 * @param end stays at the end of the name, however long the title is
 */
export function nameForTitle(title: string, end = ''): string {
  const plain = title
    .slice(0, 4 * maxNameBytes)
    .normalize('NFC')
    .replace(/[\\/:*?"<>|#^[\]%~\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]+/gu, ' ')
    .trim();
  const name = shortened(plain, maxNameBytes - end.length).replace(/^[.\s]+|[.\s]+$/g, '') + end;
  return guardNewPath(`${name}.md`, '.').ok && name.trim() !== '' && name !== end
    ? name
    : `${words.chatNotes.untitled}${end}`;
}

/** Returns as much of the beginning as has this many bytes, whole characters only. */
function shortened(text: string, bytes: number): string {
  let [length, room] = [0, bytes];
  for (const character of text) {
    room -= new TextEncoder().encode(character).length;
    if (room < 0) break;
    length += character.length;
  }
  return text.slice(0, length);
}
