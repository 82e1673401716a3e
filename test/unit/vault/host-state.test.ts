/** @jest-environment jsdom */
/** What a prompt says of the note in front. */
import { closeTestApps, createTestApp, MemoryAdapter } from 'obsidian-workbench/jest';
import { MarkdownView } from 'obsidian';
import { defaultSettings } from '../../../src/core/settings/settings';
import { readHostState } from '../../../src/vault/host-state';

afterEach(closeTestApps);

it('has the beginning of a long selection, cut between characters', async () => {
  const text = `${'a'.repeat(7_999)}🚢 and more`;
  const app = await createTestApp({ adapter: new MemoryAdapter({ files: { 'Now.md': text } }) });
  await app.workspace.openLinkText('Now', '');
  const { editor } = readHostState(app, () => defaultSettings, { isRepository: () => false, isHidden: () => false });
  const view = app.workspace.getActiveViewOfType(MarkdownView);
  view?.editor.setSelection({ line: 0, ch: 0 }, { line: 0, ch: text.length });
  expect(editor()?.activeNote).toMatchObject({
    ...{ path: 'Now.md', selectedText: 'a'.repeat(7_999), selectedLength: text.length },
  });
  view?.editor.setSelection({ line: 0, ch: 0 }, { line: 0, ch: 3 });
  expect(editor()?.activeNote).toMatchObject({ selectedText: 'aaa' });
  expect(editor()?.activeNote).not.toHaveProperty('selectedLength');
});
