/**
 * Composer: the box where a message is written, its chips, its suggester, the button that sends or stops, what waits
 * above it, and the images that are put into it.
 */
import { Notice, Platform } from 'obsidian';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { startOf } from '../../core/base/cut';
import type { Outgoing } from '../../core/chat/chat-view-state';
import type { TranscriptItem, UserItem } from '../../core/chat/transcript';
import { type ChatActions, type ChatCommand, commandIn } from '../../core/mentions/mention-source';
import { imageTypesTaken } from '../../core/ports/message';
import { words } from '../../text';
import {
  breaksLinesByReturn,
  firstPress,
  fitHeight,
  fitPopups,
  IconButton,
  isOfInputMethod,
  Name,
  Named,
  useNameId,
} from '../components/controls';
import { AttachedChips, OpenNoteChip } from '../mentions/chips';
import { SuggestionList, SuggestionsStatus, useMentionInput } from '../mentions/suggestions';
import type { OpenChatState } from '../state/chat-state';
import {
  afterMoves,
  emptyDraft,
  type DraftImages,
  draggedPaths,
  holdsAddresses,
  holdsFiles,
  imageFilesIn,
  isPictureMeant,
  otherFilesIn,
} from '../state/draft';

interface ComposerProps {
  readonly model: OpenChatState;
  readonly onNewChat: () => void;
  readonly onInspect: () => void;
}

export function Composer({ model, onNewChat, onInspect }: ComposerProps) {
  const root = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLTextAreaElement>(null);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const running = model.state.value?.running === true;
  useEffect(() => setHelpOpen(false), [model.shownId]);
  const text = model.text.value;
  useLayoutEffect(() => fitHeight(input.current), [text]);
  useEffect(() => {
    const { current: box } = input;
    // The box for a goal, or of a message that is edited, may have the focus by then. On a phone, the focus would open the
    // keyboard over the chat.
    const isElsewhere = box?.doc.activeElement?.closest('.docent-goal, .docent-editor') != null;
    if (!Platform.isMobile && !isElsewhere) box?.focus({ preventScroll: true });
  }, []);

  const actions: ChatActions = {
    showHelp: () => setHelpOpen(true),
    newChat: onNewChat,
    stop: () => model.stop(),
    resend: () => model.resend(),
    showPrompt: onInspect,
    openSettings: () => model.ports.openSettings(),
    copyDiagnostics: () => model.ports.copyDiagnostics(),
    summarise: (focus) => void model.context.summarise({ focus }),
    showContext: () => model.context.windows?.showList(),
    choose: (choices, said) => void model.choose(choices).then((isStored) => isStored && new Notice(said)),
    report: (said) => new Notice(said),
  };
  const send = (): void => {
    const asked = commandIn(model.text.value, model.ports.commands);
    if (asked === null) return void model.send();
    model.setText('', []);
    asked.command.run(actions, asked.rest);
  };
  /** Puts the cursor after what the box has been given. */
  const toEnd = (): void => {
    const element = input.current;
    if (element === null) return;
    element.value = model.text.value;
    element.focus();
    element.setSelectionRange(element.value.length, element.value.length);
  };
  const recall = useRecall(model, toEnd);
  const name = useNameId();
  const {
    list: drawn,
    take,
    refresh,
    select,
    close,
    choose,
    keyAction,
    described,
  } = useMentionInput(input, {
    ports: model.ports,
    text: () => model.text.value,
    mentions: () => model.mentions.value,
    workspace: () => model.choices?.selectedWorkspace ?? null,
    setText: (changed, mentions) => model.setText(changed, mentions),
    run: (command) => {
      if (command.takesWords !== true) return command.run(actions, '');
      model.setText(`/${command.id} `);
      toEnd();
      // What may follow the command is offered at once.
      if (input.current !== null) refresh(input.current);
    },
  });
  // Once the box has the height of its text.
  useLayoutEffect(() => {
    if (drawn !== null || isHelpOpen) fitPopups(root.current);
  }, [drawn, isHelpOpen]);
  const breaksLines = breaksLinesByReturn(model.ports.settings());
  const canSend = model.canSend || model.images.pending.value > 0;
  /** Returns what a key does to the message or the running turn; null for a key that only edits the text. */
  const messageAction = (event: KeyboardEvent): (() => void) | null => {
    const { key, shiftKey } = event;
    if (key === 'Escape') return running ? () => model.stop() : null;
    if (key === 'ArrowUp' || key === 'ArrowDown') return recall(event);
    return key === 'Enter' && !shiftKey && !breaksLines ? send : null;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isOfInputMethod(event)) return;
    const action = keyAction(event) ?? messageAction(event);
    if (action === null) return;
    event.preventDefault();
    if (event.key === 'Escape') event.stopPropagation();
    action();
  };
  const drop = useImageDrop(model.images, () => input.current?.focus());
  return (
    <div class={`docent-composer ${drop.isOver ? 'is-drop-target' : ''}`} ref={root} {...drop.handlers}>
      {isHelpOpen && (
        <Help
          commands={model.ports.commands}
          onLeave={() => setHelpOpen(false)}
          onClose={() => {
            setHelpOpen(false);
            input.current?.focus();
          }}
        />
      )}
      {drawn !== null && <SuggestionList list={drawn} onChoose={choose} onSelect={select} />}
      <SuggestionsStatus list={drawn} />
      <Queue model={model} onEdit={toEnd} />
      <OpenNoteChip model={model} />
      <AttachedChips model={model} />
      {drop.isOver && <div class="docent-drop-hint">{words.images.dropHere}</div>}
      <div class="docent-composer-row">
        <AttachButton
          onChoose={(files) => {
            model.images.add(files);
            input.current?.focus();
          }}
        />
        <Name id={name} text={words.chatView.composer} />
        <textarea
          ref={input}
          class="docent-composer-input"
          rows={1}
          dir="auto"
          placeholder={words.chatView.placeholder}
          enterkeyhint={breaksLines ? 'enter' : 'send'}
          aria-labelledby={name}
          {...described}
          value={text}
          onInput={(event) => {
            setHelpOpen(false);
            take(event.currentTarget);
          }}
          onClick={(event) => refresh(event.currentTarget)}
          onKeyDown={onKeyDown}
          onBlur={close}
        />
        {running && (
          <IconButton
            icon="square"
            label={words.chatView.stop}
            onClick={firstPress(() => model.stop())}
            class="docent-send is-stop"
          />
        )}
        {(!running || (breaksLines && canSend)) && (
          <IconButton
            icon="arrow-up"
            label={words.chatView.send}
            onClick={send}
            class="docent-send"
            disabled={!canSend}
          />
        )}
      </div>
    </div>
  );
}

