/** Lists over the whole vault, kept until it changes, and offered by name. */
import type { Vault } from '../ports/vault';
import type { MentionCandidate, MentionSource } from './mention-source';

/** CachedList: a list over the whole vault, made once for each state of the vault, and in slices when the vault is large. */
interface CachedList<Value> {
  /** Up to date in a small vault; in a large one as of the last finished preparation. */
  current(vault: Vault): Value;
  /** Does one slice of a pass over the vault; false once a pass is finished. */
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
 * @param smallVault files up to which the list is made at once when it is asked for
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
    // A pass is finished even when the vault changes meanwhile, or constant changes would never let one end.
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

// Offers the lines of a list by name after `[[`, once something was typed that names no part of a note.

/** @param lines shown at most */
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
