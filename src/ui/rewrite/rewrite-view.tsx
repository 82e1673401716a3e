/** RewriteView: the wish, the changes that fulfil it word by word, and whether they are taken. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { rewritePrompts } from '../../core/prompt/background-prompts';
import { words } from '../../text';
import type { PromptsPorts } from '../state/ports';
import type { SelectedPassage } from './selected-passage';
import { useRewrite } from './use-rewrite';
import { WordChanges } from './word-changes';

interface RewriteViewProps {
  readonly ports: PromptsPorts;
  readonly passage: SelectedPassage;
  readonly onClose: () => void;
}

const say = words.prompts;

export function RewriteView({ ports, passage, onClose }: RewriteViewProps) {
  const { rewriting, start, stop, edit } = useRewrite(ports, passage);
  const [wish, setWish] = useState('');
  const [isEditing, setEditing] = useState(false);
  const [isStale, setStale] = useState(false);
  const lastWish = useRef('');
  const accept = useRef<HTMLButtonElement>(null);
  const isDone = rewriting.step === 'done';
  useEffect(() => {
    if (isDone) accept.current?.focus();
  }, [isDone]);
  const ask = (text: string): void => {
    lastWish.current = text;
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
      <form
        class="docent-rewrite-wish"
        onSubmit={(event) => {
          event.preventDefault();
          if (wish.trim() !== '') ask(wish);
        }}
      >
        <input
          type="text"
          dir="auto"
          aria-label={say.rewriteWish}
          placeholder={`${say.rewriteWish} ${say.rewriteWishHint}`}
          value={wish}
          onInput={(event) => setWish(event.currentTarget.value)}
        />
        {isRunning ? (
          <button type="button" onClick={stop}>
            {say.rewriteStop}
          </button>
        ) : (
          <button type="submit" class={isDone ? '' : 'mod-cta'} disabled={wish.trim() === ''}>
            {say.rewriteRun}
          </button>
        )}
      </form>
      <div class="docent-rewrite-prompts">
        {rewritePrompts(ports.registry.list()).map(({ id, name, description, content }) => (
          <button key={id} type="button" title={description} disabled={isRunning} onClick={() => ask(content)}>
            {name}
          </button>
        ))}
      </div>
      {rewriting.step === 'failed' && (
        <div class="docent-prompts-failure" role="alert">
          {rewriting.failure.words} {rewriting.failure.remedy}{' '}
          {rewriting.failure.action === 'open-settings' && (
            <button type="button" onClick={() => ports.openSettings()}>
              {words.pane.openSettings}
            </button>
          )}
        </div>
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
      {rewriting.step === 'running' && (
        <div class="docent-rewrite-running">
          <div role="status">{say.rewriteRunning}</div>
          <div dir="auto">{rewriting.text}</div>
        </div>
      )}
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
          <button type="button" onClick={() => ask(lastWish.current)}>
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
