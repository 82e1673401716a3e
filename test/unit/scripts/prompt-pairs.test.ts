import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Block, RequestPlan } from '../../../src/core/ports/request-plan';
import { builtInTemplates } from '../../../src/core/prompt/tiered-prompt-store';
import { type ModeId, modeIds, type Tier, tiers } from '../../../src/core/settings/mode';
import { openTiktoken } from '../../bench/baselines/tiktoken';
import { measurePair, type PromptPair } from '../../bench/measure-pair';
import type { TurnFigures } from '../../bench/turns/measure-turns';
import { writeTree } from 'obsidian-workbench/testing/folders';
import { oneSentenceWithRemedy, runScript, runScripts, type ScriptResult } from './run-script';

jest.setTimeout(60_000);

const read = ({ out }: ScriptResult): { pairs: PromptPair[]; turns: TurnFigures[]; broken: number } => JSON.parse(out);
const every = modeIds.flatMap((mode) => tiers.map((tier) => `${mode} ${tier}`));

/** Window, kind of turn, and the turns that finish in each mode, with native tools and with calls in text. */
const finishedTurns = [
  [2_048, 'snippets'],
  [4_096, 'read'],
  [8_192, 'edit'],
  [16_384, 'edit'],
  [32_768, 'edit'],
].flatMap(([window, turn]) =>
  modeIds.flatMap((mode) => ['native', 'text'].map((tools) => `${window} ${mode} ${tools} ${turn}: 1 of 1`)),
);

function expectFinished(turns: readonly TurnFigures[]): void {
  const rows = turns.map(
    ({ window, mode, tools, turn, finished, asked }) => `${window} ${mode} ${tools} ${turn}: ${finished} of ${asked}`,
  );
  expect([rows, turns.flatMap(({ broken }) => broken)]).toEqual([finishedTurns, []]);
  for (const { max_request, room, max_results, max_requests } of turns) {
    expect(max_request).toBeLessThanOrEqual(room);
    expect(max_results).toBeGreaterThan(0);
    expect(max_requests).toBeGreaterThan(1);
  }
}

const settings = '.obsidian/plugins/docent/data.json';
const kettle = '# Kettle\n\nThe copper kettle whistles before it boils, unless the lid is missing.\n';

/** What vaults consist of, by name; none of them is another afterwards. */
const vaults: Readonly<Record<'kettle' | 'rules', Readonly<Record<string, string>>>> = {
  kettle: { 'Kettle.md': kettle, [settings]: '{ "permission": "read-only" }' },
  rules: { 'AGENTS.md': 'Every note has a rule of its own here.\n'.repeat(700) },
};
const wrong = [['--vault', '/nowhere/at/all'], ['--mode', 'assistant'], ['--reply'], ['--turns', 'all']];
const help = path.resolve('../shared/data/vault-help');
const hasHelp = existsSync(help);

