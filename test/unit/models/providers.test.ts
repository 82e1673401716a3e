/** @jest-environment node */
import { findProvider, providers } from '../../../src/models/providers';
import { findKnownModel } from '../../../src/models/providers/provider';
import { words } from '../../../src/text';
import { modelAt, rowOf } from './harness';
import { promised } from './strict-servers';

it('has the rows that are promised, each with an id of its own', () => {
  expect(providers.map(({ id }) => id)).toEqual(promised.map(({ id }) => id));
  expect(findProvider('nobody')).toBeUndefined();
});

it.each(promised)('R105 knows what a model of $id can hold', ({ id, model, window }) => {
  const row = findProvider(id);
  if (row === undefined) throw new Error(`There is no provider ${id}.`);
  const { contextWindow } = findKnownModel(row, model) ?? row.unlisted;
  expect(contextWindow).toBe(window);
});

it('has a label, a key, and a page for keys for each provider', () => {
  const hosted = providers.filter(({ local }) => !local);
  expect(hosted.map(({ id }) => id)).toEqual(
    promised.map(({ id }) => id).filter((id) => !['ollama', 'lmstudio', 'openai-compatible'].includes(id)),
  );
  for (const list of [
    providers.map(({ labelKey }) => words.models.labels[labelKey]),
    providers.map(({ baseUrl }) => baseUrl),
    hosted.map(({ keyName }) => keyName),
    hosted.map(({ keyPage }) => keyPage),
  ]) {
    expect(new Set(list).size).toBe(list.length);
  }
  for (const { keyNeeded, keyPage, baseUrl } of hosted) {
    expect(keyNeeded).toBe(true);
    expect([keyPage, baseUrl]).toEqual([expect.stringMatching(/^https:/), expect.stringMatching(/^https:/)]);
  }
  const servers = providers.filter(({ local }) => local);
  expect(servers.map(({ keyNeeded, keyPage }) => [keyNeeded, keyPage])).toEqual(servers.map(() => [false, undefined]));
  // The address of any other server is the user's to give.
  expect(servers.map(({ baseUrl }) => baseUrl.replace(/:\d+.*/, ''))).toEqual([
    ...['http://localhost', 'http://localhost', ''],
  ]);
});

