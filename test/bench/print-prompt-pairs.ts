/** What `npm run prompt -- --pairs` does: measures the first request of each mode and tier against the bounds of the design. */
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import type { Tokenizer } from '../../src/core/ports/model';
import { modeIds, type Tier, tiers } from '../../src/core/settings/mode';
import { DiskAdapter } from './disk-adapter';
import { measurePair, type PromptPair } from './measure-pair';
import { closeApp, openApp } from './open-app';
import { openDocent, readSettings } from './open-docent';

export interface PromptPairs {
  readonly text: string;
  /** How many bounds do not hold. */
  readonly broken: number;
}

/** The largest window of each tier; of the last, one that many models have. */
export const windowOfTier: Readonly<Record<Tier, number>> = { 1: 4_096, 2: 8_192, 3: 16_384, 4: 32_768, 5: 200_000 };

const question = 'What did we decide about the keel bolts, and who has to do what next?';

/** @param folder real path of the vault's folder; nothing is written to it */
export async function printPromptPairs(folder: string, json: boolean): Promise<PromptPairs> {
  const pairs = await measurePromptPairs(folder);
  const broken = pairs.reduce((sum, pair) => sum + pair.broken.length, 0);
  return { text: json ? `${JSON.stringify({ pairs, broken }, null, 2)}\n` : asTable(pairs, broken), broken };
}

/** All modes, each in all tiers, with the settings of that vault. */
export async function measurePromptPairs(folder: string): Promise<PromptPair[]> {
  const app = await openApp(new DiskAdapter(folder));
  const encoder = new Tiktoken(o200k);
  const tokenizer: Tokenizer = { count: (text) => encoder.encode(text, [], []).length, exact: true };
  const pairs: PromptPair[] = [];
  try {
    const settings = await readSettings(app);
    for (const tier of tiers) {
      const docent = await openDocent(app, { settings, tokenizer, contextWindow: windowOfTier[tier] });
      for (const mode of modeIds) {
        const chat = await docent.startChat();
        await chat.choose({ mode, tier });
        const plan = await chat.preview(question, [], new AbortController().signal);
        if (!plan.ok) throw new Error(plan.failure.words);
        pairs.push(measurePair(mode, tier, plan.value));
      }
      docent.close();
    }
  } finally {
    await closeApp(app);
  }
  return pairs.sort((a, b) => modeIds.indexOf(a.mode) - modeIds.indexOf(b.mode) || a.tier - b.tier);
}

function asTable(pairs: readonly PromptPair[], broken: number): string {
  const heads = ['mode', 'tier', 'window', 'template', 'share', 'composition', 'listing', 'tools', 'first request'];
  const rows = pairs.map((pair) => [
    pair.mode,
    String(pair.tier),
    String(pair.window),
    `${pair.template} of ${pair.template_budget}`,
    `${Math.round(pair.template_share * 100)} %`,
    `${pair.composition} of ${pair.composition_budget}`,
    `${pair.listing} of ${pair.listing_budget}`,
    String(pair.tools),
    `${pair.total} of ${pair.room}`,
  ]);
  const widths = heads.map((head, column) => Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[], mark: readonly string[]): string =>
    `${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}${mark.map((words) => `  !! ${words}`).join('')}`.trimEnd();
  const verdict =
    broken === 0 ? 'All bounds hold.' : `${broken} ${broken === 1 ? 'bound does' : 'bounds do'} not hold.`;
  return [line(heads, []), ...rows.map((row, index) => line(row, pairs[index]?.broken ?? [])), '', verdict, ''].join(
    '\n',
  );
}
