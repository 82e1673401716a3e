/** SummaryDivider: where older messages were summarised: how much, what stayed, and the way back. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { SummaryItem } from '../../core/chat/transcript';
import { type SnapshotPart, snapshotParts } from '../../core/session/entry';
import { words } from '../../text';
import type { PaneModel } from '../state/chat-state';

const names = Object.keys(snapshotParts) as readonly SnapshotPart[];

interface SummaryDividerProps {
  readonly item: SummaryItem;
  readonly model: PaneModel;
  readonly running: boolean;
  /** Whether it is the one that stands for older messages now; only that one can be changed or taken back. */
  readonly inForce: boolean;
  /** Whether it stands at the end of the transcript. */
  readonly isLast: boolean;
}

export function SummaryDivider({ item, model, running, inForce, isLast }: SummaryDividerProps) {
  const { id, summary, undone } = item;
  const [isOpen, setOpen] = useState(false);
  const isCurrent = !undone && inForce;
  const root = useRef<HTMLDivElement>(null);
  // One that the user asked for is looked at; one that came by itself does not move what is being read.
  useEffect(() => {
    if (isLast && summary.trigger === 'manual') root.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div
      ref={root}
      class={`docent-summary ${undone ? 'is-undone' : ''}`}
      role="group"
      aria-label={words.status.snapshotTitle}
    >
      <div class="docent-summary-line">
        <span>{words.status.divider(summary.removed, summary.kept)}</span>
        <span>{words.status.dividerTokens(summary.before, summary.after)}</span>
      </div>
      <div class="docent-summary-about">
        {undone ? words.status.dividerUndone : words.status.kept}
        {summary.focus !== '' && ` ${words.status.keptFocus(summary.focus)}`}
        {summary.topic !== undefined && ` ${words.status.keptTopic(summary.topic)}`}
        {summary.by === 'extraction' && ` ${words.status.byExtraction}`}
        {(summary.notices ?? []).map((notice) => ` ${notice}`)}
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
    </div>
  );
}
