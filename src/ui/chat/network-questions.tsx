/** NetworkQuestions: what would be sent to a server, in full, until the user allows or refuses it; one at a time. */
import { Platform } from 'obsidian';
import { useId, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { NetworkQuestion } from '../../core/ports/network';
import { words } from '../../text';
import { NoteText } from '../components/changed-text';
import { Icon, useSettled } from '../components/controls';
import { clip, showUnseenCharacters } from '../render/visible-text';
import type { PaneModel } from '../state/chat-state';
import { markPassages } from './mark-passages';

const say = words.serverPane.question;
/** Characters of a passage that are named beside the text that has all of it. */
const longestPassage = 300;

export function NetworkQuestions({ model }: { readonly model: PaneModel }) {
  const questions = model.state.value?.questions ?? [];
  const [question] = questions;
  const root = useRef<HTMLDivElement>(null);
  const hadFocus = useRef(false);
  const answer = (id: string, isAllowed: boolean): void => {
    hadFocus.current = root.current?.contains(root.current.doc.activeElement) === true;
    model.answerQuestion(id, isAllowed);
  };
  // Whoever answers by keys is led on, and never onto a button.
  useLayoutEffect(() => {
    if (!hadFocus.current) return;
    hadFocus.current = false;
    if (question !== undefined) root.current?.find('.docent-network-question')?.focus();
    else if (!Platform.isMobile) root.current?.parentElement?.find('.docent-composer-input')?.focus();
  }, [question?.id]);
  const place = questions.length > 1 ? say.place(1, questions.length) : '';
  return (
    <div class="docent-network-questions" ref={root}>
      {/* There before what it says, so that it is read out. */}
      <div class="docent-said" role="status" aria-live="polite">
        {question !== undefined && showUnseenCharacters(say.said(question.server, question.title, place)).trim()}
      </div>
      {question !== undefined && (
        <Question key={question.id} question={question} place={place} onAnswer={(is) => answer(question.id, is)} />
      )}
    </div>
  );
}

interface QuestionProps {
  readonly question: NetworkQuestion;
  /** Which of several; empty for the only one. */
  readonly place: string;
  readonly onAnswer: (isAllowed: boolean) => void;
}

function Question({ question, place, onAnswer }: QuestionProps) {
  const { id, title, server, url, taint } = question;
  const named = useId();
  const root = useRef<HTMLDivElement>(null);
  const isSettled = useSettled(root, id);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.isComposing) return;
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
          <NoteText text={say.title(server)} />
        </span>
        <span class="docent-network-place">{place}</span>
      </div>
      <div class="docent-network-body">
        <div dir="auto">
          <NoteText text={title} />
        </div>
        <div class="docent-network-host">
          <NoteText text={say.host(hostOf(url))} />
        </div>
        {taint !== null && (
          <div class="docent-network-warning">
            <Icon icon="shield-alert" />
            <span dir="auto">
              <NoteText text={say.tainted(taint)} />
            </span>
          </div>
        )}
        <Sent question={question} />
      </div>
      <div class="docent-choices">
        <button type="button" class="mod-cta" disabled={!isSettled} onClick={() => onAnswer(true)}>
          {say.send}
        </button>
        <button type="button" disabled={!isSettled} onClick={() => onAnswer(false)}>
          {say.refuse}
        </button>
      </div>
    </div>
  );
}

/** The whole text, the passages of notes in it marked, and named above it since it may be long. */
function Sent({ question: { argumentsText, passages } }: { readonly question: NetworkQuestion }) {
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
                <NoteText text={clip(passage, longestPassage)} />
              </code>
            ))}
          </div>
        </div>
      )}
      {/* An aria-label would show as a tooltip of the app, over the buttons below. */}
      <span id={named} class="docent-said">
        {say.sends}
      </span>
      <pre class="docent-network-sent" dir="ltr" role="region" aria-labelledby={named} tabIndex={0}>
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

/** As the network would read it; the whole text where that cannot be told. */
function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}
