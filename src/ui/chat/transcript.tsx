/** Transcript: the messages of a chat, following the newest one unless the reader has scrolled away. */
import { useComputed } from '@preact/signals';
import { Fragment } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { AnswerItem, TranscriptItem, UserItem } from '../../core/chat/transcript';
import { findMentions, onePerPlace, type Place, shownTextOf } from '../../core/mentions/mention-text';
import type { Mention } from '../../core/session/entry';
import { findLast, findLastIndex } from '../../core/session/running-fold';
import { words } from '../../text';
import { IconButton, Named } from '../components/controls';
import { memo } from '../components/memo';
import { SummaryDivider } from '../context/summary';
import { Chip, describeImageChip, openerOf } from '../mentions/chips';
import { copyFormulaSources } from '../render/late-drawing';
import { ReviewCard } from '../review/review-card';
import type { OpenChatState, SettledState } from '../state/chat-state';
import { Answer } from './answer';
import { MessageActions } from './message-actions';
import { DeletedMessage, MessageEditor, VersionSwitch } from './message-versions';
import { type MountedRange, useMountedRange, useShown } from './mounted-range';
import { FailureNote } from './notices';

interface TranscriptProps {
  readonly model: OpenChatState;
  readonly state: SettledState;
}

/** Pixels from the end within which the reader still counts as being there. */
const nearEnd = 60;
/** Pixels above a message that is aligned to the top. */
const aboveQuestion = 8;

/** Replaces an answer of which nothing is stored yet. */
const unstored: AnswerItem = { type: 'answer', id: 'live', parts: [], end: null, model: '' };

