/**
 * A chat as a note: its messages and answers as Markdown that reads and links like any note, made once by hand, or
 * updated with the chat. What would run or load something in a note is made harmless, because nobody reviews this text.
 */
import { cutToBytes } from '../markup/budget';
import { shortLine } from '../markup/prose';
import { words } from '../../text';
import { type After, createWorkBudget } from '../base/async';
import { foldPlace } from '../base/fold';
import { compareText } from '../base/list-edits';
import { withoutUnwritable } from '../markdown/encoding';
import { propertiesBlockOf } from '../markdown/properties';
import { endOfOpenFence } from '../markdown/structure';
import { addUsage } from '../ports/model';
import type { Digest, SessionStore } from '../ports/device';
import { type Failure, fail, type Outcome, succeed, unexpectedFailure } from '../ports/failure';
import type { Usage } from '../ports/message';
import { activeEntries } from '../session/branches';
import type { Mention, SessionEntry } from '../session/entry';
import { mergeShards } from '../session/log-format';
import { spentIn } from '../session/log-state';
import { activeContentIn, newHosts } from '../writing/guard/active-content';
import { guardNewPath } from '../writing/guard/path-guard';
import { foldTaint } from '../writing/guard/taint';
import { type ChatSummary, summariseChat } from './chat-index';
import { type AnswerItem, foldTranscript, type TranscriptItem } from './transcript';
import type { UsagePlace } from './usage';

/** Characters of a note beyond which its messages are checked one by one alone. */
const maxCheckedTogether = 400_000;
/** Bytes of a name, without its extension. */
const maxNameBytes = 120;
/** Characters of the name of a model in a heading. */
const maxModelName = 100;

export interface NotedChat extends Pick<ChatSummary, 'id' | 'title' | 'started' | 'changed' | 'model'> {
  /** Those of all branches, by which its tokens and its price count. */
  readonly entries: readonly SessionEntry[];
  /** The messages and answers to write, in order. */
  readonly items: readonly TranscriptItem[];
  /** Whether web addresses lead nowhere, since a chat with untrusted text can have them from there. */
  readonly hasDeadLinks?: boolean;
}

export interface ChatNote {
  readonly title: string;
  /** Empty if nothing was said in the chat. */
  readonly text: string;
  /** The source of the untrusted text that the chat has read; null for none. */
  readonly taint: string | null;
  /** Whether the user deleted the chat from the list. */
  readonly isDeleted: boolean;
}

/** A chat that is open, as it is in memory. */
export interface LiveLog {
  readonly all: readonly SessionEntry[];
  /** Those of the branch in view, and what is shown of them. */
  readonly entries: readonly SessionEntry[];
  readonly items: readonly TranscriptItem[];
}

export interface ChatNotePorts {
  readonly store: Pick<SessionStore, 'shards'>;
  readonly digest: Digest;
  /** Returns a chat that is open, which needs no reading; null for any other. */
  readonly live?: (chat: string) => LiveLog | null;
}

/** A note has the sum of a chat, not its days. */
const uncounted: UsagePlace = { day: () => '', isMetered: () => true };

/**
 * Reads a chat as a note, as its branch in view shows it.
 * @param isUnasked whether nobody is asked about the sites that the note links to
 */
export async function readChatNote(id: string, ports: ChatNotePorts, isUnasked = false): Promise<Outcome<ChatNote>> {
  const log = await readLog(id, ports);
  if (!log.ok) return log;
  const { all, items } = log.value;
  const summary = summariseChat(id, { entries: all, damaged: 0, unknown: 0 }, 0, uncounted);
  const taint = foldTaint(all);
  const isEmpty = !items.some(({ type }) => type === 'user' || type === 'answer');
  const hasDeadLinks = isUnasked && taint !== null;
  // A property that is an address is a link as well.
  const title = hasDeadLinks ? withDeadLinks(summary.title) : summary.title;
  const text = isEmpty ? '' : await writeChatNote({ ...summary, title, entries: all, items, hasDeadLinks });
  return succeed({ title, text, taint, isDeleted: summary.isDeleted });
}

