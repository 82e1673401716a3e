import {
  type CheckPorts,
  type CheckResult,
  hasProblem,
  problemsIn,
  runChecks,
  worstOf,
} from '../../../../src/core/diagnostics/check';
import { checks } from '../../../../src/core/diagnostics/checks';
import { fail, type Outcome, succeed } from '../../../../src/core/ports/failure';
import type { Model } from '../../../../src/core/ports/model';
import { modes } from '../../../../src/core/prompt/modes';
import { TieredPromptStore } from '../../../../src/core/prompt/tiered-prompt-store';
import type { Mode } from '../../../../src/core/prompt/template-record';
import { decodeSettings, defaultSettings } from '../../../../src/core/settings/settings';
import { words } from '../../../../src/text';
import { estimatingTokenizer } from '../../../../src/tokens/open';
import { roughTokenizer } from '../../../support/memory-ports';
import { checkBench, formatResults, note, steps } from './check-bench';

/** A store with these entries after the built-in ones, or instead of them. */
function storeOf(entries: readonly Mode[], base: readonly Mode[] = modes): TieredPromptStore {
  const store = new TieredPromptStore();
  store.load([...base, ...entries]);
  return store;
}

describe('the check of templates', () => {
  it('R259 says which template is served, its tokens and its budget', async () => {
    const results = await checkBench({}).run('templates', { tier: 2 });
    expect(formatResults(results)).toEqual([
      expect.stringMatching(/^ok: Assistant at level 2 uses its own template, ≈\d+ of 500 tokens\.$/),
      'ok: All 25 templates exist and are within their token budgets.',
    ]);
  });

  it('R005 says which step served a template that is missing, as concerning the next request only where it does', async () => {
    const templates = storeOf([], [{ id: 'assistant', templates: { 3: 'Three.', 4: 'Four.' } }]);
    const results = await checkBench({}, { templates }).run('templates', { mode: 'planning', tier: 5 });
    expect(formatResults(results)).toContain(
      'warning: Planner has no template for level 5. Docent uses that of Assistant at level 3.',
    );
    expect(formatResults(results)).toContain(
      'warning: Assistant has no template for level 5. Docent uses that of Assistant at level 4.',
    );
    expect(results.filter(({ inUse }) => inUse)).toHaveLength(1);
    const nothing = await checkBench({}, { templates: storeOf([], []) }).run('templates', { tier: 1 });
    expect(nothing.find(({ inUse }) => inUse)).toMatchObject({ level: 'error' });
  });

  it('R093 R259 warns of a template over its budget with the four remedies', async () => {
    const text = 'word '.repeat(1000).trim();
    const templates = storeOf([{ id: 'user', templates: { 3: text } }]);
    const bench = checkBench({ 'Docent/modes/user/tier3.md': text }, { templates });
    const [result, ...others] = await bench.run('templates', { mode: 'user', tier: 3 }, 'next');
    expect(others).toEqual([]);
    expect(result).toMatchObject({ level: 'warning', path: 'Docent/modes/user/tier3.md', inUse: true });
    for (const remedy of ['Shorten it', 'remove', 'into skills', 'a lower instruction level'])
      expect(result?.words).toContain(remedy);
    expect(result?.words).toContain('has ≈1,250 tokens, and its budget is 1,000');
    const elsewhere = await bench.run('templates', { mode: 'user', tier: 4 });
    expect(elsewhere.filter(({ level }) => level === 'warning').map(({ path, inUse }) => [path, inUse])).toEqual([
      [undefined, true],
      ['Docent/modes/user/tier3.md', false],
    ]);
    expect(formatResults(elsewhere)).toContain(
      'warning: You have no template for Custom at level 4, or didn’t allow it on this device, so Docent’s template is used.',
    );
    const builtIn = checkBench({}, { templates: storeOf([{ id: 'debugger', templates: { 1: text } }]) });
    expect(await builtIn.run('templates', { mode: 'debugger', tier: 1 }, 'next')).toMatchObject([
      { level: 'warning', inUse: true, actions: [{ id: 'open-settings' }] },
    ]);
  });

  it('R259 tells of notes that are not what is served: empty or misnamed; one that is served is in order', async () => {
    const bench = checkBench({
      'Docent/modes/user/tier1.md': '',
      'Docent/modes/user/tier2.md': 'Another text.',
      'Docent/modes/user/Tier three.md': 'Text.',
    });
    const warnings = (await bench.run('templates', { mode: 'user', tier: 2 })).filter(({ level }) => level !== 'ok');
    expect(warnings.map(({ path, inUse }) => [path, inUse])).toEqual([
      ['Docent/modes/user/tier1.md', false],
      ['Docent/modes/user/Tier three.md', false],
    ]);
  });

  it('R093 follows the window of the model unless a size is chosen', async () => {
    const at = (
      contextWindow: number,
      choices = {},
      platform: 'desktop' | 'mobile' = 'desktop',
    ): Promise<readonly CheckResult[]> => {
      const model = (): Outcome<Model> => succeed({ description: { contextWindow } } as Model);
      return checkBench({}, { model, platform: () => platform }).run('templates', choices);
    };
    expect(formatResults(await at(200_000))[0]).toMatch(/^ok: Assistant at level 5 /);
    expect(formatResults(await at(8192))[0]).toMatch(/at level 2 /);
    expect(formatResults(await at(200_000, {}, 'mobile'))[0]).toMatch(/at level 4 /);
    expect(formatResults(await at(8192, { tier: 4 }))[0]).toMatch(/at level 4 /);
  });

  it('R093 holds an exact count to the budget, and leaves an estimate some room', async () => {
    const templates = storeOf([{ id: 'user', templates: { 1: 'word '.repeat(168).trim() } }]);
    const choices = { mode: 'user', tier: 1 } as const;
    const levelsBy = async (exact: boolean): Promise<string[]> => {
      const tokenizer = { ...roughTokenizer, exact };
      return (await checkBench({}, { templates, tokenizer }).run('templates', choices, 'next')).map(
        ({ level }) => level,
      );
    };
    expect(await levelsBy(true)).toEqual(['warning']);
    expect(await levelsBy(false)).toEqual(['ok']);
  });

  it('R093 waits until a text is counted exactly', async () => {
    const text = 'word '.repeat(168).trim();
    const templates = storeOf([{ id: 'user', templates: { 1: text } }]);
    const tokenizer = {
      exact: false,
      count: (counted: string) => (tokenizer.exact && counted === text ? 190 : 1_000),
      settle: () => Promise.resolve(void (tokenizer.exact = true)),
    };
    const [result] = await checkBench({}, { templates, tokenizer }).run('templates', { mode: 'user', tier: 1 }, 'next');
    expect(formatResults(result === undefined ? [] : [result])).toEqual([
      'ok: Custom at level 1 uses its own template, 190 of 200 tokens.',
    ]);
  });

  it('R093 finds no built-in template over its budget by the estimate that is shipped', async () => {
    const results = await checkBench({}, { tokenizer: estimatingTokenizer }).run('templates');
    expect(results.filter(({ level }) => level !== 'ok')).toEqual([]);
  });
});

