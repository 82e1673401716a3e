/** PromptList: all prompts grouped by source, with the form for a new one; those that cannot be used say why. */
import type { App } from 'obsidian';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { foldText } from '../../core/base/fold';
import type { PromptSource } from '../../core/library/prompt-registry';
import { freePromptPath, promptNote } from '../../core/library/prompts';
import { baseName, type ChatFields, promptPropertiesOf } from '../../core/library/user-notes';
import { fail, type Failure, type Outcome } from '../../core/ports/failure';
import { words } from '../../text';
import { DrawnModal, IconButton, useOneAtATime } from '../components/controls';
import { useInstructionFiles } from '../components/instruction-files';
import type { PromptsPorts } from '../state/ports';
import { type ListedPrompt, textOfPrompt, usePrompts } from './use-prompts';

/** PromptsModal: all prompts in a modal that stays up to date while it is open. */
export class PromptsModal extends DrawnModal {
  constructor(app: App, ports: PromptsPorts, isCreating = false) {
    super(app, {
      styleClass: 'docent-prompts-modal',
      title: words.prompts.title,
      draw: (close) => <PromptList ports={ports} isCreating={isCreating} onLeave={close} />,
    });
  }
}

interface PromptListProps {
  readonly ports: PromptsPorts;
  /** Whether it opens with the form for a new prompt. */
  readonly isCreating?: boolean;
  /** Called when a note was opened behind the modal. */
  readonly onLeave: () => void;
}

const sources: readonly PromptSource[] = ['config', 'mcp', 'static'];

export function PromptList({ ports, isCreating: startsCreating = false, onLeave }: PromptListProps) {
  const prompts = usePrompts(ports);
  const [query, setQuery] = useState('');
  const [isCreating, setCreating] = useState(startsCreating);
  const [failure, setFailure] = useState<Failure | null>(null);
  const folder = `${ports.settings().agentFolder}/prompts`;
  const found = prompts.filter((prompt) => matches(prompt, query));
  const carryOut = async (act: () => Promise<Outcome<unknown>>): Promise<boolean> => {
    const done = await act();
    setFailure(done.ok ? null : done.failure);
    return done.ok;
  };
  return (
    <div class="docent-prompts">
      <div class="docent-prompts-head">
        <input
          type="search"
          placeholder={words.prompts.search}
          aria-label={words.prompts.search}
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
        <button type="button" class="mod-cta" aria-expanded={isCreating} onClick={() => setCreating(!isCreating)}>
          {words.prompts.create}
        </button>
      </div>
      {failure !== null && (
        <div class="docent-prompts-failure" role="alert">
          {failure.words} {failure.remedy}
        </div>
      )}
      {isCreating && (
        <NewPrompt
          ports={ports}
          folder={folder}
          onCreate={async ({ path, text, isForChat }) => {
            if (!(await carryOut(() => ports.notes.create(path, text)))) return;
            setCreating(false);
            if (isForChat) await ports.useForChat(path).then(onLeave);
          }}
          onCancel={() => setCreating(false)}
        />
      )}
      {found.length === 0 && <p class="docent-prompts-none">{words.prompts.nothingFound}</p>}
      {sources.map((source) => {
        const group = found.filter((prompt) => prompt.source === source);
        const isEmptyOwn = source === 'config' && prompts.every((prompt) => prompt.source !== 'config');
        if (group.length === 0 && !isEmptyOwn) return null;
        return (
          <section key={source}>
            <h4>{words.prompts.sources[source]}</h4>
            {source === 'config' && (
              <Waiting ports={ports} none={isEmptyOwn ? words.prompts.noneOfYours(folder) : ''} />
            )}
            {group.map((prompt) => (
              <PromptRow
                key={prompt.id}
                prompt={prompt}
                ports={ports}
                folder={folder}
                carryOut={carryOut}
                onLeave={onLeave}
              />
            ))}
          </section>
        );
      })}
    </div>
  );
}

/** Maximum names of prompts that wait. */
const maxWaiting = 3;

/** The prompts that wait for the user to allow them, or else that there are none. */
function Waiting({ ports: { instructions }, none }: { readonly ports: PromptsPorts; readonly none: string }) {
  useInstructionFiles(instructions?.files);
  const waiting = (instructions?.files.waiting() ?? []).filter(
    ({ kind, isDeclined }) => kind === 'prompt' && !isDeclined,
  );
  if (waiting.length === 0) return none === '' ? null : <p class="docent-prompts-none">{none}</p>;
  const names = waiting.slice(0, maxWaiting).map(({ path }) => baseName(path));
  return (
    <p class="docent-prompts-none">
      {words.instructions.waiting(names.join(', '), waiting.length - names.length)}{' '}
      <button type="button" onClick={() => instructions?.review(false)}>
        {words.instructions.review}
      </button>
    </p>
  );
}

function matches({ name, description, tags }: ListedPrompt, query: string): boolean {
  const text = foldText([name, description, ...tags].join(' '));
  return foldText(query)
    .split(/\s+/)
    .every((word) => text.includes(word));
}

interface PromptRowProps {
  readonly prompt: ListedPrompt;
  readonly ports: PromptsPorts;
  /** The folder of the user's own prompts. */
  readonly folder: string;
  /** Runs an action and shows its failure; resolves to whether it succeeded. */
  readonly carryOut: (act: () => Promise<Outcome<unknown>>) => Promise<boolean>;
  readonly onLeave: () => void;
}

/** PromptRow: one prompt with its source, its tokens, why it cannot be used, and its actions. */
function PromptRow({ prompt, ports, folder, carryOut, onLeave }: PromptRowProps) {
  const { id, name, description, source, state } = prompt;
  const isOwn = source === 'config';
  const label = (action: string): string => words.prompts.actionOn(action, name);
  // Until the copy is there its path looks free: a second press would fail on it.
  const copy = useOneAtATime(() => carryOut(() => duplicate(prompt, folder, ports)));
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
            label={label(words.prompts.useInChat)}
            onClick={() => void ports.useForChat(id).then(onLeave)}
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
        <IconButton icon="copy" label={label(words.prompts.duplicate)} onClick={() => copy()} />
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

/** Copies a prompt. Of a note, only the properties that Docent knows are copied. */
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
    ...chatFieldsOf(prompt, ports),
  });
  const path = freePromptPath(folder, name, (each) => ports.vault.file(each) !== undefined);
  return ports.notes.create(path, note);
}

/** What the note of a prompt sets for its chat. */
function chatFieldsOf({ id, source }: ListedPrompt, { vault }: PromptsPorts): Partial<ChatFields> {
  const { properties } = source === 'config' ? promptPropertiesOf(vault, id) : {};
  if (properties === undefined) return {};
  const { mode, model, permission, pinned } = properties;
  return { mode, model, permission, pinned };
}

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

function NewPrompt({ ports, folder, onCreate, onCancel }: NewPromptProps) {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [text, setText] = useState('');
  const [problem, setProblem] = useState('');
  const first = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => first.current?.focus(), []);
  // Until the note is there its path looks free: a second press would fail on it.
  const create = useOneAtATime((isForChat: boolean) => {
    const path = freePromptPath(folder, name, (each) => ports.vault.file(each) !== undefined);
    return onCreate({ path, text: promptNote({ name, description, text }), isForChat });
  });
  const save = (isForChat: boolean): void => {
    const missing =
      name.trim() === '' ? words.prompts.nameMissing : text.trim() === '' ? words.prompts.textMissing : '';
    setProblem(missing);
    if (missing === '') create(isForChat);
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
