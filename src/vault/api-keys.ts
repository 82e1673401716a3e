/** Reads API keys from Obsidian's secret storage; each key is bound on this device to one origin (rules 6.10). */
import type { App } from 'obsidian';
import type { DeviceStorage } from '../core/ports/device';
import type { Settings } from '../core/settings/settings';

export class ApiKeys {
  constructor(
    private readonly app: Pick<App, 'secretStorage'>,
    private readonly device: DeviceStorage,
  ) {}

  /** Binds a key to the origin of the address it was entered for. */
  bind(keyName: string, address: string): void {
    const origin = originOf(address);
    if (keyName !== '' && origin !== null) this.device.set(bindingOf(keyName), origin);
  }

  /**
   * Returns the key for a request to this origin, or null if there is none or it belongs to another origin. A key that
   * was never bound on this device, as after a sync of the settings, goes only to its provider's own origin or to this
   * device itself.
   */
  read(keyName: string, origin: string, ownOrigin: string): string | null {
    if (keyName === '') return null;
    const bound = this.device.get(bindingOf(keyName));
    const allowed = bound === null ? origin === ownOrigin || isThisDevice(origin) : origin === bound;
    return allowed ? this.app.secretStorage.getSecret(keyName) || null : null;
  }

  /** Returns the values of all keys that the settings name, for redaction only. */
  valuesOf({ providers, mcpServers }: Settings): readonly string[] {
    const keyNames = new Set([...Object.values(providers), ...mcpServers].map(({ keyName }) => keyName));
    return [...keyNames].flatMap((keyName) =>
      keyName === '' ? [] : (this.app.secretStorage.getSecret(keyName) ?? []),
    );
  }
}

function originOf(address: string): string | null {
  try {
    return new URL(address).origin;
  } catch {
    return null;
  }
}

function bindingOf(keyName: string): string {
  return `key-origin-${keyName}`;
}

function isThisDevice(origin: string): boolean {
  return /^https?:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(origin);
}
