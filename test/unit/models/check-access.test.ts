import { defaultSettings, type Settings } from '../../../src/core/settings/settings';
import { Gate } from '../../../src/core/gate/gate';
import { checkAccess, type ModelPorts } from '../../../src/models/open';
import { memoryDevice } from '../../support/memory-ports';
import { instantTiming, testKey } from './harness';

let requests = 0;
const counted = (): Promise<never> => {
  requests += 1;
  return Promise.reject(new Error('Nothing may be asked.'));
};

function access(model: string, key: string | null, providers: Settings['providers'] = {}) {
  const transport = { fetch: counted, requestUrl: counted, memory: memoryDevice() };
  const ports = {
    transport,
    timing: instantTiming(),
    gate: new Gate({ device: transport.memory, secret: () => key }),
  } satisfies ModelPorts;
  return checkAccess(model, { ...defaultSettings, model, providers }, ports);
}

const problemOf = (outcome: ReturnType<typeof access>): string => (outcome.ok ? '' : outcome.failure.words);

describe('how a model is reached', () => {
  afterEach(() => expect(requests).toBe(0));

  it('R259 is told without a word of the key', () => {
    const outcome = access('anthropic/claude-opus-5', testKey);
    expect(outcome).toEqual({
      ok: true,
      value: { provider: 'Anthropic', address: 'https://api.anthropic.com', hasKey: true },
    });
    expect(JSON.stringify(outcome)).not.toContain(testKey);
  });

  it('R259 names what is missing: key, address, provider', () => {
    expect(problemOf(access('anthropic/claude-opus-5', null))).toContain('No API key is stored for Anthropic');
    expect(problemOf(access('anthropic/claude-opus-5', 'two words'))).toContain(
      'other characters that a key can’t have',
    );
    expect(problemOf(access('openai-compatible/x', null))).toContain('No address is set');
    expect(problemOf(access('nobody/x', null))).toContain('has no provider');
  });

  it('R259 needs no key where the provider needs none, nor anything for the built-in reader', () => {
    expect(access('ollama/small', null)).toMatchObject({ ok: true, value: { provider: 'Ollama', hasKey: false } });
    const own = { lmstudio: { baseUrl: 'http://127.0.0.1:1234/v1', keyName: '', models: [] } };
    expect(access('lmstudio/x', null, own)).toMatchObject({ value: { address: 'http://127.0.0.1:1234' } });
    expect(access('reader/built-in', null)).toMatchObject({ ok: true, value: { provider: null } });
  });

  it.each([
    ['https://proxy.example/v1', 'refused', 'https://proxy.example'],
    ['http://localhost:6666/v1', 'refused', 'http://localhost:6666'],
    ['https://10.0.0.1/v1', 'refused', 'private network'],
    ['http://10.0.0.1:8000/v1', 'configuration', '10.0.0.1:8000'],
    ['http://proxy.example/v1', 'configuration', 'proxy.example'],
    ['https://me:word@proxy.example/v1', 'configuration', 'password'],
  ])('F34 waits for the user where a sync set the address %s', (baseUrl, kind, said) => {
    const outcome = access('openai-compatible/x', null, { 'openai-compatible': { baseUrl, keyName: '', models: [] } });
    expect(outcome).toMatchObject({ ok: false, failure: { kind } });
    expect(problemOf(outcome)).toContain(said);
    expect(problemOf(outcome)).not.toContain('word@');
  });
});
