/** @jest-environment jsdom */
/** Notes that Docent makes on request: where they go, and what is said when they cannot be written. */
import 'obsidian';
import { closeTestApps, createTestApp, MemoryAdapter } from 'obsidian-workbench/jest';
import { words } from '../../../src/text';
import {
  createNote,
  folderNotes,
  createPromptNotes,
  createStateNotes,
  createTextFiles,
} from '../../../src/vault/user-notes';

afterEach(closeTestApps);

it('writes a note into folders that it makes, one at the root, and over the one before', async () => {
  const { vault } = await createTestApp({ files: {} });
  const files = createTextFiles(vault);
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
  const files = createTextFiles(vault);
  for (const path of ['../Out.md', `${vault.configDir}/app.json`]) {
    expect(await files.write(path, 'x')).toMatchObject({ ok: false, failure: { kind: 'refused' } });
    expect(await files.read(path)).toMatchObject({ ok: false, failure: { kind: 'refused' } });
  }
});

it('says why when the disk refuses', async () => {
  const { vault } = await createTestApp({ files: { 'A.md': 'a' } });
  const files = createTextFiles(vault);
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
  const { noteUnreadable, noteUnreadableRemedy } = words.failures;
  expect(await files.read('A.md')).toEqual({
    ok: false,
    failure: { kind: 'unreadable', words: noteUnreadable('A.md'), remedy: noteUnreadableRemedy },
  });
});

describe('a disk that is full in the middle of a write', () => {
  const full = 'ENOSPC: no space left';
  /** Cuts the first write to a file off; those after it find room again. */
  async function cutting(path: string, files: Record<string, string> = {}) {
    const adapter = new MemoryAdapter({ files });
    const app = await createTestApp({ adapter });
    let isCut = false;
    adapter.fault = (operation, at) => {
      if (operation !== 'write' || at !== path || isCut) return 'pass';
      isCut = true;
      adapter.writeOutside(path, '---');
      return new Error(full);
    };
    return { app, read: () => adapter.textAt(path) };
  }

  it('leaves a note as it was whose text, or property, is changed', async () => {
    const text = '---\nname: Own\n---\nText.\n';
    const { app, read } = await cutting('Own.md', { 'Own.md': text });
    const files = createTextFiles(app.vault);
    expect(await files.write('Own.md', '---\nname: Other\n---\n')).toMatchObject({ ok: false });
    expect(read()).toBe(text);
    expect((await files.write('Own.md', 'Other.\n')).ok).toBe(true);
    const other = await cutting('Own.md', { 'Own.md': text });
    const notes = createPromptNotes(
      other.app,
      () => Promise.resolve(),
      () => Promise.resolve(),
    );
    const set = await notes.setProperty('Own.md', 'off', true);
    expect(!set.ok && set.failure.words).toContain(full);
    expect(other.read()).toBe(text);
    expect((await notes.setProperty('Own.md', 'off', true)).ok).toBe(true);
    expect(other.read()).toBe('---\nname: Own\noff: true\n---\nText.\n');
  });

  it('leaves nothing of a new note, which the next try makes', async () => {
    const text = '---\nname: Own\n---\n';
    const { app, read } = await cutting('Own.md');
    expect(await createNote(app.vault, 'Own.md', text)).toMatchObject({ ok: false });
    expect(read()).toBeUndefined();
    expect(await createNote(app.vault, 'Own.md', text)).toMatchObject({ ok: true, value: { created: true } });
    const other = await cutting('Docent/system.md');
    const files = createTextFiles(other.app.vault);
    expect(await files.write('Docent/system.md', text)).toMatchObject({ ok: false });
    expect([await files.read('Docent/system.md'), other.read()]).toEqual([{ ok: true, value: null }, undefined]);
    expect((await files.write('Docent/system.md', text)).ok).toBe(true);
  });

  it('takes no file away that another program puts there, and none that was there', async () => {
    for (const there of ['', 'Mine.\n']) {
      const adapter = new MemoryAdapter({ files: { 'A.md': 'a' } });
      const app = await createTestApp({ adapter });
      if (there === '') adapter.writeOutside('Own.md', there);
      adapter.fault = (operation, path) => {
        if (operation !== 'write' || path !== 'Own.md') return 'pass';
        adapter.writeOutside('Own.md', there);
        return new Error(full);
      };
      expect(await createNote(app.vault, 'Own.md', 'Own text.')).toMatchObject({ ok: false });
      expect(adapter.textAt('Own.md')).toBe(there);
    }
  });
});

