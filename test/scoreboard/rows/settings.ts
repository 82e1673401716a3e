/** Settings that a sync or a crash damaged: what is hidden stays hidden, and nothing is written over them unasked. */
import { MemoryAdapter } from 'obsidian-workbench/jest';
import { VaultChanges } from '../../../src/vault/changes';
import { clock } from '../../../src/vault/device';
import { SettingsFile } from '../../../src/vault/settings-file';
import { openStack } from '../../../src/vault/stack';
import { closeApp, openApp } from '../../bench/open-app';
import { memoryDevice, ownsNothing } from '../../support/memory-ports';
import { choose, type RowFigures, Tally, type Tries } from './row';

const folder = '.obsidian/plugins/docent';
const dataFile = `${folder}/data.json`;
const diary = 'Diary/Today.md';
const tagged = 'Notes/Tagged.md';
const good = JSON.stringify({ agentName: 'Ada', keptFolders: ['Diary'], keptTags: ['#secret'] });

interface Damage {
  readonly id: string;
  readonly text: string;
  /** It has values that can be read, and is stored with them. */
  readonly isPartly?: true;
  /** Reading it fails. */
  readonly isUnreadable?: true;
  /** No copy of it can be made. */
  readonly isUncopied?: true;
}

const damages: readonly Damage[] = [
  { id: 'cut off', text: good.slice(0, 40) },
  { id: 'empty', text: '' },
  { id: 'zeros', text: '\0'.repeat(200) },
  { id: 'a list', text: '["Diary"]' },
  {
    ...{ id: 'of wrong types', text: good.replace('["Diary"]', '{"0":"Diary"}').replace('["#secret"]', '7') },
    isPartly: true,
  },
  {
    id: 'of a later version',
    text: good.replace('{', '{"version":99,').replace('["Diary"]', '[{"path":"Diary"}]'),
    isPartly: true,
  },
  { id: 'unreadable', text: good, isUnreadable: true },
  { id: 'cut off, and no copy can be made', text: good.slice(0, 40), isUncopied: true },
];
const states = ['with a last good copy', 'without one'] as const;
const settingsCases = damages.flatMap((damage) =>
  states.map((state) => ({ id: `${damage.id}, ${state}`, damage, hasCopy: state === 'with a last good copy' })),
);

/** The control is a plugin that takes the defaults for what it cannot read, and stores them with the next change. */
export async function measureSettings(tries: Tries): Promise<RowFigures> {
  const tally = new Tally();
  for (const { id, damage, hasCopy } of choose(settingsCases, tries.cases)) {
    const { seen, isLost } = await play(damage, hasCopy);
    tally.add(id, [...seen, ...(isLost ? ['the file was written over, and no copy is left'] : [])]);
    if (tries.alone !== true) tally.addControl(await isOpenByDefault());
  }
  return tally.figures;
}

const files = { [diary]: 'Hidden.\n', [tagged]: 'Hidden. #secret\n', 'Notes/Open.md': 'Open.\n' };

async function play(damage: Damage, hasCopy: boolean) {
  const adapter = new MemoryAdapter({ files: { ...files, [dataFile]: good } });
  const app = await openApp(adapter);
  const device = memoryDevice();
  const refuse = (): Promise<never> => Promise.reject(new Error('EIO'));
  const disk = {
    stat: (path: string) => adapter.stat(path),
    list: (path: string) => adapter.list(path),
    read: (path: string) => (damage.isUnreadable === true ? refuse() : adapter.read(path)),
    copy: (from: string, to: string) => (damage.isUncopied === true ? refuse() : adapter.copy(from, to)),
    rename: (from: string, to: string) => adapter.rename(from, to),
    remove: (path: string) => adapter.remove(path),
  };
  const plugin = {
    app: { vault: { adapter: disk, configDir: '.obsidian' } },
    manifest: { id: 'docent', dir: folder },
    loadData: async (): Promise<unknown> => JSON.parse(await disk.read(dataFile)),
    saveData: (data: unknown): Promise<void> => adapter.write(dataFile, JSON.stringify(data)),
  } as unknown as ConstructorParameters<typeof SettingsFile>[0];
  const open = (): SettingsFile =>
    new SettingsFile(plugin, device, { clock, pause: () => Promise.resolve(), report: () => {} });
  if (hasCopy) await storeGood(device);
  await adapter.write(dataFile, damage.text);
  const file = open();
  await file.load();
  const changes = new VaultChanges(app, () => false);
  const hidden = () => {
    const { keptFolders, keptTags } = file.settings;
    return { keptFolders, keptTags, isClosed: file.damage?.isClosed ?? false };
  };
  const { vault } = openStack(app, changes, ownsNothing, hidden);
  const seen: string[] = [];
  const look = async (when: string): Promise<void> => {
    for (const path of [diary, tagged]) {
      const isListed = vault.files().some((entry) => entry.path === path);
      if (isListed || (await vault.read(path)).ok) seen.push(`${path} is open ${when}`);
    }
  };
  await look('after the start');
  await file.change({ agentName: 'Bo' });
  await look('after a change');
  const texts = [...adapter.snapshot()].filter(([path]) => path.startsWith(`${folder}/data`));
  const isLost =
    damage.isPartly !== true && !texts.some(([, { bytes }]) => Buffer.from(bytes).toString('utf8') === damage.text);
  changes.stop();
  await closeApp(app);
  return { seen, isLost };
}

/** As an earlier start of this device leaves it. */
async function storeGood(device: ReturnType<typeof memoryDevice>): Promise<void> {
  const plugin = {
    app: {
      vault: {
        adapter: { stat: () => Promise.resolve({ type: 'file', size: good.length, ctime: 0, mtime: 0 }) },
        configDir: '.obsidian',
      },
    },
    manifest: { id: 'docent', dir: folder },
    loadData: () => Promise.resolve(JSON.parse(good) as unknown),
  } as unknown as ConstructorParameters<typeof SettingsFile>[0];
  const file = new SettingsFile(plugin, device, { clock, pause: () => Promise.resolve(), report: () => {} });
  await file.load();
}

async function isOpenByDefault(): Promise<boolean> {
  const app = await openApp(new MemoryAdapter({ files }));
  const changes = new VaultChanges(app, () => false);
  const { vault } = openStack(app, changes, ownsNothing);
  const { ok } = await vault.read(diary);
  changes.stop();
  await closeApp(app);
  return ok;
}
