/**
 * A request as the inspector shows it: its parts, each with its tokens, its price, and the notes that it is from; and
 * its differences from another request.
 */
import { useMemo, useState } from 'preact/hooks';
import { endOf, startOf } from '../../core/base/cut';
import { tokensByRule } from '../../core/markup/budget';
import type { Message } from '../../core/ports/message';
import type { Block, RequestPlan } from '../../core/ports/request-plan';
import { notesIn } from '../../core/request/history-text';
import { describeImage, partsOfRequest, type RequestPart } from '../../core/request/print-plan';
import { hunksOf } from '../../core/writing/changeset/diff';
import { formatTokens, words } from '../../text';
import { Named } from '../components/controls';

const say = words.inspector;

/** Notes that a part links to. */
const maxSources = 5;

/** How a part leads to the notes that it is from. */
export interface SourceLinks {
  readonly openNote?: (path: string) => void;
  /** Whether there is such a file that Docent may name. */
  readonly isNote?: (path: string) => boolean;
}

export const groups = ['system', 'messages', 'tools'] as const;

/** A part of a request as the inspector lists it. */
export interface ListedPart {
  readonly key: string;
  readonly group: (typeof groups)[number];
  readonly title: string;
  readonly note: string;
  readonly text: string;
  /** Absent if only an estimate can be made. */
  readonly tokens?: number;
  readonly exact: boolean;
}

export function partsOf(plan: RequestPlan, before: RequestPlan | null): readonly ListedPart[] {
  const { blocks, messages, tools, totals } = plan;
  const isMarked = (place: 'system' | number): boolean =>
    plan.breakpoints?.some(({ after }) => after === place) === true;
  const last = blocks.map(({ place, text }) => place === 'system' && text !== '').lastIndexOf(true);
  return [
    ...blocks.map((block, index): ListedPart => ({
      key: `${block.section} ${block.item ?? ''} ${block.place}`,
      group: 'system',
      title: titleOf(block),
      note: joinNotes([noteOf(block, before), index === last && isMarked('system') ? words.request.marked : '']),
      text: block.text,
      tokens: block.tokens,
      exact: totals.exact,
    })),
    ...messages.map((message, index): ListedPart => ({
      key: `message ${index}`,
      group: 'messages',
      title: words.request.messageTitle(index + 1, roleNames[message.role]),
      note: joinNotes([
        isNewMessage(message, index, before) ? words.request.isNew : '',
        isMarked(index) ? words.request.marked : '',
      ]),
      text: textOfMessage(message),
      exact: false,
    })),
    ...tools.map((tool): ListedPart => ({
      key: `tool ${tool.name}`,
      group: 'tools',
      title: tool.name,
      note: '',
      text: `${tool.description}\n\n${JSON.stringify(tool.parameters, null, 2)}`,
      exact: false,
    })),
  ];
}

export function isIn(text: string, query: string): boolean {
  return text.toLocaleLowerCase().includes(query);
}

/** Parts that are drawn at once; more come by a button, so that no request of any length holds the app up. */
const maxParts = 100;

interface GroupProps {
  readonly group: ListedPart['group'];
  readonly parts: readonly ListedPart[];
  readonly query: string;
  readonly priceOfPart: (tokens: number) => string;
  readonly links: SourceLinks;
}

/** Group: the parts of one kind; of many messages, the newest first come into view. */
export function Group({ group, parts, query, priceOfPart, links }: GroupProps) {
  const [count, setCount] = useState(maxParts);
  if (parts.length === 0) return null;
  const hidden = Math.max(0, parts.length - count);
  const isNewestLast = group === 'messages';
  const shown = isNewestLast ? parts.slice(hidden) : parts.slice(0, count);
  const more = hidden > 0 && (
    <button type="button" onClick={() => setCount(count + maxParts)}>
      {isNewestLast ? say.earlier(Math.min(hidden, maxParts), hidden) : say.more(Math.min(hidden, maxParts), hidden)}
    </button>
  );
  return (
    <section class="docent-inspector-group">
      <h4>
        {say.groups[group]} <span class="docent-inspector-note">{parts.length}</span>
      </h4>
      {isNewestLast && more}
      {shown.map((part) => (
        <Part key={part.key} part={part} query={query} priceOfPart={priceOfPart} links={links} />
      ))}
      {!isNewestLast && more}
    </section>
  );
}

/** Characters of a part that are laid out at once. */
const maxCharacters = 20_000;
/** Characters around a match that its excerpt shows. */
const aroundMatch = 40;

interface PartProps extends Pick<GroupProps, 'query' | 'priceOfPart' | 'links'> {
  readonly part: ListedPart;
}

