/**
 * The list of suggestions that is open over a text box: updated with what is typed, drawn, and read out, with an icon
 * for each kind of mention.
 */
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import {
  type Candidate,
  type ChatCommand,
  completedName,
  findAll,
  keyOf,
  type MentionContext,
  type MentionSource,
  nameOf,
} from '../../core/mentions/mention-source';
import { formatMention, withShownText } from '../../core/mentions/mention-text';
import { completedLink } from '../../core/mentions/note-parts';
import type { Mention } from '../../core/session/entry';
import { words } from '../../text';
import { Icon } from '../components/controls';
import { showInSentence } from '../components/changed-text';
import type { ChatViewPorts } from '../state/ports';
import { findSuggestions, prepareSuggestions, type Suggestions } from './find-suggestions';

interface OpenList extends Suggestions {
  readonly selected: number;
  readonly isPreparing: boolean;
}

interface ListControls {
  /** The list as it was last drawn. */
  readonly list: OpenList | null;
  /** The list for what is typed now, since keys may come faster than it is drawn. */
  readonly current: () => OpenList | null;
  /** Reads the text before the cursor again. */
  readonly refresh: (element: HTMLTextAreaElement) => void;
  readonly select: (index: number) => void;
  readonly close: () => void;
  /** Closes the list until another mention is begun. */
  readonly dismiss: () => void;
}

/** A box with a message, into which suggestions are put. */
export interface MentionBox {
  readonly ports: MentionPorts;
  text(): string;
  mentions(): readonly Mention[];
  /** Returns the path of the chat's workspace; null for none. */
  workspace(): string | null;
  setText(text: string, mentions: readonly Mention[]): void;
  /** Runs a command that was chosen, once its name has left the box; absent where none is offered. */
  readonly run?: (command: ChatCommand) => void;
}

export interface MentionInput extends ListControls {
  /** Takes on what the box contains now, with what a link attaches that was just written in full. */
  readonly take: (element: HTMLTextAreaElement) => void;
  readonly choose: (candidate: Candidate) => void;
  /** Returns what a key does to the open list; null for a key that the list does not use. */
  readonly keyAction: (event: KeyboardEvent) => (() => void) | null;
  /** The attributes of the box that describe the list to a screen reader. */
  readonly described: object;
}

/** Browsers can write text as if it were typed, so that the box can undo it, only by a command that is deprecated. */
interface TypingDocument {
  execCommand?(command: 'insertText', hasWindow: false, text: string): boolean;
}