describe('the check of context files', () => {
  it('R196 says that AGENTS.md is cut, and how much of it is told', async () => {
    const bench = checkBench({ 'AGENTS.md': 'a'.repeat(70_000), 'Deep/AGENTS.md': 'b'.repeat(65_000) });
    const results = await bench.run('context-files');
    expect(formatResults(results)).toEqual([
      'warning: AGENTS.md: It is too long, so only the first 64,000 of 70,000 characters are sent. Shorten it, or move parts to skills.',
      'warning: Deep/AGENTS.md: It is too long, so only the first 64,000 of 65,000 characters are sent. Shorten it, or move parts to skills.',
    ]);
    expect(results.map(({ inUse }) => inUse)).toEqual([true, false]);
    expect(await bench.run('context-files', {}, 'next')).toHaveLength(1);
    bench.vault.put('AGENTS.md', 'Short.');
    bench.vault.put('Deep/AGENTS.md', 'Short.');
    expect(formatResults(await bench.run('context-files'))).toEqual(['ok: All 2 are sent in full.']);
  });

  it('R195 tells of an empty one, of none, and of one that cannot be read', async () => {
    expect((await checkBench({ 'AGENTS.md': ' \n' }).run('context-files'))[0]?.level).toBe('note');
    expect((await checkBench({}).run('context-files'))[0]?.level).toBe('ok');
    const unreadable: CheckPorts['readNote'] = () =>
      Promise.resolve(fail({ kind: 'unreadable', words: 'Locked.', remedy: 'Unlock it.' }));
    expect(
      formatResults(await checkBench({ 'AGENTS.md': 'A' }, { readNote: unreadable }).run('context-files')),
    ).toEqual(['error: AGENTS.md: Locked. Unlock it.']);
  });
});

