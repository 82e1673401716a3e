/** Notes to begin with: where each is made, that none is replaced, and that Docent can use each as it is. */
import { readAskingNote } from '../../../../src/core/context/chat-choices';
import { findProblems } from '../../../../src/core/library/note-problems';
import { listSkills } from '../../../../src/core/library/skills';
import {
  pathOfStarter,
  type StarterKind,
  starterKinds,
  starterTextFor,
  startNote,
} from '../../../../src/core/library/starters';
import { listSubagents } from '../../../../src/core/library/subagents';
import { bodyOf } from '../../../../src/core/markdown/properties';
import { fail, succeed } from '../../../../src/core/ports/failure';
import { type FakeVault, fakeVault } from '../../../support/fake-vault';

async function start(kind: StarterKind, vault: FakeVault) {
  return startNote(kind, {
    agentFolder: 'Docent',
    isTaken: (path) => vault.file(path) !== undefined || vault.folders().includes(path),
    create: (path, text) => Promise.resolve(succeed(vault.put(path, text))),
  });
}

const paths: readonly (readonly [StarterKind, string, string])[] = [
  ['prompt', 'Docent/prompts/New prompt.md', 'Docent/prompts/New prompt 2.md'],
  ['workspace', 'Docent/workspaces/New workspace.md', 'Docent/workspaces/New workspace 2.md'],
  ['skill', 'Docent/skills/new-skill/SKILL.md', 'Docent/skills/new-skill-2/SKILL.md'],
  ['subagent', 'Docent/subagents/new-subagent.md', 'Docent/subagents/new-subagent-2.md'],
  ['context-file', 'AGENTS.md', 'AGENTS.md'],
  ['memory', 'Docent/memory.md', 'Docent/memory.md'],
  ['system-extra', 'Docent/system-extra.md', 'Docent/system-extra.md'],
  ['system-reminder', 'Docent/system-reminder.md', 'Docent/system-reminder.md'],
  ['commit', 'Docent/commit.md', 'Docent/commit.md'],
  ['compaction', 'Docent/compaction.md', 'Docent/compaction.md'],
];

it.each(paths)('the starter of a %s is made at %s, and another one at %s', async (kind, first, second) => {
  const vault = fakeVault({});
  expect(await start(kind, vault)).toEqual(succeed({ path: first, isNew: true }));
  const made = await vault.read(first);
  expect(await start(kind, vault)).toEqual(succeed({ path: second, isNew: first !== second }));
  expect(await vault.read(first)).toEqual(made);
  expect(pathOfStarter(kind, 'Docent')).toBe(first === second ? first : null);
});

it('has a starter for each kind, and says why one could not be made', async () => {
  expect(paths.map(([kind]) => kind)).toEqual(starterKinds);
  const failure = { kind: 'storage', words: 'No room.', remedy: '' } as const;
  const ports = { agentFolder: 'Docent', isTaken: () => false, create: () => Promise.resolve(fail<void>(failure)) };
  expect(await startNote('memory', ports)).toEqual(fail(failure));
});

it('starters can be used as they are, and what explains them is not sent', async () => {
  const vault = fakeVault({});
  for (const kind of starterKinds) await start(kind, vault);
  expect(findProblems(vault, 'Docent', [])).toEqual([]);
  expect(listSkills(vault, 'Docent').problems).toEqual([]);
  expect(listSkills(vault, 'Docent').skills.filter(({ source }) => source !== 'built-in')).toMatchObject([
    { name: 'new-skill' },
  ]);
  expect(listSubagents(vault, 'Docent').problems).toEqual([]);
  expect(readAskingNote(vault, 'Docent', 'Docent/prompts/New prompt.md')).toMatchObject({
    name: 'New prompt',
    fields: { pinned: [] },
  });
  for (const [kind, path] of paths) {
    const read = await vault.read(path);
    const body = read.ok ? bodyOf(read.value.text) : '';
    expect([kind, body.includes('%%'), /for you|stay empty/.test(body)]).toEqual([kind, false, false]);
    // Obsidian ends a comment at the next two percent signs.
    expect([kind, read.ok && read.value.text.split('%%').length]).toEqual([kind, kind === 'context-file' ? 1 : 3]);
    const isFilled = ['prompt', 'workspace', 'skill', 'subagent', 'context-file'].includes(kind);
    expect([kind, body !== '']).toEqual([kind, isFilled]);
  }
});

it('a comment at the top of a note is not part of its text, any other one is', () => {
  const note = (body: string): string => `---\nname: a\n---\n${body}`;
  expect(bodyOf(note('%%\nFor me.\n%%\n\nText.'))).toBe('Text.');
  expect(bodyOf('%%\r\nFor me.\r\n%%\r\nText.')).toBe('Text.');
  expect(bodyOf('%%\n%%')).toBe('');
  for (const text of ['Text.\n%%\nKept.\n%%', '%%Kept%%\nText.', '%%\nNever closed.']) expect(bodyOf(text)).toBe(text);
});

it('a note of the agent folder begins with the text that its name stands for in the list', () => {
  const fixed = starterKinds.flatMap((kind) => pathOfStarter(kind, '') ?? []);
  const inFolder = fixed.filter((each) => each.startsWith('/')).map((each) => starterTextFor(each.slice(1)));
  expect(inFolder.length).toBeGreaterThan(3);
  expect(new Set(inFolder).size).toBe(inFolder.length);
  expect(inFolder).not.toContain('');
  expect(['', 'AGENTS.md', 'none.md', '/memory.md'].map(starterTextFor)).toEqual(['', '', '', '']);
});
