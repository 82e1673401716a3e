/** WordChanges: two wordings of a passage as one text, with the words that go and the words that come. */
import { useId, useMemo } from 'preact/hooks';
import { wordsOf } from '../../core/writing/changeset/diff';

interface WordChangesProps {
  readonly before: string;
  readonly after: string;
  readonly label: string;
}

export function WordChanges({ before, after, label }: WordChangesProps) {
  const named = useId();
  const parts = useMemo(
    () =>
      wordsOf(before, after) ?? [
        { kind: 'removed' as const, text: before },
        { kind: 'added' as const, text: after },
      ],
    [before, after],
  );
  return (
    <>
      {/* An aria-label would show as a tooltip of the app, over the buttons below. */}
      <span id={named} class="docent-said">
        {label}
      </span>
      <div class="docent-word-changes" dir="auto" role="region" aria-labelledby={named} tabIndex={0}>
        {parts.map(({ kind, text }, index) => {
          if (kind === 'same') return <span key={index}>{text}</span>;
          return kind === 'removed' ? <del key={index}>{text}</del> : <ins key={index}>{text}</ins>;
        })}
      </div>
    </>
  );
}
