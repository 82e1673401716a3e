import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RequestPlan } from '../../../src/core/ports/request-plan';
import { writeTree } from 'obsidian-workbench/testing/folders';
import { demoVault, oneSentenceWithRemedy, runScript, runScripts, type ScriptResult } from './run-script';

jest.setTimeout(60_000);

const question = 'Which impeller does the engine take?';
const asked = ['--vault', demoVault, '--question', question];
const planOf = ({ out }: ScriptResult): RequestPlan & { reply?: string } => JSON.parse(out);
/** The request without the minute of its message, which may be another by the next run. */
const withoutMinute = ({ out }: ScriptResult): string => out.replaceAll(/ written at \d\d:\d\d\./g, '');
const sent = (plan: RequestPlan): string => `${plan.system}\n${JSON.stringify(plan.messages)}`;

/** Runs that print a request, by name. */
const right = {
  small: [...asked, '--json', '--mode', 'planning', '--tier', 'auto', '--window', '8192'],
  large: [
    ...[...asked, '--json', '--mode', 'assistant', '--tier', '5', '--note', 'Projects/Whimbrel engine'],
    ...['--note', 'Now.md', '--prompt', 'Docent/prompts/Tighten this.md'],
    ...['--workspace', 'Docent/workspaces/Boat.md', '--reply'],
  ],
  named: ['--vault', demoVault, '--question', 'What of the keel?'],
  alone: ['--question', 'What of the keel?'],
};

const wrong: [string, string[]][] = [
  ['a vault that is not there', ['--vault', '/nowhere/at/all', '--question', 'x']],
  ['a vault that is a file', ['--vault', 'package.json', '--question', 'x']],
  ['no question', ['--vault', demoVault]],
  ['an empty question', ['--vault', demoVault, '--question', '  ']],
  ['an option that does not exist', ['--vault', demoVault, '--bogus']],
  ['an unknown mode', ['--vault', demoVault, '--question', 'x', '--mode', 'poet']],
  ['a tier that is too high', ['--vault', demoVault, '--question', 'x', '--tier', '6']],
  ['a window that is no number', ['--vault', demoVault, '--question', 'x', '--window', 'big']],
  ['a note that is not there', ['--vault', demoVault, '--question', 'x', '--note', 'Nowhere.md']],
  ['an excluded note', ['--vault', demoVault, '--question', 'x', '--note', 'Archive/Applications 2024.md']],
  ['a path out of the vault', ['--vault', demoVault, '--question', 'x', '--prompt', '../demo-questions.json']],
];

describe('npm run prompt', () => {
  let results: readonly ScriptResult[];
  const resultOf = (name: keyof typeof right): ScriptResult => results[Object.keys(right).indexOf(name)]!;
  let vault: string;
  let before: string[];

  beforeAll(async () => {
    vault = mkdtempSync(path.join(tmpdir(), 'docent-prompt-'));
    writeTree(vault, {
      'A.md': 'alpha',
      'Agent/prompts/Mine.md': '---\ndescription: My own\n---\nText',
      '.obsidian/plugins/docent/data.json': '{"agentFolder":"Agent","contextNotes":["A.md"]}',
    });
    before = readdirSync(vault, { recursive: true }) as string[];
    const own = ['--vault', vault, '--question', 'x', '--json'];
    results = await runScripts('prompt.mjs', [...Object.values(right), ...wrong.map(([, given]) => given), own]);
  });
  afterAll(() => rmSync(vault, { recursive: true, force: true }));

  // In a process of its own, which has to end by itself and not before all is printed.
  it('prints the whole request as text, and says nothing else', async () => {
    const { code, out, words } = await runScript('prompt.mjs', ...asked, '--reply');
    expect([code, words]).toEqual([0, '']);
    expect(out).toContain('\n=== system ===\n');
    expect(out).toMatch(/\n# Vault map\n[^]*<folder path="Projects">/);
    expect(out).toContain(question);
    expect(out).toContain('\nsearch_notes: ');
    const [, reply = ''] = out.split('=== reply of the built-in reader ===');
    expect(reply).toContain('NV-0914-K');
    expect(reply).toContain('[[Projects/Whimbrel engine#');
  });

  it('prints the plan as JSON for what was chosen', () => {
    const plan = planOf(resultOf('large'));
    const small = planOf(resultOf('small'));
    expect(small.totals.window).toBe(8192);
    expect(small.reply).toBeUndefined();
    expect(small.system).not.toContain(plan.system.split('\n')[0]);
    expect(plan.totals.window).toBe(200_000);
    expect(sent(plan)).toContain('NV-0914-K');
    expect(sent(plan)).toContain('<note path=');
    expect(plan.system).toContain('<selected_workspace ');
    expect(plan.system).toContain('<selected_prompt>');
    expect(JSON.stringify(plan.messages)).toContain(question);
    expect(plan.tools.map(({ name }) => name)).toContain('read_note');
    expect(plan.reply).toContain('NV-0914-K');
  });

  it('plans as the settings of that vault say, and writes nothing to it', () => {
    const result = results.at(-1)!;
    expect(result.words).toBe('');
    expect(planOf(result).system).toContain('My own');
    expect(sent(planOf(result))).toContain('alpha');
    expect(readdirSync(vault, { recursive: true })).toEqual(before);
  });

  it('takes the demo vault unless another is named', () => {
    const [named, alone] = [resultOf('named'), resultOf('alone')];
    expect([alone.code, withoutMinute(alone)]).toEqual([0, withoutMinute(named)]);
    expect(withoutMinute(alone)).not.toBe(alone.out);
  });

  it('ends on wrong input with words and a remedy', async () => {
    const found = results.slice(Object.keys(right).length, -1);
    expect(found).toHaveLength(wrong.length);
    for (const [index, { code, out, words }] of found.entries()) {
      const name = wrong[index]?.[0];
      expect([name, code, out]).toEqual([name, 1, '']);
      expect([name, words]).toEqual([name, expect.stringMatching(oneSentenceWithRemedy)]);
    }
    // In a process of its own, a run ends as it does in one with others.
    expect(await runScript('prompt.mjs', ...(wrong.at(-1)?.[1] ?? []))).toEqual(found.at(-1));
  });
});