export function Transcript({ model, state }: TranscriptProps) {
  const list = useRef<HTMLDivElement>(null);
  const following = useRef(true);
  const asked = useRef<string | undefined>(undefined);
  const isStreaming = useComputed(() => model.live.value !== null).value;
  const answers = findLast(state.items, ({ type }) => type !== 'review')?.type === 'answer';
  const items = isStreaming && !answers ? [...state.items, unstored] : state.items;
  /** Where this list was scrolled to last; elsewhere, the reader has scrolled and the event has not come yet. */
  const position = useRef<number | null>(null);
  /** How much there was when it was followed or the reader scrolled last. */
  const size = useRef('');
  const follow = useRef(() => {
    const element = list.current;
    if (element === null || element.clientHeight === 0 || !following.current) return;
    const below = (): number => element.scrollHeight - element.clientHeight - element.scrollTop;
    // Down, it is moved back by the browser itself, which moved it up before, when there was less.
    const isMovedUp = position.current !== null && position.current - element.scrollTop >= 1;
    // At the end, the browser may have moved it, because there is less than before.
    if (isMovedUp && below() >= 1) return;
    // What moves under a press that has begun is not pressed.
    const isOld = position.current !== null && size.current === sizeOf(element);
    if (isOld) return;
    const end = endWithoutLosingTheQuestion(element);
    if (position.current === null || element.scrollTop < end) element.scrollTop = end;
    size.current = sizeOf(element);
    position.current = element.scrollTop;
    hasQuestionAtTop.current = below() >= 1;
  });
  /** Whether more below would move nothing; then nothing is measured, since that lays out the page. */
  const hasQuestionAtTop = useRef(false);
  const grow = useRef(() => {
    if (!hasQuestionAtTop.current) follow.current();
  });
  useShown(list, position, follow.current, () => following.current);
  const range = useMountedRange(list, () => following.current);
  const isReading = state.isReading === true;
  const keysBefore = useKeysBefore(items, isReading, range);
  const question = findLast(items, ({ type }) => type === 'user')?.id;
  if (question !== asked.current) {
    following.current = true;
    position.current = null;
    range.toEnd();
  }
  asked.current = question;
  const { value: wanted } = model.place;
  const wantedPlace = placeOf(items, wanted);
  if (showWanted(range, wanted, wantedPlace, items.length)) following.current = false;
  useLayoutEffect(() => {
    model.place.value = null;
    if (wanted === 'end') list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [wanted]);
  const [isAway, setAway] = useState(false);
  const lookForEnd = (): void => setAway(list.current !== null && !(range.isAtEnd && isNearEnd(list.current)));
  useLayoutEffect(() => {
    follow.current();
    lookForEnd();
  });
  const onScroll = (): void => {
    const element = list.current;
    if (element === null) return;
    range.scrolled(element);
    // The event of following comes when more can be there already, which is followed next: nobody has scrolled away.
    if (position.current === null || Math.abs(element.scrollTop - position.current) >= 1) {
      const atEnd = range.isAtEnd && Math.abs(endWithoutLosingTheQuestion(element) - element.scrollTop) < nearEnd;
      following.current = atEnd;
      hasQuestionAtTop.current &&= atEnd;
      size.current = sizeOf(element);
    }
    position.current = element.scrollTop;
    lookForEnd();
  };
  // A review moves down when its changes do, so it is neither the last thing said nor part of the order of the others.
  const last = findLast(items, ({ type }) => type !== 'review');
  // A summary that was made since, or a failure then, does not answer a message.
  const lastSaid = findLast(items, ({ type }) => type === 'user' || type === 'answer');
  const lastAsking = isReading ? undefined : last;
  const isBusy = state.running || isReading;
  const { from, to } = range.show(items, following.current);
  const isWaiting = state.running && !isStreaming;
  return (
    <>
      <Named
        class={`docent-transcript${model.review.waiting.value === null ? '' : ' has-waiting'}`}
        own={list}
        onScroll={onScroll}
        onCopy={() => list.current !== null && copyFormulaSources(list.current)}
        tabIndex={0}
        role="log"
        // Older messages that come into view are not said.
        aria-live={range.mountsNewOnly ? 'polite' : 'off'}
        // An answer is said once it is complete, and not at each frame.
        aria-busy={state.running}
        name={words.chatView.title}
      >
        {state.damaged > 0 && <div class="docent-damaged">{words.chatView.damagedLines(state.damaged)}</div>}
        <ReadingNote isReading={isReading} />
        <Room key="above" height={range.room(0, from)} />
        {keysOf(items, from, to, keysBefore).map(([key, item], index) => (
          <div key={key} class="docent-item" data-place={from + index}>
            <Item
              item={item}
              question={questionAt(items, from + index)}
              answerer={answererAt(items, from + index)}
              model={model}
              running={state.running && questionAt(items, from + index) === question}
              onGrow={isStreaming && item === last ? grow.current : null}
              isLast={item === (item.type === 'answer' ? lastSaid : lastAsking)}
              chatRuns={isBusy}
              inForce={item.type === 'summary' && model.context.isInForce(item.id)}
            />
          </div>
        ))}
        <Room key="below" height={range.room(to, items.length)} />
        {isWaiting && <div class="docent-working" role="img" aria-label={words.chatView.working} />}
        <ConnectionNotes state={state} />
        {!isBusy && <NotAnswered last={last} model={model} />}
      </Named>
      <ToEnd isAway={isAway} model={model} />
    </>
  );
}

/**
 * Returns how many items have keys before that of the first one: those that were read after the end of the chat was
 * shown, of which the items stay mounted.
 */
function useKeysBefore(items: readonly TranscriptItem[], isReading: boolean, range: MountedRange): number {
  const read = useRef<readonly TranscriptItem[]>([]);
  const count = useRef(0);
  const [first] = read.current;
  const added = isReading || first === undefined ? 0 : items.findIndex(({ id }) => id === first.id);
  if (added > 0) {
    count.current = spokenIn(items, added);
    range.addBefore(added);
  }
  read.current = isReading ? items : [];
  return count.current;
}

/**
 * ToEnd: the button back to the end of the chat, except where it would cover those of a review or an editor. While a
 * review waits out of view, the line that leads to it takes its place.
 */
function ToEnd({ isAway, model }: { readonly isAway: boolean; readonly model: OpenChatState }) {
  const { review, messages } = model;
  const isInTheWay = review.isInSight.value || review.isOutOfSight || messages.editing.value !== null;
  return (
    <div class="docent-to-end">
      {isAway && !isInTheWay && (
        <IconButton
          icon="arrow-down"
          label={words.commandNames['go-to-end']}
          onClick={() => (model.place.value = 'end')}
        />
      )}
    </div>
  );
}

/** ReadingNote: says that older messages are not there yet. */
function ReadingNote({ isReading }: { readonly isReading: boolean }) {
  if (!isReading) return null;
  return (
    <div class="docent-answer-note" role="status">
      {words.chatView.readingOlder}
    </div>
  );
}

/** NotAnswered: offers to send again, or to continue, if the last message of the chat was not answered in full. */
function NotAnswered({ last, model }: { readonly last: TranscriptItem | undefined; readonly model: OpenChatState }) {
  if (last === undefined) return null;
  const isCut = isBegunAnswer(last);
  if (!isCut && !wantsAnswer(last)) return null;
  return (
    <div class="docent-not-answered">
      {last.type === 'user' && <span>{words.chatView.notAnswered}</span>}
      <button type="button" onClick={() => void (isCut ? model.goOn() : model.resend())}>
        {isCut ? words.chatView.goOn : words.chatView.sendAgain}
      </button>
    </div>
  );
}

/** Mounts what the transcript is to show; returns whether there is such a place. */
function showWanted(range: MountedRange, wanted: WantedPlace, place: number, length: number): boolean {
  if (wanted === 'end') range.toEnd();
  else if (place >= 0) range.toPlace(place, length);
  return wanted === 'end' || place >= 0;
}

type WantedPlace = OpenChatState['place']['value'];

/** Returns where a message, or the answer to it, is among the items; -1 if it is not there. */
function placeOf(items: readonly TranscriptItem[], wanted: WantedPlace): number {
  if (wanted === null || wanted === 'end') return -1;
  if (typeof wanted === 'number') return wanted < items.length ? wanted : -1;
  const { message, isAnswer } = wanted;
  const asked = items.findIndex(({ type, id }) => type === 'user' && id === message);
  const answer = asked < 0 ? -1 : items.findIndex(({ type }, place) => place > asked && type === 'answer');
  return isAnswer && answer >= 0 ? answer : asked;
}

/**
 * Returns the items between two places with their keys. The list only grows, and an answer in progress has the same
 * index once it is stored: the index is its identity.
 * @param before how many items were added in front since the others got their keys
 */
function keysOf(
  items: readonly TranscriptItem[],
  from: number,
  to: number,
  before: number,
): [string, TranscriptItem][] {
  let spoken = spokenIn(items, from) - before;
  return items
    .slice(from, to)
    .map((item) => (item.type === 'review' ? [`review ${item.id}`, item] : [`${spoken++}`, item]));
}

/** Counts the items before a place that are no reviews. */
function spokenIn(items: readonly TranscriptItem[], end: number): number {
  let spoken = 0;
  for (let place = 0; place < end; place += 1) if (items[place]?.type !== 'review') spoken += 1;
  return spoken;
}

/** Room: takes the place of the items that are not mounted. */
function Room({ height }: { readonly height: number }) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => element.current?.setCssProps({ '--docent-room': `${height}px` }), [height]);
  return height === 0 ? null : <div class="docent-room" aria-hidden="true" ref={element} />;
}

