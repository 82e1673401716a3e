import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RequestPlan } from '../../../src/core/ports/request-plan';
import { writeTree } from 'obsidian-workbench/testing/folders';
import { demoVault, oneSentenceWithRemedy, runScript, type ScriptResult } from './run-script';

jest.setTimeout(60_000);

const question = 'Which impeller does the engine take?';
const run = (...given: string[]): Promise<ScriptResult> => runScript('prompt.mjs', ...given);
const ask = (...given: string[]): Promise<ScriptResult> => run('--vault', demoVault, '--question', question, ...given);
const planOf = ({ out }: ScriptResult): RequestPlan & { reply?: string } => JSON.parse(out);
const sent = (plan: RequestPlan): string => `${plan.system}\n${JSON.stringify(plan.messages)}`;

describe('npm run prompt', () => {
  it('prints the whole request as text, and says nothing else', async () => {
    const { code, out, words } = await ask('--reply');
    expect([code, words]).toEqual([0, '']);
    expect(out).toContain('\n=== system ===\n');
    expect(out).toMatch(/\n# Vault map\n[^]*<folder path="Projects">/);
    expect(out).toContain(question);
    expect(out).toContain('\nsearch_notes: ');
    const [, reply = ''] = out.split('=== reply of the built-in reader ===');
    expect(reply).toContain('NV-0914-K');
    expect(reply).toContain('[[Projects/Whimbrel engine#');
  });

  it('prints the plan as JSON for what was chosen', async () => {
    const [small, large] = await Promise.all([
      ask('--json', '--mode', 'planning', '--tier', 'auto', '--window', '8192'),
      ask(
        ...['--json', '--mode', 'assistant', '--tier', '5', '--note', 'Projects/Whimbrel engine', '--note', 'Now.md'],
        ...['--prompt', 'Docent/prompts/Tighten this.md', '--workspace', 'Docent/workspaces/Boat.md', '--reply'],
      ),
    ]);
    const plan = planOf(large);
    expect(planOf(small).totals.window).toBe(8192);
    expect(planOf(small).reply).toBeUndefined();
    expect(planOf(small).system).not.toContain(plan.system.split('\n')[0]);
    expect(plan.totals.window).toBe(200_000);
    expect(sent(plan)).toContain('NV-0914-K');
    expect(sent(plan)).toContain('<note path=');
    expect(plan.system).toContain('<selected_workspace ');
    expect(plan.system).toContain('<selected_prompt>');
    expect(JSON.stringify(plan.messages)).toContain(question);
    expect(plan.tools.map(({ name }) => name)).toContain('read_note');
    expect(plan.reply).toContain('NV-0914-K');
  });

  it('plans as the settings of that vault say, and writes nothing to it', async () => {
    const vault = mkdtempSync(path.join(tmpdir(), 'docent-prompt-'));
    try {
      writeTree(vault, {
        'A.md': 'alpha',
        'Agent/prompts/Mine.md': '---\ndescription: My own\n---\nText',
        '.obsidian/plugins/docent/data.json': '{"agentFolder":"Agent","contextNotes":["A.md"]}',
      });
      const before = readdirSync(vault, { recursive: true });
      const result = await run('--vault', vault, '--question', 'x', '--json');
      expect(result.words).toBe('');
      expect(planOf(result).system).toContain('My own');
      expect(sent(planOf(result))).toContain('alpha');
      expect(readdirSync(vault, { recursive: true })).toEqual(before);
    } finally {
      rmSync(vault, { recursive: true, force: true });
    }
  });

  it('takes the demo vault unless another is named', async () => {
    const [named, alone] = await Promise.all([
      run('--vault', demoVault, '--question', 'What of the keel?'),
      run('--question', 'What of the keel?'),
    ]);
    expect([alone.code, alone.out]).toEqual([0, named.out]);
  });

  it('ends on wrong input with words and a remedy', async () => {
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
    const results = await Promise.all(wrong.map(([, given]) => run(...given)));
    for (const [index, { code, out, words }] of results.entries()) {
      const name = wrong[index]?.[0];
      expect([name, code, out]).toEqual([name, 1, '']);
      expect([name, words]).toEqual([name, expect.stringMatching(oneSentenceWithRemedy)]);
    }
  });
});
