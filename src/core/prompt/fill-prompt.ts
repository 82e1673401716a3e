/** A prompt of the user's or of ours as the model gets it: its variables filled in once, literally (design 5). */
import { fillVariables, promptVariables, variablesIn } from '../markup/variables';
import { withoutHidden } from './editor-news';
import { templateVariablesOf } from './own-text';
import type { World } from './world';

/** @param written what the user wrote after the prompt's name */
export function fillPrompt(text: string, world: World, written: string): string {
  const names = variablesIn(text);
  if (names.length === 0) return text;
  const { vault, turn, device } = world;
  const note = withoutHidden(turn.editor, (path) => vault.file(path) !== undefined)?.activeNote ?? null;
  const values = promptVariables({
    selection: note?.selectedText ?? '',
    activeNote: note?.path ?? '',
    arguments: written,
    date: device.date,
  });
  return fillVariables(text, new Map([...templateVariablesOf(names, world), ...values])).text;
}
