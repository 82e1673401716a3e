/** @jest-environment jsdom */
import { closeTestApps, createTestApp, MemoryAdapter } from 'obsidian-workbench/jest';
import { passTimeQuickly } from 'obsidian-workbench/testing/quick-time';
import { VaultChanges } from '../../../src/vault/changes';
import { clock, deviceStorageOf, identifiers, writerOf } from '../../../src/vault/device';
import { listWorkspaces } from '../../../src/core/library/user-notes';
import { instructionPlaces } from '../../../src/core/writing/guard/instruction-places';
import { digest } from '../../../src/vault/hash';
import { openStack, readAppPreferences } from '../../../src/vault/stack';
import { digest as nodeDigest, memoryDevice, ownsNothing } from '../../support/memory-ports';

const settings = '.obsidian/app.json';

async function open(appJson?: string, device = memoryDevice()) {
  const files = { 'Open.md': 'o', 'Private/Diary.md': 'd', 'Docent/chats/c/l.jsonl': '{}', 'Docent/prompts/P.md': 'p' };
  const adapter = new MemoryAdapter({ files });
  const app = await createTestApp({ adapter });
  if (appJson !== undefined) adapter.writeOutside(settings, appJson);
  const none = { keptFolders: [], keptTags: [] };
  const instructed = { device, digest, places: () => [] };
  const ownFolders = ['Docent/chats'];
  const stack = openStack(
    app,
    new VaultChanges(app, () => false),
    () => ownFolders,
    () => none,
    instructed,
  );
  return { app, adapter, ...stack, seen: () => stack.vault.files().map(({ path }) => path) };
}

afterEach(closeTestApps);
passTimeQuickly();

describe('the stack over the app', () => {
  it("hides Docent's own chats from the start, and what the app excludes after a refresh", async () => {
    const { vault, refresh, seen } = await open('{"userIgnoreFilters":["Private/", 7]}');
    expect(seen()).not.toContain('Docent/chats/c/l.jsonl');
    await refresh();
    expect(seen()).toEqual(['Docent/prompts/P.md', 'Open.md']);
    const outcome = await vault.read('Private/Diary.md');
    expect(!outcome.ok && outcome.failure.kind).toBe('refused');
  });

  it('H2 reaches neither the config folder nor anything outside', async () => {
    const { vault } = await open('{}');
    for (const path of [settings, '.OBSIDIAN/app.json', '../x', 'Open.md/../.obsidian/app.json']) {
      const outcome = await vault.read(path);
      expect(!outcome.ok && outcome.failure.kind).toBe('refused');
    }
  });

  it('keeps the fence up while the settings of the app cannot be read', async () => {
    const { adapter, refresh, seen } = await open('{"userIgnoreFilters":["Private/"]}');
    await refresh();
    adapter.fault = (operation, path) => (operation === 'read' && path === settings ? new Error('EPERM') : 'pass');
    await refresh();
    adapter.fault = null;
    expect(seen()).not.toContain('Private/Diary.md');
    adapter.writeOutside(settings, '{"userIgno');
    await refresh();
    expect(seen()).not.toContain('Private/Diary.md');
    adapter.writeOutside(settings, '{}');
    await refresh();
    expect(seen()).toContain('Private/Diary.md');
  });

  it('reads nothing while it is unknown what the app excludes, says so, and tries again', async () => {
    const { adapter, vault, refresh, seen, isHidden, isAppUnread } = await open('{"userIgno');
    await refresh();
    expect([seen(), vault.folders(), isAppUnread(), isHidden('Open.md')]).toEqual([[], [], true, true]);
    const outcome = await vault.read('Open.md');
    expect(!outcome.ok && outcome.failure.words).toContain('app.json');
    setTimeout(() => adapter.writeOutside(settings, '{"userIgnoreFilters":["Private/"]}'), 200);
    await refresh();
    expect([seen(), isAppUnread()]).toEqual([['Docent/prompts/P.md', 'Open.md'], false]);
    expect((await vault.read('Open.md')).ok).toBe(true);
  });

  it('hides what the app excluded when this device last read it, from the start and while it cannot be read', async () => {
    const device = memoryDevice();
    const first = await open('{"userIgnoreFilters":["Private/"]}', device);
    await first.refresh();
    const next = await open('{"userIgno', device);
    expect(next.seen()).toEqual(['Docent/prompts/P.md', 'Open.md']);
    await next.refresh();
    expect([next.seen(), next.isAppUnread()]).toEqual([['Docent/prompts/P.md', 'Open.md'], false]);
    next.adapter.writeOutside(settings, '{}');
    await next.refresh();
    expect(next.seen()).toContain('Private/Diary.md');
    expect((await open('{"userIgno', device)).seen()).toContain('Private/Diary.md');
  });

  it.each(['{', '{}'])('takes a damaged copy of that list, %s, for none', async (damage) => {
    const device = memoryDevice(new Map([['excluded-files', damage]]));
    const { refresh, seen, isAppUnread } = await open('{"userIgno', device);
    await refresh();
    expect([seen(), isAppUnread()]).toEqual([[], true]);
  });

  it.each<[string, string | undefined, readonly string[] | null]>([
    ['there is no file', undefined, []],
    ['it says nothing', '{}', []],
    ['it says something else', '{"userIgnoreFilters":"Private/"}', []],
    ['it is no object', 'null', []],
    ['it is broken', '{', null],
  ])('reads the excluded files when %s', async (_name, text, expected) => {
    const adapter = new MemoryAdapter({ files: text === undefined ? {} : { [settings]: text } });
    const read = await readAppPreferences({ adapter, configDir: '.obsidian' });
    expect(read === null ? null : read.excluded).toEqual(expected);
  });
});

