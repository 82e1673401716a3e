/** NewPrompt: the form in which a prompt is written; it becomes a note. */
import { useState } from 'preact/hooks';
import { freePromptPath, promptNote } from '../../core/prompt/prompt-note';
import { words } from '../../text';
import type { PromptsPorts } from './prompts-ports';

interface NewPromptProps {
  readonly ports: Pick<PromptsPorts, 'vault'>;
  readonly folder: string;
  readonly onCreate: (path: string, text: string) => Promise<void>;
  readonly onCancel: () => void;
}

export function NewPrompt({ ports, folder, onCreate, onCancel }: NewPromptProps) {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [text, setText] = useState('');
  const [problem, setProblem] = useState('');
  const save = (): void => {
    const missing =
      name.trim() === '' ? words.prompts.nameMissing : text.trim() === '' ? words.prompts.textMissing : '';
    setProblem(missing);
    if (missing !== '') return;
    const path = freePromptPath(folder, name, (each) => ports.vault.file(each) !== undefined);
    void onCreate(path, promptNote({ name, description, text }));
  };
  return (
    <form
      class="docent-prompt-form"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <label>
        {words.prompts.name}
        <input type="text" value={name} onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      <label>
        {words.prompts.description}
        <input type="text" value={description} onInput={(event) => setDescription(event.currentTarget.value)} />
      </label>
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
        <button type="button" onClick={onCancel}>
          {words.prompts.cancel}
        </button>
      </div>
    </form>
  );
}
