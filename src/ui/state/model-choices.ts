/** The models that can be chosen: the reader, then those of each provider that has been set up, and one that is in use. */
import type { Settings } from '../../core/settings/settings';
import { words } from '../../text';
import type { ProviderChoice } from './ports';

/** What people call each, by id. */
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

/** Whether the reader answers: it quotes notes, and writes nothing of its own. */
export function usesBuiltInReader({ model }: Pick<Settings, 'model'>): boolean {
  return model.startsWith('reader/');
}
