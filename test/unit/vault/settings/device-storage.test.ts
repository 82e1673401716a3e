/** The storage of the device, which other plugins can fill: nothing throws, and what does not fit is held and said. */
import { deviceStorageOf } from '../../../../src/vault/device';

/** Obsidian's storage with room for a number of characters. */
function storage(room: number) {
  const values = new Map<string, unknown>();
  const app = {
    loadLocalStorage: (key: string): unknown => values.get(key) ?? null,
    saveLocalStorage: (key: string, value: unknown): void => {
      const others = [...values]
        .filter(([other]) => other !== key)
        .reduce((sum, [, each]) => sum + String(each).length, 0);
      if (value !== null && others + String(value).length > app.room) throw new Error('QuotaExceededError');
      if (value === null) values.delete(key);
      else values.set(key, value);
    },
    room,
  };
  const refused: string[] = [];
  return { app, values, refused, device: deviceStorageOf(app, (problem) => void refused.push(problem)) };
}

describe('the storage of the device', () => {
  it('holds what does not fit until the app is closed, and says so once', () => {
    const { app, values, refused, device } = storage(10);
    expect(device.set('a', '12345678')).toBe(true);
    expect(device.set('b', '12345678')).toBe(false);
    expect(device.set('c', '12345678')).toBe(false);
    expect([device.get('a'), device.get('b'), device.get('c')]).toEqual(['12345678', '12345678', '12345678']);
    expect(refused).toEqual(['QuotaExceededError']);
    expect([...values.keys()]).toEqual(['docent-a']);
    expect(deviceStorageOf(app).get('b')).toBeNull();
  });

  it('prefers what was held to what is stored, until it fits or is removed', () => {
    const { app, device } = storage(10);
    device.set('a', 'short');
    device.set('a', 'longer than it is');
    expect(device.get('a')).toBe('longer than it is');
    device.set('a', null);
    expect([device.get('a'), app.loadLocalStorage('docent-a')]).toEqual([null, null]);
    device.set('b', 'longer than it is');
    app.room = 100;
    expect(device.set('b', 'longer than it is')).toBe(true);
    expect(deviceStorageOf(app).get('b')).toBe('longer than it is');
  });

  it('gives nothing where the storage cannot be read', () => {
    const broken = (): never => {
      throw new Error('SecurityError');
    };
    const device = deviceStorageOf({ loadLocalStorage: broken, saveLocalStorage: broken });
    expect(device.get('a')).toBeNull();
    expect(device.set('a', null)).toBe(false);
    expect(device.get('a')).toBeNull();
  });
});
