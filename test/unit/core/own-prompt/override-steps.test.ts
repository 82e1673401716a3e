/** What a person can do about a system prompt of their own. */
import {
  allowOverride,
  appendOverride,
  createOverride,
  type OverrideStepPorts,
  turnOffOverride,
} from '../../../../src/core/own-prompt/override-steps';
import { allowsOutside } from '../../../../src/core/own-prompt/text-files';
import { succeed } from '../../../../src/core/ports/failure';
import { confirmWith, fakeComputer, type OwnPromptBench, ownPromptBench, textIn } from './own-prompt-bench';

function portsOf(bench: OwnPromptBench): OverrideStepPorts {
  return {
    ...bench.override,
    computer: bench.computer,
    files: bench.files,
    device: bench.device,
    change: (part) => {
      bench.settings = { ...bench.settings, ...part };
      return Promise.resolve();
    },
    startingText: () => Promise.resolve(succeed('Our own text.\n')),
    confirmOutside: confirmWith(bench),
  };
}

describe('creating the file', () => {
  it('R032 K8 makes what is missing from our own text, and leaves what is there', async () => {
    const bench = ownPromptBench({}, { systemPrompt: 'path', systemPromptPath: 'Prompts/mine.md' });
    expect(await createOverride(portsOf(bench))).toMatchObject({ value: { path: 'Prompts/mine.md' } });
    expect(await textIn(bench, 'Prompts/mine.md')).toBe('Our own text.\n');
    bench.vault.put('Prompts/mine.md', 'Changed.');
    expect(await createOverride(portsOf(bench))).toMatchObject({ value: { message: '' } });
    expect(await textIn(bench, 'Prompts/mine.md')).toBe('Changed.');
  });

  it('R032 R029 makes it outside the vault as well', async () => {
    const bench = ownPromptBench({}, { systemPrompt: 'path', systemPromptPath: '~/mine.md' });
    await createOverride(portsOf(bench));
    expect(bench.computer?.outside.get('/home/ada/mine.md')).toBe('Our own text.\n');
  });
});

it.each(['Prompts/mine.md', '~/mine.md'])(
  'leaves a file unchanged that arrives while the text for it is made: %s',
  async (systemPromptPath) => {
    const bench = ownPromptBench({}, { systemPrompt: 'path', systemPromptPath });
    const arrives = (): void => {
      bench.vault.put('Prompts/mine.md', 'Synced.');
      bench.computer?.outside.set('/home/ada/mine.md', 'Synced.');
    };
    const startingText = () => Promise.resolve(arrives()).then(() => succeed('Our own text.\n'));
    expect(await createOverride({ ...portsOf(bench), startingText })).toMatchObject({ value: { message: '' } });
    expect(await textIn(bench, 'Prompts/mine.md')).toBe('Synced.');
    expect(bench.computer?.outside.get('/home/ada/mine.md')).toBe('Synced.');
  },
);

describe('turning it off', () => {
  it('R032 K8 keeps the file', async () => {
    const bench = ownPromptBench({ 'Docent/system.md': 'Mine.' }, { systemPrompt: 'default' });
    await turnOffOverride(portsOf(bench));
    expect([bench.settings.systemPrompt, await textIn(bench, 'Docent/system.md')]).toEqual(['off', 'Mine.']);
  });

  it('R027 cannot turn off what the environment says', async () => {
    const computer = fakeComputer({ DOCENT_SYSTEM_MD: '1' });
    const bench = ownPromptBench({}, { systemPrompt: 'default' }, computer);
    expect(await turnOffOverride(portsOf(bench))).toEqual(succeed(null));
    expect(bench.settings.systemPrompt).toBe('default');
  });
});

it.each([true, false])(
  'R029 allows a file outside the vault on this device when the user says so: %s',
  async (answer) => {
    const bench = ownPromptBench({}, { systemPrompt: 'path', systemPromptPath: '~/mine.md' });
    bench.answer = answer;
    await allowOverride(portsOf(bench));
    expect(allowsOutside(bench.device, '/home/ada/mine.md')).toBe(answer);
    expect(bench.asked).toEqual(['/home/ada/mine.md']);
  },
);

describe('appending instead of replacing', () => {
  it('R034 R040 puts the text into system-extra.md and turns the replacement off', async () => {
    const files = { 'Docent/system.md': '---\na: b\n---\nMine.\n' };
    const bench = ownPromptBench(files, { systemPrompt: 'default' });
    expect(await appendOverride(portsOf(bench))).toMatchObject({ value: { path: 'Docent/system-extra.md' } });
    expect(await textIn(bench, 'Docent/system-extra.md')).toBe('Mine.\n');
    expect(await textIn(bench, 'Docent/system.md')).toBe(files['Docent/system.md']);
    expect(bench.settings.systemPrompt).toBe('off');
  });

  it('R040 leaves a system-extra.md that is there as it is', async () => {
    const files = { 'Docent/system.md': 'Mine.', 'Docent/system-extra.md': 'More.' };
    const bench = ownPromptBench(files, { systemPrompt: 'default' });
    await appendOverride(portsOf(bench));
    expect(await textIn(bench, 'Docent/system-extra.md')).toBe('More.');
    expect(bench.settings.systemPrompt).toBe('off');
  });

  it.each([
    ['%%\nFor you.\n%%\n', '%%\nFor you.\n%%\n\nMine.\n'],
    ['\n', 'Mine.\n'],
  ])('R040 puts the text into a system-extra.md that has none yet: %j', async (there, expected) => {
    const files = { 'Docent/system.md': '%%\nFor you too.\n%%\nMine.', 'Docent/system-extra.md': there };
    const bench = ownPromptBench(files, { systemPrompt: 'default' });
    expect(await appendOverride(portsOf(bench))).toMatchObject({
      value: { message: expect.stringContaining('is now in Docent/system-extra.md') },
    });
    expect(await textIn(bench, 'Docent/system-extra.md')).toBe(expected);
    expect(bench.settings.systemPrompt).toBe('off');
  });

  it('R032 changes nothing when there is no text', async () => {
    const bench = ownPromptBench({}, { systemPrompt: 'default' });
    expect(await appendOverride(portsOf(bench))).toMatchObject({ ok: false });
    expect(bench.settings.systemPrompt).toBe('default');
  });

  it.each([true, false])('R029 reads a file outside the vault only if the user allows it: %s', async (answer) => {
    const bench = ownPromptBench({}, { systemPrompt: 'path', systemPromptPath: '~/diary.md' });
    bench.computer?.outside.set('/home/ada/diary.md', 'Mine.');
    bench.answer = answer;
    await appendOverride(portsOf(bench));
    expect(bench.asked).toEqual(['/home/ada/diary.md']);
    expect(await textIn(bench, 'Docent/system-extra.md')).toBe(answer ? 'Mine.\n' : null);
    expect(bench.settings.systemPrompt).toBe(answer ? 'off' : 'path');
  });
});
