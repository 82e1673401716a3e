/** Shows what would be sent to a server, in full, until the user allows or refuses it. */
import { Platform } from 'obsidian';
import { useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ApprovalRequest, McpQuestion } from '../../core/ports/network';
import type { Further } from '../../core/turn/approve-calls';
import { words } from '../../text';
import { NoteText } from '../components/changed-text';
import { Icon, isOfInputMethod, useSettled } from '../components/controls';
import { draftOf, FieldForm, valuesOf } from '../components/field-form';
import { clip, showUnseenCharacters } from '../render/visible-text';
import type { OpenChatState } from '../state/chat-state';

const say = words.serverSettings.question;
/** Maximum characters of a passage that is quoted above the full text. */
const maxPassageLength = 300;

/** ApprovalRequests: shows the calls that wait for approval one at a time, each in full, until the user decides. */
export function ApprovalRequests({ model }: { readonly model: OpenChatState }) {
  const questions = model.state.value?.questions ?? [];
  const [question] = questions;
  const root = useRef<HTMLDivElement>(null);
  const hadFocus = useRef(false);
  const answer = (id: string, isAllowed: boolean, further?: Further): void => {
    hadFocus.current = root.current?.contains(root.current.doc.activeElement) === true;
    model.answerQuestion(id, isAllowed, further);
  };
  // A keyboard user's focus moves to the next request, and never onto a button that could approve it unread.
  useLayoutEffect(() => {
    if (!hadFocus.current) return;
    hadFocus.current = false;
    if (question !== undefined) root.current?.find('.docent-network-question')?.focus();
    else if (!Platform.isMobile) root.current?.parentElement?.find('.docent-composer-input')?.focus();
  }, [question?.id]);
  const place = questions.length > 1 ? say.place(1, questions.length) : '';
  return (
    <div class="docent-network-questions" ref={root}>
      {/* A live region must exist before its text changes, or screen readers do not announce it. */}
      <div class="docent-said" role="status" aria-live="polite">
        {question !== undefined && showUnseenCharacters(saidOf(question, place)).trim()}
      </div>
      {question !== undefined && (
        <Question
          key={question.id}
          question={question}
          place={place}
          onOpen={(url) => model.ports.openExternal(url)}
          onAnswer={(is, further) => answer(question.id, is, further)}
        />
      )}
    </div>
  );
}

interface QuestionProps {
  readonly question: ApprovalRequest;
  /** Position among several requests; empty for the only one. */
  readonly place: string;
  readonly onOpen: (url: string) => void;
  readonly onAnswer: (isAllowed: boolean, further?: Further) => void;
}

function saidOf({ server, title, question }: ApprovalRequest, place: string): string {
  return question === undefined ? say.said(server, title, place) : say.saidAsks(server, question.message, place);
}

function Question({ question, place, onOpen, onAnswer }: QuestionProps) {
  const { id, title, server, url, taint, about, question: asked } = question;
  const named = useId();
  const root = useRef<HTMLDivElement>(null);
  const isSettled = useSettled(root, id);
  const fields = asked?.kind === 'form' ? asked.fields : [];
  const [draft, setDraft] = useState(() => draftOf(fields));
  const [isChecked, setChecked] = useState(false);
  const form = { isChecked, onChange: setDraft };
  const accept = (): void => {
    if (asked?.kind === 'page') onOpen(asked.url);
    if (asked?.kind !== 'form') return onAnswer(true);
    const content = valuesOf(fields, draft);
    if (content === null) setChecked(true);
    else onAnswer(true, { content });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || isOfInputMethod(event)) return;
    event.preventDefault();
    event.stopPropagation();
    onAnswer(false);
  };
  return (
    <div
      class="docent-question docent-network-question"
      role="group"
      aria-labelledby={named}
      tabIndex={-1}
      ref={root}
      onKeyDown={onKeyDown}
    >
      <div class="docent-network-head">
        <span class="docent-question-text" id={named}>
          <NoteText text={asked === undefined ? say.title(server) : say.asksYou(server)} />
        </span>
        <span class="docent-network-place">{place}</span>
      </div>
      <div class="docent-network-body">
        <div dir="auto">
          <NoteText text={title} />
          <span class="docent-network-place">
            <NoteText text={about?.title === undefined ? '' : ` ${say.titled(about.title)}`} />
          </span>
        </div>
        <div class="docent-network-host">
          <NoteText text={asked === undefined ? say.host(hostOf(url)) : say.answerHost(hostOf(url))} />
        </div>
        <AboutWarnings about={about} />
        <Warning icon="shield-alert" text={taint !== null && asked === undefined ? say.tainted(taint) : ''} />
        {asked === undefined ? <Sent question={question} /> : <Asked asked={asked} draft={draft} form={form} />}
      </div>
      <div class="docent-choices">
        <button type="button" class="mod-cta" disabled={!isSettled} onClick={accept}>
          {asked === undefined ? say.send : asked.kind === 'page' ? say.openPage : say.answer}
        </button>
        <Others question={question} isSettled={isSettled} onAnswer={onAnswer} />
      </div>
    </div>
  );
}

type OthersProps = Pick<QuestionProps, 'question' | 'onAnswer'> & { readonly isSettled: boolean };

/** The other answers: for the rest of the chat, where that can be given, and no. */
function Others({ question: { taint, passages, question: asked }, isSettled, onAnswer }: OthersProps) {
  const canGrant = taint === null && passages.length === 0 && asked === undefined;
  return (
    <>
      {canGrant && (
        <button type="button" disabled={!isSettled} onClick={() => onAnswer(true, { forChat: true })}>
          {say.forChat}
        </button>
      )}
      <button type="button" disabled={!isSettled} onClick={() => onAnswer(false)}>
        {asked === undefined ? say.refuse : say.noAnswer}
      </button>
    </>
  );
}

