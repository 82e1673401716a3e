/** Checks the mutants: each entry a chat can show has one, each patch fits its source, and survivors are reported. */
import { readFileSync } from 'node:fs';
import { entryMutants } from '../../scripts/conformance/entries.mjs';
import { judge, readTests, type Verdict } from '../../scripts/conformance/judge.mjs';
import {
  allMutants,
  checkMutants,
  chooseMutants,
  type Mutant,
  runMutants,
  unguardedRows,
} from '../../scripts/conformance/mutants.mjs';
import { rowsOfTable } from '../../scripts/conformance/rows.mjs';
import { mentionSources } from '../../src/core/mentions';
import { chatCommands } from '../../src/core/mentions/commands';
import { compositionKeys } from '../../src/core/prompt/composition-options';
import * as facts from '../../src/core/prompt/facts';
import { modes } from '../../src/core/prompt/modes';
import { sections } from '../../src/core/prompt/sections';
import { tools } from '../../src/core/tools';
import { providers } from '../../src/models/providers';
import { settingRows } from '../../src/ui/settings/settings-tab';
import { rowsOfEntries, unreachableEntries } from './mutants/entries.mjs';
import { promised } from '../unit/models/strict-servers';

const all = allMutants();
const unreachable = Object.entries(unreachableEntries);
const known = rowsOfTable(readFileSync('docs/spec/requirements.md', 'utf8'));
const mode = 'src/core/settings/mode.ts';
const mutantOf = (change: Partial<Mutant>): Mutant => ({ id: 'patch:sample', rows: ['R103'], file: mode, ...change });

