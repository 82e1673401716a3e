/** The passage index of each vault in use, kept as long as the vault itself. */
import type { Vault } from '../ports';
import { PassageIndex } from './passage-index';

const indexes = new WeakMap<Vault, PassageIndex>();

export function passageIndexFor(vault: Vault): PassageIndex {
  let index = indexes.get(vault);
  if (index === undefined) {
    index = new PassageIndex();
    indexes.set(vault, index);
  }
  return index;
}

/** Drops what is known of some paths; they are read again when next searched. */
export function forgetPassages(vault: Vault, paths: readonly string[]): void {
  const index = indexes.get(vault);
  for (const path of paths) index?.forget(path);
}