async function readLog(id: string, { store, digest, live }: ChatNotePorts): Promise<Outcome<LiveLog>> {
  const open = live?.(id) ?? null;
  if (open !== null) return succeed(open);
  const shards = await store.shards(id);
  if (!shards.ok) return shards;
  // The note would lack what the file says, without a word.
  const unread = shards.value.find(({ isUnread }) => isUnread);
  if (unread !== undefined) return fail(notRead(unread.text.trim()));
  const { entries: all } = await mergeShards(shards.value, digest);
  const entries = activeEntries(all);
  return succeed({ all, entries, items: foldTranscript(entries) });
}

function notRead(detail: string): Failure {
  const { logNotRead, logNotReadRemedy } = words.failures;
  return { kind: 'storage', words: `${logNotRead} (${detail})`, remedy: logNotReadRemedy };
}

/** Returns the Markdown of a chat; pauses on the way if it is long. */
export async function writeChatNote(chat: NotedChat): Promise<string> {
  const head = propertiesOf(chat);
  const text = head + (await messagesOf(chat, false));
  const isLong = text.length > maxCheckedTogether;
  if (!isLong && activeContentIn('Chat.md', text).length === 0) return text;
  // Definitions of links reach other messages, so those that are harmless one by one may not be so together.
  const strict = head + (await messagesOf(chat, true));
  if (isLong || activeContentIn('Chat.md', strict).length === 0) return strict;
  return `${head}${words.chatNotes.leftOut}\n`;
}

/** What the whole chat used, without what its prices do not say, and without what counts in another chat. */
export function usageOfChat(entries: readonly SessionEntry[]): {
  readonly tokens: number;
  readonly cost: number | null;
} {
  let sum: Usage | undefined;
  let isPriced = true;
  for (const entry of entries) {
    const { usage } = entry as { readonly usage?: Usage };
    if (usage === undefined || usage.copied === true) continue;
    sum = addUsage(sum, usage);
    isPriced &&= usage.cost !== undefined;
  }
  const tokens = (sum?.inputTokens ?? 0) + (sum?.outputTokens ?? 0);
  return { tokens, cost: sum !== undefined && isPriced ? spentIn(entries) : null };
}

function propertiesOf(chat: NotedChat): string {
  const { tokens, cost } = usageOfChat(chat.entries);
  const lines = {
    title: textProperty(chat.title),
    created: dateProperty(chat.started),
    updated: dateProperty(chat.changed),
    model: textProperty(chat.model),
    tokens: tokens === 0 ? '' : `${tokens}`,
    cost: cost === null ? '' : `${Number(cost.toFixed(6))}`,
    chat: textProperty(chat.id),
  };
  const given = Object.entries(lines).filter(([, value]) => value !== '');
  return `---\n${given.map(([key, value]) => `${key}: ${value}\n`).join('')}---\n\n`;
}

/** Control characters, unseen ones, and ends of lines. */
const noWords = /[\p{C}\p{Zl}\p{Zp}]+/gu;

/** A string of YAML; empty for a text that is active even as a property. */
function textProperty(text: string): string {
  const plain = text.replace(noWords, ' ').trim();
  const line = JSON.stringify(plain);
  return plain === '' || activeContentIn('Chat.md', `---\ntitle: ${line}\n---\n`).length > 0 ? '' : line;
}

/** A date and time of Obsidian, in the zone of this device; empty for an unknown time. */
function dateProperty(time: number): string {
  if (time <= 0 || Number.isNaN(new Date(time).getTime())) return '';
  const local = new Date(time - new Date(time).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19);
}

