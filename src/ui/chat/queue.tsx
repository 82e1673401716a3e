/** The messages that wait for the end of the answer, above the box; and those that were sent, brought back into it. */
import { useRef } from 'preact/hooks';
import type { Outgoing } from '../../core/chat/chat-view-state';
import type { TranscriptItem, UserItem } from '../../core/chat/transcript';
import { words } from '../../text';
import { IconButton } from '../components/controls';
import type { OpenChatState } from '../state/chat-state';

interface QueueProps {
  readonly model: OpenChatState;
  /** Called when a message was put back into the box. */
  readonly onEdit: () => void;
}

/** Queue: what waits, in order. A click edits a message; with Alt, the arrow keys move it. */
export function Queue({ model, onEdit }: QueueProps) {
  const list = useRef<HTMLDivElement>(null);
  const queued = model.state.value?.queued ?? [];
  if (queued.length === 0) return null;
  const say = words.chatView;
  const edit = (message: Outgoing): void => {
    model.changeQueue(message, 'edit');
    onEdit();
  };
  /** Does something that changes the order or the number of rows, and leaves the focus on one of them. */
  const change = (message: Outgoing, act: 'up' | 'down' | 'remove', focused: number): void => {
    model.changeQueue(message, act);
    const rows = Array.from(list.current?.querySelectorAll<HTMLElement>('.docent-queued-text') ?? []);
    const left = queued.length - (act === 'remove' ? 1 : 0);
    if (left === 0) onEdit();
    else rows[Math.max(0, Math.min(focused, left - 1))]?.focus();
  };
  const onKeyDown = (event: KeyboardEvent, message: Outgoing, at: number): void => {
    const isMove = event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown');
    if (!isMove && event.key !== 'Delete') return;
    event.preventDefault();
    if (event.key === 'Delete') change(message, 'remove', at);
    else if (event.key === 'ArrowUp') change(message, 'up', at - 1);
    else change(message, 'down', at + 1);
  };
  return (
    <>
      <div class="docent-said" role="status">
        {say.queued(queued.length)}
      </div>
      <div class="docent-queue" role="list" aria-label={say.queue} ref={list}>
        {queued.map((message, at) => (
          <div key={at} class="docent-queued" role="listitem">
            <button
              type="button"
              class="docent-queued-text"
              dir="auto"
              aria-label={say.queuedEdit(textOf(message))}
              onClick={() => edit(message)}
              onKeyDown={(event) => onKeyDown(event, message, at)}
            >
              {textOf(message)}
            </button>
            {at > 0 && (
              <IconButton icon="chevron-up" label={say.queuedUp} onClick={() => change(message, 'up', at - 1)} />
            )}
            <IconButton icon="x" label={say.queuedRemove} onClick={() => change(message, 'remove', at)} />
            <IconButton
              icon="corner-right-up"
              label={say.queuedNow}
              onClick={() => {
                model.changeQueue(message, 'now');
                onEdit();
              }}
            />
          </div>
        ))}
      </div>
    </>
  );
}

/** Characters of a message that its row has; the rest would not be seen. */
const maxShown = 200;

function textOf({ text }: Outgoing): string {
  return text.slice(0, maxShown).replace(/\s+/g, ' ').trim() || words.chatView.queuedImage;
}

/**
 * useRecall: returns what an arrow key does in the box: in an empty one, Up brings back the message that waits last, else
 * those that were sent, the newest first, and Down goes the other way. Null if the key only moves the cursor.
 */
export function useRecall(model: OpenChatState, toEnd: () => void): (event: KeyboardEvent) => (() => void) | null {
  /** How many messages back the one in the box is, and its text; null if none was brought back. */
  const recalled = useRef<{ readonly back: number; readonly text: string } | null>(null);
  const show = (back: number, message: UserItem | null): void => {
    recalled.current = message === null ? null : { back, text: message.text };
    model.setText(message?.text ?? '', message?.mentions.filter(({ apart }) => apart !== true) ?? []);
    toEnd();
  };
  /** How many messages back the box is; null if it holds what the user is writing. */
  const backOf = (event: KeyboardEvent): number | null => {
    const text = model.text.peek();
    if (text === '' && model.mentions.peek().length === 0) return 0;
    return recalled.current?.text === text && isAtEnd(event) ? recalled.current.back : null;
  };
  return (event) => {
    const from = hasModifier(event) ? null : backOf(event);
    if (from === null) return null;
    const isUp = event.key === 'ArrowUp';
    const { items = [], queued = [] } = model.state.peek() ?? {};
    const last = queued.at(-1);
    if (model.text.peek() === '' && isUp && last !== undefined) {
      return () => {
        model.changeQueue(last, 'edit');
        toEnd();
      };
    }
    const back = from + (isUp ? 1 : -1);
    if (back === 0) return () => show(0, null);
    const said = back < 0 ? [] : items.filter(isSaid);
    const message = said[said.length - back];
    return message === undefined ? null : () => show(back, message);
  };
}

function hasModifier({ altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
  return altKey || ctrlKey || metaKey || shiftKey;
}

function isSaid(item: TranscriptItem): item is UserItem {
  return item.type === 'user' && item.text.trim() !== '';
}

/** Whether the cursor is after all of the text, so that an arrow key has not begun to edit it. */
function isAtEnd({ currentTarget }: KeyboardEvent): boolean {
  const { selectionStart, value } = currentTarget as HTMLTextAreaElement;
  return selectionStart === value.length;
}
