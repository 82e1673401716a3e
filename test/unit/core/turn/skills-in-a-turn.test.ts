/** Skills in a turn: named with the message, within their limit of tools, and remembered over a summary. */
import { skillsIn } from '../../../../src/core/context/turn-context';
import { missingResources, writeSkill } from '../../../../src/core/library/skills';
import type { Mention } from '../../../../src/core/session/entry';
import { tools } from '../../../../src/core/tools';
import { chatBench, rested, until } from '../../../support/chat-bench';
import { answer, entry, user } from '../../../support/entries';
import { fakeVault } from '../../../support/fake-vault';
import { call, finish, say, scriptedModel } from '../../../support/scripted-model';
import { expectGrowthBelow } from 'obsidian-workbench/testing/cost';

const folder = 'Docent/skills/review';
const files = {
  'A.md': 'alpha',
  [`${folder}/SKILL.md`]: '---\nname: review\ndescription: d\nallowed-tools: read_note\n---\nReview it.',
  [`${folder}/form.md`]: 'A form.',
};
const review: Mention = { kind: 'skill', id: `${folder}/SKILL.md`, label: 'review' };

it('R135 a skill that the message names is in its request, and its limit holds for this turn alone', async () => {
  const folders = () => [call('c', 'list_folder', { path: '' }), finish('tool-calls')];
  const model = scriptedModel([folders(), [say('Done.'), finish()], folders(), [say('Done.'), finish()]]);
  const bench = chatBench({ vault: fakeVault(files), model, ports: { tools } });
  const chat = await bench.open();
  await chat.send('/review now', [review]);
  await until(chat, rested);
  const sent = JSON.stringify(model.plans[0]?.messages);
  expect(sent).toContain('<instructions name=\\"review\\">\\nReview it.\\n</instructions>');
  expect(sent).toContain(`Files of this skill: ${folder}/form.md.`);
  expect(JSON.stringify(model.plans[1]?.messages.at(-1))).toContain('The skill “review” does not allow list_folder');
  await chat.send('And now?', []);
  await until(chat, rested);
  expect(JSON.stringify(model.plans[3]?.messages.at(-1))).not.toContain('does not allow');
});

it.each(['', 'folder: /\n'])('R134 loads a skill of a workspace that is the whole vault (%j)', async (folderLine) => {
  const vault = fakeVault({
    'Docent/workspaces/All.md': `---\n${folderLine}description: d\n---\nAll of it.`,
    'skills/tides/SKILL.md': '---\nname: tides\ndescription: Reads tides.\n---\nHigh water first.',
  });
  const model = scriptedModel([
    [call('c', 'activate_skill', { name: 'tides' }), finish('tool-calls')],
    [say('Done.'), finish()],
  ]);
  const bench = chatBench({ vault, model, ports: { tools } });
  const chat = await bench.open();
  await chat.choose({ selectedWorkspace: 'Docent/workspaces/All.md', tier: 4 });
  await chat.send('When is high water?', []);
  await until(chat, rested);
  expect(model.plans[0]?.system).toContain('skills/tides/SKILL.md');
  expect(JSON.stringify(model.plans[1]?.messages.at(-1))).toContain('High water first.');
});

it('R135 counts a skill as brought in by a message, by the tool from a note, and by the tool without one', () => {
  const loaded = { kind: 'tool-result', callId: 'c', name: 'activate_skill', text: 't', isError: false } as const;
  const given = { tag: 'instructions', attributes: { name: 'tides', source: 'plugin/tides' } } as const;
  const entries = [
    entry({ kind: 'user', text: '/review', mentions: [review] }),
    entry(user('plain')),
    entry(answer('x')),
    entry({ ...loaded, sources: [{ path: `${folder}/SKILL.md` }] }),
    entry({ ...loaded, sources: [], frame: given }),
    entry({ ...loaded, isError: true, sources: [{ path: 'B.md' }] }),
  ];
  expect(skillsIn(entries)).toEqual([`${folder}/SKILL.md`, 'plugin/tides']);
});

it('R135 names at most thirty files of a skill, and none where notes cannot be read', () => {
  const many = Array.from({ length: 40 }, (_, index) => `${folder}/${index}.md`);
  const skill = { name: 'review', location: `${folder}/SKILL.md` };
  const place = { files: many, toolNames: ['read_note'], tokens: 100 };
  expect(writeSkill(skill, 'Do it.', place).lead).toContain(`${folder}/29.md, and 10 more in ${folder}. Read one`);
  expect(writeSkill(skill, 'Do it.', { ...place, toolNames: [] }).lead).toBe('');
  expect(writeSkill(skill, 'word '.repeat(500), place).text).toMatch(/\[Cut here: the rest of this skill/);
});

it('finds the files that a skill names in time that grows with its text alone', async () => {
  const vault = fakeVault({});
  const hard = (size: number): string => 'references/a.'.repeat(size) + './'.repeat(size) + 'scripts/'.repeat(size);
  const find = (size: number) => () => void missingResources(vault, `${folder}/SKILL.md`, hard(size));
  await expectGrowthBelow(10, find(800_000), find(200_000));
});

it.each([
  ['folders', 'references/a' + '/b'.repeat(4_000_000)],
  ['dots', `references/a${'.'.repeat(1_000_000)}b`],
  ['one sign', '.'.repeat(8_000_000)],
  ['folders after a cut', `${'a'.repeat(1_000)}references/b`],
])('names no file in a skill of millions of %s', (_name, text) => {
  expect(missingResources(fakeVault({}), `${folder}/SKILL.md`, text)).toEqual([]);
  expect(missingResources(fakeVault({}), `${folder}/SKILL.md`, `${text} references/form.md`)).toEqual([
    'references/form.md',
  ]);
});
