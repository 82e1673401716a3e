import { isMissing } from '../../../../src/core/mentions/mention-text';
import type { Mention } from '../../../../src/core/session/entry';
import { tools } from '../../../../src/core/tools';
import { mentionContext } from './mention-context';

const files = { 'Boats/Heron.md': '# Keel: #2\nText ^a1\n\n## Oars\n', 'Docent/prompts/Plan.md': '' };

it.each<[Mention['kind'], string, boolean]>([
  ['note', 'Boats/Heron.md', false],
  ['note', 'Boats/Tern.md', true],
  ['prompt', 'Docent/prompts/Plan.md', false],
  ['prompt', 'Docent/prompts/Gone.md', true],
  ['workspace', 'Docent/workspaces/Gone.md', true],
  ['heading', 'Boats/Heron.md#Keel: #2', false],
  ['heading', 'Boats/Heron.md#Keel', true],
  ['heading', 'Boats/Heron.md#keel 2#oars', false],
  ['heading', 'Boats/Heron.md#Mast#Oars', true],
  ['heading', 'Boats/Tern.md#Keel', true],
  ['block', 'Boats/Heron.md#^a1', false],
  ['block', 'Boats/Heron.md#^a2', true],
  ['block', 'Boats/Tern.md#^a1', true],
  ['folder', 'Boats', false],
  ['folder', 'Birds', true],
  ['tag', '#any', false],
  ['tool', 'search_notes', false],
  ['tool', 'no_such_tool', true],
])('R175 %s %s is missing: %s', (kind, id, expected) => {
  expect(isMissing({ kind, id, label: id }, mentionContext(files, { tools }))).toBe(expected);
});

it('does not call a part missing while the index has not reached its note', () => {
  const context = mentionContext(files);
  const late = {
    ...context,
    vault: { ...context.vault, file: () => context.vault.files()[0], outline: () => undefined },
  };
  expect(isMissing({ kind: 'heading', id: 'Boats/Heron.md#Keel', label: '' }, late)).toBe(false);
  expect(isMissing({ kind: 'block', id: 'Boats/Heron.md#^a1', label: '' }, late)).toBe(false);
});

it('knows a resource by its server and address, and none where no server is connected', () => {
  const resources = [
    { server: 'a', name: 'Tides', uri: 'demo://tides' },
    { server: 'b', name: 'Log', uri: 'demo://log' },
  ];
  const missing = (id: string, offered?: typeof resources): boolean =>
    isMissing(
      { kind: 'resource', id, label: id },
      { ...mentionContext(files), ...(offered && { resources: offered }) },
    );
  expect(['a demo://tides', 'b demo://log'].map((id) => missing(id, resources))).toEqual([false, false]);
  expect(['a demo://log', 'b demo://tides', 'Tides'].map((id) => missing(id, resources))).toEqual([true, true, true]);
  expect(missing('a demo://tides')).toBe(true);
});