function Part({ part, query, priceOfPart, links }: PartProps) {
  const { title, note, text } = part;
  const [length, setLength] = useState(maxCharacters);
  const tokens = part.tokens ?? tokensByRule(text);
  const price = priceOfPart(tokens);
  const hidden = text.length - length;
  return (
    <details class="docent-inspector-part">
      <summary>
        <span class="docent-inspector-heading">
          <span class="docent-inspector-title" dir="auto">
            {title}
          </span>
          {note !== '' && <span class="docent-inspector-note">{note}</span>}
        </span>
        <span class={`docent-inspector-tokens ${part.tokens === undefined ? 'is-estimate' : ''}`}>
          {formatTokens(tokens, part.exact)}
        </span>
        {price !== '' && <span class="docent-inspector-price">{price}</span>}
        {query !== '' && <Excerpt text={text} query={query} />}
      </summary>
      <Sources text={text} links={links} />
      <pre tabIndex={0}>{hidden > 0 ? startOf(text, length) : text}</pre>
      {hidden > 0 && (
        <button type="button" onClick={() => setLength(length + maxCharacters)}>
          {say.moreCharacters(Math.min(hidden, maxCharacters), hidden)}
        </button>
      )}
    </details>
  );
}

/** Excerpt: the first place of a part at which the search term is. */
function Excerpt({ text, query }: { readonly text: string; readonly query: string }) {
  const lower = text.toLocaleLowerCase();
  const found = lower.indexOf(query);
  if (found < 0) return null;
  const [start, end] = [found, found + query.length].map((at) => placeBefore(text, lower, at));
  const [before, after] = [text.slice(0, start), text.slice(end)];
  return (
    <span class="docent-inspector-excerpt" dir="auto">
      {before.length > aroundMatch && '…'}
      {endOf(before, aroundMatch)}
      <mark>{text.slice(start, end)}</mark>
      {startOf(after, aroundMatch)}
      {after.length > aroundMatch && '…'}
    </span>
  );
}

/** Returns the place in a text of a place in its lower case, which is longer for letters such as “İ”. */
function placeBefore(text: string, lower: string, place: number): number {
  if (text.length === lower.length) return place;
  let [at, left] = [0, place];
  while (left > 0 && at < text.length) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    left -= character.toLocaleLowerCase().length;
    at += character.length;
  }
  return at;
}

/** Sources: the notes whose text a part has, each opened by a click. */
function Sources({ text, links: { openNote, isNote } }: { readonly text: string; readonly links: SourceLinks }) {
  const paths = useMemo(() => [...new Set(notesIn(text).map(({ path }) => path))].slice(0, maxSources), [text]);
  const found = paths.filter((path) => isNote?.(path) === true);
  if (openNote === undefined || found.length === 0) return null;
  return (
    <div class="docent-inspector-sources">
      {found.map((path) => (
        <button key={path} type="button" class="docent-inspector-source" onClick={() => openNote(path)}>
          {say.openSource(path)}
        </button>
      ))}
    </div>
  );
}

function titleOf({ section, item = '' }: Block): string {
  const plain = words.sections[section]?.name ?? words.status.sectionNames(section);
  const name = item.slice(item.indexOf(':') + 1);
  return name === '' || name === section ? plain : `${plain}: ${name}`;
}

function isNewMessage(message: Message, index: number, before: RequestPlan | null): boolean {
  const known = before?.messages[index];
  return before !== null && (known === undefined || textOfMessage(known) !== textOfMessage(message));
}

function noteOf(block: Block, before: RequestPlan | null): string {
  const isNew =
    before !== null &&
    block.text !== '' &&
    !before.blocks.some(({ section, text }) => section === block.section && text === block.text);
  const parts = [
    say.zones[block.zone],
    block.tier === undefined ? '' : say.tiers[block.tier],
    isNew ? words.request.isNew : '',
    block.outcome === 'full' ? '' : joinNotes([say.outcomes[block.outcome], block.reason ?? ''], ': '),
  ];
  if (block.madeVisible > 0) parts.push(say.madeVisible(block.madeVisible));
  if (block.invisible !== undefined) parts.push(say.invisible(block.invisible));
  return joinNotes(parts);
}

function joinNotes(notes: readonly string[], between = ' · '): string {
  return notes.filter((note) => note !== '').join(between);
}

function textOfMessage({ parts }: Message): string {
  return parts
    .map((part) => {
      if (part.type === 'image') return `${part.label}\n${describeImage(part)}`;
      return part.type === 'tool-call' ? `${part.name} ${part.argumentsText}` : part.text;
    })
    .join('\n\n');
}

// The differences from another request, line by line, grouped by part of the request.

interface RequestChangesProps {
  readonly title: string;
  /** What is said if nothing differs. */
  readonly same: string;
  readonly before: RequestPlan;
  readonly plan: RequestPlan;
}

/** Maximum lines that are drawn at first. */
const maxLines = 200;
/** Characters of both requests up to which they are compared before that is asked for. */
const maxAtOnce = 300_000;