/** Whether the answer has a beginning from which the model can go on. */
function isBegunAnswer(last: TranscriptItem): boolean {
  if (last.type !== 'answer') return false;
  return last.end === 'length' || (last.end === 'stopped' && last.parts.length > 0);
}

/** Whether the chat ended, as by a crash, or by a stop before the first word, before its last message was answered. */
function wantsAnswer(last: TranscriptItem): boolean {
  if (last.type !== 'answer') return last.type === 'user';
  return last.end === 'interrupted' || last.end === 'tool-calls' || (last.end === 'stopped' && last.parts.length === 0);
}

function sizeOf({ scrollHeight, clientHeight }: HTMLElement): string {
  return `${scrollHeight} ${clientHeight}`;
}

function isNearEnd({ scrollHeight, scrollTop, clientHeight }: HTMLElement): boolean {
  return scrollHeight - scrollTop - clientHeight < nearEnd;
}

/**
 * Returns the end of the list, or the position with the last message at the top if that comes first: what is read first
 * stays in view, however long the answer is.
 */
function endWithoutLosingTheQuestion(element: HTMLElement): number {
  const end = element.scrollHeight - element.clientHeight;
  const question = Array.from(element.getElementsByClassName('docent-user')).at(-1) as HTMLElement | undefined;
  return question === undefined ? end : Math.min(end, question.offsetTop - element.offsetTop - aboveQuestion);
}

