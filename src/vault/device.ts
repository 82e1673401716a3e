/** Provides clock, timers and random names from the platform. */
import type { App } from 'obsidian';
import type { Clock, DeviceStorage, Identifiers } from '../core/ports/device';
import { messageOf } from '../core/ports/failure';

export const clock: Clock = { now: () => Date.now() };

/** Returns the day of a time where the user is, as year-month-day. */
export function dayOf(time: number): string {
  const date = new Date(time);
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}

/** Time and randomness for retries and timeouts. */
export const timing = {
  now: () => clock.now(),
  random: () => Math.random(),
  after: (milliseconds: number, act: () => void): (() => void) => {
    const timer = window.setTimeout(act, milliseconds);
    return () => window.clearTimeout(timer);
  },
  /** Calls `act` when the app is idle, or after a second at the latest. */
  whenIdle: (act: () => void): (() => void) => {
    // Not in the web view of iOS.
    if (typeof window.requestIdleCallback !== 'function') return timing.after(idleDelay, act);
    const request = window.requestIdleCallback(act, { timeout: 1_000 });
    return () => window.cancelIdleCallback(request);
  },
};

/** How often the app went to the background. */
let absences = 0;

/**
 * Follows whether the app goes to the background.
 * @param listen calls what it gets when the window is shown or hidden, until the plugin is unloaded
 */
export function followAway(listen: (look: () => void) => void): void {
  listen(() => {
    if (activeDocument.hidden) absences += 1;
  });
}

/** Begins to watch; what it returns says whether the app has been in the background since. */
export function watchAway(): () => boolean {
  const [before, isAway] = [absences, activeDocument.hidden];
  return () => isAway || absences > before;
}

/** Milliseconds between two pieces of work where nobody says when the app is idle. */
const idleDelay = 50;

/** Returns 80 random bits in base 36. */
export const identifiers: Identifiers = {
  next: () => {
    const words = window.crypto.getRandomValues(new Uint32Array(3));
    return Array.from(words, (word) => word.toString(36).padStart(7, '0'))
      .join('')
      .slice(0, 16);
  },
};

/** Returns 43 characters of base64url, from 32 random bytes. */
export function randomText(): string {
  const bytes = window.crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '');
}

/** Runs work while no other window of Obsidian runs any of this name. */
export function runExclusively<Value>(name: string, run: () => Promise<Value>): Promise<Value> {
  // Missing in older web views, which have one window.
  const { locks } = window.navigator as { readonly locks?: LockManager };
  if (locks === undefined) return run();
  return locks.request(name, run);
}

const writerKey = 'writer';

/** Returns the name under which this device writes to logs, created once and stored on the device (S1). */
export function writerOf(device: DeviceStorage): string {
  const known = device.get(writerKey);
  if (known !== null) return known;
  const writer = identifiers.next();
  device.set(writerKey, writer);
  return writer;
}

/** Returns that name, and whether the device has just got it. */
export function ownerOf(device: DeviceStorage): { readonly writer: string; readonly isNew: boolean } {
  const isNew = device.get(writerKey) === null;
  return { writer: writerOf(device), isNew };
}

const prefix = 'docent-';

/** The storage of the device, which says whether a value will outlast the app. */
export interface DeviceStore extends DeviceStorage {
  /** Returns false if the value only holds until the app is closed. */
  set(key: string, value: string | null): boolean;
}

/**
 * Implements DeviceStorage with Obsidian's local storage, which is per vault and never synced. All of Obsidian shares
 * one storage of a few megabytes, so it can be full at any time: a value that does not fit is held in memory.
 * @param refused called the first time that a value does not fit
 */
export function deviceStorageOf(
  app: Pick<App, 'loadLocalStorage' | 'saveLocalStorage'>,
  refused: (problem: string) => void = () => undefined,
): DeviceStore {
  /** The values that did not fit; null for one that could not be removed. */
  const held = new Map<string, string | null>();
  let isReported = false;
  return {
    get: (key) => {
      const unsaved = held.get(key);
      if (unsaved !== undefined) return unsaved;
      try {
        const value: unknown = app.loadLocalStorage(prefix + key);
        return typeof value === 'string' ? value : null;
      } catch {
        return null;
      }
    },
    set: (key, value) => {
      try {
        app.saveLocalStorage(prefix + key, value);
        held.delete(key);
        return true;
      } catch (thrown) {
        held.set(key, value);
        if (!isReported) refused(messageOf(thrown));
        isReported = true;
        return false;
      }
    },
  };
}
