/** Composer: the box where a message is written, its chips, its suggester, and the button that sends or stops. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { findTrigger } from '../../core/mentions/find-trigger';
import type { Candidate } from '../../core/mentions/mention';
import type { MentionSource } from '../../core/mentions/mention-source';
import { words } from '../../text';
import { Popup } from '../suggest/popup';
import { rankCandidates } from '../suggest/rank-candidates';
import { Chip } from './chip';
import { IconButton } from './icon-button';
import type { PaneModel } from './pane-model';

/** Lines shown in the list of suggestions. */
const shownCandidates = 12;

interface OpenList {
  readonly source: MentionSource;
  readonly candidates: readonly Candidate[];
  readonly from: number;
  readonly selected: number;
}

export function Composer({ model }: { readonly model: PaneModel }) {
  const input = useRef<HTMLTextAreaElement>(null);
  const [list, draw] = useState<OpenList | null>(null);
  // Keys may come faster than the list is drawn; they must meet the list that belongs to the text.
  const open = useRef<OpenList | null>(null);
  const setList = (next: OpenList | null): void => {
    open.current = next;
    draw(next);
  };
  const running = model.state.value?.running === true;
  const queued = model.state.value?.queued.length ?? 0;
  const text = model.text.value;
  useLayoutEffect(() => fitHeight(input.current), [text]);
  useEffect(() => input.current?.focus({ preventScroll: true }), []);

  const refresh = (element: HTMLTextAreaElement): void => {
    const { vault, mentionSources } = model.ports;
    const trigger = findTrigger(element.value, element.selectionStart, mentionSources);
    if (trigger === null) {
      setList(null);
      return;
    }
    const candidates = rankCandidates(trigger.source.candidates(vault), trigger.query, shownCandidates);
    setList({ source: trigger.source, candidates, from: trigger.from, selected: 0 });
  };
  const choose = (candidate: Candidate): void => {
    const element = input.current;
    if (element === null || open.current === null) return;
    const { source, from } = open.current;
    const before = `${element.value.slice(0, from)}${source.write(candidate)} `;
    const after = element.value.slice(element.selectionStart).replace(/^(\]\])? ?/, '');
    model.setText(before + after, [...model.mentions.value, candidate.mention]);
    setList(null);
    element.value = before + after;
    element.focus();
    element.setSelectionRange(before.length, before.length);
  };
  const onKeyDown = (event: KeyboardEvent & { readonly currentTarget: HTMLTextAreaElement }): void => {
    // While an input method composes, Enter and Escape belong to it; some browsers say so only by the key.
    if (event.isComposing || event.key === 'Process') return;
    const { current } = open;
    const step = keySteps[event.key];
    if (current !== null && current.candidates.length > 0 && step !== undefined) {
      event.preventDefault();
      const { length } = current.candidates;
      setList({ ...current, selected: (current.selected + step + length) % length });
      return;
    }
    if (event.key === 'Escape') {
      if (current === null && model.state.value?.running !== true) return;
      event.preventDefault();
      event.stopPropagation();
      if (current !== null) setList(null);
      else model.stop();
      return;
    }
    if (event.key !== 'Enter' && event.key !== 'Tab') return;
    const chosen = current?.candidates[current.selected];
    if (chosen !== undefined) {
      event.preventDefault();
      choose(chosen);
      return;
    }
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    void model.send();
  };
  return (
    <div class="docent-composer">
      {list !== null && (
        <Popup
          candidates={list.candidates}
          selected={list.selected}
          onChoose={choose}
          onSelect={(selected) => setList({ ...list, selected })}
        />
      )}
      {model.mentions.value.length > 0 && (
        <div class="docent-chips" aria-label={words.pane.attachments}>
          {model.mentions.value.map((mention) => (
            <Chip
              key={mention.id}
              mention={mention}
              onOpen={() => model.ports.openNote(mention.id, false)}
              onRemove={() => model.removeMention(mention)}
            />
          ))}
        </div>
      )}
      <div class="docent-composer-row">
        <textarea
          ref={input}
          class="docent-composer-input"
          rows={1}
          dir="auto"
          placeholder={words.pane.placeholder}
          aria-label={words.pane.composer}
          aria-expanded={list !== null}
          aria-controls={list === null ? undefined : 'docent-suggestions'}
          aria-activedescendant={list === null ? undefined : `docent-suggestion-${list.selected}`}
          value={text}
          onInput={(event) => {
            model.setText(event.currentTarget.value);
            refresh(event.currentTarget);
          }}
          onClick={(event) => refresh(event.currentTarget)}
          onKeyDown={onKeyDown}
          onBlur={() => setList(null)}
        />
        {running ? (
          <IconButton icon="square" label={words.pane.stop} onClick={() => model.stop()} class="docent-send is-stop" />
        ) : (
          <IconButton
            icon="arrow-up"
            label={words.pane.send}
            onClick={() => void model.send()}
            class="docent-send"
            disabled={text.trim() === ''}
          />
        )}
      </div>
      {queued > 0 && <div class="docent-queued">{words.pane.queued(queued)}</div>}
    </div>
  );
}

const keySteps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Grows the box with its text; the style sheet bounds it. */
function fitHeight(element: HTMLTextAreaElement | null): void {
  if (element === null) return;
  element.setCssProps({ '--docent-input-height': 'auto' });
  element.setCssProps({ '--docent-input-height': `${element.scrollHeight}px` });
}
