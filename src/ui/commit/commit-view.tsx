/** CommitView: what would be committed, and the message for it as far as it is written. */
import { useEffect, useState } from 'preact/hooks';
import type { RepositoryChanges } from '../../core/ports/device';
import { words } from '../../text';
import type { CommitPorts } from './open-commit';
import { useCommitMessage } from './use-commit-message';

const say = words.commit;

export function CommitView({ ports }: { readonly ports: CommitPorts }) {
  const { writing, changes, start, stop, edit } = useCommitMessage(ports);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    start();
  }, []);
  const isDone = writing.step === 'done';
  const isRunning = writing.step === 'looking' || writing.step === 'running';
  return (
    <div class="docent-commit">
      {changes !== null && <Changes changes={changes} />}
      {writing.step === 'looking' && <div role="status">{say.looking}</div>}
      {writing.step === 'running' && (
        <>
          <div role="status">{say.writing}</div>
          <pre class="docent-commit-text" dir="auto">
            {writing.text}
          </pre>
        </>
      )}
      {writing.step === 'failed' && (
        <div class="docent-prompts-failure" role="alert">
          {writing.failure.words} {writing.failure.remedy}{' '}
          {writing.failure.action === 'open-settings' && (
            <button type="button" onClick={() => ports.openSettings()}>
              {words.pane.openSettings}
            </button>
          )}
        </div>
      )}
      {isDone && (
        <textarea
          class="docent-commit-text"
          dir="auto"
          rows={8}
          aria-label={say.message}
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
            onClick={(event) => {
              const { clipboard } = event.currentTarget.win.navigator;
              void clipboard.writeText(writing.message).then(() => setCopied(true));
            }}
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
            {say.again}
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
