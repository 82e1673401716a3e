/** GoneNotes: what this chat has chosen and cannot have any more, and the way to let it go (design 5). */
import { useEffect, useState } from 'preact/hooks';
import { findGone, type GoneChoice, withoutGone } from '../../core/context/chat-choices';
import { words } from '../../text';
import { Icon } from '../components/controls';
import type { PaneModel } from '../state/chat-state';

export function GoneNotes({ model }: { readonly model: PaneModel }) {
  const [, setChanges] = useState(0);
  useEffect(() => model.ports.onChange(() => setChanges((count) => count + 1)), [model]);
  const { ports } = model;
  const choices = model.state.value === null ? null : model.choices;
  if (choices === null) return null;
  const usualModel = ports.settings().model;
  const gone = findGone(choices, {
    vault: ports.vault,
    registered: (id) => ports.prompts.registry.get(id),
    toolNames: ports.tools.map(({ name }) => name),
    model: (id) => ports.prompts.model(id),
    usualModel,
  });
  return (
    <>
      {gone.map((choice) => (
        <div key={`${choice.kind} ${choice.id}`} class="docent-gone" role="status">
          <Icon icon="unlink" />
          <span class="docent-gone-words">
            {wordsOf(choice, ports.prompts.modelChoices(usualModel)[usualModel] ?? usualModel)}
          </span>
          <button
            type="button"
            aria-label={words.prompts.letGoLabel(choice.name)}
            onClick={() => void model.choose(withoutGone(choices, choice, usualModel))}
          >
            {words.prompts.letGo}
          </button>
        </div>
      ))}
    </>
  );
}

function wordsOf({ kind, name, reason }: GoneChoice, usualModel: string): string {
  return kind === 'model' || kind === 'prompt'
    ? words.prompts.gone[kind](name, kind === 'model' ? usualModel : reason)
    : words.prompts.gone[kind](name);
}
