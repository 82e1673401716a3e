/** Rewriting a passage: the instruction, the changes word by word, and the replacement. */
import { type App, Modal } from 'obsidian';
import { render } from 'preact';
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import type { Failure } from '../../core/ports/failure';
import { openAccount } from '../../core/ports/model';
import { readRewrite, rewritePrompts, rewriteRequest } from '../../core/prompt/background-prompts';
import { wordsOf } from '../../core/writing/changeset/diff';
import { newActiveContent } from '../../core/writing/guard/active-content';
import { words } from '../../text';
import { describeActive } from '../components/dialogs';
import type { PromptsPorts } from '../state/ports';
import { RequestFailure } from './request-failure';
import type { SelectedPassage } from './selected-passage';

/** RewriteModal: asks what should change in a passage, shows the new wording as changes, and replaces the passage. */
export class RewriteModal extends Modal {
  constructor(
    app: App,
    private readonly ports: PromptsPorts,
    private readonly passage: SelectedPassage,
  ) {
    super(app);
  }

  override onOpen(): void {
    this.modalEl.addClass('docent-rewrite-modal');
    this.setTitle(words.prompts.rewrite);
    render(<RewriteView ports={this.ports} passage={this.passage} onClose={() => this.close()} />, this.contentEl);
  }

  override onClose(): void {
    render(null, this.contentEl);
  }
}

/** ActiveContent: warns of what the new wording runs or loads and the passage did not. */
function ActiveContent({ before, rewriting }: { readonly before: string; readonly rewriting: Rewriting }) {
  const after = rewriting.step === 'done' ? rewriting.wording : before;
  const found = useMemo(() => newActiveContent('Passage.md', before, after), [before, after]);
  if (found.length === 0) return null;
  return (
    <div class="docent-prompts-failure" role="alert">
      {describeActive(found).map((line) => (
        <div key={line}>{line}</div>
      ))}
    </div>
  );
}

interface RewriteViewProps {
  readonly ports: PromptsPorts;
  readonly passage: SelectedPassage;
  readonly onClose: () => void;
}

const say = words.prompts;

