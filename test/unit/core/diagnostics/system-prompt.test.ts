/** What the diagnostics say of the user's own instructions. */
import type { Settings } from '../../../../src/core/settings/settings';
import { fakeComputer, ownPromptBench } from '../own-prompt/own-prompt-bench';
import { checkBench, formatResults, steps } from './check-bench';
import { allowOutside } from '../../../support/own-prompt-ports';

function benchOf(files: Readonly<Record<string, string>>, settings: Partial<Settings> = {}, variables = {}) {
  const own = ownPromptBench(files, settings, fakeComputer(variables));
  const checks = checkBench(files, { settings: () => own.settings, override: own.override });
  return { own, run: (choices = {}) => checks.run('system-prompt', choices), checks };
}

it('R259 says that our own instructions are in use', async () => {
  expect(formatResults(await benchOf({}).run())).toEqual(['ok: Docent’s instructions are in use.']);
});

it('R032 K8 R259 tells of an override that is not there, with both ways out', async () => {
  const results = await benchOf({}, { systemPrompt: 'default' }).run();
  expect(results).toMatchObject([{ level: 'error', path: 'Docent/system.md', inUse: true }]);
  expect(steps(results)).toEqual(['create-system-prompt', 'turn-off-system-prompt', 'open-settings']);
});

it('R029 R259 tells of a file outside that is not allowed, and of one that is', async () => {
  const { own, run } = benchOf({}, { systemPrompt: 'path', systemPromptPath: '~/mine.md' });
  own.computer?.outside.set('/home/ada/mine.md', 'Mine.');
  expect(steps(await run())).toContain('allow-outside-file');
  await allowOutside(own.device, '/home/ada/mine.md');
  expect(formatResults(await run())).toEqual([
    'ok: /home/ada/mine.md: Your custom system prompt /home/ada/mine.md is in use, ≈2 tokens.',
  ]);
  // The app opens notes of the vault alone.
  expect(steps(await run())).toEqual(['open-settings']);
  expect(steps(await benchOf({ 'Docent/system.md': 'Mine.' }, { systemPrompt: 'default' }).run())).toEqual([
    'open-note Docent/system.md',
  ]);
});

it('R030 tells of a path that cannot be followed here', async () => {
  const { own, run } = benchOf({}, { systemPrompt: 'path', systemPromptPath: '~/mine.md' });
  own.computer = null;
  expect(await run()).toMatchObject([
    { level: 'warning', inUse: true, words: expect.stringContaining('mobile devices') },
  ]);
  own.computer = { ...fakeComputer(), home: null };
  const words = '“~/mine.md” isn’t used, because the home folder of this computer is unknown.';
  expect(await run()).toMatchObject([{ level: 'warning', inUse: true, words, actions: [{ id: 'open-settings' }] }]);
});

it('R034 tells of an override that is empty or large', async () => {
  expect(await benchOf({ 'Docent/system.md': ' ' }, { systemPrompt: 'default' }).run()).toMatchObject([
    { level: 'warning' },
  ]);
  const large = benchOf({ 'Docent/system.md': 'word '.repeat(100_000) }, { systemPrompt: 'default' });
  const [inUse, tooLarge] = await large.run();
  expect([inUse, tooLarge]).toMatchObject([
    { level: 'ok' },
    { level: 'warning', path: 'Docent/system.md', inUse: true },
  ]);
  expect(steps(inUse === undefined || tooLarge === undefined ? [] : [inUse, tooLarge])).toEqual([
    'open-note Docent/system.md',
    'open-note Docent/system.md',
  ]);
});

it('R034 waits until the override is counted exactly', async () => {
  const tokenizer = {
    exact: false,
    count: () => (tokenizer.exact ? 7 : 9),
    settle: () => Promise.resolve(void (tokenizer.exact = true)),
  };
  const files = { 'Docent/system.md': 'Mine.' };
  const own = ownPromptBench(files, { systemPrompt: 'default' }, fakeComputer({}));
  const bench = checkBench(files, { settings: () => own.settings, override: own.override, tokenizer });
  expect(formatResults(await bench.run('system-prompt'))).toEqual([
    'ok: Docent/system.md: Your custom system prompt Docent/system.md is in use, 7 tokens.',
  ]);
});

it.each([
  ['Docent/system.md', 'default', true],
  ['Docent/system-extra.md', 'off', true],
  ['Docent/modes/user/tier2.md', 'off', false],
] as const)('R034 says of %s that its tags are sent as text', async (path, systemPrompt, inUse) => {
  const tagsOf = async (text: string) =>
    (await benchOf({ [path]: text }, { systemPrompt }).run({ tier: 5 })).filter(({ level }) => level === 'warning');
  expect(await tagsOf('<a>open')).toMatchObject([{ path, inUse, words: expect.stringContaining('don’t match (<a>)') }]);
  expect(await tagsOf('<note>x</note>')).toMatchObject([{ path, words: expect.stringContaining('<note>') }]);
  expect(await tagsOf('<mine>x</mine> a < b & c')).toEqual([]);
});

it('R252 names the parts that are switched off', async () => {
  const results = await benchOf({}, { sectionsOff: ['git', 'files'] }).run();
  expect(formatResults(results)).toContain('note: 2 sections are turned off: Git, Attached notes.');
});

it('R038 reports unknown variables of the override and of system-extra.md', async () => {
  const files = { 'Docent/system.md': '${AgentSkils} ${constructor}', 'Docent/system-extra.md': '${AvailableTool}' };
  const { checks } = benchOf(files, { systemPrompt: 'default' });
  expect(formatResults(await checks.run('variables', {}, 'next'))).toEqual([
    expect.stringContaining(
      'Docent/system.md: ${AgentSkils} isn’t a variable, so it is sent as plain text. Did you mean ${AgentSkills}?',
    ),
    expect.stringContaining('note: Docent/system.md: ${constructor}'),
    expect.stringContaining('Docent/system-extra.md: ${AvailableTool} isn’t a variable'),
  ]);
});

it('R025 K8 reports an override that is a template with a mistake, and that Docent’s own instructions are used', async () => {
  const { run, checks } = benchOf({ 'Docent/system.md': 'Mine.\n<%= it.mode' }, { systemPrompt: 'default' });
  expect(formatResults(await run())).toEqual([
    'warning: Docent/system.md: Its template has an error, so Docent’s instructions are used.',
  ]);
  expect(formatResults(await checks.run('variables', {}, 'next'))).toEqual([
    expect.stringMatching(/^error: Docent\/system\.md: Line 2: A tag begins with <% and has no %>\./),
  ]);
});
