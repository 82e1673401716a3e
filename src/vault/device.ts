/** Provides clock, timers, random names and content hashes from the platform. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { App } from 'obsidian';
import type { Clock, DeviceStorage, Digest, Identifiers } from '../core/ports/device';

export const clock: Clock = { now: () => Date.now() };

/** Time and randomness for retries and timeouts. */
export const timing = {
  now: () => clock.now(),
  random: () => Math.random(),
  after: (milliseconds: number, act: () => void): (() => void) => {
    const timer = window.setTimeout(act, milliseconds);
    return () => window.clearTimeout(timer);
  },
};

export const digest: Digest = (text) => digestOf(utf8ToBytes(text));

/** Returns the same digest for bytes. */
export function digestOf(bytes: Uint8Array): string {
  return bytesToHex(sha256(bytes));
}

/** Returns 80 random bits in base 36. */
export const identifiers: Identifiers = {
  next: () => {
    const words = window.crypto.getRandomValues(new Uint32Array(3));
    return Array.from(words, (word) => word.toString(36).padStart(7, '0'))
      .join('')
      .slice(0, 16);
  },
};

const writerKey = 'writer';

/** Returns the name under which this device writes to logs, created once and stored on the device (S1). */
export function writerOf(device: DeviceStorage): string {
  const known = device.get(writerKey);
  if (known !== null) return known;
  const writer = identifiers.next();
  device.set(writerKey, writer);
  return writer;
}

const prefix = 'docent-';

/** Implements DeviceStorage with Obsidian's local storage, which is per vault and never synced. */
export function deviceStorageOf(app: Pick<App, 'loadLocalStorage' | 'saveLocalStorage'>): DeviceStorage {
  return {
    get: (key) => {
      const value: unknown = app.loadLocalStorage(prefix + key);
      return typeof value === 'string' ? value : null;
    },
    set: (key, value) => app.saveLocalStorage(prefix + key, value),
  };
}
