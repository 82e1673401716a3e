/**
 * Shows tool results that have a view of their own: a list of to-dos, a question with choices, a plan that awaits
 * approval.
 */
import { useState } from 'preact/hooks';
import type { AnswerItem } from '../../core/chat/transcript';
import type { ResultView, Todo } from '../../core/session/entry';
import { words } from '../../text';
import { NoteText, showInSentence } from '../components/changed-text';
import { Icon, leaveAtEscape, Name, Named, takeFocus, useNameId, useOneAtATime } from '../components/controls';
import type { OpenChatState } from '../state/chat-state';

interface ResultViewsProps {
  readonly item: AnswerItem;
  readonly model: OpenChatState;
  /** Whether nothing was said since, so that it can still be answered. */
  readonly isOpen: boolean;
}

/** ResultViews: the newest list of to-dos, then the questions and plans for the user. */
export function ResultViews({ item, model, isOpen }: ResultViewsProps) {
  const views = item.parts.flatMap((part): ResultView[] =>
    part.type === 'tool-call' && part.result?.view !== undefined ? [part.result.view] : [],
  );
  const todos = views.filter((view) => view.kind === 'todos').at(-1);
  const asked = views.filter((view) => view.kind !== 'todos');
  return (
    <>
      {todos !== undefined && <Todos items={todos.items} />}
      {asked.map((view, index) =>
        view.kind === 'question' ? (
          <Question key={index} view={view} model={model} isOpen={isOpen && index === asked.length - 1} />
        ) : (
          <Plan key={index} path={view.path} model={model} isOpen={isOpen && index === asked.length - 1} />
        ),
      )}
    </>
  );
}

const icons: Readonly<Record<Todo['state'], string>> = { open: 'circle', doing: 'circle-dot', done: 'check-circle-2' };

function Todos({ items }: { readonly items: readonly Todo[] }) {
  return (
    <Named tag="ul" class="docent-todos" name={words.asking.todos}>
      {items.map(({ text, state }, index) => (
        <li key={index} class={`docent-todo is-${state}`}>
          <Icon icon={icons[state]} />
          <span>
            <NoteText text={text} />
          </span>
          <span class="docent-said">{words.asking.todoStates[state]}</span>
        </li>
      ))}
    </Named>
  );
}

interface QuestionProps {
  readonly view: ResultView & { readonly kind: 'question' };
  readonly model: OpenChatState;
  readonly isOpen: boolean;
}

function Question({ view, model, isOpen }: QuestionProps) {
  const { question, options, several } = view;
  const [chosen, setChosen] = useState<readonly string[]>([]);
  // Until the answer is stored, the options are there.
  const send = useOneAtATime((text: string) => model.sendWithoutDraft(text, []));
  const toggle = (option: string): void =>
    setChosen(chosen.includes(option) ? chosen.filter((each) => each !== option) : [...chosen, option]);
  return (
    <Named class="docent-question" role="group" name={showInSentence(question)}>
      <div class="docent-question-text">
        <NoteText text={question} />
      </div>
      <div class="docent-choices">
        {options.map((option) => (
          <button
            key={option}
            type="button"
            disabled={!isOpen}
            class={chosen.includes(option) ? 'is-chosen' : ''}
            {...(several ? { 'aria-pressed': chosen.includes(option) } : {})}
            onClick={() => (several ? toggle(option) : send(option))}
          >
            <NoteText text={option} />
          </button>
        ))}
        {several && options.length > 0 && (
          <button
            type="button"
            class="mod-cta"
            disabled={!isOpen || chosen.length === 0}
            onClick={() => send(chosen.join(', '))}
          >
            {words.asking.answer}
          </button>
        )}
      </div>
      {isOpen && <div class="docent-question-hint">{words.asking.ownAnswer}</div>}
    </Named>
  );
}

interface PlanProps {
  readonly path: string | null;
  readonly model: OpenChatState;
  readonly isOpen: boolean;
}

/** An approved plan is run in Review mode, where the user still reviews each change. */
function Plan({ path, model, isOpen }: PlanProps) {
  const [isRevising, setRevising] = useState(false);
  const [reason, setReason] = useState('');
  const name = useNameId();
  // Until the mode and the message are stored, the buttons are there; each further press would send another message.
  const approve = useOneAtATime(() => model.sendWithoutDraft(words.asking.planApproved, [], { permission: 'review' }));
  const revise = useOneAtATime(() => model.sendWithoutDraft(words.asking.planRejected(reason.trim()), []));
  return (
    <Named class="docent-question" role="group" name={words.asking.planWaits}>
      <div class="docent-question-text">
        {words.asking.planWaits}{' '}
        {path === null ? (
          words.asking.planInAnswer
        ) : (
          <a href="#" class="internal-link" onClick={(event) => openNote(event, model, path)}>
            <NoteText text={path} />
          </a>
        )}
      </div>
      {isOpen && !isRevising && (
        <div class="docent-choices">
          <button type="button" class="mod-cta" onClick={approve}>
            {words.asking.approvePlan}
          </button>
          <button type="button" onClick={() => setRevising(true)}>
            {words.asking.rejectPlan}
          </button>
        </div>
      )}
      {isOpen && isRevising && (
        <div class="docent-choices">
          <Name id={name} text={words.asking.planReason} />
          <textarea
            rows={2}
            value={reason}
            placeholder={words.asking.planReason}
            aria-labelledby={name}
            ref={takeFocus}
            onInput={(event) => setReason(event.currentTarget.value)}
            onKeyDown={leaveAtEscape(() => setRevising(false))}
          />
          <button type="button" class="mod-cta" disabled={reason.trim() === ''} onClick={revise}>
            {words.asking.sendReason}
          </button>
          <button type="button" onClick={() => setRevising(false)}>
            {words.asking.cancelReason}
          </button>
        </div>
      )}
    </Named>
  );
}

function openNote(event: MouseEvent, model: OpenChatState, path: string): void {
  event.preventDefault();
  model.ports.openNote(path, false);
}