const keySteps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Builds a text box of which the mentions are suggested as they are typed. */
export function useMentionInput(input: RefObject<HTMLTextAreaElement | null>, box: MentionBox): MentionInput {
  const controls = useSuggestions(
    box.ports,
    () => box.mentions(),
    () => box.workspace(),
  );
  const { list: drawn, current, select, close, dismiss } = controls;
  /** The text as it was last written here, with all it has named since it was last filled from elsewhere. */
  const written = useRef<{ readonly text: string; readonly mentions: readonly Mention[] }>({ text: '', mentions: [] });
  /** Whether the name that is being written was chosen from the list, which may have several of one name. */
  const isChosen = useRef(false);
  /** Sets the text. What was deleted from it is attached again when it is back, as after an undo or a cut and a paste. */
  const write = (text: string, added: readonly Mention[]): void => {
    const mentions = [...box.mentions(), ...added];
    const before = written.current.text === box.text() ? written.current.mentions : [];
    const isDropped = ({ label, apart }: Mention): boolean =>
      apart !== true && mentions.every((mention) => mention.label !== label);
    written.current = { text, mentions: [...mentions, ...before.filter(isDropped)] };
    box.setText(text, written.current.mentions);
  };
  const take = (element: HTMLTextAreaElement): void => {
    const { value, selectionStart } = element;
    const contextOf = (): MentionContext => mentionContextOf(box.ports, box.workspace());
    const linked = completedLink(contextOf, box.text(), value, selectionStart);
    const named = isChosen.current ? null : completedName(box.ports.mentionSources, contextOf, box.text(), value);
    // What a server wants to know of a prompt is asked when it is chosen from the list.
    const isPlain = named === null || promptWithArguments(named, box.ports) !== undefined;
    write(value, [...(linked === null ? [] : [linked]), ...(isPlain ? [] : [named])]);
    controls.refresh(element);
  };
  const choose = (candidate: Candidate): void => {
    const element = input.current;
    const list = current();
    if (element === null || list === null) return;
    const { selectionStart } = element;
    const asking = 'mention' in candidate ? promptWithArguments(candidate.mention, box.ports) : undefined;
    if (asking === undefined) return insert(candidate, element, list, selectionStart);
    const before = element.value.slice(0, selectionStart);
    void box.ports.fillPrompt?.(asking).then((mention) => {
      // The box may have the draft of another chat since then, or none, in which nothing asked for the prompt.
      if (mention === null || !element.value.startsWith(before)) element.focus();
      else insert({ mention, detail: '' }, element, list, selectionStart);
    });
  };
  const insert = (candidate: Candidate, element: HTMLTextAreaElement, list: OpenList, cursor: number): void => {
    const { from, trigger, shown } = list.open;
    const mention = 'mention' in candidate ? [withShownText(candidate.mention, shown)] : [];
    const name = mention.map((one) => `${formatMention(one, trigger)} `).join('');
    const closing = trigger === '[[' ? /^(\]\])? ?/ : /^ ?/;
    const end = cursor + (closing.exec(element.value.slice(cursor))?.[0].length ?? 0);
    element.focus();
    element.setSelectionRange(from, end);
    const { doc }: { doc: TypingDocument } = element;
    isChosen.current = true;
    if (doc.execCommand?.('insertText', false, name) !== true) element.setRangeText(name, from, end, 'end');
    isChosen.current = false;
    write(element.value, mention);
    close();
    if ('command' in candidate) box.run?.(candidate.command);
  };
  const keyAction = ({ key, shiftKey }: KeyboardEvent): (() => void) | null => {
    const list = current();
    if (list === null) return null;
    if (key === 'Escape') return dismiss;
    const { length } = list.candidates;
    const step = keySteps[key];
    if (step !== undefined && length > 0) return () => select((list.selected + step + length) % length);
    const chosen = list.candidates[list.selected];
    const isChoice = (key === 'Enter' || key === 'Tab') && !shiftKey;
    return isChoice && chosen !== undefined ? () => choose(chosen) : null;
  };
  // A box of several lines must not have the role of a combobox: SuggestionsStatus says that the list opens.
  const hasLines = drawn !== null && drawn.candidates.length > 0;
  const described = {
    'aria-autocomplete': 'list',
    'aria-haspopup': 'listbox',
    'aria-controls': hasLines ? 'docent-suggestions' : undefined,
    'aria-activedescendant': hasLines ? `docent-suggestion-${drawn.selected}` : undefined,
  } as const;
  return { ...controls, take, choose, keyAction, described };
}

/** @param workspace returns the path of the chat's workspace; null for none */
function useSuggestions(
  ports: MentionPorts,
  attached: () => readonly Mention[],
  workspace: () => string | null = () => null,
): ListControls {
  const [list, setList] = useState<OpenList | null>(null);
  const dismissed = useRef<number | null>(null);
  const preparation = useRef<AbortController | null>(null);
  const shown = useRef<OpenList | null>(null);
  const show = (next: OpenList | null): void => {
    shown.current = next;
    setList(next);
  };
  useEffect(() => () => preparation.current?.abort(), []);

  const update = (element: HTMLTextAreaElement, isPreparing: boolean): Suggestions | null => {
    const { value, selectionStart } = element;
    const context = mentionContextOf(ports, workspace());
    const waits = (kind: string): boolean =>
      ports.instructions?.files.waiting().some((file) => file.kind === kind && !file.isDeclined) === true;
    const found = findSuggestions(ports.mentionSources, context, value, selectionStart, attached(), waits);
    if (found === null) dismissed.current = null;
    const hidden = found === null || found.open.from === dismissed.current;
    show(hidden ? null : { ...found, isPreparing, selected: isPreparing ? 0 : placeOf(shown.current, found) });
    return hidden ? null : found;
  };
  const refresh = (element: HTMLTextAreaElement): void => {
    preparation.current?.abort();
    const willPrepare = ports.mentionSources.some((source) => source.prepare !== undefined);
    const found = update(element, willPrepare);
    if (found === null || !willPrepare) return;
    const abort = new AbortController();
    preparation.current = abort;
    const { trigger, query } = found.open;
    const sources = ports.mentionSources.filter(({ triggers }) => triggers.includes(trigger));
    const work = { sources, context: mentionContextOf(ports, workspace()), typed: query, window: element.win };
    void prepareSuggestions(work, abort.signal).then((isDone) => {
      if (isDone && shown.current !== null) update(element, false);
    });
  };
  const close = (): void => {
    preparation.current?.abort();
    show(null);
  };
  return {
    list,
    current: () => shown.current,
    refresh,
    close,
    select: (selected) => {
      if (shown.current !== null) show({ ...shown.current, selected });
    },
    dismiss: () => {
      dismissed.current = shown.current?.open.from ?? null;
      close();
    },
  };
}

