import type { App } from 'obsidian';
import { defaultSettings } from '../../../src/core/settings/settings';
import { ApiKeys } from '../../../src/vault/api-keys';
import { memoryDevice } from '../../support/memory-ports';

const own = 'https://api.example.com';

function open(secrets: Record<string, string> = { 'my-key': 'sk-secret-1234' }) {
  const app = { secretStorage: { getSecret: (name: string) => secrets[name] ?? null } } as unknown as App;
  return new ApiKeys(app, memoryDevice());
}

describe('a key that was bound', () => {
  it('goes to its origin, whatever the path, and to no other', () => {
    const keys = open();
    keys.bind('my-key', 'https://proxy.example.org/v1/chat');
    expect(keys.read('my-key', 'https://proxy.example.org', own)).toBe('sk-secret-1234');
    for (const origin of [own, 'http://proxy.example.org', 'https://proxy.example.org:8443', 'http://localhost:1234']) {
      expect(keys.read('my-key', origin, own)).toBeNull();
    }
  });

  it('stays where it was bound when an address cannot be read', () => {
    const keys = open();
    keys.bind('my-key', 'https://proxy.example.org');
    keys.bind('my-key', 'no address');
    expect(keys.read('my-key', 'https://proxy.example.org', own)).toBe('sk-secret-1234');
  });
});

describe('a key that was never bound on this device', () => {
  it.each([own, 'http://localhost:11434', 'http://127.0.0.1:1234', 'http://[::1]:80'])('goes to %s', (origin) => {
    expect(open().read('my-key', origin, own)).toBe('sk-secret-1234');
  });

  it.each(['https://evil.example', 'http://localhost.evil.example', 'http://127.0.0.1.evil.example', ''])(
    'does not go to %j, as after a sync of changed settings',
    (origin) => {
      expect(open().read('my-key', origin, own)).toBeNull();
    },
  );
});

describe('keys', () => {
  it('are null without a name or a secret', () => {
    expect(open().read('', own, own)).toBeNull();
    expect(open({}).read('my-key', own, own)).toBeNull();
    expect(open({ 'my-key': '' }).read('my-key', own, own)).toBeNull();
  });

  it('H10 are all known to the redactor', () => {
    const provider = { baseUrl: '', models: [] };
    const settings = {
      ...defaultSettings,
      providers: {
        a: { ...provider, keyName: 'my-key' },
        b: { ...provider, keyName: '' },
        c: { ...provider, keyName: 'none' },
      },
    };
    expect(open().valuesOf(settings)).toEqual(['sk-secret-1234']);
  });

  it('H10 of servers are known to the redactor as well, each once', () => {
    const server = { url: 'https://calendar.example', isOn: true };
    const settings = {
      ...defaultSettings,
      providers: { a: { baseUrl: '', models: [], keyName: 'my-key' } },
      mcpServers: [
        { ...server, name: 'calendar', keyName: 'calendar-key' },
        { ...server, name: 'diary', keyName: 'my-key' },
        { ...server, name: 'off', keyName: 'off-key', isOn: false },
        { ...server, name: 'open', keyName: '' },
      ],
    };
    const secrets = { 'my-key': 'sk-secret-1234', 'calendar-key': 'cal-5678', 'off-key': 'off-90' };
    expect([...open(secrets).valuesOf(settings)].sort()).toEqual(['cal-5678', 'off-90', 'sk-secret-1234']);
  });
});
