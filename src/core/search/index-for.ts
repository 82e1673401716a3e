/** The passage indexes in use, one a vault name: layers and chats of one vault share what was read. */
import type { Vault } from '../ports';
import { PassageIndex } from './passage-index';

const indexes = new Map<string, PassageIndex>();

export function passageIndexFor(vault: Vault): PassageIndex {
  const known = indexes.get(vault.name);
  if (known !== undefined) return known;
  const index = new PassageIndex();
  indexes.set(vault.name, index);
  return index;
}

/** Drops what is known of a path; it is read again when next searched. */
export function forgetPassages(path: string): void {
  for (const index of indexes.values()) index.forget(path);
}

/** Drops everything, as when the plugin is unloaded. */
export function forgetAllPassages(): void {
  indexes.clear();
}