interface HelpProps {
  readonly commands: readonly ChatCommand[];
  readonly onClose: () => void;
  /** Called when something outside takes the focus, and keeps it. */
  readonly onLeave: () => void;
}

/** Help: lists what can be typed into the composer, in a panel over it. */
function Help({ commands, onClose, onLeave }: HelpProps) {
  const { helpTriggers, helpKeys, helpReturn } = words.chatView;
  const panel = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => panel.current?.focus(), []);
  return (
    <div
      class="docent-popup docent-help"
      role="dialog"
      aria-labelledby="docent-help-name"
      tabIndex={-1}
      ref={panel}
      onFocusOut={({ currentTarget, relatedTarget }) => {
        // The focus goes nowhere when another window comes to the front. Elsewhere, it has to arrive before this is closed.
        if (relatedTarget !== null && !currentTarget.contains(relatedTarget as Node)) window.setTimeout(onLeave);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      <div class="docent-help-head">
        <span id="docent-help-name">{words.chatView.help}</span>
        <IconButton icon="x" label={words.chatView.closeHelp} onClick={onClose} />
      </div>
      <dl class="docent-help-rows">
        {[...helpTriggers, ...(Platform.isPhone ? [helpReturn] : helpKeys)].map(({ keys, text }) => (
          <HelpRow key={keys} keys={keys} text={text} />
        ))}
        {commands.map(({ id, name, description }) => (
          <HelpRow key={id} keys={`/${id}`} text={`${name}. ${description}`} />
        ))}
      </dl>
    </div>
  );
}

function HelpRow({ keys, text }: { readonly keys: string; readonly text: string }) {
  return (
    <div class="docent-help-row">
      <dt>
        <kbd>{keys}</kbd>
      </dt>
      <dd>{text}</dd>
    </div>
  );
}

// The messages that wait for the end of the answer, above the box; and those that were sent, brought back into it.

interface QueueProps {
  readonly model: OpenChatState;
  /** Called when a message was put back into the box. */
  readonly onEdit: () => void;
}

/** Queue: what waits, in order. A click edits a message; with Alt, the arrow keys move it. */
function Queue({ model, onEdit }: QueueProps) {
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
      <div class="docent-queue-head" role="status">
        {say.queued(queued.length)}
      </div>
      <Named class="docent-queue" role="list" name={say.queue} own={list}>
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
              onClick={firstPress(() => {
                model.changeQueue(message, 'now');
                onEdit();
              })}
            />
          </div>
        ))}
      </Named>
    </>
  );
}

