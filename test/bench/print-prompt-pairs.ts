/**
 * What `npm run prompt -- --pairs` does: measures the first request of each mode and tier, and whole turns, against the
 * bounds of the design.
 */
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import type { App } from 'obsidian';
import { lazy } from '../../src/core/base/lazy';
import type { Tokenizer } from '../../src/core/ports/model';
import { modeIds, type Tier, tiers } from '../../src/core/settings/mode';
import type { Settings } from '../../src/core/settings/settings';
import { DiskAdapter } from './disk-adapter';
import { toolNames } from '../../src/core/markup/variables';
import { measurePair, type PromptPair } from './measure-pair';
import { closeApp, openApp } from './open-app';
import { openDocent, readSettings } from './open-docent';
import { measureTurns, type TurnFigures } from './turns/measure-turns';

export interface PromptPairs {
  readonly text: string;
  /** How many bounds do not hold. */
  readonly broken: number;
}

interface Measured {
  readonly pairs: readonly PromptPair[];
  readonly turns: readonly TurnFigures[];
}

/** The largest window of each tier; of the last, one that many models have. */
export const windowOfTier: Readonly<Record<Tier, number>> = { 1: 4_096, 2: 8_192, 3: 16_384, 4: 32_768, 5: 200_000 };

const question = 'What did we decide about the keel bolts, and who has to do what next?';

/**
 * @param folder real path of the vault's folder; nothing is written to it
 * @param turns how many turns are measured in each mode and context window, with native tools and without
 */
export async function printPromptPairs(folder: string, turns: number, json: boolean): Promise<PromptPairs> {
  const measured = await measurePromptPairs(folder, turns);
  const broken = [...measured.pairs, ...measured.turns].reduce((sum, each) => sum + each.broken.length, 0);
  const text = json ? `${JSON.stringify({ ...measured, broken }, null, 2)}\n` : printTables(measured, broken);
  return { text, broken };
}

/** Opened once for the whole process, which takes half a second. */
const encoder = lazy(() => new Tiktoken(o200k));

/** All modes, each in all tiers, with the settings of that vault. */
async function measurePromptPairs(folder: string, turns: number): Promise<Measured> {
  const app = await openApp(new DiskAdapter(folder));
  const counts = new Map<string, number>();
  const count = (text: string): number => {
    const known = counts.get(text) ?? encoder().encode(text, [], []).length;
    counts.set(text, known);
    return known;
  };
  const tokenizer: Tokenizer = { count, exact: true };
  try {
    const settings = await readSettings(app);
    return {
      pairs: await measureFirstRequests(app, settings, tokenizer),
      turns: turns === 0 ? [] : await measureTurns({ app, settings, tokenizer }, turns),
    };
  } finally {
    await closeApp(app);
  }
}

async function measureFirstRequests(app: App, settings: Settings, tokenizer: Tokenizer): Promise<PromptPair[]> {
  const pairs: PromptPair[] = [];
  for (const tier of tiers) {
    const docent = await openDocent(app, { settings, tokenizer, contextWindow: windowOfTier[tier] });
    for (const mode of modeIds) {
      const chat = await docent.startChat();
      await chat.choose({ mode, tier });
      const plan = await chat.preview(question, [], new AbortController().signal);
      if (!plan.ok) throw new Error(plan.failure.words);
      const mayEdit = plan.value.tools.some(({ name }) => name === toolNames.editNote);
      pairs.push(measurePair(mode, tier, plan.value, mayEdit));
    }
    docent.close();
  }
  return pairs.sort((a, b) => modeIds.indexOf(a.mode) - modeIds.indexOf(b.mode) || a.tier - b.tier);
}

type Row = readonly [cells: readonly string[], broken: readonly string[]];

function printTables({ pairs, turns }: Measured, broken: number): string {
  const verdict =
    broken === 0 ? 'All bounds hold.' : `${broken} ${broken === 1 ? 'bound does' : 'bounds do'} not hold.`;
  const tables = [printTable(pairHeads, pairs.map(pairRow))];
  if (turns.length > 0) tables.push(printTable(turnHeads, turns.map(turnRow)));
  return [...tables, verdict, ''].join('\n');
}

const pairHeads = ['mode', 'tier', 'window', 'template', 'share', 'composition', 'listing', 'tools', 'first request'];

function pairRow(pair: PromptPair): Row {
  const cells = [
    pair.mode,
    String(pair.tier),
    String(pair.window),
    `${pair.template} of ${pair.template_budget}`,
    `${Math.round(pair.template_share * 100)} %`,
    `${pair.composition} of ${pair.composition_budget}`,
    `${pair.listing} of ${pair.listing_budget}`,
    String(pair.tools),
    `${pair.total} of ${pair.room}`,
  ];
  return [cells, pair.broken];
}

const turnHeads = ['window', 'mode', 'tools', 'turn', 'finished', 'requests', 'maximum request', 'results'];

function turnRow(row: TurnFigures): Row {
  const [forbidden] = row.reasons;
  const cells = [
    String(row.window),
    row.mode,
    row.tools,
    row.turn,
    forbidden === undefined ? `${row.finished} of ${row.asked}` : `${row.forbidden} not allowed (${forbidden})`,
    String(row.max_requests),
    `${row.max_request} of ${row.room}`,
    String(row.max_results),
  ];
  return [cells, row.broken];
}

/** Broken bounds of one row that are printed in words. */
const maxNamed = 3;

function printTable(heads: readonly string[], rows: readonly Row[]): string {
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...rows.map(([cells]) => cells[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[], broken: readonly string[]): string => {
    const named = broken.slice(0, maxNamed).map((words) => `  !! ${words}`);
    const more = broken.length > maxNamed ? `  … and ${broken.length - maxNamed} more` : '';
    return (cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ') + named.join('') + more).trimEnd();
  };
  return [line(heads, []), ...rows.map(([cells, broken]) => line(cells, broken)), ''].join('\n');
}