describe('npm run prompt -- --pairs', () => {
  let folder: string;
  let results: readonly ScriptResult[];
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'docent-pairs-'));
    const vaultOf = (name: keyof typeof vaults): string => path.join(folder, name);
    for (const [name, files] of Object.entries(vaults)) writeTree(path.join(folder, name), files);
    const runs = [
      ['--json'],
      ['--vault', vaultOf('kettle')],
      ['--vault', vaultOf('rules'), '--turns', '0'],
      ...wrong,
      ...(hasHelp ? [['--vault', help, '--json']] : []),
    ];
    results = await runScripts(
      'prompt.mjs',
      runs.map((given) => ['--pairs', ...given]),
    );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function expectUnchanged(name: keyof typeof vaults): void {
    const vault = path.join(folder, name);
    const found = readdirSync(vault, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(vault, path.join(entry.parentPath, entry.name)));
    expect(found.sort()).toEqual(Object.keys(vaults[name]).sort());
    for (const each of found) expect(readFileSync(path.join(vault, each), 'utf8')).toBe(vaults[name][each]);
  }

  it('R088-R092 R093 K26 prints all pairs and turns over the demo vault, exact, within bounds, and finished', () => {
    const result = results[0]!;
    expect([result.code, result.words]).toEqual([0, '']);
    const { pairs, turns, broken } = read(result);
    expectFinished(turns);
    expect(pairs.map(({ mode, tier }) => `${mode} ${tier}`)).toEqual(every);
    expect([broken, pairs.flatMap((pair) => pair.broken)]).toEqual([0, []]);
    const oracle = openTiktoken();
    for (const { mode, tier, template, listing, composition, tools, total } of pairs) {
      expect([mode, tier, template]).toEqual([mode, tier, oracle.count(builtInTemplates.serve(mode, tier).text)]);
      expect([listing, composition, tools].every((tokens) => tokens > 0)).toBe(true);
      expect(total).toBeGreaterThan(template + listing + composition + tools);
    }
  });

  it('prints tables for people, one line for each pair and for each turn', () => {
    const { code, out } = results[1]!;
    expectUnchanged('kettle');
    expect(code).toBe(0);
    const lines = out.split('\n');
    for (const pair of every) {
      const own = lines.filter((line) => line.split(/ +/).slice(0, 2).join(' ') === pair);
      expect([pair, own.length, /\d+ of \d+ .* \d+ %/.test(own[0] ?? '')]).toEqual([pair, 1, true]);
    }
    expect(out).toMatch(/^window +mode +tools +turn +finished +requests +maximum request +results$/m);
    expect(out).toMatch(/^2048 +assistant +native +snippets +1 of 1 +2 +\d+ of 1536 +\d+$/m);
    // Only the user can allow it, so nothing is broken.
    expect(out).toMatch(/^8192 +debugger +text +edit +1 not allowed \(Kettle\.md: edit_note is not offered\) /m);
    expect(out).toContain('All bounds hold.');
    expect(out).not.toContain('!!');
  });

  it('marks what breaks a bound, and ends with exit code 1', () => {
    const { code, out, words } = results[2]!;
    expectUnchanged('rules');
    expect([code, words]).toEqual([1, '']);
    expect(out).toMatch(/^assistant +5 .* {2}!! first request without the listing \d+ is over 6000$/m);
    expect(out).toMatch(/^\d+ bounds do not hold\.$/m);
    expect(out).not.toContain('maximum request');
  });

  it('ends on wrong input with words and a remedy', async () => {
    for (const [index, given] of wrong.entries()) {
      const { code, out, words } = results[3 + index]!;
      expect([given, code, out]).toEqual([given, 1, '']);
      expect(words).toMatch(oneSentenceWithRemedy);
    }
    // In a process of its own, a run ends as it does in one with others.
    expect(await runScript('prompt.mjs', '--pairs', '--reply')).toEqual(results[5]);
  });

  (hasHelp ? it : it.skip)('R093 K26 holds over a large vault of another hand, whose turns finish', () => {
    const result = results.at(-1)!;
    expect(result.code).toBe(0);
    expect(read(result).pairs).toHaveLength(25);
    expectFinished(read(result).turns);
  });
});

describe('the bounds of a pair', () => {
  const block = (section: string, tokens: number, more: Partial<Block> = {}): Block => {
    const own = { section, tokens, zone: 'instructions', place: 'system', text: 'x', outcome: 'full', madeVisible: 0 };
    return { ...own, ...more } as Block;
  };
  const broken = (
    tier: Tier,
    blocks: readonly Block[],
    totals: Partial<RequestPlan['totals']> = {},
  ): readonly string[] => {
    const all = { all: 2_000, tools: 100, turn: 10, window: 200_000, reserve: 4_096, ...totals };
    return measurePair('assistant' as ModeId, tier, { blocks, totals: all } as unknown as RequestPlan).broken;
  };
  const template = (tokens: number): Block => block('mode-template', tokens);
  const reference = { zone: 'reference' } as const;

  it.each([
    ['a template over its budget', 2, [template(501)], {}, ['template 501 is over 500']],
    ['a template that leaves its budget empty', 3, [template(599)], {}, ['template 599 is under 600']],
    [
      'a composition over its budget',
      3,
      [template(700), block('guidelines', 401)],
      {},
      ['composition 401 is over 400'],
    ],
    [
      'a listing over its share of the window',
      4,
      [template(900), block('vault-listing', 656, reference)],
      { window: 32_768 },
      ['listing 656 is over 655'],
    ],
    [
      'a request without room',
      1,
      [template(150)],
      { window: 4_096, reserve: 1_024, all: 3_073 },
      ['first request 3073 is over 3072'],
    ],
    ['too many words of tools', 5, [template(950)], { tools: 2_801 }, ['tools 2801 is over 2000']],
    ['a long template in the largest tier', 5, [template(1_301)], {}, ['template 1301 is over 1300']],
    ['long lists', 5, [template(950), block('available-prompts', 501, reference)], {}, ['lists 501 is over 500']],
    [
      'much around the message',
      5,
      [template(950), block('environment', 291, { ...reference, place: 'first-message' })],
      {},
      ['turn 301 is over 300'],
    ],
    ['none of these', 5, [template(950), block('vault-listing', 4_000, reference)], { all: 9_999 }, []],
  ] as const)('R093 K26 tells of %s', (_name, tier, blocks, totals, words) => {
    expect(broken(tier, blocks, totals)).toEqual(words);
  });
});
