/** Secrets by name, saved in a store that the boot code injects. */
import { Events } from '../base/events';

/** Where secrets lie; the emulator never encrypts, so give it only made-up ones. */
export interface SecretStore {
  load(): Record<string, string>;
  save(secrets: Record<string, string>): void;
}

export function createMemorySecretStore(initial: Record<string, string> = {}): SecretStore {
  let secrets = { ...initial };
  return {
    load: () => ({ ...secrets }),
    save: (next) => {
      secrets = { ...next };
    },
  };
}

export function createWebSecretStore(storage: Pick<Storage, 'getItem' | 'setItem'>, key: string): SecretStore {
  return {
    load: () => JSON.parse(storage.getItem(key) ?? '{}') as Record<string, string>,
    save: (secrets) => storage.setItem(key, JSON.stringify(secrets)),
  };
}

export function isSecretId(id: string): boolean {
  return /^[a-z0-9-]+$/.test(id);
}

export class SecretStorage extends Events {
  constructor(private readonly store: SecretStore = createMemorySecretStore()) {
    super();
  }

  /** Throws on an id with anything but lowercase letters, digits and dashes. */
  setSecret(id: string, secret: string): void {
    if (!isSecretId(id)) {
      throw new Error(`Invalid secret ID "${id}": use lowercase letters, digits and dashes only.`);
    }
    this.store.save({ ...this.store.load(), [id]: secret });
    this.trigger('change', id);
  }

  getSecret(id: string): string | null {
    const secrets = this.store.load();
    return Object.hasOwn(secrets, id) ? (secrets[id] ?? null) : null;
  }

  listSecrets(): string[] {
    return Object.keys(this.store.load());
  }
}