describe('the check of the memory note', () => {
  it('R198 says what it takes of every request, and warns when that is much of the window', async () => {
    const bench = checkBench({ 'Docent/memory.md': note('a: 1', 'Tea at four.') });
    expect(formatResults(await bench.run('memory'))).toEqual([
      'ok: Docent/memory.md: It uses ≈3 tokens of every request.',
    ]);
    const window = bench.ports.model('');
    const tokens = (window.ok ? window.value.description.contextWindow : 0) * 0.11;
    bench.vault.put('Docent/memory.md', 'abc '.repeat(tokens));
    expect(await bench.run('memory')).toMatchObject([
      { level: 'warning', inUse: true, words: expect.stringContaining('11% of the context window') },
    ]);
    bench.vault.put('Docent/memory.md', note('a: 1', ''));
    expect((await bench.run('memory'))[0]?.level).toBe('note');
    bench.vault.remove('Docent/memory.md');
    expect((await bench.run('memory'))[0]?.level).toBe('ok');
  });
});

describe('the check of settings', () => {
  const files = { 'Docent/memory.md': '' };

  it('R259 tells of values that could not be read as they are stored now, and of what is gone from the vault', async () => {
    const { problems } = decodeSettings({ ...defaultSettings, tier: 9, mode: 'pilot' });
    const bench = checkBench(files, { settingsProblems: () => Promise.resolve(problems) });
    const results = await bench.run('settings', { contextNotes: ['Gone.md', 'Docent/memory.md'] });
    expect(formatResults(results)).toEqual([
      'warning: Couldn’t read the setting “mode” in data.json, so its default is used. To fix it, set it again.',
      'warning: Couldn’t read the setting “tier” in data.json, so its default is used. To fix it, set it again.',
      'warning: The pinned note “Gone.md” was deleted.',
    ]);
    expect(steps(results)).toEqual(['open-settings', 'open-settings', 'open-settings']);
    expect(formatResults(await checkBench(files).run('settings'))).toEqual(['ok: All settings are readable.']);
  });

  it('R259 tells of a file that cannot be read, and of an agent folder that is not there', async () => {
    const unread = { key: 'Bad token.', problem: 'not-an-object' } as const;
    const bench = checkBench({}, { settingsProblems: () => Promise.resolve([unread]) });
    const results = await bench.run('settings');
    expect(results.map(({ level }) => level)).toEqual(['warning', 'note']);
    expect(steps(results)).toContain('create-folder Docent');
  });
});

describe('the check of instruction files', () => {
  it('say which of their files wait, where none of them can be used yet', async () => {
    const paths = [
      ...['AGENTS.md', 'Docent/memory.md', 'Docent/skills/plan/SKILL.md', 'Docent/workspaces/Boat.md'],
      ...['A', 'B', 'C', 'D', 'E'].map((name) => `Docent/prompts/${name}.md`),
    ];
    const declined = { path: 'Docent/prompts/Never.md', isDeclined: true };
    const waiting = () => [declined, ...paths.map((path) => ({ path, isDeclined: false }))];
    const said = async (id: string): Promise<string[]> => formatResults(await checkBench({}, { waiting }).run(id));
    const waits = (names: string, more = 0): string[] => [`note: ${words.instructions.waiting(names, more)}`];
    expect(await said('prompts')).toEqual(
      waits('Docent/prompts/A.md, Docent/prompts/B.md, Docent/prompts/C.md, Docent/prompts/D.md', 1),
    );
    expect(await said('workspaces')).toEqual(waits('Docent/workspaces/Boat.md'));
    expect(await said('skills')).toEqual(waits('Docent/skills/plan/SKILL.md'));
    expect(await said('memory')).toEqual(waits('Docent/memory.md'));
    expect(await said('context-files')).toEqual(waits('AGENTS.md'));
    const none = formatResults(await checkBench({}, { waiting: () => [declined] }).run('prompts'));
    expect(none).toEqual([`ok: ${words.diagnostics.prompts.none('Docent/prompts')}`]);
  });

  it('names those that wait for the user, and those that are never used', async () => {
    const waiting = [
      { path: 'AGENTS.md', isDeclined: false },
      { path: 'Docent/skills/knots.md', isDeclined: true },
    ];
    expect(formatResults(await checkBench({}, { waiting: () => waiting }).run('instructions'))).toEqual([
      'warning: AGENTS.md: To use it, allow it on this device: select Review above the message box.',
      'note: Docent/skills/knots.md: You chose never to use it.',
    ]);
    expect(formatResults(await checkBench({}).run('instructions'))).toEqual([
      'ok: None is waiting for you to allow it.',
    ]);
  });
});

