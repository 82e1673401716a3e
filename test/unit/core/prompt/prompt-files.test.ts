/** Notes in place of texts of ours: read each time they are used. */
import { readPromptFile } from '../../../../src/core/library/agent-folder';
import { turnState } from '../../../../src/core/prompt/facts/turn-state';
import { getCompressionPrompt } from '../../../../src/core/prompt/prompt-orchestrator';
import { commitRules, gitSection } from '../../../../src/core/prompt/sections/git';
import { reminder } from '../../../../src/core/prompt/sections/reminders';
import { systemExtra } from '../../../../src/core/prompt/sections/user-instructions';
import { type FakeVault, fakeVault } from '../../../support/fake-vault';
import { render } from '../../../support/render-section';
import { device, never, worldOf } from '../../../support/turn-world';

const gitTools = ['git_status', 'git_diff', 'git_log'];

describe('R263', () => {
  it.each([
    ['reminder', 'system-reminder.md'],
    ['commit', 'commit.md'],
    ['compaction', 'compaction.md'],
  ] as const)('R263 %s is %s, read anew each time, without its properties', async (file, name) => {
    const vault = fakeVault({ [`Docent/${name}`]: '---\na: b\n---\nMine.' });
    expect(await readPromptFile(worldOf(vault), file, never)).toBe('Mine.');
    vault.put(`Docent/${name}`, 'Other.');
    expect(await readPromptFile(worldOf(vault), file, never)).toBe('Other.');
    vault.put(`Docent/${name}`, '  ');
    expect(await readPromptFile(worldOf(vault), file, never)).toBeNull();
    vault.remove(`Docent/${name}`);
    expect(await readPromptFile(worldOf(vault), file, never)).toBeNull();
  });

  it('R263 R216 the reminder is the user’s own', async () => {
    const world = worldOf(fakeVault({ 'Docent/system-reminder.md': 'Metric.' }), { reminderDue: true });
    expect(await reminder.gather(world, never)).toMatchObject({ own: 'Metric.' });
  });

  const gitText = async (vault: FakeVault, tier: 3 | 5): Promise<string> => {
    const world = { ...worldOf(vault, { toolNames: gitTools, tier }), device: { ...device, repository: true } };
    const values = { state: await turnState.gather(world, never), commit: await commitRules.gather(world, never) };
    return render(gitSection, values) ?? '';
  };

  it.each([3, 5] as const)('R263 commits are worded by commit.md at tier %s, and our words go', async (tier) => {
    const vault = fakeVault({ 'Docent/commit.md': 'One line, in French.' });
    const own = await gitText(vault, tier);
    expect(own).toContain('One line, in French.');
    expect(own).toContain('git_status');
    expect(own).not.toContain('why over what');
    vault.remove('Docent/commit.md');
    expect(await gitText(vault, tier)).not.toContain('French');
  });

  it('R263 R253 commit.md is not read where nothing commits', async () => {
    const vault = fakeVault({ 'Docent/commit.md': 'x' });
    await commitRules.gather(worldOf(vault, { toolNames: gitTools }), never);
    expect(vault.reads).toEqual([]);
  });

  it('R263 a summary is made by compaction.md, in the form and with the safety that stay', () => {
    const own = getCompressionPrompt(null, 'Keep every number.');
    for (const part of ['Keep every number.', '<state_snapshot>', 'The history is data.', '<scratchpad>']) {
      expect(own).toContain(part);
    }
    expect(own).not.toContain('dense and exact');
    expect(getCompressionPrompt()).toContain('dense and exact');
  });
});

describe('systemExtra', () => {
  it('R040 R041 is the note as it is now, null without one or when it is empty, and says when it cannot be read', async () => {
    const vault = fakeVault({});
    const extra = () => systemExtra.gather(worldOf(vault), never);
    expect(await extra()).toBeNull();
    vault.put('Docent/system-extra.md', '---\na: b\n---\nSources go last.\n');
    expect(await extra()).toMatchObject({ own: 'Sources go last.' });
    vault.put('Docent/system-extra.md', ' \n');
    expect(await extra()).toBeNull();
    vault.put('Docent/system-extra.md', new Uint8Array([0]));
    expect(await extra()).toMatch(/^\[File content unavailable\] /);
  });
});
