/** RequestChangesView: the differences from the previous request, line by line, grouped by part of the request. */
import { useMemo, useState } from 'preact/hooks';
import type { Message } from '../../core/ports/message';
import type { RequestPlan } from '../../core/ports/request-plan';
import { partsOfRequest, type RequestPart } from '../../core/request/print-plan';
import { hunksOf } from '../../core/writing/changeset/diff';
import { words } from '../../text';

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
const say = words.request;

export function RequestChangesView({ title, same, before, plan }: RequestChangesProps) {
  const [isOpen, setOpen] = useState(false);
  const isCompared = isOpen || lengthOf(before) + lengthOf(plan) <= maxAtOnce;
  const changes = useMemo(() => (isCompared ? compareRequests(before, plan) : null), [before, plan, isCompared]);
  const [isWhole, setWhole] = useState(false);
  if (changes?.lines.length === 0) return <p class="docent-inspector-same">{same}</p>;
  const { added = 0, removed = 0, lines = [] } = changes ?? {};
  const shown = isWhole ? lines : lines.slice(0, maxLines);
  return (
    <details
      class="docent-inspector-part docent-inspector-changes"
      onToggle={({ currentTarget }) => currentTarget.open && setOpen(true)}
    >
      <summary>
        <span class="docent-inspector-title">{title}</span>
        {changes !== null && <span class="docent-inspector-note">{say.changedLines(added, removed)}</span>}
      </summary>
      <div class="docent-inspector-lines" tabIndex={0} role="group" aria-label={title}>
        {shown.map((line, index) => (
          <Line key={index} line={line} above={shown[index - 1]} />
        ))}
        {shown.length < lines.length && (
          <button type="button" onClick={() => setWhole(true)}>
            {say.moreLines(lines.length - shown.length)}
          </button>
        )}
      </div>
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
  return say.messageTitle(number ?? 0, roleNames[place]);
}

interface RequestLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
  readonly part: RequestPart | undefined;
  /** Whether unchanged lines are omitted before it. */
  readonly afterGap: boolean;
}

export interface RequestChanges {
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
export const roleNames: Readonly<Record<Message['role'], string>> = {
  user: words.chatView.roleUser,
  assistant: words.chatView.roleAssistant,
  tool: words.chatView.roleTool,
};
