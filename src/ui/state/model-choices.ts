/** The models that can be chosen: the built-in reader, those of each configured provider, and the current one. */
import type { Settings } from '../../core/settings/settings';
import { words } from '../../text';
import type { ProviderChoice } from './ports';

const builtInReader = 'reader/built-in';

export interface ModelChoice {
  readonly id: string;
  /** The provider's display name; empty for the built-in reader, and for a model of a provider that is not set up. */
  readonly provider: string;
  readonly name: string;
}

/** Lists the models in the order of their providers. */
export function listModels(
  providers: readonly ProviderChoice[],
  { providers: configured }: Settings,
  used: string,
): readonly ModelChoice[] {
  const listed: ModelChoice[] = [{ id: builtInReader, provider: '', name: words.settings.builtInReader }];
  for (const { id, label, models } of providers) {
    const chosen = configured[id];
    if (chosen === undefined) continue;
    const names = new Set(chosen.models.length === 0 ? models : chosen.models);
    for (const name of names) listed.push({ id: `${id}/${name}`, provider: label, name });
  }
  return listed.some(({ id }) => id === used) ? listed : [...listed, { id: used, provider: '', name: used }];
}

/** Returns the display name of each model, by id. */
export function modelChoices(...given: Parameters<typeof listModels>): Record<string, string> {
  return Object.fromEntries(listModels(...given).map((model) => [model.id, fullNameOf(model)]));
}

/** Returns a model's display name with its provider, if one is set up. */
export function fullNameOf({ provider, name }: Omit<ModelChoice, 'id'>): string {
  return provider === '' ? name : `${provider}: ${name}`;
}

/** Returns a model's display name without its provider. */
export function shortNameOf(id: string): string {
  return usesBuiltInReader({ model: id }) ? words.settings.builtInReader : id.slice(id.indexOf('/') + 1);
}

/** Whether the built-in reader answers: it quotes notes, and writes nothing of its own. */
export function usesBuiltInReader({ model }: Pick<Settings, 'model'>): boolean {
  return model.startsWith('reader/');
}
