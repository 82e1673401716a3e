/** Popup: the list of suggestions above the composer; it only shows, the composer decides. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Candidate } from '../../core/mentions/mention';
import { words } from '../../text';

interface PopupProps {
  readonly candidates: readonly Candidate[];
  readonly selected: number;
  readonly onChoose: (candidate: Candidate) => void;
  readonly onSelect: (index: number) => void;
}

export function Popup({ candidates, selected, onChoose, onSelect }: PopupProps) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => list.current?.children.item(selected)?.scrollIntoView({ block: 'nearest' }), [selected]);
  return (
    <div class="docent-popup" id="docent-suggestions" role="listbox" aria-label={words.pane.suggestions} ref={list}>
      {candidates.length === 0 && <div class="docent-popup-empty">{words.pane.noSuggestions}</div>}
      {candidates.map((candidate, index) => (
        <div
          key={candidate.mention.id}
          id={`docent-suggestion-${index}`}
          class={`docent-popup-item ${index === selected ? 'is-selected' : ''}`}
          role="option"
          aria-selected={index === selected}
          onMouseMove={() => index !== selected && onSelect(index)}
          // Pressing must not take the focus, or the composer would close the list before the click arrives.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(candidate)}
        >
          <div class="docent-popup-name">{candidate.mention.label}</div>
          <div class="docent-popup-detail">{candidate.detail}</div>
        </div>
      ))}
    </div>
  );
}
