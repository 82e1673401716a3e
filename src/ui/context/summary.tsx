/** Summaries: the divider in the transcript, and the modal to read and edit one. */
import type { App } from 'obsidian';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { SummaryItem } from '../../core/chat/transcript';
import { type Snapshot, type SnapshotPart, snapshotParts } from '../../core/session/entry';
import { words } from '../../text';
import { DrawnModal, Named } from '../components/controls';
import type { OpenChatState } from '../state/chat-state';
import type { EditableSummary } from '../state/context-state';

const names = Object.keys(snapshotParts) as readonly SnapshotPart[];

/**
 * Lets the user read and edit a summary, part by part, before it replaces older messages or afterwards. Resolves to the
 * edited one; null if the user closes the modal.
 */
export function editSummary(app: App, shown: EditableSummary): Promise<Snapshot | null> {
  return new Promise((resolve) => {
    const modal = new DrawnModal(app, {
      styleClass: 'docent-snapshot-modal',
      title: words.status.snapshotTitle,
      draw: (close) => {
        const keep = (snapshot: Snapshot): void => {
          resolve(snapshot);
          close();
        };
        return <SnapshotForm shown={shown} onKeep={keep} onLeave={close} />;
      },
      onClose: () => resolve(null),
    });
    modal.open();
  });
}

interface SnapshotFormProps {
  readonly shown: EditableSummary;
  readonly onKeep: (snapshot: Snapshot) => void;
  readonly onLeave: () => void;
}

function SnapshotForm({ shown: { snapshot, effect, notices }, onKeep, onLeave }: SnapshotFormProps) {
  const [text, setText] = useState(snapshot);
  const keep = (event: Event): void => {
    event.preventDefault();
    onKeep(text);
  };
  return (
    <form class="docent-snapshot" onSubmit={keep}>
      {effect !== null && (
        <p>
          {words.status.snapshotLead} {words.status.snapshotEffect(effect.before, effect.after)}
        </p>
      )}
      {notices.map((notice) => (
        <p key={notice}>{notice}</p>
      ))}
      {names.map((name) => (
        <label key={name}>
          <span>{words.status.snapshotParts[name]}</span>
          <textarea
            rows={rowsOf(snapshot[name])}
            dir="auto"
            value={text[name]}
            onInput={(event) => setText({ ...text, [name]: event.currentTarget.value })}
          />
        </label>
      ))}
      <div class="docent-list-acts">
        <button type="submit" class="mod-cta">
          {effect === null ? words.status.save : words.status.accept}
        </button>
        <button type="button" onClick={onLeave}>
          {words.status.discard}
        </button>
      </div>
    </form>
  );
}

/** Returns what is said of a summary, each on a line of its own, since what the user wrote may end without a period. */
function aboutSummary({ summary, undone }: SummaryItem): readonly string[] {
  const { focus, topic, by, notices = [] } = summary;
  const say = words.status;
  return [
    undone ? say.dividerUndone : say.retainedParts,
    ...(focus === '' ? [] : [say.retainedFocus(focus)]),
    ...(topic === undefined ? [] : [say.remainingTopic(topic)]),
    ...(by === 'extraction' ? [say.byExtraction] : []),
    ...notices,
  ];
}

const maxRows = 8;
const charactersPerRow = 60;

function rowsOf(text: string): number {
  const rows = text.split('\n').reduce((sum, line) => sum + 1 + Math.floor(line.length / charactersPerRow), 0);
  return Math.min(maxRows, Math.max(2, rows));
}

interface SummaryDividerProps {
  readonly item: SummaryItem;
  readonly model: OpenChatState;
  readonly running: boolean;
  /** Whether this summary is the one that replaces older messages now; only that one can be edited or undone. */
  readonly inForce: boolean;
  /** Whether it is the last item of the transcript. */
  readonly isLast: boolean;
}

/** SummaryDivider: marks where older messages were summarized: how many, what was retained, and how to undo it. */
export function SummaryDivider({ item, model, running, inForce, isLast }: SummaryDividerProps) {
  const { id, summary, undone } = item;
  const [isOpen, setOpen] = useState(false);
  const isCurrent = !undone && inForce;
  const root = useRef<HTMLDivElement>(null);
  // A summary that the user asked for is scrolled into view; an automatic one does not move what is being read.
  useEffect(() => {
    if (isLast && summary.trigger === 'manual') root.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <Named
      own={root}
      class={`docent-summary ${undone ? 'is-undone' : ''}`}
      role="group"
      name={words.status.snapshotTitle}
    >
      <div class="docent-summary-line">
        <span>{words.status.divider(summary.removed, summary.kept)}</span>
        <span>{words.status.dividerTokens(summary.before, summary.after)}</span>
      </div>
      <div class="docent-summary-about">
        {aboutSummary(item).map((line, index) => (
          <div key={index} dir="auto">
            {line}
          </div>
        ))}
      </div>
      <div class="docent-list-acts">
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {words.status.showSnapshot}
        </button>
        {isCurrent && (
          <button type="button" disabled={running} onClick={() => void model.context.edit(id)}>
            {words.status.editSnapshot}
          </button>
        )}
        {isCurrent && (
          <button type="button" disabled={running} onClick={() => void model.context.undo(id)}>
            {words.status.undo}
          </button>
        )}
      </div>
      {isOpen && (
        <dl class="docent-summary-parts">
          {names.map((name) => (
            <div key={name}>
              <dt>{words.status.snapshotParts[name]}</dt>
              <dd dir="auto">{summary.snapshot[name]}</dd>
            </div>
          ))}
        </dl>
      )}
    </Named>
  );
}
