/** Prompts as notes: what a new one looks like, and where it goes. */
import { parse } from 'yaml';
import { stateFileName } from '../../../../src/core/library/agent-folder';
import { freePromptPath, promptNote } from '../../../../src/core/library/prompts';
import { promptProperties } from '../../../../src/core/library/user-notes';
import { bodyOf, propertiesBlock } from '../../../../src/core/markdown/properties';
import { guardNewPath } from '../../../../src/core/writing/guard/path-guard';

it.each([
  'Plan my week',
  'a: b # c',
  '"quoted" and \\back',
  '[x] {y} & *z* !w %v @u `t`',
  'yes',
  '12',
  'line\nbreak: true',
  'قائمة 👩🏽‍🔬',
  '--- ',
])('R129 a prompt named %j is read back as it was written', (name) => {
  const text = promptNote({ name, description: name, text: `Do.\n---\n\${selection}`, tags: [name], version: '1.0' });
  const properties = promptProperties().parse(parse(propertiesBlock.exec(text)?.[1] ?? ''));
  expect(properties).toMatchObject({
    name: name.trim(),
    description: name.trim(),
    tags: [name.trim()],
    version: '1.0',
  });
  expect(bodyOf(text)).toBe('Do.\n---\n${selection}');
});

it('R129 leaves out what is empty', () => {
  expect(promptNote({ name: 'A', description: ' ', text: 'B' })).toBe('---\nname: "A"\n---\n\nB\n');
});

it.each([
  ['Plan my week', 'Plan my week.md'],
  ['../../etc/passwd', 'etc passwd.md'],
  ['a/b\\c:d*e?f"g<h>i|j#k^l[m]n', 'a b c d e f g h i j k l m n.md'],
  ['...', 'Prompt.md'],
  ['', 'Prompt.md'],
  ['.hidden.', 'hidden.md'],
  ['x'.repeat(200), `${'x'.repeat(80)}.md`],
  ['👩🏽‍🔬'.repeat(40), /^\p{Emoji}/u],
])('R129 makes a file of the name %j', (name, expected) => {
  const path = freePromptPath('D/prompts', name, () => false);
  if (typeof expected === 'string') expect(path).toBe(`D/prompts/${expected}`);
  else expect(path.slice('D/prompts/'.length)).toMatch(expected);
  // A sign of two halves is never cut in two.
  expect(() => encodeURIComponent(path)).not.toThrow();
});

it.each(['🌊', '漢', 'é', 'x'])('R129 makes a name of %j that every file system takes, with a number too', (sign) => {
  const path = freePromptPath('D', sign.repeat(200), (each) => !each.endsWith(' 100.md'));
  const bytes = new TextEncoder().encode(path.slice('D/'.length)).length;
  expect([bytes <= 255, [...path].length > 60]).toEqual([true, true]);
  expect(guardNewPath(path, '.obsidian')).toEqual({ ok: true, value: path });
  expect(guardNewPath(`D/State ${stateFileName(sign.repeat(200))} 100.md`, '.obsidian').ok).toBe(true);
  expect(() => encodeURIComponent(path)).not.toThrow();
});

it('R129 takes the next number where a file is taken', () => {
  const taken = new Set(['D/A.md', 'D/A 2.md']);
  expect(freePromptPath('D', 'A', (path) => taken.has(path))).toBe('D/A 3.md');
});
