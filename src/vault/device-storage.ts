/** DeviceStorage over the app's local storage, which is kept per vault and never synced. */
import type { App } from 'obsidian';
import type { DeviceStorage } from '../core/ports/device';

const prefix = 'docent-';

export function deviceStorageOf(app: Pick<App, 'loadLocalStorage' | 'saveLocalStorage'>): DeviceStorage {
  return {
    get: (key) => {
      const value: unknown = app.loadLocalStorage(prefix + key);
      return typeof value === 'string' ? value : null;
    },
    set: (key, value) => app.saveLocalStorage(prefix + key, value),
  };
}