async function messagesOf({ items, hasDeadLinks = false }: NotedChat, isStrict: boolean): Promise<string> {
  const say = words.chatNotes;
  const budget = createWorkBudget(new AbortController().signal);
  const written: string[] = [];
  let [questions, answers] = [0, 0];
  const bodyOf = async (item: TranscriptItem, text: string): Promise<string> => {
    const made = madeHarmless.get(item) ?? new Map<string, string>();
    const form = `${isStrict} ${hasDeadLinks}`;
    const known = made.get(form);
    if (known !== undefined) return known;
    const body = harmless(hasDeadLinks ? withDeadLinks(text) : text, isStrict);
    madeHarmless.set(item, made.set(form, body));
    await budget.spend(text.length + 1);
    return body;
  };
  for (const item of items) {
    if (item.type === 'user') {
      const body = await bodyOf(item, item.text);
      written.push(`## ${say.message((questions += 1))}`, body, attachedIn(item.mentions));
    } else if (item.type === 'answer') {
      const text = answerText(item);
      if (text === '') continue;
      const body = await bodyOf(item, text);
      written.push(`## ${say.answer((answers += 1), plainModel(item.model))}`, body, sourcesOf(item));
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

/** Returns it for a heading, in which no sign of Markdown is more than a sign: a log may come by sync. */
function plainModel(model: string): string {
  return shortLine(nameOfModel(model).replace(noWords, ' '), maxModelName).replace(/[\\`*[\]<>#|^%$=~]/g, '\\$&');
}

const linkedKinds: ReadonlySet<Mention['kind']> = new Set(['note', 'heading', 'block']);

function attachedIn(mentions: readonly Mention[]): string {
  const links = mentions.flatMap(({ kind, id }) => (linkedKinds.has(kind) ? linkTo(id) : []));
  return links.length === 0 ? '' : words.chatNotes.attached([...new Set(links)]);
}

function sourcesOf({ parts }: AnswerItem): string {
  const paths = parts.flatMap((part) => (part.type === 'tool-call' ? (part.result?.sources ?? []) : []));
  const links = paths.flatMap(({ path }) => linkTo(path));
  return links.length === 0 ? '' : words.chatNotes.sources([...new Set(links)]);
}

/** A link to a note; none if its path could end the link early. */
function linkTo(path: string): string[] {
  const isPlain = /^[^\n[\]|^]+(?:#\^[\w-]+)?$/.test(path);
  const [file = '', ...rest] = path.split('#');
  return isPlain ? [`[[${[file.replace(/\.md$/i, ''), ...rest].join('#')}]]`] : [];
}

/** What was written of messages, by how: in an open chat, those that were written before stay the same. */
const madeHarmless = new WeakMap<TranscriptItem, Map<string, string>>();

/** Returns a text in which no address of a site is one that a click opens. */
function withDeadLinks(text: string): string {
  if (newHosts('', text).length === 0) return text;
  const lines = text.split('\n').map((line) => {
    if (newHosts('', line).length === 0) return line;
    const dead = line.replace(/https?:[\\/]*|(?<before>^|[^a-z0-9_])www\./gi, '$<before>');
    return newHosts('', dead).length === 0 ? dead : words.chatNotes.lineLeftOut;
  });
  const changed = lines.join('\n');
  return newHosts('', changed).length === 0 ? changed : words.chatNotes.leftOut;
}

const definition = /^[ \t>*+-]{0,20}\[[^\]\n]{1,999}\]:/;

/** Returns a text of which nothing runs or loads in a note. */
function harmless(text: string, isStrict: boolean): string {
  const lines = withoutUnwritable(text.replace(/\r\n?/g, '\n')).trim().split('\n');
  const plain = lines.map((line) => (isStrict && definition.test(line) ? words.chatNotes.lineLeftOut : line));
  const whole = closed(plain.join('\n'));
  if (isHarmless(whole)) return whole;
  const changed = closed(plain.map(harmlessLine).join('\n'));
  return isHarmless(changed) ? changed : words.chatNotes.leftOut;
}

/** Returns a text that ends its last code block, as an answer that was stopped does not; else the next message is code. */
function closed(text: string): string {
  const end = endOfOpenFence(text);
  return end === '' ? text : `${text}\n${end}`;
}

/** Code that would run becomes plain code, and an image that would load becomes a link. */
function harmlessLine(line: string): string {
  if (isHarmless(line)) return line;
  const tries = [line.replace(/^(\s*(?:[>*+-]\s*)*(?:`{3,}|~{3,})).*$/s, '$1text'), line.replace(/!\[/g, '[')];
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
  const name = cutToBytes(plain, maxNameBytes - end.length).text.replace(/^[.\s]+|[.\s]+$/g, '') + end;
  return guardNewPath(`${name}.md`, '.').ok && name.trim() !== '' && name !== end
    ? name
    : `${words.chatNotes.untitled}${end}`;
}

// Notes that follow their chats, in a folder of Docent's own that the agent does not see; nothing is read back.

/** The notes of chats on disk. Each write is in the journal. */
export interface ChatNoteFiles {
  /** The folder of these notes. */
  folder(): string;
  /** Returns the notes in it, each with the chat that its properties name, as far as the app has read them. */
  list(): readonly { readonly path: string; readonly chat: unknown }[];
  /** Returns the text on disk; null without such a note. */
  read(path: string): Promise<string | null>;
  /**
   * Writes a note of a chat.
   * @param remake gets the text on disk, or null where there is none; returns null to leave it
   */
  write(
    note: { readonly chat: string; readonly path: string; readonly taint: string | null },
    remake: (text: string | null) => string | null,
  ): Promise<Outcome<void>>;
  move(chat: string, from: string, to: string): Promise<Outcome<void>>;
  /** @param isOwn whether a note with this text may go */
  trash(chat: string, path: string, isOwn: (text: string) => boolean): Promise<Outcome<void>>;
}

export interface ChatMirrorPorts {
  readonly files: ChatNoteFiles;
  readonly chats: ChatNotePorts;
  readonly after: After;
  /** Whether the user wants these notes. */
  isOn(): boolean;
  failed(failure: Failure): void;
}

/** Milliseconds without a change of a chat after which its note is written. */
const quiet = 400;

/** ChatMirror: keeps the note of each chat up to date that goes on while the setting is on. Others cost nothing. */
export class ChatMirror {
  private readonly waiting = new Map<string, () => void>();
  /** Where the notes are that were written in this session. */
  private readonly places = new Map<string, string>();
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly ports: ChatMirrorPorts) {}

  /** Must be called when a chat has changed and rests. */
  touched(chat: string): void {
    if (!this.ports.isOn()) return;
    this.waiting.get(chat)?.();
    const stop = this.ports.after(quiet, () => {
      this.waiting.delete(chat);
      void this.update(chat);
    });
    this.waiting.set(chat, stop);
  }

  close(): void {
    for (const stop of this.waiting.values()) stop();
    this.waiting.clear();
  }

  /** Brings the note of a chat up to date; one after another. */
  update(chat: string): Promise<void> {
    this.last = this.last.then(async () => {
      const done = await this.write(chat).catch((thrown: unknown) => ({ failure: unexpectedFailure(thrown) }));
      if ('failure' in done) this.ports.failed(done.failure);
    });
    return this.last;
  }

  private async write(chat: string): Promise<Outcome<void>> {
    const { files, chats } = this.ports;
    const { digest } = chats;
    const read = await readChatNote(chat, chats, true);
    if (!read.ok) return read;
    const { title, text, taint, isDeleted } = read.value;
    const name = nameForTitle(title);
    const known = await this.find(chat, name);
    const isOwn = (now: string): boolean => isUnchanged(now, chat, digest);
    if (isDeleted || text === '') {
      this.places.delete(chat);
      return known === null ? succeed(undefined) : files.trash(chat, known.path, isOwn);
    }
    const path = known?.path ?? this.freePath(name);
    const written = await files.write({ chat, path, taint }, (now) => {
      return now === null || isOwn(now) ? sealed(text, now ?? '', digest) : null;
    });
    if (!written.ok) return written;
    this.places.set(chat, path);
    if (known === null || !isNamedAfter(path, nameForTitle(known.title)) || isNamedAfter(path, name)) return written;
    const to = this.freePath(name);
    const moved = await files.move(chat, path, to);
    if (moved.ok) this.places.set(chat, to);
    return moved;
  }

  /** Returns the note of a chat that nobody has changed; null without one. */
  private async find(chat: string, name: string): Promise<{ readonly path: string; readonly title: string } | null> {
    const { files, chats } = this.ports;
    const read = async (path: string) => {
      const text = await files.read(path);
      return text !== null && isUnchanged(text, chat, chats.digest) ? { path, title: titleIn(text) } : null;
    };
    const place = this.places.get(chat);
    const known = place === undefined ? null : await read(place);
    if (known !== null) return known;
    const named = files.list().flatMap((note) => (note.chat === chat ? note.path : []));
    // A conflict copy has the longer name. The app may not have read a new note yet.
    named.sort((a, b) => a.length - b.length || compareText(a, b));
    for (const path of new Set([...named, `${files.folder()}/${name}.md`])) {
      const found = await read(path);
      if (found !== null) return found;
    }
    return null;
  }

  private freePath(name: string): string {
    const { files } = this.ports;
    const taken = new Set(files.list().map(({ path }) => foldPlace(path)));
    for (let copy = 1; ; copy += 1) {
      const path = `${files.folder()}/${name}${copy === 1 ? '' : ` ${copy}`}.md`;
      if (!taken.has(foldPlace(path))) return path;
    }
  }
}

/** The property with the digest of the text below the properties, by which a note shows that nobody has changed it. */
const sealKey = 'docent-seal';
const ownKeys = new Set(['title', 'created', 'updated', 'model', 'tokens', 'cost', 'chat', sealKey]);

/** Blanks do not count: other plugins tidy them. */
function sealOf(body: string, digest: Digest): string {
  return `d${digest(body.replace(/\s+/g, '')).slice(0, 16)}`;
}

/** Returns a note with its seal, and with the properties and comments that the user has added to it as it was. */
function sealed(text: string, before: string, digest: Digest): string {
  const block = blockOf(text);
  const added = regionsOf(before).map((region) => {
    return region.key === '' || ownKeys.has(region.key) ? commentsIn(region.lines) : region.lines;
  });
  const lines = added.join('');
  return `---\n${block.lines}${sealKey}: ${sealOf(block.body, digest)}\n${lines}---\n${block.body}`;
}

/** Whether a note is of this chat, and its text is as Docent wrote it. */
function isUnchanged(text: string, chat: string, digest: Digest): boolean {
  const values = new Map(regionsOf(text).map(({ key, value }) => [key, value]));
  return values.get('chat') === chat && values.get(sealKey) === sealOf(blockOf(text).body, digest);
}

function titleIn(text: string): string {
  return regionsOf(text).find(({ key }) => key === 'title')?.value ?? '';
}

function blockOf(text: string): { readonly lines: string; readonly body: string } {
  const plain = text.replace(/\r\n?/g, '\n');
  const block = propertiesBlockOf(plain);
  if (block === null || block === 'unclosed') return { lines: '', body: plain };
  return { lines: plain.slice(block.start, block.end), body: plain.slice(block.bodyStart) };
}

interface PropertyLines {
  /** Empty for the lines before the first property. */
  readonly key: string;
  /** Of a value on one line, without quotes. */
  readonly value: string;
  /** The line of the key, and those that belong to it. */
  readonly lines: string;
}

function regionsOf(text: string): readonly PropertyLines[] {
  const starts = blockOf(text).lines.split(/^(?=[^\s#:-][^:\n]*:)/m);
  return starts.map((lines): PropertyLines => {
    const [, key = '', value = ''] = /^([^\s#:-][^:\n]*):[ \t]*([^\n]*)/.exec(lines) ?? [];
    return { key: key.trim(), value: unquoted(value.trim()), lines };
  });
}

/** Returns the comments; an indented line with a number sign may belong to a text. */
function commentsIn(lines: string): string {
  return (lines.match(/^#.*\n/gm) ?? []).join('');
}

function unquoted(value: string): string {
  if (/^'.*'$/.test(value)) return value.slice(1, -1).replaceAll("''", "'");
  if (!/^".*"$/.test(value)) return value;
  try {
    return String(JSON.parse(value));
  } catch {
    return value;
  }
}

/** Whether a note has this name, or this name with a number. */
function isNamedAfter(path: string, name: string): boolean {
  const file = path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '');
  return file === name || (file.startsWith(`${name} `) && /^\d+$/.test(file.slice(name.length + 1)));
}
