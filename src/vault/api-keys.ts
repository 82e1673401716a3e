/** API keys in Obsidian's secret storage; the gate of core decides where each may be sent (rules 6.10). */
import type { App } from 'obsidian';
import { fail, type Outcome, succeed } from '../core/ports/failure';
import { signInPrefix } from '../core/ports/network';
import type { Settings } from '../core/settings/settings';
import { words } from '../text';

export class ApiKeys {
  constructor(private readonly app: Pick<App, 'secretStorage'>) {}

  /** Returns the secret of this name, which may be any plugin's; null if there is none. */
  read(keyName: string): string | null {
    return keyName === '' ? null : this.app.secretStorage.getSecret(keyName) || null;
  }

  /** Stores what a server gave when the user signed in; empty for none, because secrets can't be removed. */
  write(keyName: string, value: string): void {
    this.app.secretStorage.setSecret(keyName, value);
  }

  /** Stores a key under this name, in place of the one before. Storage that fails, as without a keyring, is a failure. */
  store(keyName: string, key: string): Outcome<void> {
    try {
      this.app.secretStorage.setSecret(keyName, key);
      return succeed(undefined);
    } catch {
      // What was thrown may quote the key.
      return fail({ kind: 'storage', words: words.models.keyNotStored, remedy: words.models.keyNotStoredRemedy });
    }
  }

  /**
   * Returns the values of all keys that the settings name or that have a name of Docent's own, which requests carry
   * though no settings name them, and of all sign-ins, for redaction only.
   */
  valuesOf({ providers, mcpServers }: Settings): readonly string[] {
    const own = this.app.secretStorage.listSecrets().filter((name) => name.startsWith(ownPrefix));
    const signIns = own.filter((name) => name.startsWith(signInPrefix));
    const named = [...Object.values(providers), ...mcpServers].map(({ keyName }) => keyName);
    const keyNames = new Set([...named, ...own].filter((name) => !signIns.includes(name)));
    return [
      ...[...keyNames].flatMap((keyName) => this.read(keyName)?.trim() || []),
      ...signIns.flatMap((name) => secretsIn(this.read(name))),
    ];
  }
}

/** The beginning of all names that Docent gives to secrets. */
const ownPrefix = 'docent-';

/** Returns the secrets in the record of a sign-in, and the whole text of one that cannot be read. */
function secretsIn(text: string | null): readonly string[] {
  if (text === null) return [];
  try {
    const { secrets } = JSON.parse(text) as { readonly secrets: Readonly<Record<string, string>> };
    return Object.values(secrets);
  } catch {
    return [text];
  }
}