export function RequestChangesView({ title, same, before, plan }: RequestChangesProps) {
  const [isOpen, setOpen] = useState(false);
  const isCompared = isOpen || lengthOf(before) + lengthOf(plan) <= maxAtOnce;
  const changes = useMemo(() => (isCompared ? compareRequests(before, plan) : null), [before, plan, isCompared]);
  const [isWhole, setWhole] = useState(false);
  if (changes?.lines.length === 0) return <p class="docent-inspector-same">{same}</p>;
  const lines = changes?.lines ?? [];
  const shown = isWhole ? lines : lines.slice(0, maxLines);
  return (
    <details
      class="docent-inspector-part docent-inspector-changes"
      onToggle={({ currentTarget }) => currentTarget.open && setOpen(true)}
    >
      <summary>
        <span class="docent-inspector-heading">
          <span class="docent-inspector-title">{title}</span>
          {changes !== null && (
            <span class="docent-inspector-note">{words.request.changedLines(changes.added, changes.removed)}</span>
          )}
        </span>
      </summary>
      <Named class="docent-inspector-lines" tabIndex={0} role="group" name={title}>
        {shown.map((line, index) => (
          <Line key={index} line={line} above={shown[index - 1]} />
        ))}
        {shown.length < lines.length && (
          <button type="button" onClick={() => setWhole(true)}>
            {words.request.moreLines(lines.length - shown.length)}
          </button>
        )}
      </Named>
    </details>
  );
}

function lengthOf({ system, messages }: RequestPlan): number {
  const lengths = messages.flatMap(({ parts }) => parts.map((part) => ('text' in part ? part.text.length : 0)));
  return lengths.reduce((sum, length) => sum + length, system.length);
}

function Line({ line, above }: { readonly line: RequestLine; readonly above: RequestLine | undefined }) {
  const { kind, text, part, afterGap } = line;
  const isTitled = afterGap || above === undefined || nameOf(above.part) !== nameOf(part);
  return (
    <>
      {isTitled && <div class="docent-inspector-place">{nameOf(part)}</div>}
      {kind === 'same' && <div class="docent-inspector-line">{text}</div>}
      {kind === 'removed' && <del class="docent-inspector-line">{text}</del>}
      {kind === 'added' && <ins class="docent-inspector-line">{text}</ins>}
    </>
  );
}

function nameOf(part: RequestPart | undefined): string {
  if (part === undefined) return '';
  const { place, number } = part;
  if (place === 'tool') return words.inspector.groups.tools;
  if (place === 'system') return words.inspector.groups.system;
  return words.request.messageTitle(number ?? 0, roleNames[place]);
}

interface RequestLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
  readonly part: RequestPart | undefined;
  /** Whether unchanged lines are omitted before it. */
  readonly afterGap: boolean;
}

interface RequestChanges {
  readonly added: number;
  readonly removed: number;
  /** Changed lines, with a few unchanged ones around them. */
  readonly lines: readonly RequestLine[];
}

/** Unchanged lines shown before and after a change. */
const around = 2;

interface Lined {
  readonly text: string;
  readonly lines: readonly string[];
  readonly parts: readonly RequestPart[];
}

/** Compares two requests line by line, in the order in which they are sent. */
export function compareRequests(before: RequestPlan, after: RequestPlan): RequestChanges {
  const [old, now] = [linesOf(before), linesOf(after)];
  const lines: RequestLine[] = [];
  let [added, removed, shown] = [0, 0, 0];
  const show = (kind: RequestLine['kind'], from: Lined, start: number, end: number, skipped = 0): void => {
    for (let at = start; at < end; at += 1) {
      const afterGap = skipped > 0 && at === start;
      lines.push({ kind, text: from.lines[at] ?? '', part: from.parts[at], afterGap });
    }
  };
  const hunks = hunksOf(old.text, now.text);
  for (const [index, hunk] of hunks.entries()) {
    const [removedLines, addedLines] = [linesIn(hunk.removed), linesIn(hunk.added)];
    const [start, end] = [hunk.newLine - 1, hunk.newLine - 1 + addedLines];
    const first = Math.max(shown, start - around);
    show('same', now, first, start, first - shown);
    show('removed', old, hunk.line - 1, hunk.line - 1 + removedLines);
    show('added', now, start, end);
    const next = hunks[index + 1];
    const last = Math.min(end + around, next === undefined ? now.lines.length : next.newLine - 1);
    show('same', now, end, last);
    shown = last;
    added += addedLines;
    removed += removedLines;
  }
  return { added, removed, lines };
}

function linesOf(plan: RequestPlan): Lined {
  const lines: string[] = [];
  const parts: RequestPart[] = [];
  for (const part of partsOfRequest(plan)) {
    for (const line of part.text.split('\n')) {
      lines.push(line);
      parts.push(part);
    }
  }
  return { text: lines.map((line) => `${line}\n`).join(''), lines, parts };
}

function linesIn(text: string): number {
  return text === '' ? 0 : text.split('\n').length - 1;
}

/** The display names of the roles in a request. */
const roleNames: Readonly<Record<Message['role'], string>> = {
  user: words.chatView.roleUser,
  assistant: words.chatView.roleAssistant,
  tool: words.chatView.roleTool,
};
