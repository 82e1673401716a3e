/** PromptList: all prompts by where they come from, those that cannot be used with the reason. */
import { useState } from 'preact/hooks';
import type { PromptSource } from '../../core/library/prompt-registry';
import type { Failure, Outcome } from '../../core/ports/failure';
import { words } from '../../text';
import type { PromptsPorts } from '../state/ports';
import { NewPrompt } from './new-prompt';
import { PromptRow } from './prompt-row';
import { type ListedPrompt, usePrompts } from './use-prompts';

interface PromptListProps {
  readonly ports: PromptsPorts;
  /** Whether it opens with the form for a new prompt. */
  readonly isCreating?: boolean;
  /** Called when a note was opened behind the window. */
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
          onCreate={async ({ path, text, stands }) => {
            if (!(await carryOut(() => ports.notes.create(path, text)))) return;
            setCreating(false);
            if (stands) await ports.stand(path).then(onLeave);
          }}
          onCancel={() => setCreating(false)}
        />
      )}
      {found.length === 0 && prompts.length > 0 && <p class="docent-prompts-none">{words.prompts.nothingFound}</p>}
      {sources.map((source) => {
        const group = found.filter((prompt) => prompt.source === source);
        const isEmptyOwn = source === 'config' && prompts.every((prompt) => prompt.source !== 'config');
        if (group.length === 0 && !isEmptyOwn) return null;
        return (
          <section key={source}>
            <h6>{words.prompts.sources[source]}</h6>
            {isEmptyOwn && <p class="docent-prompts-none">{words.prompts.noneOfYours(folder)}</p>}
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

function matches({ name, description, tags }: ListedPrompt, query: string): boolean {
  const text = [name, description, ...tags].join(' ').toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
