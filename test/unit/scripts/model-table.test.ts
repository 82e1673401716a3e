/** @jest-environment node */
import { compareRow, readCatalogue } from '../../../scripts/model-table.mjs';

const known = {
  name: 'oak-1',
  contextWindow: 1_000,
  outputLimit: 100,
  prices: { input: 2, output: 10, cacheRead: 0.2 },
};
const row = { id: 'gemini', table: { models: [known] } };
const modelsDev = (cost: object) => ({
  google: { models: { 'oak-1': { cost, limit: { context: 1_000, output: 100 } }, 'oak-2': { limit: { context: 9 } } } },
});

it('reads both catalogues alike', () => {
  const liteLlm = {
    'gemini/oak-1': {
      litellm_provider: 'gemini',
      mode: 'chat',
      max_input_tokens: 1_000,
      max_output_tokens: 100,
      input_cost_per_token: 0.000002,
      output_cost_per_token: 0.00001,
    },
    'gemini/vectors': { litellm_provider: 'gemini', mode: 'embedding', max_input_tokens: 9, input_cost_per_token: 1 },
  };
  const facts = { contextWindow: 1_000, outputLimit: 100, prices: { input: 2, output: 10 } };
  expect(readCatalogue(liteLlm)).toEqual({ gemini: { 'oak-1': facts } });
  expect(readCatalogue(modelsDev({ input: 2, output: 10 }))).toEqual({ google: { 'oak-1': facts } });
  expect(() => readCatalogue({ page: {} })).toThrow('no models');
});

it('finds what differs, keeps what the catalogue does not say, and names what is missing on request', () => {
  const at = (cost: object, missing = false, table: readonly object[] = [known]) =>
    compareRow({ ...row, table: { models: table } }, readCatalogue(modelsDev(cost)), missing);
  expect(at({ input: 2, output: 10 })).toEqual([]);
  expect(at({ input: 3, output: 10 })).toMatchObject([
    { provider: 'gemini', name: 'oak-1', entry: { prices: { input: 3, output: 10, cacheRead: 0.2 } } },
  ]);
  expect(at({ input: 3, output: 10 }, false, [])).toEqual([]);
  expect(at({ input: 3, output: 10 }, true, [])).toMatchObject([{ name: 'oak-1', before: null }]);
});
