/** The models that can be chosen: the built-in reader, those of each configured provider, and the current one. */
import type { Settings } from '../../core/settings/settings';
import { words } from '../../text';
import type { ProviderChoice } from './ports';

/** Returns the display name of each model, by id. */
export function modelChoices(
  providers: readonly ProviderChoice[],
  { providers: configured }: Settings,
  used: string,
): Record<string, string> {
  const choices: Record<string, string> = { 'reader/built-in': words.settings.builtInReader };
  for (const { id, label, models } of providers) {
    const chosen = configured[id];
    if (chosen === undefined) continue;
    for (const name of new Set([...chosen.models, ...(chosen.models.length === 0 ? models : [])])) {
      choices[`${id}/${name}`] = `${label}: ${name}`;
    }
  }
  return used in choices ? choices : { ...choices, [used]: used };
}

/** Whether the built-in reader answers: it quotes notes, and writes nothing of its own. */
export function usesBuiltInReader({ model }: Pick<Settings, 'model'>): boolean {
  return model.startsWith('reader/');
}