describe('the mutants', () => {
  it('are one for each entry of each list that a chat can show', () => {
    const ids = [...all.map(({ id }) => id), ...unreachable.map(([id]) => id)];
    const counted = (kind: string): number => ids.filter((id) => id.startsWith(`${kind}:`)).length;
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

  it('leave out only what the sources still keep from every chat', () => {
    const source = (file: string): string => readFileSync(file, 'utf8');
    const reasons: Readonly<Record<string, () => boolean>> = {
      'there is no tool of git': () => !tools.some(({ name }) => name.startsWith('git_')),
      'no page is fetched': () => source('src/core/context/turn-context.ts').includes('fetchedPages: [],'),
      'a chat has its summary among its messages': () =>
        source('src/core/prompt/sections/previous-context.ts').includes('gather: () => null,'),
    };
    expect(unreachable.filter(([, why]) => reasons[why]?.() !== true)).toEqual([]);
    expect(unreachable.filter(([id]) => Object.hasOwn(rowsOfEntries, id))).toEqual([]);
  });

  it('have ids of their own, and rows that there are; only an entry of a list may have none', () => {
    const ids = all.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(all.filter(({ rows }) => rows.length === 0).filter(({ id }) => id.startsWith('patch:'))).toEqual([]);
    expect(all.flatMap(({ rows }) => rows).filter((row) => !known.includes(row))).toEqual([]);
  });

  it('are of entries that there are, where rows or a reason stand for one', () => {
    const ids = [...Object.keys(rowsOfEntries), ...Object.keys(unreachableEntries)];
    const entries = entryMutants().map(({ id }) => id);
    expect(ids.filter((id) => !entries.includes(id))).toEqual([]);
  });

  it('are of entries that a test names, where no row stands for one', async () => {
    const tests = (await readTests()).map(({ text }) => text.replace(/^import .*$/gm, ''));
    const isNamed = ({ names = [], array = '' }: Mutant): boolean =>
      tests.some((text) => names.some((name) => new RegExp(`['"\`][^'"\`\\n]*\\b${name}\\b`).test(text))) ||
      // Each section has a golden, and each provider a line in a table, by which tests are named while they run.
      array === 'sections' ||
      promised.some(({ id }) => array === 'providers' && names.includes(id));
    const unnamed = all.filter((mutant) => mutant.rows.length === 0 && !isNamed(mutant));
    const remedy = ({ id, names = [] }: Mutant): string =>
      `${id}: write a test of what it does whose title says ${names.join(' or ')}.`;
    expect(unnamed.map(remedy)).toEqual([]);
  });

  it('fit the sources as they are', async () => {
    await expect(checkMutants(all)).resolves.toBeUndefined();
  });
});

describe('a mutant that cannot be made', () => {
  it.each([
    ['stands 0 times in src/core/settings/mode.ts', { find: 'no such text', replace: '' }],
    ['stands 3 times in src/core/settings/mode.ts', { find: 'export type', replace: '' }],
    ['no file src/gone.ts', { file: 'src/gone.ts', append: '' }],
    ['no row stands beside it', { rows: [], append: '' }],
    ['changes nothing', { find: 'export const modeIds', replace: 'export const modeIds' }],
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

describe('an entry without rows', () => {
  const names = ['day-notice', 'dayNoticeSection'];
  const entry = { id: 'section:day-notice', rows: [], names, array: 'sections' };

  it.each([
    ['its title names the entry', 'section texts day-notice says what it should', true],
    ['its title names the export', 'leaves out dayNoticeSection', true],
    ['its title names a longer word', 'day-notices are told', false],
    ['its title names a row', 'R182 says the day', false],
  ])('is killed by a failing test when %s', (_when, fullName, killed) => {
    const assertionResults = [{ fullName, status: 'failed', failureMessages: ['Expected: 1'] }];
    expect(judge(entry, { testResults: [{ name: 'x', status: 'failed', assertionResults }] }).killed).toBe(killed);
  });

  it('says what a test must name when none does', () => {
    expect(judge(entry, null).why).toContain('it by day-notice or dayNoticeSection');
  });

  it('goes by its file, its export, and both as tools and settings are spelt', () => {
    const namesOf = (id: string) => entryMutants().find((mutant) => mutant.id === id)?.names;
    expect(namesOf('tool:read-note')).toEqual(['read-note', 'readNote', 'read_note']);
    expect(namesOf('setting:kept-folders')).toEqual(['kept-folders', 'keptFoldersRow', 'kept_folders', 'keptFolders']);
    expect(namesOf('command:bug')).toEqual(['bug']);
  });
});

describe('a run', () => {
  let entries: readonly Verdict[];
  let patched: readonly Verdict[];
  let survivors: readonly string[];
  // One run for all, so that the tests run once without a mutant.
  beforeAll(async () => {
    const [found] = entryMutants().filter(({ id }) => id === 'section:named-skills');
    if (found === undefined) throw new Error('There is no section named-skills.');
    const harmful = { ...found, rows: [] };
    const idle = { ...harmful, id: 'section:idle', append: '// Nothing else.' };
    const patch = { rows: ['R261'], file: 'src/core/context/context-window.ts' };
    const patches = [
      mutantOf({ ...patch, id: 'patch:harmful', find: 'return 5;', replace: 'return 1;' }),
      mutantOf({ rows: ['R261'], id: 'patch:idle', append: '// Nothing else.' }),
      mutantOf({ ...patch, id: 'patch:broken', append: '}' }),
    ];
    // In one process: an idle one would be killed by what a harmful one before it left behind, in its file or in another.
    const run = await runMutants([harmful, idle, ...patches], { processes: 1 });
    [entries, patched, survivors] = [run.mutants.slice(0, 2), run.mutants.slice(2), run.survivors];
  }, 240_000);

  it('judges an entry without rows by the tests over its whole list, which name it only while they run', () => {
    expect(entries.map(({ killed }) => killed)).toEqual([true, false]);
    expect(entries[0]?.by).toContain('section texts named-skills says what it should');
    expect(entries[1]?.why).toMatch(/tests name it by named-skills or .*, and none noticed/);
  });

  it('tells the mutant that nothing notices from the one that a test does', () => {
    expect(survivors).toEqual(['section:idle', 'patch:idle', 'patch:broken']);
    expect(patched[0]?.by.every((name) => name.includes('R261'))).toBe(true);
    expect(patched[2]?.why).toMatch(/could not be loaded/);
  });
});

describe('a choice of mutants', () => {
  it('is by a part of the id, or by a row', () => {
    expect(chooseMutants(all, { only: 'section:files' }).map(({ id }) => id)).toEqual(['section:files']);
    expect(chooseMutants(all, { only: 'R109' }).length).toBeGreaterThan(1);
    expect(chooseMutants(all, { only: 'R109' }).every(({ rows }) => rows.includes('R109'))).toBe(true);
  });

  it('is a sample that the seed decides, and nothing else', () => {
    const drawn = (seed: string): string[] => chooseMutants(all, { sample: 30, seed }).map(({ id }) => id);
    const first = drawn('7');
    expect(first).toHaveLength(30);
    expect(drawn('7')).toEqual(first);
    expect(drawn('8')).not.toEqual(first);
    const others = chooseMutants(all.slice(1), { sample: 30, seed: '7' }).map(({ id }) => id);
    expect(others.filter((id) => !first.includes(id)).length).toBeLessThanOrEqual(1);
  });

  it('shows the rows that a test names and no mutant stands for', () => {
    const text = ['R001 is so', 'R002 R003 too'].map((title) => `it('${title}', run);`).join('\n');
    const tests = [{ file: 'test/unit/a.test.ts', text }];
    expect(unguardedRows(tests, [mutantOf({ rows: ['R002'] })])).toEqual(['R001', 'R003']);
  });
});
