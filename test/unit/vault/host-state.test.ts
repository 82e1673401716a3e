/** @jest-environment jsdom */
/** What a prompt says of the note in front. */
import { closeTestApps, createTestApp, MemoryAdapter } from 'obsidian-workbench/jest';
import { MarkdownView, Platform } from 'obsidian';
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

it.each([
  ['iOS', 'mobile', { isMobile: true, isIosApp: true, isMacOS: true }],
  ['Android', 'mobile', { isMobile: true, isAndroidApp: true }],
  ['macOS', 'desktop', { isMacOS: true }],
  ['Windows', 'desktop', { isWin: true }],
  ['Linux', 'desktop', { isLinux: true }],
])('names the device: %s, %s', async (operatingSystem, platform, is) => {
  const app = await createTestApp({ files: {} });
  const before = { ...Platform };
  const none = { isMobile: false, isIosApp: false, isAndroidApp: false, isMacOS: false, isWin: false };
  Object.assign(Platform, none, is);
  try {
    const { device } = readHostState(app, () => defaultSettings, { isRepository: () => true, isHidden: () => false });
    expect(device()).toMatchObject({ operatingSystem, platform, repository: true });
  } finally {
    Object.assign(Platform, before);
  }
});

it('has the time of each of many minutes, and where new notes go', async () => {
  const files = { '.obsidian/app.json': JSON.stringify({ newFileLocation: 'root', attachmentFolderPath: './Files/' }) };
  const app = await createTestApp({ files });
  const { device } = readHostState(app, () => defaultSettings, { isRepository: () => false, isHidden: () => false });
  const minutes = Array.from({ length: 20 }, (_, minute) => new Date(2026, 4, 2, 9, minute).getTime());
  for (const at of [...minutes, ...minutes]) {
    const minute = String(new Date(at).getMinutes()).padStart(2, '0');
    expect(device(at)).toMatchObject({ isoDate: '2026-05-02', week: 18, time: `09:${minute}` });
  }
  expect(device().app).toMatchObject({ newNotes: '/', attachments: './Files' });
});
