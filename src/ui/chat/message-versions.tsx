/** Versions of messages: the switch between them, the box in which a message is edited, and what is left of a deleted one. */
import { signal, useComputed } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { DeletedItem, UserItem } from '../../core/chat/transcript';
import { isMissing, mentionsInText, targetNameOf, withoutMention } from '../../core/mentions/mention-text';
import type { VersionPart } from '../../core/session/branches';
import { words } from '../../text';
import {
  breaksLinesByReturn,
  fitHeight,
  IconButton,
  isOfInputMethod,
  Name,
  Named,
  useNameId,
  useOneAtATime,
} from '../components/controls';
import { Chip, describeImageChip, openerOf } from '../mentions/chips';
import { mentionContextOf, SuggestionList, SuggestionsStatus, useMentionInput } from '../mentions/suggestions';
import type { OpenChatState } from '../state/chat-state';
import { afterMoves, type Draft } from '../state/draft';

interface VersionSwitchProps {
  readonly model: OpenChatState;
  /** The id of the message in view. */
  readonly message: string;
  readonly part: VersionPart;
}

/** VersionSwitch: which of several versions is in view, between two buttons; nothing where there is one. */
export function VersionSwitch({ model, message, part }: VersionSwitchProps) {
  const version = useComputed(() => model.state.value?.versions?.get(message)?.[part]).value;
  if (version === undefined) return null;
  const say = words.branches;
  const show = (step: number): void => void model.messages.showVersion(message, part, step);
  return (
    <Named tag="span" class="docent-versions" role="group" name={say.versions[part]}>
      <IconButton icon="chevron-left" label={say.earlier[part]} onClick={() => show(-1)} />
      <span aria-label={say.version(version.number, version.of)} role="status">
        {version.number}/{version.of}
      </span>
      <IconButton icon="chevron-right" label={say.later[part]} onClick={() => show(1)} />
    </Named>
  );
}

/** DeletedMessage: takes the place of a message that was deleted. */
export function DeletedMessage({ item: { id }, model }: { readonly item: DeletedItem; readonly model: OpenChatState }) {
  return (
    <div class="docent-deleted">
      {words.branches.deleted}{' '}
      <button type="button" onClick={() => void model.messages.delete(id, false)}>
        {words.branches.undo}
      </button>
      <VersionSwitch model={model} message={id} part="question" />
    </div>
  );
}

/**
 * Puts the cursor into the box of a message. One that comes back into the page by scrolling takes the focus only if it had
 * it, and nothing else was done since.
 */
function beginIn(box: HTMLTextAreaElement | null, message: string, model: OpenChatState): (() => void) | undefined {
  if (box === null) return undefined;
  const { messages, text } = model;
  const left = messages.left?.message === message ? messages.left : null;
  messages.left = null;
  const { activeElement, body } = box.doc;
  // Where the focus goes when what has it is removed.
  const isElsewhere = activeElement !== body && !activeElement?.matches('.docent-composer-input, .docent-transcript');
  if (left === null || (left.draft === text.peek() && !isElsewhere)) {
    box.focus({ preventScroll: left !== null });
    box.setSelectionRange(box.value.length, box.value.length);
  }
  return () => {
    if (messages.editing.peek() !== message) return;
    messages.left = { message, draft: box.doc.activeElement === box ? text.peek() : null };
  };
}

/** MessageEditor: the text of a message that was sent, in place of it. Its attachments stay, except missing ones. */
export function MessageEditor({ item, model }: { readonly item: UserItem; readonly model: OpenChatState }) {
  const say = words.branches;
  const input = useRef<HTMLTextAreaElement>(null);
  const name = useNameId();
  const { edits } = model.messages;
  const draft = useMemo(() => edits.get(item.id) ?? signal<Draft>(afterMoves(item, model.ports)), []);
  const { text, mentions } = draft.value;
  const missing = mentions.filter((mention) => isMissing(mention, mentionContextOf(model.ports)));
  const there = mentionsInText(mentions, text).filter((mention) => !missing.includes(mention));
  const canSend = text.trim() !== '' || there.some(({ apart }) => apart === true);
  // A command acts on the chat, and so has no place in a message.
  const { list, take, refresh, select, close, choose, keyAction, described } = useMentionInput(input, {
    ports: { ...model.ports, commands: [] },
    text: () => draft.value.text,
    mentions: () => draft.value.mentions,
    workspace: () => model.choices?.selectedWorkspace ?? null,
    setText: (changed, named) => void (draft.value = { text: changed, mentions: named }),
  });
  useLayoutEffect(() => beginIn(input.current, item.id, model), []);
  // The box goes when another message is edited.
  useLayoutEffect(() => void edits.set(item.id, draft), []);
  useLayoutEffect(() => fitHeight(input.current), [text]);
  const cancel = (): void => model.messages.giveUpEdit(item.id);
  // The box is there until the message is stored; a second press would be refused, since an answer has begun.
  const edit = useOneAtATime(() => model.messages.edit(item.id, draft.value.text, there));
  const send = (): void => {
    if (canSend) edit();
  };
  const breaksLines = breaksLinesByReturn(model.ports.settings());
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isOfInputMethod(event)) return;
    const isSend = event.key === 'Enter' && !event.shiftKey && !breaksLines;
    const action = keyAction(event) ?? (isSend ? send : event.key === 'Escape' ? cancel : null);
    if (action === null) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  };
  return (
    <div class="docent-user docent-editor">
      <Name id={name} text={say.editing} />
      <textarea
        ref={input}
        class="docent-editor-input"
        rows={1}
        dir="auto"
        enterkeyhint={breaksLines ? 'enter' : 'send'}
        aria-labelledby={name}
        {...described}
        value={text}
        onInput={({ currentTarget }) => take(currentTarget)}
        onClick={({ currentTarget }) => refresh(currentTarget)}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      {list !== null && <SuggestionList list={list} onChoose={choose} onSelect={select} />}
      <SuggestionsStatus list={list} />
      {there.length > 0 && (
        <Named class="docent-chips" role="group" name={words.chatView.attachments}>
          {there.map((mention) => (
            <Chip
              key={`${mention.kind} ${mention.id}`}
              mention={mention}
              {...(mention.kind === 'image' ? describeImageChip(mention, model, null) : {})}
              onOpen={openerOf(mention, model.ports)}
              onRemove={() => {
                const others = mentions.filter((each) => each !== mention);
                draft.value = { text: withoutMention(text, mention, mentions), mentions: others };
                input.current?.focus();
              }}
            />
          ))}
        </Named>
      )}
      {missing.length > 0 && (
        <div class="docent-editor-missing" role="status">
          {say.missingAttachments(missing.map(targetNameOf))}
        </div>
      )}
      <div class="docent-editor-buttons">
        <button type="button" onClick={cancel}>
          {say.cancel}
        </button>
        <button type="button" class="mod-cta" disabled={!canSend} onClick={send}>
          {say.resend}
        </button>
      </div>
    </div>
  );
}
