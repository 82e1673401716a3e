/** A key that the user enters: what is stored of it, and what is asked with it. */
import { Gate } from '../../../src/core/gate/gate';
import { fail, type Outcome, succeed } from '../../../src/core/ports/failure';
import { defaultSettings, type Settings } from '../../../src/core/settings/settings';
import { openModels } from '../../../src/models/open';
import { words } from '../../../src/text';
import { memoryDevice } from '../../support/memory-ports';
import { instantTiming } from './harness';

const failure = { kind: 'storage', words: 'No keyring.', remedy: 'Unlock it.' } as const;
const refused = fail(failure);

function open(changes: Partial<Settings> = {}, stores: Outcome<void> | null = succeed(undefined)) {
  const secrets = new Map<string, string>();
  const asked: { readonly url: string; readonly headers: Headers }[] = [];
  const device = memoryDevice();
  const file = {
    settings: { ...defaultSettings, ...changes },
    change: (part: Partial<Settings>) => {
      file.settings = { ...file.settings, ...part };
      return Promise.resolve();
    },
  };
  const models = openModels(file, {
    transport: {
      memory: device,
      fetch: (url, init) => {
        asked.push({ url, headers: new Headers(init.headers) });
        const body = { data: [{ id: 'claude-new', type: 'model', display_name: 'New' }], has_more: false };
        return Promise.resolve(new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } }));
      },
    },
    timing: instantTiming(),
    gate: new Gate({ device, secret: (name) => secrets.get(name) ?? null }),
    ...(stores && {
      storeKey: (name: string, key: string) => {
        if (stores.ok) secrets.set(name, key);
        return stores;
      },
    }),
  });
  return { models, secrets, asked, file };
}

const label = words.models.labels.anthropic;

it('is stored without the spaces around it, and asks for the models of its provider', async () => {
  const { models, secrets, asked, file } = open({ providers: { ollama: { baseUrl: '', models: [], keyName: '' } } });
  const found = await models.connect('anthropic', '  sk-ant-good \n');
  expect(found).toMatchObject({ provider: 'anthropic', label, models: [{ name: 'claude-new' }] });
  expect(found.failure).toBeUndefined();
  expect([...secrets]).toEqual([['docent-anthropic-key', 'sk-ant-good']]);
  expect(file.settings.providers).toEqual({
    ollama: { baseUrl: '', models: [], keyName: '' },
    anthropic: { baseUrl: '', models: [], keyName: 'docent-anthropic-key' },
  });
  expect(asked.map(({ headers }) => headers.get('x-api-key'))).toEqual(['sk-ant-good']);
});

it('is neither stored nor sent if it has characters that no key has', async () => {
  const { models, secrets, asked, file } = open();
  const found = await models.connect('anthropic', 'two words');
  expect(found).toEqual({
    ...{ provider: 'anthropic', label, models: [] },
    failure: { kind: 'invalid-input', words: words.models.keyUnusable(label), remedy: words.models.keyUnusableRemedy },
  });
  expect([secrets.size, asked, file.settings.providers]).toEqual([0, [], {}]);
});

it('is used for nothing if the device cannot store it', async () => {
  const { models, asked, file } = open({}, refused);
  expect(await models.saveKey('anthropic', 'sk-ant-good')).toEqual(refused);
  expect(await models.connect('anthropic', 'sk-ant-good')).toMatchObject({ models: [], failure });
  expect([asked, file.settings.providers]).toEqual([[], {}]);
});

it('has a name of its own for a provider that needs none, and goes to the address of that provider', async () => {
  const own = { baseUrl: 'http://127.0.0.1:11434', models: ['small'], keyName: '' };
  const { models, secrets, file } = open({ providers: { ollama: own } });
  expect(await models.saveKey('ollama', 'sk-local')).toEqual({ ok: true, value: undefined });
  expect([...secrets]).toEqual([['docent-ollama-key', 'sk-local']]);
  expect(file.settings.providers).toEqual({ ollama: { ...own, keyName: 'docent-ollama-key' } });
  expect(models.access('ollama/small')).toMatchObject({ ok: true, value: { hasKey: true } });
});

it('is named in the settings where keys are not stored here', async () => {
  const { models, file } = open({}, null);
  expect((await models.saveKey('anthropic', 'sk-ant-good')).ok).toBe(true);
  expect(file.settings.providers).toMatchObject({ anthropic: { keyName: 'docent-anthropic-key' } });
});
