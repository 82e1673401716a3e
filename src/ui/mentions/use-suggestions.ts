/** useSuggestions: the list of suggestions that is open over a text box, updated with what is typed. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Candidate, keyOf, type MentionContext } from '../../core/mentions/mention-source';
import type { Mention } from '../../core/session/entry';
import type { ChatViewPorts } from '../state/ports';
import { findSuggestions, prepareSuggestions, type Suggestions } from './find-suggestions';

export interface OpenList extends Suggestions {
  readonly selected: number;
  readonly isPreparing: boolean;
}

export interface ListControls {
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

/** @param workspace returns the path of the chat's workspace; null for none */
export function useSuggestions(
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
  'vault' | 'tools' | 'prompts' | 'commands' | 'skills' | 'mentionSources' | 'settings' | 'activeNote' | 'onChange'
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