it('reads no text that waits, so that nothing is made of it, and reports what it wrote', async () => {
  const app = await createTestApp({ files: { 'Docent/system.md': 'Obey.\n', 'Crew.md': 'Rui steers.\n' } });
  const made: string[][] = [];
  const files = createTextFiles(app.vault, {
    edited: (...each) => Promise.resolve(void made.push(each)),
    waits: (path) => path.startsWith('Docent/'),
  });
  expect(await files.read('Docent/system.md')).toMatchObject({ ok: false, failure: { action: 'review-instructions' } });
  expect(await files.read('Crew.md')).toEqual({ ok: true, value: 'Rui steers.\n' });
  await files.write('Docent/system-extra.md', 'Mine.\n');
  expect(made).toEqual([['Docent/system-extra.md', '', 'Mine.\n']]);
});

describe('notes of prompts', () => {
  const path = 'Docent/prompts/Own.md';
  const prompts = async (files: Record<string, string> = {}) => {
    const app = await createTestApp({ files });
    const log: string[] = [];
    const made: string[][] = [];
    const flush = (): Promise<void> => Promise.resolve(void log.push('saved'));
    const edited = (path: string, before: string, text: string): Promise<void> =>
      Promise.resolve(void made.push([path, before, text]));
    return { app, log, made, notes: createPromptNotes(app, flush, edited), read: () => app.vault.adapter.read(path) };
  };
  const notChanged = (detail: string) => ({
    ok: false,
    failure: { kind: 'storage', words: words.prompts.notChanged(path, detail), remedy: words.prompts.notChangedRemedy },
  });
  const done = { ok: true, value: undefined };

  it('are made with their folder, and never over one that is there', async () => {
    const { app, notes, read } = await prompts();
    expect(await notes.create(path, 'one')).toEqual(done);
    expect(await notes.create(path, 'two')).toEqual(notChanged(words.commands.contextFileThere(path)));
    expect(await read()).toBe('one');
    jest.spyOn(app.vault, 'create').mockRejectedValueOnce(new Error('No space.'));
    expect(await notes.create('Docent/prompts/Two.md', '')).toMatchObject({ ok: false, failure: { kind: 'storage' } });
    jest.spyOn(app.vault, 'createFolder').mockRejectedValueOnce(new Error('No space.'));
    expect(await notes.create('Elsewhere/Two.md', '')).toMatchObject({ ok: false, failure: { kind: 'storage' } });
    expect(app.vault.getFileByPath('Elsewhere/Two.md')).toBeNull();
  });

  it('get a property once what was typed into them is saved, and keep it when they cannot', async () => {
    const { app, log, made, notes, read } = await prompts({ [path]: '---\nname: Own\n---\nText.\n' });
    expect(await notes.setProperty(path, 'off', true)).toEqual(done);
    expect([await read(), log]).toEqual(['---\nname: Own\noff: true\n---\nText.\n', ['saved']]);
    expect(await notes.setProperty(path, 'off', undefined)).toEqual(done);
    expect(await read()).toBe('---\nname: Own\n---\nText.\n');
    // Each is an edit of the user, and so waits for nobody.
    const [plain, off] = ['---\nname: Own\n---\nText.\n', '---\nname: Own\noff: true\n---\nText.\n'];
    const edits = [
      [path, plain, off],
      [path, off, plain],
    ];
    expect(made).toEqual(edits);
    const torn = '---\nname: [Own\n---\nText.\n';
    await app.vault.adapter.write(path, torn);
    expect(await notes.setProperty(path, 'off', true)).toMatchObject({ ok: false });
    expect([await read(), made]).toEqual([torn, edits]);
    jest.spyOn(app.vault, 'process').mockRejectedValueOnce(new Error('Locked.'));
    expect(await notes.setProperty(path, 'off', true)).toEqual(notChanged('Locked.'));
  });

  it('F40 keep their byte order mark and have one block of properties', async () => {
    const { notes, made, read } = await prompts({ [path]: '\ufeff---\r\nname: Own\r\n---\r\nText.\r\n' });
    expect(await notes.setProperty(path, 'off', true)).toEqual(done);
    const after = '---\r\nname: Own\r\noff: true\r\n---\r\nText.\r\n';
    expect([await read(), made]).toEqual([`\ufeff${after}`, [[path, '---\r\nname: Own\r\n---\r\nText.\r\n', after]]]);
  });

  it('go to the trash, and are missed in words', async () => {
    const { app, notes } = await prompts({ [path]: 'Text.' });
    expect(await notes.trash(path)).toEqual(done);
    expect(app.vault.getFileByPath(path)).toBeNull();
    const { noteMissing, noteMissingRemedy } = words.failures;
    expect(await notes.trash(path)).toEqual({
      ok: false,
      failure: { kind: 'not-found', words: noteMissing(path), remedy: noteMissingRemedy },
    });
  });

  it('are not deleted for good by an app that is set to', async () => {
    const { app, notes } = await prompts({ [path]: 'Text.', '.obsidian/app.json': '{"trashOption":"none"}' });
    expect(await notes.trash(path)).toEqual(done);
    expect(app.vault.getFileByPath(path)).toBeNull();
    expect(await app.vault.adapter.read('.trash/Own.md')).toBe('Text.');
  });

  it('are listed by their paths alone, without a look into other folders', async () => {
    const { app } = await prompts({
      ...{ 'Docent/prompts/B.md': '# Two', 'Docent/prompts/A.md': '# One', 'Docent/prompts/a.png': 'x' },
      ...{ 'Docent/prompts/In/C.md': '', 'D.md': '' },
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    const { files, outline } = folderNotes(app, () => 'Docent/prompts');
    expect(files().map(({ path: each, kind, size }) => [each, kind, size])).toEqual([
      ['Docent/prompts/A.md', 'note', 5],
      ['Docent/prompts/B.md', 'note', 5],
    ]);
    expect(outline('Docent/prompts/B.md')?.headings).toEqual([expect.objectContaining({ text: 'Two' })]);
    expect([outline('None.md'), folderNotes(app, () => 'None').files()]).toEqual([undefined, []]);
  });
});

describe('a state that is saved', () => {
  it('is a new note under a name that is free, and never a context file', async () => {
    const { vault } = await createTestApp({ files: {} });
    const states = createStateNotes(
      vault,
      () => 'Docent/states',
      () => ['AGENTS.md'],
    );
    expect(await states.save('Boat', 'One.\n\n')).toEqual({ ok: true, value: 'Docent/states/Boat.md' });
    expect(await states.save('Boat', 'Two.')).toEqual({ ok: true, value: 'Docent/states/Boat 2.md' });
    expect(await states.save('Boat', 'Three.')).toEqual({ ok: true, value: 'Docent/states/Boat 3.md' });
    expect(await states.save('agents', 'Obey.')).toEqual({ ok: true, value: 'Docent/states/State agents.md' });
    expect(await vault.adapter.read('Docent/states/Boat.md')).toBe('One.\n');
    expect(await vault.adapter.read('Docent/states/Boat 2.md')).toBe('Two.\n');
    expect(await states.save('Torn', 'a\0b')).toEqual({ ok: true, value: 'Docent/states/Torn.md' });
    expect(await vault.adapter.read('Docent/states/Torn.md')).toBe('ab\n');
    jest.spyOn(vault, 'create').mockRejectedValueOnce(new Error('No space.'));
    expect(await states.save('Full', 'One.')).toMatchObject({ ok: false, failure: { kind: 'storage' } });
    const both = await Promise.all([states.save('Crew', 'Rui.'), states.save('Crew', 'Pawel.')]);
    expect(both.map(({ ok }) => ok)).toEqual([true, true]);
    expect(await vault.adapter.read('Docent/states/Crew.md')).toBe('Rui.\n');
    expect(await vault.adapter.read('Docent/states/Crew 2.md')).toBe('Pawel.\n');
  });
});
