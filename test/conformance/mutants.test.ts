/** Mutants are what they say: each entry of each list has one, each patch fits its source, and a survivor is told. */
import { readFileSync } from 'node:fs';
import { mentionSources } from '../../src/core/mentions';
import { chatCommands } from '../../src/core/commands';
import { compositionKeys } from '../../src/core/prompt/composition-options';
import * as facts from '../../src/core/prompt/facts';
import { modes } from '../../src/core/prompt/modes';
import { sections } from '../../src/core/prompt/sections';
import { tools } from '../../src/core/tools';
import { providers } from '../../src/models/providers';
import { settingRows } from '../../src/ui/settings/rows';
import { judge } from '../../scripts/conformance-judge.mjs';
import {
  allMutants,
  checkMutants,
  chooseMutants,
  runMutants,
  unguardedRows,
  type Mutant,
} from '../../scripts/conformance-mutants.mjs';
import { rowsOfTable } from '../../scripts/conformance-rows.mjs';

const all = allMutants();
const known = rowsOfTable(readFileSync('docs/spec/requirements.md', 'utf8'));
const mode = 'src/core/mode.ts';
const mutantOf = (change: Partial<Mutant>): Mutant => ({ id: 'patch:sample', rows: ['R103'], file: mode, ...change });

describe('the mutants', () => {
  it('are one for each entry of each list', () => {
    const counted = (kind: string): number => all.filter(({ id }) => id.startsWith(`${kind}:`)).length;
    expect({
      sections: counted('section'),
      facts: counted('fact'),
      tools: counted('tool'),
      mentions: counted('mention'),
      modes: counted('mode'),
      providers: counted('provider'),
      settings: counted('setting'),
      commands: counted('command'),
      switches: counted('switch'),
    }).toEqual({
      sections: sections.length,
      facts: Object.keys(facts).length,
      tools: tools.length,
      mentions: mentionSources.length,
      modes: modes.length,
      providers: providers.length,
      settings: settingRows.length,
      commands: chatCommands.length,
      switches: compositionKeys.length,
    });
  });

  it('have ids of their own, and rows that there are', () => {
    const ids = all.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(all.filter(({ rows }) => rows.length === 0).map(({ id }) => id)).toEqual([]);
    expect(all.flatMap(({ rows }) => rows).filter((row) => !known.includes(row))).toEqual([]);
  });

  it('fit the sources as they are', async () => {
    await expect(checkMutants(all)).resolves.toBeUndefined();
  });
});

describe('a mutant that cannot be made', () => {
  it.each([
    ['stands 0 times in src/core/mode.ts', { find: 'no such text', replace: '' }],
    ['stands 2 times in src/core/mode.ts', { find: 'export type', replace: '' }],
    ['no file src/gone.ts', { file: 'src/gone.ts', append: '' }],
    ['no row stands beside it', { rows: [], append: '' }],
    ['changes nothing', { find: 'export interface', replace: 'export interface' }],
  ])('is an error that names it and says: %s', async (words, change) => {
    await expect(checkMutants([mutantOf(change)])).rejects.toThrow(new RegExp(`^patch:sample: .*${words}`));
    await expect(runMutants([mutantOf(change)])).rejects.toThrow('patch:sample');
  });
});

describe('a verdict', () => {
  const tested = (fullName: string, status: string, ...failureMessages: string[]) => ({
    testResults: [{ name: 'x', status, assertionResults: [{ fullName, status, failureMessages }] }],
  });
  const mutant = { id: 'patch:sample', rows: ['R001', 'R002'] };

  it('is a kill when a test that names one of the rows fails', () => {
    expect(judge(mutant, tested('prompt R002 says', 'failed', 'Expected: 1'))).toEqual({
      ...mutant,
      killed: true,
      by: ['prompt R002 says'],
    });
  });

  it.each([
    ['names another row', tested('R003 says', 'failed', 'Expected: 1')],
    ['passes', tested('R001 says', 'passed')],
    ['ran out of time', tested('R001 says', 'failed', 'thrown: "Exceeded timeout of 5000 ms for a test.')],
    ['could not be loaded', { testResults: [{ name: 'x', status: 'failed', assertionResults: [] }] }],
    ['is not there', null],
  ])('is none when the test %s', (_what, report) => {
    const { killed, by, why } = judge(mutant, report);
    expect({ killed, by }).toEqual({ killed: false, by: [] });
    expect(why).toMatch(/\w/);
  });

  it('is none when the test fails without the mutant, too', () => {
    const report = tested('R001 says', 'failed', 'Expected: 1');
    expect(judge(mutant, report, new Set(['R001 says'])).killed).toBe(false);
  });
});

describe('a run', () => {
  it('tells the mutant that nothing notices from the one that a test does', async () => {
    const file = 'src/core/context/tier-for-window.ts';
    const idle = mutantOf({ id: 'patch:idle', rows: ['R261'], file, append: '// Nothing else.' });
    const harmful = mutantOf({ id: 'patch:harmful', rows: ['R261'], file, find: 'return 5;', replace: 'return 1;' });
    const broken = mutantOf({ id: 'patch:broken', rows: ['R261'], file, append: '}' });
    const { mutants, survivors } = await runMutants([idle, harmful, broken]);
    expect(survivors).toEqual(['patch:idle', 'patch:broken']);
    expect(mutants[1]?.by.every((name) => name.includes('R261'))).toBe(true);
    expect(mutants[2]?.why).toMatch(/could not be loaded/);
  }, 120_000);
});

describe('a choice of mutants', () => {
  it('is by a part of the id, or by a row', () => {
    expect(chooseMutants(all, { only: 'section:files' }).map(({ id }) => id)).toEqual(['section:files']);
    expect(chooseMutants(all, { only: 'R109' }).length).toBeGreaterThan(1);
    expect(chooseMutants(all, { only: 'R109' }).every(({ rows }) => rows.includes('R109'))).toBe(true);
  });

  it('is a sample that the seed decides, and nothing else', () => {
    const drawn = (seed: string): string[] => chooseMutants(all, { sample: 30, seed }).map(({ id }) => id);
    expect(drawn('7')).toHaveLength(30);
    expect(drawn('7')).toEqual(drawn('7'));
    expect(drawn('7')).not.toEqual(drawn('8'));
    const others = chooseMutants(all.slice(1), { sample: 30, seed: '7' }).map(({ id }) => id);
    expect(others.filter((id) => !drawn('7').includes(id)).length).toBeLessThanOrEqual(1);
  });

  it('shows the rows that a test names and no mutant stands for', () => {
    const text = ['R001 is so', 'R002 R003 too'].map((title) => `it('${title}', run);`).join('\n');
    const tests = [{ file: 'test/unit/a.test.ts', text }];
    expect(unguardedRows(tests, [mutantOf({ rows: ['R002'] })])).toEqual(['R001', 'R003']);
  });
});