/** RewriteView: the instruction, the resulting changes word by word, and the buttons to accept or reject them. */
export function RewriteView({ ports, passage, onClose }: RewriteViewProps) {
  const { rewriting, notice, start, stop, edit } = useRewrite(ports, passage);
  const [isEditing, setEditing] = useState(false);
  const [isStale, setStale] = useState(false);
  const lastInstruction = useRef('');
  const accept = useRef<HTMLButtonElement>(null);
  const isDone = rewriting.step === 'done';
  useEffect(() => {
    if (isDone) accept.current?.focus();
  }, [isDone]);
  const ask = (text: string): void => {
    lastInstruction.current = text;
    setEditing(false);
    start(text);
  };
  const take = (wording: string): void => {
    if (passage.replace(wording)) onClose();
    else setStale(true);
  };
  const isRunning = rewriting.step === 'running';
  return (
    <div class="docent-rewrite">
      <RewriteForm step={rewriting.step} onRun={ask} onStop={stop} />
      <div class="docent-rewrite-prompts">
        {rewritePrompts(ports.registry.list()).map(({ id, name, description, content }) => (
          <button key={id} type="button" title={description} disabled={isRunning} onClick={() => ask(content)}>
            {name}
          </button>
        ))}
      </div>
      {rewriting.step === 'failed' && (
        <RequestFailure failure={rewriting.failure} ports={ports} onRetry={() => ask(lastInstruction.current)} />
      )}
      {isDone && isEditing ? (
        <textarea
          class="docent-rewrite-text"
          dir="auto"
          rows={8}
          aria-label={say.rewriteText}
          value={rewriting.wording}
          onInput={(event) => edit(event.currentTarget.value)}
        />
      ) : (
        <WordChanges
          before={passage.text}
          after={isDone ? rewriting.wording : passage.text}
          label={isDone ? say.rewriteShow : say.rewriteOriginal}
        />
      )}
      <ActiveContent before={passage.text} rewriting={rewriting} />
      {rewriting.step === 'running' && (
        <div class="docent-rewrite-running">
          <div role="status">{say.rewriteRunning}</div>
          <div dir="auto">{rewriting.text}</div>
        </div>
      )}
      <RewriteNotice text={notice} />
      {isDone && rewriting.wording === passage.text && <div role="status">{say.rewriteSame}</div>}
      {isStale && (
        <div class="docent-prompts-failure" role="alert">
          {say.rewriteStale}
        </div>
      )}
      {isDone && (
        <div class="docent-prompt-buttons">
          <button
            ref={accept}
            type="button"
            class="mod-cta"
            disabled={isStale || rewriting.wording === passage.text}
            onClick={() => take(rewriting.wording)}
          >
            {say.rewriteAccept}
          </button>
          <button type="button" onClick={onClose}>
            {say.rewriteReject}
          </button>
          <button type="button" onClick={() => setEditing(!isEditing)}>
            {isEditing ? say.rewriteEditDone : say.rewriteEdit}
          </button>
          <button type="button" onClick={() => ask(lastInstruction.current)}>
            {say.rewriteAgain}
          </button>
          {isStale && (
            <button
              type="button"
              onClick={(event) => void event.currentTarget.win.navigator.clipboard.writeText(rewriting.wording)}
            >
              {say.rewriteCopy}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

/** RewriteNotice: what else there is to say, if anything. */
function RewriteNotice({ text }: { readonly text: string }) {
  return text === '' ? null : <div role="status">{text}</div>;
}

interface RewriteFormProps {
  readonly step: Rewriting['step'];
  readonly onRun: (instruction: string) => void;
  readonly onStop: () => void;
}

/** RewriteForm: the box for an instruction, and the button that runs or stops the request. */
function RewriteForm({ step, onRun, onStop }: RewriteFormProps) {
  const [instruction, setInstruction] = useState('');
  const isEmpty = instruction.trim() === '';
  return (
    <form
      class="docent-rewrite-wish"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty) onRun(instruction);
      }}
    >
      <input
        type="text"
        dir="auto"
        aria-label={say.rewriteInstruction}
        placeholder={`${say.rewriteInstruction} ${say.rewriteInstructionHint}`}
        value={instruction}
        onInput={(event) => setInstruction(event.currentTarget.value)}
      />
      {step === 'running' ? (
        <button type="button" onClick={onStop}>
          {say.rewriteStop}
        </button>
      ) : (
        <button type="submit" class={step === 'done' ? '' : 'mod-cta'} disabled={isEmpty}>
          {say.rewriteRun}
        </button>
      )}
    </form>
  );
}

type Rewriting =
  | { readonly step: 'asking' }
  | { readonly step: 'running'; readonly text: string }
  | { readonly step: 'failed'; readonly failure: Failure }
  | { readonly step: 'done'; readonly wording: string };

export interface RewriteControls {
  readonly rewriting: Rewriting;
  /** What else there is to say, such as what the answers have cost; empty for nothing. */
  readonly notice: string;
  readonly start: (instruction: string) => void;
  readonly stop: () => void;
  readonly edit: (wording: string) => void;
}

/** useRewrite: the state of at most one rewrite request. */
function useRewrite(ports: PromptsPorts, passage: SelectedPassage): RewriteControls {
  const [rewriting, setRewriting] = useState<Rewriting>({ step: 'asking' });
  const [notice, setNotice] = useState('');
  const account = useRef(openAccount());
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const start = async (instruction: string): Promise<void> => {
    running.current?.abort();
    const abort = new AbortController();
    running.current = abort;
    const show = (next: Rewriting): void => {
      if (!abort.signal.aborted) setRewriting(next);
    };
    show({ step: 'running', text: '' });
    setNotice('');
    const values = await ports.valuesFor(instruction, '', abort.signal);
    if (abort.signal.aborted) return;
    const request = rewriteRequest(instruction, passage.text, { ...values, activeNote: passage.path });
    let text = '';
    let isComplete = false;
    for await (const event of ports.askOnce(request, account.current, abort.signal)) {
      if (event.type === 'text-delta') show({ step: 'running', text: (text += event.text) });
      if (event.type === 'notice' && !abort.signal.aborted) setNotice(event.words);
      if (event.type === 'finish') isComplete = event.reason === 'complete' || event.reason === 'unknown';
      if (event.type === 'failure') {
        show({ step: 'failed', failure: event.failure });
        return;
      }
    }
    const wording = readRewrite(text, passage.text, request);
    if (wording.trim() === '') show({ step: 'failed', failure: failedWith(words.prompts.rewriteEmpty) });
    else if (!isComplete) show({ step: 'failed', failure: failedWith(words.prompts.rewriteCutOff) });
    else show({ step: 'done', wording });
  };
  return {
    rewriting,
    notice,
    start: (instruction) => void start(instruction),
    stop: () => {
      running.current?.abort();
      setRewriting({ step: 'asking' });
    },
    edit: (wording) => setRewriting({ step: 'done', wording }),
  };
}

function failedWith(text: string): Failure {
  return { kind: 'interrupted', words: text, remedy: words.prompts.rewriteEmptyRemedy };
}

interface WordChangesProps {
  readonly before: string;
  readonly after: string;
  readonly label: string;
}

/** WordChanges: two wordings of a passage as one text, with the removed and the added words marked. */
function WordChanges({ before, after, label }: WordChangesProps) {
  const named = useId();
  const parts = useMemo(
    () =>
      wordsOf(before, after) ?? [
        { kind: 'removed' as const, text: before },
        { kind: 'added' as const, text: after },
      ],
    [before, after],
  );
  return (
    <>
      {/* Obsidian would show an aria-label as a tooltip over the buttons below. */}
      <span id={named} class="docent-said">
        {label}
      </span>
      <div class="docent-word-changes" dir="auto" role="region" aria-labelledby={named} tabIndex={0}>
        {parts.map(({ kind, text }, index) => {
          if (kind === 'same') return <span key={index}>{text}</span>;
          return kind === 'removed' ? <del key={index}>{text}</del> : <ins key={index}>{text}</ins>;
        })}
      </div>
    </>
  );
}