it('lets in the files that direct the agent as they are once the user allows them', async () => {
  const { app } = await open('{}');
  const places = instructionPlaces('Docent', ['AGENTS.md'], null);
  const none = { keptFolders: [], keptTags: [] };
  const changes = new VaultChanges(app, () => false);
  const instructed = { device: memoryDevice(), digest, places: () => places };
  const stack = openStack(app, changes, ownsNothing, () => none, instructed);
  const seen = (): boolean => stack.vault.file('Docent/prompts/P.md') !== undefined;
  await stack.refresh();
  expect(seen()).toBe(false);
  await stack.allowInstructions([{ path: 'Docent/prompts/P.md', text: 'p' }]);
  expect(seen()).toBe(true);
});

it('lists what a note says once another window wrote the record, also if it was asked for while texts are compared', async () => {
  const [path, text] = ['Docent/workspaces/Boat.md', '---\nname: The boat\n---\n'];
  const app = await createTestApp({ adapter: new MemoryAdapter({ files: { [path]: text } }) });
  const places = instructionPlaces('Docent', ['AGENTS.md'], null);
  const none = { keptFolders: [], keptTags: [] };
  const changes = new VaultChanges(app, () => false);
  const device = memoryDevice();
  const stack = openStack(app, changes, ownsNothing, () => none, { device, digest, places: () => places });
  changes.start(() => undefined);
  await stack.allowInstructions([{ path, text }]);
  while (stack.vault.outline(path)?.properties === undefined) await new Promise((resolve) => setTimeout(resolve, 20));
  // Once what was indexed is in the lists.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(stack.vault.files()).toHaveLength(1);
  device.set('let-in', `${device.get('let-in')} `);
  const compared = stack.refreshInstructions();
  await Promise.resolve();
  const name = (): string | undefined => listWorkspaces(stack.vault, 'Docent')[0]?.name;
  expect([stack.vault.outline(path), name()]).toEqual([undefined, undefined]);
  await compared;
  expect(name()).toBe('The boat');
  changes.stop();
});

describe('the device', () => {
  it('keeps texts under a name of its own, and forgets them for null', async () => {
    const app = await createTestApp({});
    const device = deviceStorageOf(app);
    device.set('draft', 'text');
    expect([device.get('draft'), app.loadLocalStorage('docent-draft')]).toEqual(['text', 'text']);
    device.set('draft', null);
    expect(device.get('draft')).toBeNull();
    app.saveLocalStorage('docent-draft', { not: 'text' });
    expect(device.get('draft')).toBeNull();
  });

  it('S1 makes a writer once, and fresh names that do not come again', () => {
    const device = memoryDevice();
    const writer = writerOf(device);
    expect(writerOf(device)).toBe(writer);
    const names = Array.from({ length: 2_000 }, () => identifiers.next());
    expect(new Set(names).size).toBe(2_000);
    expect(names.every((name) => /^[a-z0-9]{16}$/.test(name))).toBe(true);
    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(1_000);
  });

  it('S1 digests text as SHA-256 of its UTF-8 bytes', () => {
    for (const text of ['', 'abc', 'ü 𝒳 \ud800', 'x'.repeat(10_000)]) expect(digest(text)).toBe(nodeDigest(text));
  });
});