/** Returns the id of the message that an item is or follows; empty for none. */
function questionAt(items: readonly TranscriptItem[], place: number): string {
  return items[findLastIndex(items, ({ type }) => type === 'user', place + 1)]?.id ?? '';
}

/** Returns the model of the answer to a message, empty if that is not known; null if no answer follows. */
function answererAt(items: readonly TranscriptItem[], place: number): string | null {
  for (let next = place + 1; next < items.length; next += 1) {
    const item = items[next];
    if (item?.type === 'answer') return item.model;
    if (item?.type === 'user') break;
  }
  return null;
}

interface ItemProps {
  readonly item: TranscriptItem;
  /** The message that it is or follows, and the model of the answer that follows the item; null without one. */
  readonly question: string;
  readonly answerer: string | null;
  readonly model: OpenChatState;
  readonly running: boolean;
  /** Called after each drawing of an answer that streams in; null for what doesn't. */
  readonly onGrow: (() => void) | null;
  /** Of what is shown; for an answer, of what was said. */
  readonly isLast: boolean;
  readonly chatRuns: boolean;
  /** Whether this summary is the one that replaces older messages now; it changes as others are added or undone. */
  readonly inForce: boolean;
}

const Item = memo(function Item({
  item,
  question,
  answerer,
  model,
  running,
  onGrow,
  isLast,
  chatRuns,
  inForce,
}: ItemProps) {
  switch (item.type) {
    // By id: what a computed signal says of one message would stay with the message that takes its place.
    case 'user':
      return <UserMessage key={item.id} item={item} model={model} answerer={answerer} />;
    case 'deleted':
      return <DeletedMessage key={item.id} item={item} model={model} />;
    case 'answer':
      return <Answer {...{ item, question, model, running, onGrow }} isOpen={isLast && !chatRuns} />;
    case 'summary':
      return <SummaryDivider item={item} model={model} running={chatRuns} inForce={inForce} isLast={isLast} />;
    case 'review':
      return <ReviewSlot id={item.id} model={model} />;
    case 'relief':
      return <div class="docent-relief">{item.text}</div>;
    case 'failure':
      return <FailureNote failure={item.failure} model={model} isPast={!isLast} />;
  }
});

/** Returns how a note was sent, if it was too long to be sent as usual. */
function describeSentNote(mention: Mention, { inPart = {} }: UserItem): { readonly size?: string } {
  if (mention.kind !== 'note') return {};
  const form = inPart[mention.id];
  if (form !== undefined) return { size: words.chatView.sentInPart[form] };
  return mention.form === 'whole' ? { size: words.chatView.attachedWhole } : {};
}

interface UserMessageProps {
  readonly item: UserItem;
  readonly model: OpenChatState;
  readonly answerer: string | null;
}

