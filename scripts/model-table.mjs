// npm run measure -- models --catalogue FILE: compares the table of models with a catalogue that the maintainer has
// saved, api.json of models.dev or model_prices_and_context_window.json of LiteLLM (both MIT; only facts are read), and
// prints an entry for each model whose facts differ, or with --missing also for those that the table lacks.
import { readFile } from 'node:fs/promises';
import { importBundled } from './build/bundle-node.mjs';
import { UserError } from './run-script.mjs';

/** The names of the rows in each catalogue, where they differ from their ids. */
const names = { gemini: ['google', 'gemini'] };
const million = 1e6;

export async function compareModels(file, { missing }) {
  const catalogue = readCatalogue(JSON.parse(await readFile(file, 'utf8')));
  const { providers } = await importBundled('src/models/providers/index.ts');
  return providers.flatMap((row) =>
    row.local || row.table.models.length === 0 ? [] : compareRow(row, catalogue, missing),
  );
}

/** Returns the differences of one provider, each with the entry that would end it. */
export function compareRow({ id, table }, catalogue, missing) {
  const listed = Object.assign({}, ...(names[id] ?? [id]).map((name) => catalogue[name] ?? {}));
  const own = new Map(table.models.map((model) => [model.name, model]));
  return Object.entries(listed).flatMap(([name, found]) => {
    const known = own.get(name);
    if (known === undefined) return missing ? [{ provider: id, name, before: null, entry: { name, ...found } }] : [];
    const entry = { ...known, ...found, prices: { ...known.prices, ...found.prices } };
    return isSame(known, entry) ? [] : [{ provider: id, name, before: known, entry }];
  });
}

const isSame = (one, other) => Object.entries(other).every(([key, value]) => sameValue(one[key], value));

function sameValue(one, other) {
  if (typeof other === 'object' && other !== null) return isSame(one ?? {}, other);
  return typeof other === 'number' ? Math.abs((one ?? Number.NaN) - other) < 1e-9 : one === other;
}

/** Returns the models of both catalogues in one form, by provider and name; one that names no price is left out. */
export function readCatalogue(value) {
  const catalogue = {};
  const add = (provider, name, facts) => void ((catalogue[provider] ??= {})[name] = facts);
  for (const [key, entry] of Object.entries(value)) {
    if (entry.models !== undefined) {
      for (const [name, { cost, limit }] of Object.entries(entry.models))
        if (cost?.input > 0 && limit?.context > 0)
          add(
            key,
            name,
            factsOf([limit.context, limit.output], [cost.input, cost.output, cost.cache_read, cost.cache_write]),
          );
    } else if (entry.mode === 'chat' || entry.mode === 'responses') {
      const { input_cost_per_token: input, max_input_tokens: window } = entry;
      if (!(input > 0 && window > 0)) continue;
      const perToken = [
        input,
        entry.output_cost_per_token,
        entry.cache_read_input_token_cost,
        entry.cache_creation_input_token_cost,
      ];
      const rates = perToken.map((rate) => (rate > 0 ? Math.round(rate * million * 1e6) / 1e6 : undefined));
      const provider = entry.litellm_provider;
      // LiteLLM names the largest input of OpenAI, which is less than the window, as the window.
      const limits = provider === 'openai' ? [undefined, entry.max_output_tokens] : [window, entry.max_output_tokens];
      add(provider, key.replace(`${provider}/`, ''), factsOf(limits, rates));
    }
  }
  if (Object.keys(catalogue).length === 0)
    throw new UserError('The catalogue has no models: give api.json of models.dev or the price list of LiteLLM.');
  return catalogue;
}

function factsOf([contextWindow, outputLimit], [input, output, cacheRead, cacheWrite]) {
  return withoutGaps({ contextWindow, outputLimit, prices: withoutGaps({ input, output, cacheRead, cacheWrite }) });
}

const withoutGaps = (facts) => Object.fromEntries(Object.entries(facts).filter(([, value]) => value != null));
