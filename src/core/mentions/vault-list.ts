/** Cached lists over the whole vault, and mention sources that suggest their entries by name. */
import type { Vault } from '../ports/vault';
import type { MentionCandidate, MentionSource } from './mention-source';

/** CachedList: a list over the whole vault, built once per state of the vault, and in slices if the vault is large. */
interface CachedList<Value> {
  /** Returns the current list of a small vault, and of a large one that of the last finished pass. */
  current(vault: Vault): Value;
  /** Runs one slice of a pass over the vault; returns false once the pass is finished. */
  prepare(vault: Vault): boolean;
}

interface State<Value> {
  files: unknown;
  value: Value;
  pass: { readonly files: unknown; readonly slices: Generator<void, Value> } | null;
}

/**
 * @param make yields after each slice of a few milliseconds
 * @param nothing the value before the first pass over a large vault
 * @param smallVault the maximum number of files for which the list is built at once on request
 */
export function cacheList<Value>(
  make: (vault: Vault) => Generator<void, Value>,
  nothing: Value,
  smallVault: number,
): CachedList<Value> {
  const states = new WeakMap<Vault, State<Value>>();
  const stateOf = (vault: Vault): State<Value> => {
    const state = states.get(vault) ?? { files: null, value: nothing, pass: null };
    states.set(vault, state);
    return state;
  };
  const prepare = (vault: Vault): boolean => {
    const state = stateOf(vault);
    const files = vault.files();
    if (state.files === files) return false;
    // A pass is finished even if the vault changes during it; constant changes would otherwise never let one end.
    state.pass ??= { files, slices: make(vault) };
    const step = state.pass.slices.next();
    if (step.done !== true) return true;
    Object.assign(state, { files: state.pass.files, value: step.value, pass: null });
    return false;
  };
  return {
    prepare,
    current: (vault) => {
      const state = stateOf(vault);
      const files = vault.files();
      if (state.files !== files && files.length <= smallVault) {
        state.pass = null;
        while (prepare(vault));
      }
      return state.value;
    },
  };
}

// Suggestions by name after `[[`, once something was typed that is not part of a note link.

/** @param lines the maximum number of lines to show */
export function offerByName(
  id: MentionSource['id'],
  list: CachedList<readonly MentionCandidate[]>,
  lines: number,
): MentionSource {
  return {
    id,
    trigger: '[[',
    offer: ({ vault }, typed) =>
      typed.trim() === '' || typed.includes('#') ? null : { candidates: list.current(vault), query: typed, lines },
    prepare: ({ vault }) => list.prepare(vault),
  };
}
