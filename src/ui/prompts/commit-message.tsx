/** The commit message: written by a model, reviewed by the user, copied. */
import type { App } from 'obsidian';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Repository, RepositoryChanges } from '../../core/ports/device';
import type { Failure } from '../../core/ports/failure';
import type { ModelEvent } from '../../core/ports/model';
import { readCommitMessage } from '../../core/prompt/background-prompts';
import { words } from '../../text';
import { copyText, DrawnModal, Name, useNameId } from '../components/controls';
import type { PromptsPorts } from '../state/ports';
import { RequestFailure } from './request-failure';

/** What the modal needs of the rest. */
export interface CommitPorts extends Pick<Repository, 'changes'> {
  ask(changes: RepositoryChanges, signal: AbortSignal): AsyncIterable<ModelEvent>;
  openSettings(): void;
  readonly allowAsked: PromptsPorts['allowAsked'];
}

/** CommitModal: the message that a model wrote for the staged changes, to be edited and copied. */
export class CommitModal extends DrawnModal {
  constructor(app: App, ports: CommitPorts) {
    super(app, {
      styleClass: 'docent-commit-modal',
      title: words.commandNames['write-commit-message'],
      draw: () => <CommitView ports={ports} />,
    });
  }
}

const say = words.commit;

/** CommitView: the changes to commit, and the message for them as far as it is written. */
export function CommitView({ ports }: { readonly ports: CommitPorts }) {
  const { writing, changes, notice, start, stop, edit } = useCommitMessage(ports);
  const [isCopied, setCopied] = useState(false);
  const name = useNameId();
  useEffect(() => {
    start();
  }, []);
  const isDone = writing.step === 'done';
  const isRunning = writing.step === 'looking' || writing.step === 'running';
  return (
    <div class="docent-commit">
      <Name id={name} text={say.message} />
      {changes !== null && <Changes changes={changes} />}
      {notice !== '' && <div role="status">{notice}</div>}
      {writing.step === 'looking' && <div role="status">{say.looking}</div>}
      {writing.step === 'running' && (
        <>
          <div role="status">{say.writing}</div>
          <pre class="docent-commit-text" dir="auto">
            {writing.text}
          </pre>
        </>
      )}
      {writing.step === 'failed' && <RequestFailure failure={writing.failure} ports={ports} onRetry={start} />}
      {isDone && (
        <textarea
          class="docent-commit-text"
          dir="auto"
          rows={8}
          aria-labelledby={name}
          value={writing.message}
          onInput={(event) => {
            setCopied(false);
            edit(event.currentTarget.value);
          }}
        />
      )}
      <div class="docent-prompt-buttons">
        {isDone && (
          <button
            type="button"
            class="mod-cta"
            onClick={(event) => void copyText(writing.message, event.currentTarget.win, false).then(setCopied)}
          >
            {isCopied ? say.copied : say.copy}
          </button>
        )}
        {isRunning ? (
          <button type="button" onClick={stop}>
            {say.stop}
          </button>
        ) : (
          <button
            type="button"
            onClick={() => {
              setCopied(false);
              start();
            }}
          >
            {writing.step === 'failed' ? say.retry : say.again}
          </button>
        )}
      </div>
    </div>
  );
}

function Changes({ changes }: { readonly changes: RepositoryChanges }) {
  const { staged, files, leftOut } = changes;
  return (
    <>
      {files.length > 0 && (
        <details class="docent-commit-files">
          <summary>{staged ? say.staged(files.length) : say.unstaged(files.length)}</summary>
          <ul>
            {files.map(({ path, how }) => (
              <li key={path}>
                <span class="docent-commit-how">{say.how[how]}</span> {path}
              </li>
            ))}
          </ul>
        </details>
      )}
      {leftOut > 0 && <p class="docent-commit-left">{say.leftOut(leftOut)}</p>}
    </>
  );
}

type Writing =
  | { readonly step: 'looking' }
  | { readonly step: 'running'; readonly text: string }
  | { readonly step: 'failed'; readonly failure: Failure }
  | { readonly step: 'stopped' }
  | { readonly step: 'done'; readonly message: string };

export interface CommitControls {
  readonly writing: Writing;
  /** Null until the repository was read. */
  readonly changes: RepositoryChanges | null;
  /** What else there is to say, such as what the answers have cost; empty for nothing. */
  readonly notice: string;
  readonly start: () => void;
  readonly stop: () => void;
  readonly edit: (message: string) => void;
}

/** useCommitMessage: reads the repository, and requests one message at a time. */
function useCommitMessage(ports: CommitPorts): CommitControls {
  const [writing, setWriting] = useState<Writing>({ step: 'looking' });
  const [changes, setChanges] = useState<RepositoryChanges | null>(null);
  const [notice, setNotice] = useState('');
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const start = async (): Promise<void> => {
    running.current?.abort();
    const { signal } = (running.current = new AbortController());
    const show = (next: Writing): void => {
      if (!signal.aborted) setWriting(next);
    };
    show({ step: 'looking' });
    setNotice('');
    const looked = await ports.changes(signal);
    if (signal.aborted) return;
    if (!looked.ok) return show({ step: 'failed', failure: looked.failure });
    setChanges(looked.value);
    if (looked.value.files.length === 0) return show(nothingIn(looked.value));
    show({ step: 'running', text: '' });
    let text = '';
    let isComplete = false;
    for await (const event of ports.ask(looked.value, signal)) {
      if (event.type === 'text-delta') show({ step: 'running', text: (text += event.text) });
      if (event.type === 'notice' && !signal.aborted) setNotice(event.words);
      if (event.type === 'finish') isComplete = event.reason === 'complete' || event.reason === 'unknown';
      if (event.type === 'failure') return show({ step: 'failed', failure: event.failure });
    }
    const message = readCommitMessage(text, looked.value);
    if (message === '') show(failed('interrupted', say.empty, say.tryAgain));
    else if (!isComplete) show(failed('interrupted', say.cutOff, say.tryAgain));
    else show({ step: 'done', message });
  };
  return {
    writing,
    changes,
    notice,
    start: () => void start(),
    stop: () => {
      running.current?.abort();
      setWriting({ step: 'stopped' });
    },
    edit: (message) => setWriting({ step: 'done', message }),
  };
}

function nothingIn({ leftOut }: RepositoryChanges): Writing {
  if (leftOut > 0) return failed('refused', say.allLeftOut, say.allLeftOutRemedy);
  return failed('not-found', say.nothing, say.nothingRemedy);
}

function failed(kind: Failure['kind'], text: string, remedy: string): Writing {
  return { step: 'failed', failure: { kind, words: text, remedy } };
}
