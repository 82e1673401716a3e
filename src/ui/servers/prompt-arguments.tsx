/** Asks for the arguments of a server's prompt, and has the server write it with them. */
import type { App } from 'obsidian';
import { useState } from 'preact/hooks';
import type { RegisteredPrompt } from '../../core/library/prompt-registry';
import type { Failure } from '../../core/ports/failure';
import type { McpAccess, McpField } from '../../core/ports/network';
import type { Mention } from '../../core/session/entry';
import { words } from '../../text';
import { DrawnModal } from '../components/controls';
import { draftOf, FieldForm, valuesOf } from '../components/field-form';
import { showUnseenCharacters } from '../render/visible-text';

const say = words.serverSettings.prompt;

/** Resolves to a mention of the prompt as the server wrote it; null if the user leaves. */
export function askForArguments(app: App, servers: McpAccess, prompt: RegisteredPrompt): Promise<Mention | null> {
  const left = new AbortController();
  return new Promise((resolve) => {
    const modal = new DrawnModal(app, {
      styleClass: 'docent-arguments-modal',
      title: say.title(showUnseenCharacters(prompt.name)),
      draw: (close) => {
        const onFilled = (mention: Mention): void => {
          resolve(mention);
          close();
        };
        return <ArgumentsForm {...{ servers, prompt, onFilled }} signal={left.signal} onLeave={close} />;
      },
      onClose: () => {
        left.abort();
        resolve(null);
      },
    });
    modal.open();
  });
}

interface ArgumentsFormProps {
  readonly servers: McpAccess;
  readonly prompt: RegisteredPrompt;
  readonly signal: AbortSignal;
  readonly onFilled: (mention: Mention) => void;
  readonly onLeave: () => void;
}

function ArgumentsForm({ servers, prompt, signal, onFilled, onLeave }: ArgumentsFormProps) {
  const { id, serverName = '', description = '', arguments: taken = [] } = prompt;
  const fields = taken.map((argument): McpField => ({
    ...argument,
    title: argument.name,
    type: 'text',
    options: [],
  }));
  const [draft, setDraft] = useState(() => draftOf(fields));
  const [isChecked, setChecked] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const send = async (): Promise<void> => {
    const values = valuesOf(fields, draft);
    setChecked(true);
    if (values === null || isAsking) return;
    setAsking(true);
    setFailure(null);
    const texts = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
    const filled = await servers.fillPrompt?.(id, texts, signal);
    setAsking(false);
    if (filled?.ok === true) onFilled({ kind: 'prompt', id: filled.value.id, label: filled.value.name });
    else if (filled !== undefined) setFailure(filled.failure);
  };
  return (
    <form
      class="docent-prompt-arguments"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {description !== '' && <p dir="auto">{showUnseenCharacters(description)}</p>}
      <p>{say.lead(showUnseenCharacters(serverName))}</p>
      <FieldForm fields={fields} draft={draft} isChecked={isChecked} onChange={setDraft} />
      <div role="alert">
        {failure !== null && (
          <p class="docent-offer-warning">
            {failure.words} {failure.remedy}
          </p>
        )}
      </div>
      <div class="docent-choices">
        {/* A button that is disabled would lose the focus. */}
        <button type="submit" class="mod-cta" aria-disabled={isAsking}>
          {say.insert}
        </button>
        <button type="button" onClick={onLeave}>
          {words.serverSettings.form.cancel}
        </button>
      </div>
    </form>
  );
}
