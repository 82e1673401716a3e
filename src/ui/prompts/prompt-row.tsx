/** PromptRow: one prompt with where it stands, what it costs and why it cannot be used, and what can be done with it. */
import { freePromptPath, promptNote } from '../../core/library/prompts';
import { fail, type Outcome } from '../../core/ports/failure';
import { words } from '../../text';
import { IconButton } from '../components/controls';
import type { PromptsPorts } from '../state/ports';
import { type ListedPrompt, textOfPrompt } from './use-prompts';

interface PromptRowProps {
  readonly prompt: ListedPrompt;
  readonly ports: PromptsPorts;
  /** Where the user's own are kept. */
  readonly folder: string;
  /** Shows why something could not be done. */
  readonly carryOut: (act: () => Promise<Outcome<unknown>>) => Promise<boolean>;
  readonly onLeave: () => void;
}

export function PromptRow({ prompt, ports, folder, carryOut, onLeave }: PromptRowProps) {
  const { id, name, description, source, state } = prompt;
  const isOwn = source === 'config';
  const label = (action: string): string => words.prompts.actionOn(action, name);
  const remove = async (): Promise<void> => {
    const question = { title: words.prompts.deleteTitle, text: words.prompts.deleteText(name, id) };
    if (!(await ports.confirm({ ...question, action: words.prompts.delete }))) return;
    await carryOut(() => ports.notes.trash(id));
  };
  return (
    <div class={`docent-prompt is-${state.kind} ${isOwn ? 'is-own' : ''}`}>
      <div class="docent-prompt-text">
        <div class="docent-prompt-name">
          {name}
          {state.kind !== 'offered' && <span class="docent-prompt-state">{words.prompts.states[state.kind]}</span>}
        </div>
        {description !== '' && <div class="docent-prompt-description">{description}</div>}
        {state.reason !== '' && state.kind !== 'off' && <div class="docent-prompt-reason">{state.reason}</div>}
        <div class="docent-prompt-facts">{factsOf(prompt).join(' · ')}</div>
      </div>
      <div class="docent-prompt-actions">
        {state.kind === 'offered' && (
          <IconButton
            icon="message-square-quote"
            label={label(words.prompts.stand)}
            onClick={() => void ports.stand(id).then(onLeave)}
          />
        )}
        {isOwn && (
          <IconButton
            icon="file-pen"
            label={label(words.prompts.edit)}
            onClick={() => {
              ports.openNote(id, false);
              onLeave();
            }}
          />
        )}
        <IconButton
          icon="copy"
          label={label(words.prompts.duplicate)}
          onClick={() => void carryOut(() => duplicate(prompt, folder, ports))}
        />
        {isOwn && state.kind !== 'invalid' && (
          <IconButton
            icon={state.kind === 'off' ? 'eye' : 'eye-off'}
            label={label(state.kind === 'off' ? words.prompts.turnOn : words.prompts.turnOff)}
            onClick={() =>
              void carryOut(() => ports.notes.setProperty(id, 'disabled', state.kind === 'off' ? undefined : true))
            }
          />
        )}
        {isOwn && <IconButton icon="trash-2" label={label(words.prompts.delete)} onClick={() => void remove()} />}
      </div>
    </div>
  );
}

function factsOf({ id, source, serverName, tokens, version, tags }: ListedPrompt): string[] {
  return [
    ...(source === 'config' ? [id] : []),
    ...(serverName === undefined ? [] : [words.prompts.fromServer(serverName)]),
    ...(tokens === null ? [] : [words.prompts.tokens(tokens)]),
    ...(version === undefined ? [] : [words.prompts.version(version)]),
    ...tags.map((tag) => `#${tag}`),
  ];
}

/** Of a note of the user's, only what Docent knows of it goes along. */
async function duplicate(prompt: ListedPrompt, folder: string, ports: PromptsPorts): Promise<Outcome<void>> {
  const { id, description, tags, requiredTools, version } = prompt;
  const text = await textOfPrompt(id, ports, new AbortController().signal);
  if (text === null) {
    return fail({
      kind: 'unreadable',
      words: words.failures.noteUnreadable(id),
      remedy: words.failures.noteUnreadableRemedy,
    });
  }
  const name = words.prompts.copyOf(prompt.name);
  const note = promptNote({
    name,
    description,
    text,
    tags,
    requiredTools,
    ...(version === undefined ? {} : { version }),
  });
  const path = freePromptPath(folder, name, (each) => ports.vault.file(each) !== undefined);
  return ports.notes.create(path, note);
}
