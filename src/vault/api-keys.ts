/** Reads API keys from Obsidian's secret storage; the gate of core decides where each may be sent (rules 6.10). */
import type { App } from 'obsidian';
import type { Settings } from '../core/settings/settings';

export class ApiKeys {
  constructor(private readonly app: Pick<App, 'secretStorage'>) {}

  /** Returns the secret of this name, which may be any plugin's; null if there is none. */
  read(keyName: string): string | null {
    return keyName === '' ? null : this.app.secretStorage.getSecret(keyName) || null;
  }

  /** Returns the values of all keys that the settings name, for redaction only. */
  valuesOf({ providers, mcpServers }: Settings): readonly string[] {
    const keyNames = new Set([...Object.values(providers), ...mcpServers].map(({ keyName }) => keyName));
    return [...keyNames].flatMap((keyName) => this.read(keyName) ?? []);
  }
}