describe('the check of sync conflicts', () => {
  it('names each version that a sync service stored of Docent’s own notes and context files, and no other note', async () => {
    const copies = {
      'Docent/memory (Conflicted copy Ada’s phone 202611241015).md': 'x',
      'Docent/states/Boat.sync-conflict-20261124-101500-ABCDEFG.md': 'x',
      "Work/AGENTS (Ada's conflicted copy 2026-11-24).md": 'x',
    };
    const others = {
      ...{ 'Plan.md': 'x', 'Plan.sync-conflict-20261124-101500.md': 'x', 'Docent/memory 2.md': 'x' },
      'Docent/prompts/Alone (conflicted copy 2026-11-24).md': 'x',
    };
    const own = { 'Docent/memory.md': 'x', 'Docent/states/Boat.md': 'x', 'Work/AGENTS.md': 'x' };
    const results = await checkBench({ ...own, ...others, ...copies }).run('conflict-copies');
    expect(results.map(({ path }) => path).sort()).toEqual(Object.keys(copies).sort());
    expect(results.map(({ level }) => level)).toEqual(['warning', 'warning', 'warning']);
    expect(results[0]?.words).toContain('because two devices changed it');
    expect(formatResults(await checkBench({ ...own, ...others }).run('conflict-copies'))).toEqual([
      'ok: No conflicting versions of Docent’s notes found.',
    ]);
  });
});

describe('the check of the model', () => {
  it('R259 says what is missing before a request can be sent, with a way to the settings', async () => {
    const failure = { kind: 'authentication', words: 'No key is stored.', remedy: 'Add the key.' } as const;
    const results = await checkBench({}, { access: () => fail(failure) }).run('model');
    expect(formatResults(results)).toEqual(['error: No key is stored. Add the key.']);
    expect(results[0]?.inUse).toBe(true);
    expect(steps(results)).toEqual(['open-settings']);
  });

  it('R259 says in words how the model is reached', async () => {
    const at = (hasKey: boolean): Partial<CheckPorts> => ({
      access: () => succeed({ provider: 'Ollama', address: 'http://localhost:11434', hasKey }),
    });
    const model = 'ollama/a/b:7b';
    expect(formatResults(await checkBench({}, at(false)).run('model', { model }))[0]).toMatch(
      /^ok: a\/b:7b of Ollama at http:\/\/localhost:11434 has no API key and needs none\./,
    );
    expect(formatResults(await checkBench({}, at(true)).run('model', { model }))[0]).toContain('has an API key');
    expect((await checkBench({}).run('model'))[0]?.words).toContain('built-in reader');
  });

  it('F21 says that the model holds less than was assumed, and warns if the user has set more', async () => {
    const description = { contextWindow: 8_192, assumedWindow: 32_000 } as Model['description'];
    const at = (contextWindow: number | null): Partial<CheckPorts> => ({
      access: () => succeed({ provider: 'LM Studio', address: 'http://localhost:1234', hasKey: false }),
      model: () => succeed({ description } as Model),
      settings: () => ({ ...defaultSettings, contextWindow }),
    });
    const model = 'lmstudio/oak';
    const [, known] = await checkBench({}, at(null)).run('model', { model });
    expect([known?.level, known?.words]).toEqual([
      'note',
      expect.stringContaining('on this device is 8,192 tokens, not 32,000'),
    ]);
    const [, set] = await checkBench({}, at(32_000)).run('model', { model });
    expect(set).toMatchObject({ level: 'warning', inUse: true });
    expect(set?.words).toContain('You set a context window of 32,000 tokens for oak, but its server accepts 8,192.');
    expect(steps(set === undefined ? [] : [set])).toEqual(['open-settings']);
  });
});