/** UserMessage: what the user wrote, with its attachments. */
function UserMessage({ item, model, answerer }: UserMessageProps) {
  const isEdited = useComputed(() => model.messages.editing.value === item.id).value;
  if (isEdited) return <MessageEditor key={item.id} item={item} model={model} />;
  const places = findMentions(item.text, item.mentions);
  // What the text names is a link there, and needs no chip unless there is more to say of it.
  const chips = item.mentions.filter(
    (mention) =>
      mention.kind === 'image' ||
      describeSentNote(mention, item).size !== undefined ||
      places.every((place) => place.mention !== mention),
  );
  return (
    <Named class="docent-user" role="group" name={words.chatView.you}>
      {item.text !== '' && (
        <div class="docent-user-text" dir="auto">
          <MentionedText text={item.text} places={onePerPlace(places)} model={model} />
        </div>
      )}
      {chips.length > 0 && (
        <div class="docent-chips">
          {chips.map((mention) => (
            <Chip
              key={`${mention.kind} ${mention.id}`}
              mention={mention}
              {...(mention.kind === 'image'
                ? describeImageChip(mention, model, answerer)
                : describeSentNote(mention, item))}
              onOpen={openerOf(mention, model.ports)}
            />
          ))}
        </div>
      )}
      <MessageActions item={item} question={item.id} model={model}>
        <VersionSwitch model={model} message={item.id} part="question" />
        {answerer === null && <VersionSwitch model={model} message={item.id} part="answer" />}
      </MessageActions>
    </Named>
  );
}

interface MentionedTextProps {
  readonly text: string;
  /** In the order of the text. */
  readonly places: readonly Place[];
  readonly model: OpenChatState;
}

/** MentionedText: a text in which each mention that can be opened is a link with its name. */
function MentionedText({ text, places, model }: MentionedTextProps) {
  const parts = places.map(({ mention, from, to }, index) => {
    const open = openerOf(mention, model.ports);
    return (
      <Fragment key={from}>
        {text.slice(places[index - 1]?.to ?? 0, from)}
        {open === undefined ? (
          text.slice(from, to)
        ) : (
          <button type="button" class="docent-user-link" title={mention.id} onClick={open}>
            {text.startsWith('[[', from) ? shownTextOf(mention) : text.slice(from, to)}
          </button>
        )}
      </Fragment>
    );
  });
  return (
    <>
      {parts}
      {text.slice(places.at(-1)?.to ?? 0)}
    </>
  );
}

/** ReviewSlot: the changes of one answer in the transcript, in the state that their review has now. */
export function ReviewSlot({ id, model }: { readonly id: string; readonly model: OpenChatState }) {
  // What is settled and what still waits of the same changes are two reviews.
  const reviews = useComputed(() => model.review.reviews.value.filter((review) => review.id === id));
  const openNote = (path: string): void => model.ports.openNote(path, false);
  const send = (text: string): void => void model.sendWithoutDraft(text, []);
  return (
    <>
      {reviews.value.map((review, index) => (
        <ReviewCard key={index} review={review} model={model.review} openNote={openNote} send={send} />
      ))}
    </>
  );
}

/** ConnectionNotes: warnings about the turn in progress, and how long it waits before it retries. */
function ConnectionNotes({ state }: { readonly state: SettledState }) {
  const { waiting = null, notice = null, running } = state;
  return (
    <>
      {notice !== null && (
        <div class="docent-connection-note" role="status">
          {notice}
        </div>
      )}
      {running && waiting !== null && <WaitingNote key={waiting} {...waiting} />}
    </>
  );
}

interface WaitingNoteProps {
  readonly words: string;
  readonly milliseconds: number;
}

/** WaitingNote: counts down visibly, but is announced to screen readers only once. */
function WaitingNote({ words: reason, milliseconds }: WaitingNoteProps) {
  const [left, setLeft] = useState(milliseconds);
  useEffect(() => {
    const end = Date.now() + milliseconds;
    const timer = window.setInterval(() => setLeft(Math.max(0, end - Date.now())), 250);
    return () => window.clearInterval(timer);
  }, [milliseconds]);
  const seconds = Math.ceil(left / 1000);
  return (
    <div class="docent-connection-note is-waiting">
      <span role="status">
        {reason} <span class="docent-said">{words.models.tryingAgain(Math.ceil(milliseconds / 1000))}</span>
      </span>{' '}
      <span aria-hidden="true">{words.models.tryingAgain(seconds)}</span>
    </div>
  );
}