/** Characters of a message that its row has; the rest would not be seen. */
const maxShown = 200;

function textOf({ text }: Outgoing): string {
  return startOf(text, maxShown).replace(/\s+/g, ' ').trim() || words.chatView.queuedImage;
}

/**
 * useRecall: returns what an arrow key does in the box: in an empty one, Up brings back the message that waits last, else
 * those that were sent, the newest first, and Down goes the other way. Null if the key only moves the cursor.
 */
function useRecall(model: OpenChatState, toEnd: () => void): (event: KeyboardEvent) => (() => void) | null {
  /** How many messages back the one in the box is, and its text; null if none was brought back. */
  const recalled = useRef<{ readonly back: number; readonly text: string } | null>(null);
  const show = (back: number, message: UserItem | null): void => {
    const { text, mentions } = message === null ? emptyDraft : afterMoves(message, model.ports);
    recalled.current = message === null ? null : { back, text };
    model.setText(
      text,
      mentions.filter(({ apart }) => apart !== true),
    );
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

// Images taken into the message: dropped, pasted, or chosen.

/** useImageDrop: takes in images and what is dragged out of the vault, dropped on the composer or pasted into it. */
function useImageDrop(images: DraftImages, onTaken: () => void) {
  const [isOver, setOver] = useState(false);
  const take = (event: Event, transfer: DataTransfer | null): void => {
    const files = imageFilesIn(transfer);
    const added = files.length > 0 ? [] : draggedPaths(transfer).filter((path) => images.addPath(path));
    const [other] = otherFilesIn(transfer);
    if (other !== undefined) images.refuse(other);
    if (files.length > 0) images.add(files);
    // Dropped text stays text and is inserted where it was dropped.
    else if (added.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    onTaken();
  };
  return {
    isOver,
    handlers: {
      onPaste: (event: ClipboardEvent) => {
        if (isPictureMeant(event.clipboardData)) take(event, event.clipboardData);
      },
      onDragOver: (event: DragEvent) => {
        if (!holdsFiles(event.dataTransfer) && !holdsAddresses(event.dataTransfer)) return;
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: (event: DragEvent & { readonly currentTarget: HTMLElement }) => {
        // Moving onto a child of the same element does not end the drag.
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      },
      onDrop: (event: DragEvent) => {
        setOver(false);
        take(event, event.dataTransfer);
      },
    },
  };
}

/** AttachButton: lets the user choose images from the device; on mobile, from the photo library or the camera. */
function AttachButton({ onChoose }: { readonly onChoose: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton
        icon="image-plus"
        label={words.images.attach}
        onClick={() => input.current?.click()}
        class="docent-attach"
      />
      <input
        ref={input}
        type="file"
        class="docent-attach-files"
        accept={imageTypesTaken.join(',')}
        multiple
        hidden
        onChange={({ currentTarget }) => {
          onChoose([...(currentTarget.files ?? [])]);
          // Without this, choosing the same file again would fire no change event.
          currentTarget.value = '';
        }}
      />
    </>
  );
}
