/** NewPrompt: the form for a new prompt, which becomes a note. */
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { freePromptPath, promptNote } from '../../core/library/prompts';
import { words } from '../../text';
import type { PromptsPorts } from '../state/ports';

interface CreatedPrompt {
  readonly path: string;
  readonly text: string;
  /** Whether it becomes the prompt for the open chat. */
  readonly isForChat: boolean;
}

interface NewPromptProps {
  readonly ports: Pick<PromptsPorts, 'vault'>;
  readonly folder: string;
  readonly onCreate: (prompt: CreatedPrompt) => Promise<void>;
  readonly onCancel: () => void;
}

export function NewPrompt({ ports, folder, onCreate, onCancel }: NewPromptProps) {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [text, setText] = useState('');
  const [problem, setProblem] = useState('');
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const save = (isForChat: boolean): void => {
    const missing =
      name.trim() === '' ? words.prompts.nameMissing : text.trim() === '' ? words.prompts.textMissing : '';
    setProblem(missing);
    if (missing !== '') return;
    const path = freePromptPath(folder, name, (each) => ports.vault.file(each) !== undefined);
    void onCreate({ path, text: promptNote({ name, description, text }), isForChat: isForChat });
  };
  return (
    <form
      class="docent-prompt-form"
      onSubmit={(event) => {
        event.preventDefault();
        save(false);
      }}
    >
      <TextField label={words.prompts.name} value={name} onChange={setName} input={first} />
      <TextField label={words.prompts.description} value={description} onChange={setDescription} />
      <label>
        {words.prompts.text}
        <textarea rows={5} dir="auto" value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <div class="docent-prompt-hint">{words.prompts.textHint}</div>
      {problem !== '' && (
        <div class="docent-prompts-failure" role="alert">
          {problem}
        </div>
      )}
      <div class="docent-prompt-buttons">
        <button type="submit" class="mod-cta">
          {words.prompts.save}
        </button>
        <button type="button" onClick={() => save(true)}>
          {words.prompts.saveAndUseInChat}
        </button>
        <button type="button" onClick={onCancel}>
          {words.prompts.cancel}
        </button>
      </div>
    </form>
  );
}

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly input?: RefObject<HTMLInputElement | null>;
}

function TextField({ label, value, onChange, input }: TextFieldProps) {
  return (
    <label>
      {label}
      <input
        {...(input && { ref: input })}
        type="text"
        dir="auto"
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </label>
  );
}