it.each(providers)('$id can be shown, reached and keyed', (row) => {
  expect(words.models.labels[row.labelKey]).toMatch(/\S/);
  expect(words.models.crossOriginHelp[row.crossOriginHelp]).toMatch(/\S/);
  expect(row.table.models.filter(({ name }) => !/^\S+$/.test(name))).toEqual([]);
  expect(row.table.source).toMatch(/\S/);
  if (row.baseUrl !== '') expect(row.baseUrl).toMatch(/^https?:\/\/[^/]+(\/\S*[^/])?$/);
  if (row.keyNeeded) expect(row.keyName).not.toBe('');
  // What the app accepts as the name of a secret.
  expect(row.keyName).toMatch(/^[a-z0-9-]*$/);
  expect(row.table.date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  for (const model of [...row.table.models, row.unlisted]) {
    expect(model.contextWindow).toBeGreaterThanOrEqual(4_096);
    expect(model.outputLimit).toBeLessThanOrEqual(model.contextWindow);
    const { prices } = model;
    if (prices === undefined) continue;
    for (const rates of [prices, ...(prices.long === undefined ? [] : [prices.long])]) {
      expect(rates.input).toBeGreaterThan(0);
      expect(rates.output).toBeGreaterThanOrEqual(rates.input);
      expect(rates.cacheRead ?? 0).toBeLessThan(rates.input);
      expect(rates.cacheWrite ?? rates.input).toBeGreaterThanOrEqual(rates.input);
    }
  }
  // A provider that charges has prices for all its models: without them, no cost of a chat could be shown.
  const priced = row.table.models.filter(({ prices }) => prices !== undefined);
  expect(priced).toHaveLength(row.local ? 0 : row.table.models.length);
});

it('knows dated names of a model, and no other model that begins alike', () => {
  const openai = rowOf('openai');
  expect(findKnownModel(openai, 'gpt-5.4-2026-03-05')?.name).toBe('gpt-5.4');
  expect(findKnownModel(openai, 'gpt-5.4-mini-2026-03-17')?.name).toBe('gpt-5.4-mini');
  expect(findKnownModel(openai, 'gpt-5.4-pro')).toBeUndefined();
  expect(findKnownModel(rowOf('anthropic'), 'claude-sonnet-4-5-20250929')?.contextWindow).toBe(200_000);
});

it('R016 knows models that need less guidance by their family, at any provider but a local server', () => {
  const isModernAt = (id: string, modelName: string): boolean =>
    modelAt('', rowOf(id), { modelName }).description.modern === true;
  for (const [id, name] of [
    ['anthropic', 'claude-haiku-4-5-20251001'],
    ['openai', 'gpt-5.4-mini'],
    ['gemini', 'gemini-3.1-pro-preview'],
    ['mistral', 'mistral-large-4'],
    ['xai', 'grok-4.7'],
    ['openrouter', 'anthropic/claude-opus-5'],
    ['openrouter', 'openai/o3'],
  ] as const) {
    expect([id, name, isModernAt(id, name)]).toEqual([id, name, true]);
  }
  for (const [id, name] of [
    ['openai', 'gpt-4.1'],
    ['openai', 'gpt-4o'],
    ['anthropic', 'claude-3-5-sonnet'],
    ['groq', 'openai/gpt-oss-120b'],
    ['groq', 'qwen/qwen3.8-27b'],
    ['openai-compatible', 'llama-3.1-8b-instruct'],
    ['openrouter', 'someone/demo3'],
    ['openai-compatible', 'gpt-5.5'],
    ['ollama', 'claude-sonnet-5-5'],
    ['lmstudio', 'gpt-5'],
  ] as const) {
    expect([id, name, isModernAt(id, name)]).toEqual([id, name, false]);
  }
  // The window says nothing about it.
  const [wide, narrow] = [{ contextWindow: 1_000_000 }, { contextWindow: 8_192 }];
  expect(modelAt('', rowOf('openai-compatible'), { modelName: 'unknown', ...wide }).description.modern).toBeUndefined();
  expect(modelAt('', rowOf('openai'), { modelName: 'gpt-5.4', ...narrow }).description.modern).toBe(true);
});

it('R025 knows the families that get a template of their own by the model’s name', () => {
  const families = [
    ['ollama', 'llama3.1:8b', 'small'],
    ['lmstudio', 'qwen3-4b-instruct', 'small'],
    ['openai-compatible', 'Phi-3.5-3.8B', 'small'],
    ['ollama', 'deepseek-r1:7b', 'small'],
    ['ollama', 'deepseek-r1:70b', 'reasoning'],
    ['openai', 'o3', 'reasoning'],
    ['groq', 'openai/gpt-oss-120b', 'reasoning'],
    ['deepseek', 'deepseek-reasoner', 'reasoning'],
    ['anthropic', 'claude-sonnet-5-5', 'frontier'],
    ['openrouter', 'google/gemini-3.1-pro-preview', 'frontier'],
    ['ollama', 'llama3.3:70b', undefined],
    ['openai', 'gpt-4o', undefined],
    ['openai-compatible', 'scripted', undefined],
  ] as const;
  for (const [id, modelName, family] of families) {
    expect([modelName, modelAt('', rowOf(id), { modelName }).description.family]).toEqual([modelName, family]);
  }
});

it('describes a model by the table, by the row, or by the window that the user set', () => {
  expect(modelAt('', rowOf('anthropic'), { modelName: 'claude-sonnet-5-5' }).description).toEqual({
    id: 'anthropic/claude-sonnet-5-5',
    label: 'claude-sonnet-5-5',
    contextWindow: 1_000_000,
    outputLimit: 128_000,
    nativeTools: true,
    cachesPrompts: true,
    modern: true,
    family: 'frontier',
    takesImages: true,
    cacheMinimum: 4_096,
    prices: {
      input: 2,
      output: 10,
      cacheRead: 0.1,
      cacheWrite: 2.5,
      date: '2026-11-20',
      source: 'platform.claude.com',
    },
  });
  expect(modelAt('', rowOf('ollama')).description).toMatchObject({ contextWindow: 8_192, outputLimit: 4_096 });
  const small = modelAt('', rowOf('anthropic'), { modelName: 'claude-sonnet-5-5', contextWindow: 20_000 });
  expect(small.description).toMatchObject({ contextWindow: 20_000, outputLimit: 10_000 });
});
