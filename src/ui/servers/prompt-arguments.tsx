/** Asks for the arguments of a server's prompt, and has the server write it with them. */
import { type App, Modal } from 'obsidian';
import { render } from 'preact';
import { useState } from 'preact/hooks';
import type { RegisteredPrompt } from '../../core/library/prompt-registry';
import type { Failure } from '../../core/ports/failure';
import type { McpAccess, McpField } from '../../core/ports/network';
import type { Mention } from '../../core/session/entry';
import { words } from '../../text';
import { draftOf, FieldForm, valuesOf } from '../components/field-form';
import { showUnseenCharacters } from '../render/visible-text';

const say = words.serverSettings.prompt;

/** Resolves to a mention of the prompt as the server wrote it; null if the user leaves. */
export function askForArguments(app: App, servers: McpAccess, prompt: RegisteredPrompt): Promise<Mention | null> {
  return new Promise((resolve) => new ArgumentsModal(app, servers, prompt, resolve).open());
}

class ArgumentsModal extends Modal {
  private readonly left = new AbortController();

  constructor(
    app: App,
    private readonly servers: McpAccess,
    private readonly prompt: RegisteredPrompt,
    private readonly done: (mention: Mention | null) => void,
  ) {
    super(app);
  }

  override onOpen(): void {
    this.setTitle(say.title(showUnseenCharacters(this.prompt.name)));
    const { servers, prompt } = this;
    const { signal } = this.left;
    const onFilled = (mention: Mention): void => {
      this.done(mention);
      this.close();
    };
    render(<ArgumentsForm {...{ servers, prompt, signal, onFilled }} onLeave={() => this.close()} />, this.contentEl);
  }

  override onClose(): void {
    this.left.abort();
    render(null, this.contentEl);
    this.done(null);
  }
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
    if (values === null) return;
    setAsking(true);
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
        <button type="submit" class="mod-cta" disabled={isAsking}>
          {say.insert}
        </button>
        <button type="button" onClick={onLeave}>
          {words.serverSettings.form.cancel}
        </button>
      </div>
    </form>
  );
}
