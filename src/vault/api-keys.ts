/** Reads API keys from Obsidian's secret storage; the gate of core decides where each may be sent (rules 6.10). */
import type { App } from 'obsidian';
import { signInPrefix } from '../core/ports/network';
import type { Settings } from '../core/settings/settings';

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

  /** Returns the values of all keys that the settings name, and of all sign-ins, for redaction only. */
  valuesOf({ providers, mcpServers }: Settings): readonly string[] {
    const keyNames = new Set([...Object.values(providers), ...mcpServers].map(({ keyName }) => keyName));
    const signIns = this.app.secretStorage.listSecrets().filter((name) => name.startsWith(signInPrefix));
    return [
      ...[...keyNames].flatMap((keyName) => this.read(keyName) ?? []),
      ...signIns.flatMap((name) => secretsIn(this.read(name))),
    ];
  }
}

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