describe('the check of events', () => {
  it('R259 shows the last twenty, the newest first', async () => {
    const events = Array.from({ length: 25 }, (_, time) => ({ time, area: 'turn', words: `event ${time}` }));
    const results = await checkBench({}, { events: () => events }).run('events');
    expect(results).toHaveLength(20);
    expect(results[0]).toMatchObject({ level: 'note', words: 'turn: event 24', time: 24 });
    expect((await checkBench({}).run('events'))[0]?.level).toBe('ok');
  });
});

describe('the checks together', () => {
  it('R259 have names of their own, and report in their order, each with something to say', async () => {
    const reports = await checkBench({}).reports();
    expect(new Set(reports.map(({ id }) => id)).size).toBe(checks.length);
    expect(reports.map(({ id }) => id)).toEqual(checks.map(({ id }) => id));
    expect(reports.filter(({ results }) => results.length === 0)).toEqual([]);
    expect(problemsIn(reports)).toEqual([]);
    expect(hasProblem(reports)).toEqual({ notes: 0, others: 0, first: null });
  });

  it('R259 go on when one of them breaks, and say that it did', async () => {
    const broken = { id: 'broken', label: 'Broken', run: () => Promise.reject(new Error('No.')) };
    const { ports } = checkBench({});
    const [first, second] = await runChecks([broken, ...checks], ports, null, 'all', new AbortController().signal);
    expect(first?.results).toEqual([{ level: 'error', words: 'Couldn’t run this check: No.' }]);
    expect(second?.results).toHaveLength(1);
  });

  it('R259 stop when nobody waits for them any more', async () => {
    const abort = new AbortController();
    const first = { id: 'first', label: 'First', run: () => Promise.resolve(void abort.abort()).then(() => []) };
    const reports = await runChecks([first, ...checks], checkBench({}).ports, null, 'all', abort.signal);
    expect(reports.map(({ id }) => id)).toEqual(['first']);
  });

  it('R259 count each note once among what the next request uses, the gravest first', async () => {
    const failure = { kind: 'authentication', words: 'No key.', remedy: 'Add it.' } as const;
    const bench = checkBench(
      {
        'Docent/prompts/A.md': note('requiredTools: fetch_page', '${dat}'),
        'Docent/prompts/Unused.md': note('requiredTools: fetch_page'),
        'Docent/workspaces/Bad.md': note('folder: [a]'),
      },
      { access: () => fail(failure) },
    );
    const reports = await bench.reports({ selectedPrompt: 'Docent/prompts/A.md' }, 'next');
    expect(hasProblem(reports)).toMatchObject({ notes: 2, others: 1, first: { words: 'No key. Add it.' } });
    expect(worstOf(reports.flatMap(({ results }) => results))).toBe('error');
    expect(worstOf([])).toBe('ok');
  });

  it('R259 leave what a chat has chosen and is missing to its own notice above the message box', async () => {
    const missing = {
      selectedPrompt: 'Docent/prompts/Gone.md',
      selectedWorkspace: 'Docent/workspaces/Gone.md',
      contextNotes: ['Gone.md'],
    };
    const reports = await checkBench({}).reports(missing, 'next');
    expect(problemsIn(reports)).toHaveLength(3);
    expect(hasProblem(reports)).toEqual({ notes: 0, others: 0, first: null });
  });

  it('R259 ask the network for nothing and read no note twice over', async () => {
    const bench = checkBench({ 'Docent/prompts/A.md': 'a', 'Docent/prompts/B.md': note('name: b'), 'C.md': 'c' });
    await bench.reports({}, 'next');
    expect(bench.vault.reads).toEqual(['Docent/prompts/A.md']);
  });
});
