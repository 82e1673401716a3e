import { defaultSettings, type Settings } from '../../../src/core/settings/settings';
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
  const ports = { transport, timing: instantTiming(), key: () => key } as unknown as ModelPorts;
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
    expect(problemOf(access('anthropic/claude-opus-5', null))).toContain('No key is stored for Anthropic');
    expect(problemOf(access('anthropic/claude-opus-5', 'two words'))).toContain('characters that a key cannot have');
    expect(problemOf(access('openai-compatible/x', null))).toContain('No address is set');
    expect(problemOf(access('nobody/x', null))).toContain('belongs to no provider');
  });

  it('R259 needs no key where the provider needs none, nor anything for the built-in reader', () => {
    expect(access('ollama/small', null)).toMatchObject({ ok: true, value: { provider: 'Ollama', hasKey: false } });
    const own = { 'openai-compatible': { baseUrl: 'http://10.0.0.1:8000/v1', keyName: '', models: [] } };
    expect(access('openai-compatible/x', null, own)).toMatchObject({ value: { address: 'http://10.0.0.1:8000' } });
    expect(access('reader/built-in', null)).toMatchObject({ ok: true, value: { provider: null } });
  });
});