/** What speaks against a tool by its name, and by what the server says of it. */
function AboutWarnings({ about = {} }: Pick<ApprovalRequest, 'about'>) {
  return (
    <>
      <Warning icon="triangle-alert" text={about.mayLookAlike === true ? say.lookAlike : ''} />
      <Warning icon="triangle-alert" text={about.warns === true ? say.warns : ''} />
    </>
  );
}

function Warning({ icon, text }: { readonly icon: string; readonly text: string }) {
  if (text === '') return null;
  return (
    <div class="docent-network-warning">
      <Icon icon={icon} />
      <span dir="auto">
        <NoteText text={text} />
      </span>
    </div>
  );
}

interface AskedProps {
  readonly asked: McpQuestion;
  readonly draft: ReturnType<typeof draftOf>;
  readonly form: Pick<Parameters<typeof FieldForm>[0], 'isChecked' | 'onChange'>;
}

/** What a server asks, in its own words: a form, or a page with its whole address. */
function Asked({ asked, draft, form }: AskedProps) {
  return (
    <>
      <div class="docent-network-message" dir="auto">
        <NoteText text={asked.message} />
      </div>
      <div class="docent-network-host">{asked.kind === 'page' ? say.pageHint : say.formHint}</div>
      {asked.kind === 'page' ? (
        <>
          <div>
            <NoteText text={say.pageHost(hostOf(asked.url))} />
          </div>
          <pre class="docent-network-sent" dir="ltr" tabIndex={0}>
            <NoteText text={asked.url} />
          </pre>
        </>
      ) : (
        <FieldForm fields={asked.fields} draft={draft} {...form} />
      )}
    </>
  );
}

/** Shows the whole text with the passages of notes marked in it, and lists them above it since it may be long. */
function Sent({ question: { argumentsText, passages } }: { readonly question: ApprovalRequest }) {
  const named = useId();
  const parts = useMemo(() => markPassages(argumentsText, passages), [argumentsText, passages]);
  return (
    <>
      {passages.length > 0 && (
        <div class="docent-network-warning">
          <Icon icon="triangle-alert" />
          <div>
            {say.carries}
            {passages.map((passage, index) => (
              <code key={index} class="docent-network-passage" dir="auto">
                <NoteText text={clip(passage, maxPassageLength)} />
              </code>
            ))}
          </div>
        </div>
      )}
      {/* Obsidian would show an aria-label as a tooltip over the buttons below. */}
      <span id={named} class="docent-said">
        {say.sends}
      </span>
      <pre class="docent-network-sent" dir="ltr" role="group" aria-labelledby={named} tabIndex={0}>
        {parts.map(({ text, isCarried }, index) =>
          isCarried ? (
            <mark key={index}>
              <NoteText text={text} />
            </mark>
          ) : (
            <NoteText key={index} text={text} />
          ),
        )}
      </pre>
    </>
  );
}

/** Returns the host as the network would read it, or the whole text if it is not a valid URL. */
function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}

export interface PassagePart {
  readonly text: string;
  /** Whether this part was copied from a note. */
  readonly isCarried: boolean;
}

/** One character as it is compared, with its position in the JSON. */
interface Folded {
  readonly text: string;
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

const pieces = /\\u[0-9a-f]{4}|\\.|[^]/gi;
const escapes: Readonly<Record<string, string>> = { '\\n': ' ', '\\r': ' ', '\\t': ' ', '\\f': ' ', '\\b': '\b' };

/**
 * Finds passages of notes in the JSON that carries them, regardless of case, spaces, and escapes.
 * @param passages in lowercase, with each run of whitespace replaced by one space
 */
export function markPassages(json: string, passages: readonly string[]): PassagePart[] {
  const folded = fold(json);
  const ranges = passages.flatMap((passage) => findAll(folded, passage)).sort((one, other) => one.start - other.start);
  const parts: PassagePart[] = [];
  let at = 0;
  const add = (end: number, isCarried: boolean): void => {
    if (end > at) parts.push({ text: json.slice(at, end), isCarried });
    at = Math.max(at, end);
  };
  for (const { start, end } of ranges) {
    add(start, false);
    add(end, true);
  }
  add(json.length, false);
  return parts;
}

function findAll({ text, starts, ends }: Folded, passage: string): { readonly start: number; readonly end: number }[] {
  const wanted = fold(JSON.stringify(passage).slice(1, -1)).text.trim();
  const found = [];
  for (let at = wanted === '' ? -1 : text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
    found.push({ start: starts[at] ?? 0, end: ends[at + wanted.length - 1] ?? 0 });
  }
  return found;
}

function fold(json: string): Folded {
  const [starts, ends]: [number[], number[]] = [[], []];
  let text = '';
  for (const { 0: piece, index } of json.matchAll(pieces)) {
    const plain = plainOf(piece);
    const end = index + piece.length;
    const folded = /[\s+]/.test(plain) ? ' ' : plain.toLowerCase();
    if (folded === ' ' && text.endsWith(' ')) {
      ends[ends.length - 1] = end;
      continue;
    }
    text += folded;
    for (let count = 0; count < folded.length; count += 1) {
      starts.push(index);
      ends.push(end);
    }
  }
  return { text, starts, ends };
}

function plainOf(piece: string): string {
  if (piece.length === 6) return String.fromCharCode(parseInt(piece.slice(2), 16));
  return piece.length === 1 ? piece : (escapes[piece] ?? piece.slice(1));
}
