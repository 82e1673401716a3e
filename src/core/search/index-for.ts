/** The passage index of each vault in use, kept as long as the vault itself. */
import type { Vault } from '../ports/vault';
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

/**
 * Lets a view of a vault use the passages of that vault: where the two differ, an entry's time tells whose it is, and
 * they are read again.
 */
export function sharePassages(view: Vault, vault: Vault): void {
  indexes.set(view, passageIndexFor(vault));
}

/** Drops what is known of some paths; they are read again when next searched. */
export function forgetPassages(vault: Vault, paths: readonly string[]): void {
  const index = indexes.get(vault);
  for (const path of paths) index?.forget(path);
}
