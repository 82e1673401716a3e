/** @jest-environment jsdom */
/** Notes that Docent makes on request: where they go, and what is said when they cannot be written. */
import 'obsidian';
import { words } from '../../../src/text';
import { textFilesOf } from '../../../src/vault/user-notes';
import { closeTestApps, createTestApp } from '../../workbench/emulator/jest';

afterEach(closeTestApps);

it('writes a note into folders that it makes, one at the root, and over the one before', async () => {
  const { vault } = await createTestApp({ files: {} });
  const files = textFilesOf(vault);
  for (const [path, text] of [
    ['Docent/prompts/Own.md', 'one'],
    ['Docent/prompts/Own.md', 'two'],
    ['Root.md', 'three'],
  ] as const)
    expect(await files.write(path, text)).toEqual({ ok: true, value: undefined });
  expect(
    vault
      .getAllLoadedFiles()
      .map(({ path }) => path)
      .sort(),
  ).toEqual(['/', 'Docent', 'Docent/prompts', 'Docent/prompts/Own.md', 'Root.md']);
  expect(await files.read('Docent/prompts/Own.md')).toEqual({ ok: true, value: 'two' });
  expect(await files.read('Nowhere.md')).toEqual({ ok: true, value: null });
});

it('H1 neither reads nor writes outside the notes', async () => {
  const { vault } = await createTestApp({ files: {} });
  const files = textFilesOf(vault);
  for (const path of ['../Out.md', `${vault.configDir}/app.json`]) {
    expect(await files.write(path, 'x')).toMatchObject({ ok: false, failure: { kind: 'refused' } });
    expect(await files.read(path)).toMatchObject({ ok: false, failure: { kind: 'refused' } });
  }
});

it('says why when the disk refuses', async () => {
  const { vault } = await createTestApp({ files: { 'A.md': 'a' } });
  const files = textFilesOf(vault);
  jest.spyOn(vault, 'process').mockRejectedValue(new Error('No space.'));
  jest.spyOn(vault, 'read').mockRejectedValue(new Error('Torn.'));
  expect(await files.write('A.md', 'b')).toEqual({
    ok: false,
    failure: {
      kind: 'storage',
      words: words.ownPrompt.notWritten('A.md', 'No space.'),
      remedy: words.ownPrompt.notWrittenRemedy,
    },
  });
  expect(await files.read('A.md')).toMatchObject({ ok: false, failure: { kind: 'unreadable' } });
});
