import type { App } from 'obsidian';
import { defaultSettings } from '../../../src/core/settings/settings';
import { words } from '../../../src/text';
import { ApiKeys } from '../../../src/vault/api-keys';

function open(secrets: Record<string, string> = { 'my-key': 'sk-secret-1234' }) {
  const secretStorage = {
    getSecret: (name: string) => secrets[name] ?? null,
    setSecret: (name: string, secret: string) => void (secrets[name] = secret),
    listSecrets: () => Object.keys(secrets),
  };
  return new ApiKeys({ secretStorage } as unknown as App);
}

describe('keys', () => {
  it('are null without a name or a secret', () => {
    expect(open().read('')).toBeNull();
    expect(open({}).read('my-key')).toBeNull();
    expect(open({ 'my-key': '' }).read('my-key')).toBeNull();
  });

  it('are stored under their name, and one that cannot be stored is a failure that does not quote it', () => {
    const keys = open();
    expect(keys.store('my-key', 'sk-fresh')).toEqual({ ok: true, value: undefined });
    expect(keys.read('my-key')).toBe('sk-fresh');
    const setSecret = (_: string, key: string): void => {
      throw new Error(`No keyring for ${key}.`);
    };
    const { keyNotStored, keyNotStoredRemedy } = words.models;
    expect(new ApiKeys({ secretStorage: { setSecret } } as unknown as App).store('my-key', 'sk-fresh')).toEqual({
      ok: false,
      failure: { kind: 'storage', words: keyNotStored, remedy: keyNotStoredRemedy },
    });
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

  it('H10 under names of Docent’s own are known to the redactor when no settings name them', () => {
    const secrets = { 'docent-mistral-key': ' Zq81LmT7vYw2KcP4 ', 'of-another-plugin': 'x1', 'docent-groq-key': '' };
    expect(open(secrets).valuesOf(defaultSettings)).toEqual(['Zq81LmT7vYw2KcP4']);
  });

  it('H10 of sign-ins are known to the redactor, also when their record cannot be read', () => {
    const keys = open();
    keys.write(
      'docent-sign-in-a',
      JSON.stringify({ url: 'https://a.example', secrets: { access: 'a1', refresh: 'r1' } }),
    );
    keys.write('docent-sign-in-b', '{"cut off: t2');
    keys.write('docent-sign-in-c', '');
    keys.write('of-another-plugin', 'x1');
    expect(keys.valuesOf(defaultSettings)).toEqual(['a1', 'r1', '{"cut off: t2']);
  });
});
