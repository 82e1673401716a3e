/** THE list of what can be done with one message: the row of buttons under it. A new action is one entry here. */
import { Platform } from 'obsidian';
import type { ComponentChildren } from 'preact';
import { titleOfOpen } from '../../core/chat/chat-title';
import type { AnswerItem, UserItem } from '../../core/chat/transcript';
import { structureOf } from '../../core/markdown/structure';
import { words } from '../../text';
import { copyText, IconButton, Named } from '../components/controls';
import { type MenuLine, openMenu } from '../components/settings-and-menus';
import type { OpenChatState } from '../state/chat-state';
import type { NotedText } from '../state/ports';

/** A message that is not being written, in its chat. */
interface MessagePlace {
  readonly item: UserItem | AnswerItem;
  /** The id of the message, or of the one that is answered; empty for an answer to none. */
  readonly question: string;
  readonly model: OpenChatState;
}

interface MessageAction {
  /** Its own among the actions of a message. */
  readonly icon: string;
  label(place: MessagePlace): string;
  /** Whether it stays in view where a message has more actions than fit in a row. */
  readonly isFirst?: boolean;
  /** Whether the message has the action; absent if every message does. */
  when?(place: MessagePlace): boolean;
  /** @param button what was pressed, for a menu that opens at it */
  run(place: MessagePlace, button: HTMLElement): void;
}

const actions: readonly MessageAction[] = [
  {
    icon: 'copy',
    isFirst: true,
    label: ({ item }) => (item.type === 'user' ? words.chatView.copyMessage : words.chatView.copyAnswer),
    when: ({ item }) => textOf(item) !== '',
    run: ({ item }, { win }) => void copyText(textOf(item), win),
  },
  {
    icon: 'pencil',
    label: () => words.branches.edit,
    when: ({ item, model }) => item.type === 'user' && model.messages.canChange,
    run: ({ question, model }) => void (model.messages.editing.value = question),
  },
  {
    icon: 'refresh-cw',
    isFirst: true,
    label: () => words.branches.again,
    when: ({ item, question, model }) => item.type === 'answer' && question !== '' && model.messages.canChange,
    run: ({ question, model }, button) => openMenu(button, modelLines(question, model)),
  },
  { icon: 'text-cursor-input', isFirst: true, ...intoNote('insert') },
  {
    icon: 'git-fork',
    label: () => words.branches.fork,
    when: ({ item, question, model }) =>
      item.type === 'answer' && question !== '' && model.ports.chats.fork !== undefined,
    run: ({ question, model }) => void model.messages.fork(question),
  },
  {
    icon: 'trash-2',
    label: ({ item }) => (item.type === 'user' ? words.branches.delete : words.branches.deleteAnswer),
    when: ({ model }) => model.messages.canChange,
    run: ({ item, model }) => void model.messages.delete(item.id, true),
  },
  { icon: 'list-end', ...intoNote('append') },
  { icon: 'file-plus', ...intoNote('create') },
];

/** Returns the models that may answer a message again: the one of the chat first. */
function modelLines(question: string, model: OpenChatState): MenuLine[] {
  const say = words.branches;
  const used = model.choices?.model ?? '';
  const { [used]: own = used, ...others } = model.ports.prompts.modelChoices(used);
  return [
    { title: say.againSame(own), icon: 'refresh-cw', run: () => void model.messages.answerAgain(question) },
    ...Object.entries(others).map(([id, name]) => ({
      ...{ title: say.againSame(name), section: 'others' },
      run: () => void model.messages.answerAgain(question, id),
    })),
  ];
}

/** What puts an answer into a note. */
function intoNote(act: 'insert' | 'append' | 'create'): Pick<MessageAction, 'label' | 'when' | 'run'> {
  return {
    label: () => words.chatNotes[act],
    when: ({ item, model }) =>
      item.type === 'answer' && model.ports.noteActs !== undefined && textOf(item).trim() !== '',
    run: (place) => void place.model.ports.noteActs?.[act](notedTextOf(place)),
  };
}

function notedTextOf({ item, model }: MessagePlace): NotedText {
  const shown = model.state.peek();
  const { reviews = [], taint = null } = shown ?? {};
  const text = textOf(item);
  const heading = structureOf(text).headings[0]?.text;
  const waiting = reviews.filter(({ state }) => state === 'waiting' || state === 'applying');
  return {
    ...{ text, taint },
    title: heading ?? titleOfOpen(shown, model.ports.chatIndex.find(model.chatId)),
    isInReview: (path) =>
      waiting.some(({ changes }) => changes.some(({ change }) => change.from === path || change.to === path)),
  };
}

/** Returns what the user or the agent said, without tool calls and thoughts. */
export function textOf(item: UserItem | AnswerItem): string {
  if (item.type === 'user') return item.text;
  return item.parts.flatMap((part) => (part.type === 'text' ? part.text.trim() || [] : [])).join('\n\n');
}

interface MessageActionsProps extends MessagePlace {
  /** What the row has after its buttons. */
  readonly children?: ComponentChildren;
}

/** The buttons in view, the one that opens the others included. */
const maxButtons = 4;

/**
 * MessageActions: the row under a message. A menu has the actions for which there is no room, on the phone all of them.
 */
export function MessageActions({ item, question, model, children }: MessageActionsProps) {
  const place = { item, question, model };
  const offered = actions.filter((action) => action.when?.(place) ?? true);
  const say = words.chatView;
  const label = item.type === 'user' ? say.messageActions : say.answerActions;
  const direct = Platform.isPhone
    ? []
    : offered.length <= maxButtons
      ? offered
      : offered.filter(({ isFirst = false }) => isFirst).slice(0, maxButtons - 1);
  const others = offered.filter((action) => !direct.includes(action));
  const openOthers = (button: HTMLElement): void =>
    openMenu(
      button,
      others.map((action) => ({
        ...{ title: action.label(place), icon: action.icon },
        run: () => action.run(place, button),
      })),
    );
  return (
    <Named class="docent-message-actions" role="group" name={label}>
      {direct.map((action) => (
        <IconButton
          key={action.icon}
          icon={action.icon}
          label={action.label(place)}
          onClick={({ currentTarget }) => action.run(place, currentTarget as HTMLElement)}
        />
      ))}
      {others.length > 0 && (
        <IconButton
          icon="more-horizontal"
          label={direct.length === 0 ? label : say.moreActions}
          onClick={({ currentTarget }) => openOthers(currentTarget as HTMLElement)}
        />
      )}
      {children}
    </Named>
  );
}
