/** useSuggestions: the list of suggestions that is open over a text box, updated with what is typed. */
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Candidate, type ChatCommand, keyOf, type MentionContext } from '../../core/mentions/mention-source';
import { formatMention } from '../../core/mentions/mention-text';
import type { Mention } from '../../core/session/entry';
import type { ChatViewPorts } from '../state/ports';
import { findSuggestions, prepareSuggestions, type Suggestions } from './find-suggestions';

export interface OpenList extends Suggestions {
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
  mentions(): readonly Mention[];
  /** Returns the path of the chat's workspace; null for none. */
  workspace(): string | null;
  setText(text: string, mentions: readonly Mention[]): void;
  /** Runs a command that was chosen, once its name has left the box; absent where none is offered. */
  readonly run?: (command: ChatCommand) => void;
}

export interface MentionInput extends ListControls {
  readonly choose: (candidate: Candidate) => void;
  /** Returns what a key does to the open list; null for a key that the list does not use. */
  readonly keyAction: (event: KeyboardEvent) => (() => void) | null;
  /** The attributes of the box that describe the list to a screen reader. */
  readonly described: object;
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
  const choose = (candidate: Candidate): void => {
    const element = input.current;
    const list = current();
    if (element === null || list === null) return;
    const { selectionStart } = element;
    const asking = 'mention' in candidate ? promptWithArguments(candidate.mention, box.ports) : undefined;
    if (asking === undefined) return insert(candidate, element, list, selectionStart);
    void box.ports.fillPrompt?.(asking).then((mention) => {
      if (mention === null) element.focus();
      else insert({ mention, detail: '' }, element, list, selectionStart);
    });
  };
  const insert = (candidate: Candidate, element: HTMLTextAreaElement, list: OpenList, cursor: number): void => {
    const mention = 'mention' in candidate ? [candidate.mention] : [];
    const before =
      element.value.slice(0, list.open.from) +
      mention.map((one) => `${formatMention(one, list.open.trigger)} `).join('');
    const closing = list.open.trigger === '[[' ? /^(\]\])? ?/ : /^ ?/;
    const after = element.value.slice(cursor).replace(closing, '');
    box.setText(before + after, [...box.mentions(), ...mention]);
    close();
    element.value = before + after;
    element.focus();
    element.setSelectionRange(before.length, before.length);
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
  return { ...controls, choose, keyAction, described };
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
    const found = findSuggestions(ports.mentionSources, context, value, selectionStart, attached());
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
  Partial<Pick<ChatViewPorts, 'servers'>>;

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