/** Returns the index of the item that was selected, which stays selected as items appear around it. */
function placeOf(before: OpenList | null, { candidates, groups }: Suggestions): number {
  const selected = before?.candidates[before.selected];
  if (selected === undefined || before?.groups.length === 0 || groups.length === 0) return 0;
  return Math.max(
    0,
    candidates.findIndex((one) => isSame(one, selected)),
  );
}

function isSame(one: Candidate, other: Candidate): boolean {
  return 'command' in one === 'command' in other && keyOf(one) === keyOf(other);
}

type MentionPorts = Pick<
  ChatViewPorts,
  | 'fillPrompt'
  | 'vault'
  | 'tools'
  | 'prompts'
  | 'commands'
  | 'skills'
  | 'mentionSources'
  | 'settings'
  | 'activeNote'
  | 'onChange'
> &
  Partial<Pick<ChatViewPorts, 'servers' | 'instructions'>>;

/**
 * Returns what mention sources need, read from the ports of the chat view at each call.
 * @param workspace path of the chat's workspace, which may have skills of its own; null for none
 */
export function mentionContextOf(ports: MentionPorts, workspace: string | null = null): MentionContext {
  const { vault, tools, prompts, commands, settings, activeNote } = ports;
  return {
    vault,
    tools,
    prompts: prompts.registry.list(),
    commands,
    ...(ports.servers?.resources && { resources: ports.servers.resources() }),
    skills: ports.skills(workspace),
    agentFolder: settings().agentFolder,
    activeNote: activeNote(),
  };
}

/** Returns the prompt of a mention if a server needs arguments for it. */
function promptWithArguments({ kind, id }: Mention, { prompts, fillPrompt }: MentionPorts) {
  const prompt = kind === 'prompt' && fillPrompt !== undefined ? prompts.registry.get(id) : undefined;
  return prompt?.arguments === undefined ? undefined : prompt;
}

interface SuggestionListProps {
  readonly list: OpenList;
  readonly onChoose: (candidate: Candidate) => void;
  readonly onSelect: (index: number) => void;
}

/** SuggestionList: only shows the suggestions; the composer decides. */
export function SuggestionList({ list, onChoose, onSelect }: SuggestionListProps) {
  const { groups, candidates, selected, open, choiceOf } = list;
  const findsAll = findAll.includes(open.trigger);
  const root = useRef<HTMLDivElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  const isFilled = groups.length > 0;
  // Below an edited message, it may open under the edge of the chat.
  useLayoutEffect(() => root.current?.scrollIntoView({ block: 'nearest' }), [isFilled]);
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
        isChoice={choiceOf !== null}
        onChoose={() => onChoose(candidate)}
        onSelect={() => index !== selected && onSelect(index)}
      />
    );
  };
  return (
    <div class="docent-popup" ref={root}>
      {/* Named by elements, since Obsidian shows an aria-label as a tooltip. */}
      <span id="docent-suggestions-name" hidden>
        {words.chatView.suggestions}
      </span>
      {!isFilled && <div class="docent-popup-empty">{emptyWordsOf(list)}</div>}
      <div
        class="docent-popup-list"
        id="docent-suggestions"
        role="listbox"
        aria-labelledby="docent-suggestions-name"
        hidden={!isFilled}
        ref={popup}
      >
        {groups.map(({ source, candidates: lines }) => (
          <div key={source.id} role="group" aria-labelledby={`docent-suggestions-${source.id}`}>
            <div class="docent-popup-heading" id={`docent-suggestions-${source.id}`}>
              {choiceOf ?? words.chatView.suggestionGroups[source.id]}
            </div>
            {lines.map(showLine)}
          </div>
        ))}
      </div>
      {isFilled && (
        <div class={`docent-popup-hint ${findsAll ? '' : 'is-keys-only'}`} aria-hidden="true">
          <span class="docent-popup-keys">{words.chatView.suggestionsHint}</span>
          {findsAll && <span>{words.chatView.linkHint}</span>}
        </div>
      )}
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
  /** Whether it follows a command, and so is not typed after a slash of its own. */
  readonly isChoice: boolean;
  readonly onChoose: () => void;
  readonly onSelect: () => void;
}

function Line({ candidate, index, isSelected, isChoice, onChoose, onSelect }: LineProps) {
  const kind = 'command' in candidate ? 'command' : candidate.mention.kind;
  const detail = detailOf(candidate);
  const typed = isChoice ? null : typedAs(candidate);
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
          <div class="docent-popup-name">{showInSentence(nameOf(candidate))}</div>
          {typed !== null && <div class="docent-popup-typed">{typed}</div>}
        </div>
        {detail !== '' && <div class="docent-popup-detail">{showInSentence(detail)}</div>}
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
