/** What a chat has chosen and cannot have any more; it goes on without, and the pane says so (design 5). */
import { type PromptPlace, stateOfPrompt } from '../library/prompt-registry';
import { baseName } from '../library/user-notes';
import type { Outcome } from '../ports/failure';
import type { ChatChoices } from '../session/entry';

export interface GoneChoice {
  readonly kind: 'model' | 'prompt' | 'workspace' | 'note';
  readonly id: string;
  /** As people know it. */
  readonly name: string;
  /** One sentence, where there is more to say than that it is gone. */
  readonly reason: string;
}

export interface ChoicePlace extends PromptPlace {
  model(id: string): Outcome<unknown>;
  /** The model of the settings, which answers in place of one that is gone. */
  readonly usualModel: string;
}

export function findGone(choices: Required<ChatChoices>, place: ChoicePlace): GoneChoice[] {
  const { model, selectedPrompt, selectedWorkspace, contextNotes } = choices;
  const gone: GoneChoice[] = [];
  if (model !== place.usualModel && !place.model(model).ok)
    gone.push({ kind: 'model', id: model, name: model, reason: '' });
  if (selectedPrompt !== null) {
    const { kind, reason } = stateOfPrompt(selectedPrompt, place);
    if (kind !== 'offered') gone.push({ kind: 'prompt', id: selectedPrompt, name: baseName(selectedPrompt), reason });
  }
  const paths = [
    ...(selectedWorkspace === null ? [] : [{ kind: 'workspace' as const, id: selectedWorkspace }]),
    ...contextNotes.map((id) => ({ kind: 'note' as const, id })),
  ];
  for (const { kind, id } of paths) {
    if (place.vault.file(id) === undefined) gone.push({ kind, id, name: baseName(id), reason: '' });
  }
  return gone;
}

/** The choices without what is gone. A model gives way to that of the settings. */
export function withoutGone(choices: Required<ChatChoices>, gone: GoneChoice, usualModel: string): ChatChoices {
  switch (gone.kind) {
    case 'model':
      return { model: usualModel };
    case 'prompt':
      return { selectedPrompt: null };
    case 'workspace':
      return { selectedWorkspace: null };
    case 'note':
      return { contextNotes: choices.contextNotes.filter((path) => path !== gone.id) };
  }
}
