/** NoteText: text of a note, always as text; what the eye would miss in it is drawn. */
import type { WordPart } from '../../core/writing/changeset/diff';
import { words } from '../../text';
import { type MarkedPart, markParts, markText, type TextSegment } from './mark-text';

export function NoteText({ text }: { readonly text: string }) {
  return <Segments segments={markText(text)} lineEnd={'\n'} />;
}

/** Words of one line, those that go struck out and those that come underlined. */
export function ChangedText({ parts }: { readonly parts: readonly WordPart[] }) {
  return (
    <>
      {markParts(parts).map(({ kind, segments }: MarkedPart, index) => {
        const drawn = <Segments segments={segments} lineEnd={kind === 'same' ? '' : words.review.lineEnd} />;
        if (kind === 'removed') return <del key={index}>{drawn}</del>;
        return kind === 'added' ? <ins key={index}>{drawn}</ins> : <span key={index}>{drawn}</span>;
      })}
    </>
  );
}

interface SegmentsProps {
  readonly segments: readonly TextSegment[];
  /** What is drawn for a line end. */
  readonly lineEnd: string;
}

function Segments({ segments, lineEnd }: SegmentsProps) {
  return (
    <>
      {segments.map(({ kind, text }, index) => {
        if (kind === 'plain') return text;
        if (kind === 'line-end') return lineEnd;
        return (
          <span key={index} class={`docent-review-${kind}`}>
            {text}
          </span>
        );
      })}
    </>
  );
}
