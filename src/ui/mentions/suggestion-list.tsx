/** The list of suggestions above the composer, with an icon for each kind of mention. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type Candidate, findAll, keyOf, type MentionSource, nameOf } from '../../core/mentions/mention-source';
import { formatMention } from '../../core/mentions/mention-text';
import { words } from '../../text';
import { Icon } from '../components/controls';
import type { OpenList } from './use-suggestions';

interface SuggestionListProps {
  readonly list: OpenList;
  readonly onChoose: (candidate: Candidate) => void;
  readonly onSelect: (index: number) => void;
}

/** SuggestionList: only shows the suggestions; the composer decides. */
export function SuggestionList({ list, onChoose, onSelect }: SuggestionListProps) {
  const { groups, candidates, selected, open } = list;
  const findsAll = findAll.includes(open.trigger);
  const popup = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // Scrolling to the first item brings its heading into view too.
    const element = popup.current;
    if (element !== null && selected === 0) element.scrollTop = 0;
    else element?.querySelector('.is-selected')?.scrollIntoView({ block: 'nearest' });
  }, [selected, candidates]);
  const showLine = (candidate: Candidate) => {
    const index = candidates.indexOf(candidate);
    return (
      <Line
        key={keyOf(candidate)}
        candidate={candidate}
        index={index}
        isSelected={index === selected}
        onChoose={() => onChoose(candidate)}
        onSelect={() => index !== selected && onSelect(index)}
      />
    );
  };
  return (
    <div class="docent-popup">
      {/* Named by elements, since Obsidian shows an aria-label as a tooltip. */}
      <span id="docent-suggestions-name" hidden>
        {words.chatView.suggestions}
      </span>
      {groups.length === 0 && <div class="docent-popup-empty">{emptyWordsOf(list)}</div>}
      <div
        class="docent-popup-list"
        id="docent-suggestions"
        role="listbox"
        aria-labelledby="docent-suggestions-name"
        hidden={groups.length === 0}
        ref={popup}
      >
        {groups.map(({ source, candidates: lines }) => (
          <div key={source.id} role="group" aria-labelledby={`docent-suggestions-${source.id}`}>
            <div class="docent-popup-heading" id={`docent-suggestions-${source.id}`}>
              {words.chatView.suggestionGroups[source.id]}
            </div>
            {lines.map(showLine)}
          </div>
        ))}
      </div>
      <div class={`docent-popup-hint ${findsAll ? '' : 'is-keys-only'}`} aria-hidden="true">
        <span class="docent-popup-keys">{words.chatView.suggestionsHint}</span>
        {findsAll && <span>{words.chatView.linkHint}</span>}
      </div>
    </div>
  );
}

function emptyWordsOf({ isPreparing, isBare, emptyWords }: OpenList): string {
  return isPreparing && isBare ? words.chatView.suggestionsPrepared : emptyWords;
}

/** SuggestionsStatus: says to a screen reader how many suggestions there are. It is there before its text changes. */
export function SuggestionsStatus({ list }: { readonly list: OpenList | null }) {
  const count = list?.candidates.length ?? 0;
  return (
    <div class="docent-said" role="status">
      {list !== null && (count === 0 ? emptyWordsOf(list) : words.chatView.suggestionCount(count))}
    </div>
  );
}

interface LineProps {
  readonly candidate: Candidate;
  readonly index: number;
  readonly isSelected: boolean;
  readonly onChoose: () => void;
  readonly onSelect: () => void;
}

function Line({ candidate, index, isSelected, onChoose, onSelect }: LineProps) {
  const kind = 'command' in candidate ? 'command' : candidate.mention.kind;
  const detail = detailOf(candidate);
  const typed = typedAs(candidate);
  return (
    <div
      id={`docent-suggestion-${index}`}
      class={`docent-popup-item ${isSelected ? 'is-selected' : ''}`}
      role="option"
      aria-selected={isSelected}
      onMouseMove={onSelect}
      // A press must not take the focus, or the composer would close the list before the click arrives.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <Icon icon={mentionIcons[kind]} />
      <div class="docent-popup-text">
        <div class="docent-popup-first">
          <div class="docent-popup-name">{nameOf(candidate)}</div>
          {typed !== null && <div class="docent-popup-typed">{typed}</div>}
        </div>
        {detail !== '' && <div class="docent-popup-detail">{detail}</div>}
      </div>
    </div>
  );
}

/** Returns what is typed for an item whose label in the list differs; null if they are the same. */
function typedAs(candidate: Candidate): string | null {
  if ('command' in candidate) return `/${candidate.command.id}`;
  return ['tool', 'skill'].includes(candidate.mention.kind) ? formatMention(candidate.mention) : null;
}

function detailOf(candidate: Candidate): string {
  if ('command' in candidate || candidate.notes === undefined) return candidate.detail;
  return candidate.mention.kind === 'tag'
    ? words.chatView.tagOf(candidate.notes)
    : words.chatView.folderOf(candidate.notes);
}

/** The icon of each kind of mention, in the list and on its chip. */
export const mentionIcons: Readonly<Record<MentionSource['id'], string>> = {
  note: 'file-text',
  heading: 'heading',
  block: 'text-quote',
  image: 'image',
  resource: 'globe',
  folder: 'folder',
  tag: 'tag',
  'run-prompt': 'message-square-quote',
  prompt: 'at-sign',
  workspace: 'hash',
  skill: 'graduation-cap',
  tool: 'wrench',
  command: 'terminal',
};
