/** Composer: the box where a message is written, its chips, its suggester, and the button that sends or stops. */
import { Notice } from 'obsidian';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type ChatActions, type ChatCommand, commandIn } from '../../core/mentions/mention-source';
import { words } from '../../text';
import { fitHeight, IconButton } from '../components/controls';
import { AttachedChips, OpenNoteChip } from '../mentions/chips';
import { SuggestionList, SuggestionsStatus, useMentionInput } from '../mentions/suggestions';
import type { OpenChatState } from '../state/chat-state';
import { AttachButton, useImageDrop } from './attach-images';
import { Queue, useRecall } from './queue';

interface ComposerProps {
  readonly model: OpenChatState;
  readonly onNewChat: () => void;
  readonly onInspect: () => void;
}

export function Composer({ model, onNewChat, onInspect }: ComposerProps) {
  const input = useRef<HTMLTextAreaElement>(null);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const running = model.state.value?.running === true;
  useEffect(() => setHelpOpen(false), [model.shownId]);
  const text = model.text.value;
  useLayoutEffect(() => fitHeight(input.current), [text]);
  useEffect(() => input.current?.focus({ preventScroll: true }), []);

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
    if (asked === null || running) return void model.send();
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
  const {
    list: drawn,
    refresh,
    select,
    close,
    choose,
    keyAction,
    described,
  } = useMentionInput(input, {
    ports: model.ports,
    mentions: () => model.mentions.value,
    workspace: () => model.choices?.selectedWorkspace ?? null,
    setText: (changed, mentions) => model.setText(changed, mentions),
    run: (command) => {
      if (command.takesWords !== true) return command.run(actions, '');
      model.setText(`/${command.id} `);
      toEnd();
    },
  });
  /** Returns what a key does to the message or the running turn; null for a key that only edits the text. */
  const messageAction = (event: KeyboardEvent): (() => void) | null => {
    const { key, shiftKey } = event;
    if (key === 'Escape') return running ? () => model.stop() : null;
    if (key === 'ArrowUp' || key === 'ArrowDown') return recall(event);
    return key === 'Enter' && !shiftKey ? send : null;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // While an input method composes, Enter and Escape belong to it; some browsers report that only by the key.
    if (event.isComposing || event.key === 'Process') return;
    const action = keyAction(event) ?? messageAction(event);
    if (action === null) return;
    event.preventDefault();
    if (event.key === 'Escape') event.stopPropagation();
    action();
  };
  const drop = useImageDrop(model.images, () => input.current?.focus());
  return (
    <div class={`docent-composer ${drop.isOver ? 'is-drop-target' : ''}`} {...drop.handlers}>
      {isHelpOpen && (
        <Help
          commands={model.ports.commands}
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
        <textarea
          ref={input}
          class="docent-composer-input"
          rows={1}
          dir="auto"
          placeholder={words.chatView.placeholder}
          aria-label={words.chatView.composer}
          {...described}
          value={text}
          onInput={(event) => {
            setHelpOpen(false);
            model.setText(event.currentTarget.value);
            refresh(event.currentTarget);
          }}
          onClick={(event) => refresh(event.currentTarget)}
          onKeyDown={onKeyDown}
          onBlur={close}
        />
        {running ? (
          <IconButton
            icon="square"
            label={words.chatView.stop}
            onClick={() => model.stop()}
            class="docent-send is-stop"
          />
        ) : (
          <IconButton
            icon="arrow-up"
            label={words.chatView.send}
            onClick={send}
            class="docent-send"
            disabled={!model.canSend && model.images.pending.value === 0}
          />
        )}
      </div>
    </div>
  );
}

interface HelpProps {
  readonly commands: readonly ChatCommand[];
  readonly onClose: () => void;
}

/** Help: lists what can be typed into the composer, in a panel over it. */
function Help({ commands, onClose }: HelpProps) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.focus(), []);
  return (
    <div
      class="docent-popup docent-help"
      role="dialog"
      aria-labelledby="docent-help-name"
      tabIndex={-1}
      ref={panel}
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
        {words.chatView.helpTriggers.map(({ keys, text }) => (
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
