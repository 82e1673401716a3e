/** The pages about what users write for Docent: every field of the schemas, an example that is valid, and every name. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import contextFiles from '../../../docs/context-files.md';
import variablesPage from '../../../docs/environment-variables.md';
import memory from '../../../docs/memory.md';
import prompts from '../../../docs/saved-prompts.md';
import skills from '../../../docs/skills.md';
import subagents from '../../../docs/subagents.md';
import systemPrompt from '../../../docs/system-prompt.md';
import workspaces from '../../../docs/workspaces.md';
import { starterKinds, startNote } from '../../../src/core/library/starters';
import { builtInSkills, listSkills, skillSchema } from '../../../src/core/library/skills';
import { listSubagents, subagentSchema } from '../../../src/core/library/subagents';
import { promptProperties, promptsIn, workspaceProperties, workspacesIn } from '../../../src/core/library/user-notes';
import { succeed } from '../../../src/core/ports/failure';
import { exportVariable } from '../../../src/core/own-prompt/export-prompt';
import { compositionKeys, switchName } from '../../../src/core/prompt/composition-options';
import { overrideVariable } from '../../../src/core/prompt/override';
import { words } from '../../../src/text';
import { fakeVault, type FakeVault } from '../../support/fake-vault';
import { expectNoFaults } from '../expect-no-faults';

const root = join(__dirname, '../../..');

/** Names in the first column of the table under this head. */
function namesUnder(page: string, head: string): string[] {
  const rows =
    page
      .slice(page.indexOf(`| ${head} |`))
      .split(/\n\n/, 1)[0]
      ?.split('\n')
      .slice(2) ?? [];
  return rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
}

const examplesIn = (page: string): string[] =>
  [...page.matchAll(/```markdown\n([\s\S]*?)```/g)].map(([, text = '']) => text);

/** Puts each example where a note of its kind is, and returns how many of them are valid. */
const kinds: readonly (readonly [
  name: string,
  page: string,
  schema: { shape: object },
  valid: (examples: readonly string[]) => number,
])[] = [
  [
    'saved-prompts',
    prompts,
    promptProperties(),
    (examples) => promptsIn(vaultWith(examples, 'prompts'), 'Docent').summaries.length,
  ],
  [
    'workspaces',
    workspaces,
    workspaceProperties(),
    (examples) => workspacesIn(vaultWith(examples, 'workspaces'), 'Docent').summaries.length,
  ],
  [
    'skills',
    skills,
    skillSchema(),
    (examples) => listSkills(skillVault(examples), 'Docent').skills.length - builtInSkills.length,
  ],
  [
    'subagents',
    subagents,
    subagentSchema(),
    (examples) => listSubagents(vaultWith(examples, 'subagents'), 'Docent').subagents.length - 3,
  ],
];

function vaultWith(examples: readonly string[], folder: string): FakeVault {
  return fakeVault(Object.fromEntries(examples.map((text, index) => [`Docent/${folder}/${index}.md`, text])));
}

function skillVault(examples: readonly string[]): FakeVault {
  const nameOf = (text: string): string => /^name: (.*)$/m.exec(text)?.[1] ?? '';
  return fakeVault(Object.fromEntries(examples.map((text) => [`Docent/skills/${nameOf(text)}/SKILL.md`, text])));
}

it.each(kinds)(
  'the page on %s has every property of the schema, no other, and valid examples',
  (_name, page, schema, valid) => {
    expect(namesUnder(page, 'Property').sort()).toEqual(Object.keys(schema.shape).sort());
    const examples = examplesIn(page).filter((text) => text.startsWith('---\n'));
    expect([examples.length > 0, valid(examples)]).toEqual([true, examples.length]);
  },
);

it('a starter has every property of its schema, and explains each', async () => {
  const vault = fakeVault({});
  const schemas = {
    prompt: promptProperties(),
    workspace: workspaceProperties(),
    skill: skillSchema(),
    subagent: subagentSchema(),
  };
  for (const [kind, { shape }] of Object.entries(schemas)) {
    let made = '';
    const create = (path: string, text: string) => Promise.resolve(succeed(vault.put(path, (made = text))));
    await startNote(kind as keyof typeof schemas, { agentFolder: 'Docent', isTaken: () => false, create });
    const [, properties = '', explained = ''] = /^---\n([\s\S]*?)---\n%%\n([\s\S]*?)\n%%/.exec(made) ?? [];
    const named = [...properties.matchAll(/^([\w-]+):/gm)].map(([, name]) => name);
    expect([kind, named.sort()]).toEqual([kind, Object.keys(shape).sort()]);
    const lines = explained.split('\n').filter((line) => line.startsWith('- '));
    const without = Object.keys(shape).filter(
      (name) => !lines.some((line) => (line.split(':')[0] ?? '').includes(name)),
    );
    expect([kind, without]).toEqual([kind, []]);
  }
});

it('the page on environment variables has every one', () => {
  const named = [
    ...namesUnder(variablesPage, 'Variable'),
    ...namesUnder(variablesPage.slice(variablesPage.indexOf('The parts')), 'Variable'),
  ];
  const parts = compositionKeys.map((key) => `DOCENT_PROMPT_${switchName(key).toUpperCase()}`);
  for (const name of [overrideVariable, exportVariable, ...parts]) expect(named).toContain(name);
});

it('each page names the command that begins its kind of note, has an example, and is linked where all are listed', () => {
  const list = readFileSync(join(root, 'docs/prompts-and-modes.md'), 'utf8');
  const { commandNames: names } = words;
  const pages: readonly (readonly [string, string, readonly string[]])[] = [
    ['saved-prompts', prompts, [names['new-prompt']]],
    ['workspaces', workspaces, [names['new-workspace']]],
    ['skills', skills, [names['new-skill']]],
    ['subagents', subagents, [names['new-subagent']]],
    ['context-files', contextFiles, [names['create-context-file']]],
    ['memory', memory, [names['create-memory']]],
    [
      'system-prompt',
      systemPrompt,
      [
        names['create-system-prompt'],
        names['create-system-extra'],
        names['create-system-reminder'],
        names['create-commit-rules'],
        names['create-compaction'],
      ],
    ],
  ];
  expect(pages.flatMap(([, , commands]) => commands)).toHaveLength(starterKinds.length + 1);
  expectNoFaults(
    pages.flatMap(([name, page, commands]) => [
      ...commands
        .filter((command) => !page.includes(`**${command}**`))
        .map((each) => `docs/${name}.md does not name the command ${each}: name it.`),
      ...(examplesIn(page).length > 0 ? [] : [`docs/${name}.md has no example: give it a block of markdown.`]),
      ...(list.includes(`(${name}.md)`) ? [] : [`docs/prompts-and-modes.md does not link to docs/${name}.md: add it.`]),
    ]),
  );
});
