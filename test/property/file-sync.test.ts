/**
 * Two devices over a file sync that leaves conflict copies, in the names of each service: in any order of writes and
 * rounds, no entry of a chat, no recorded write, no mark of provenance and no setting is lost unsaid.
 */
import type { DataAdapter } from 'obsidian';
import { MemoryAdapter } from 'obsidian-workbench/jest';
import { ChatIndex } from '../../src/core/chat/chat-index';
import type { SettingsProblem } from '../../src/core/settings/settings';
import { SessionLog } from '../../src/core/session/session-log';
import { Journal } from '../../src/core/writing/apply/journal';
import { Provenance } from '../../src/core/writing/guard/provenance';
import { succeed } from '../../src/core/ports/failure';
import { SessionFiles } from '../../src/vault/chat-files';
import { digestOf } from '../../src/vault/hash';
import { createJournalFiles, createProvenanceFiles } from '../../src/vault/journal-files';
import { SettingsFile } from '../../src/vault/settings-file';
import { user } from '../support/entries';
import { countingIdentifiers, digest, fakeClock, logPorts, memoryDevice, randomBy } from '../support/memory-ports';

const plugin = '.obsidian/plugins/docent';
const dataFile = `${plugin}/data.json`;

/** How each service names the version that it stores next to it. */
const services: Readonly<Record<string, (base: string, ending: string, count: number) => string>> = {
  Syncthing: (base, ending, count) => `${base}.sync-conflict-20261124-10${1000 + count}-ABCDEFG${ending}`,
  'Obsidian Sync': (base, ending, count) => `${base} (Conflicted copy Ada’s phone 20261124${1000 + count})${ending}`,
  Dropbox: (base, ending, count) => `${base} (Ada's conflicted copy 2026-11-24 ${count})${ending}`,
  iCloud: (base, ending, count) => `${base} ${count + 2}${ending}`,
  'Google Drive': (base, ending, count) => `${base} (${count + 1})${ending}`,
  OneDrive: (base, ending, count) => `${base}-Ada-PC-${count}${ending}`,
};

interface Device {
  readonly name: string;
  readonly adapter: MemoryAdapter;
  readonly log: SessionLog;
  readonly journal: Journal;
  readonly provenance: Provenance;
  readonly settings: SettingsFile;
  readonly problems: SettingsProblem[];
}

async function openDevice(name: string, adapter: MemoryAdapter, session: number): Promise<Device> {
  const identifiers = countingIdentifiers(`${name}${session}x`);
  const clock = fakeClock();
  const files = new SessionFiles(adapter, () => 'Docent/chats', `${name}-s${session}`);
  const log = await SessionLog.open('c1', {
    ...logPorts(files, { writer: name, session: `s${session}`, identifiers }),
    clock,
  });
  const store = createJournalFiles(adapter, `${plugin}/journal`, name);
  const journal = await Journal.open({ store, digest, hash: digestOf, clock, identifiers });
  if (!log.ok || !journal.ok) throw new Error('not opened');
  const keeper = { device: memoryDevice(), writer: name };
  const marks = createProvenanceFiles(adapter, () => 'Docent/trust', keeper);
  const provenance = new Provenance({ files: marks, ...keeper, clock });
  await provenance.refresh();
  const problems: SettingsProblem[] = [];
  const host = {
    app: { vault: { adapter: adapter as unknown as DataAdapter, configDir: '.obsidian' } },
    manifest: { id: 'docent', dir: plugin },
    loadData: async (): Promise<unknown> => JSON.parse(await adapter.read(dataFile)),
    saveData: (data: unknown) => adapter.write(dataFile, JSON.stringify(data)),
  } as unknown as ConstructorParameters<typeof SettingsFile>[0];
  const settings = new SettingsFile(host, memoryDevice(), {
    ...{ clock, pause: () => Promise.resolve() },
    report: (problem) => void problems.push(problem),
  });
  await settings.load();
  return { name, adapter, log: log.value, journal: journal.value, provenance, settings, problems };
}

/** A service between two folders: it delivers what one side changed, and stores one version next to the other if both did. */
class FileSync {
  private readonly synced = new Map<string, string>();
  private count = 0;

  constructor(
    private readonly one: MemoryAdapter,
    private readonly other: MemoryAdapter,
    private readonly nameCopy: (base: string, ending: string, count: number) => string,
    private readonly chance: () => number,
  ) {}

  async run(): Promise<void> {
    for (const path of new Set([...this.one.paths(), ...this.other.paths()])) await this.deliver(path);
  }

  /** Renames the newer version of a file on both sides and puts an older one in its place, as after a race. */
  async race(path: string): Promise<void> {
    const text = this.one.textAt(path) ?? '';
    const older = text.slice(0, text.slice(0, -1).lastIndexOf('\n') + 1);
    if (older === '') return;
    const copy = this.copyName(path);
    for (const side of [this.one, this.other]) {
      await put(side, copy, text);
      await put(side, path, older);
    }
    this.synced.set(path, older).set(copy, text);
  }

  private async deliver(path: string): Promise<void> {
    const [a, b] = [this.one.textAt(path) ?? null, this.other.textAt(path) ?? null];
    const before = this.synced.get(path) ?? null;
    if (a === b || (a === null && this.one.paths().every((each) => each !== path) && b === null)) {
      if (a !== null) this.synced.set(path, a);
      return;
    }
    if (a !== before && b !== before && a !== null && b !== null) {
      const isFirst = this.chance() < 0.5;
      const [winner, loser] = isFirst ? [a, b] : [b, a];
      const copy = this.copyName(path);
      for (const side of [this.one, this.other]) {
        await put(side, path, winner);
        await put(side, copy, loser);
      }
      this.synced.set(path, winner).set(copy, loser);
      return;
    }
    const fresh = a === before || a === null ? b : a;
    if (fresh === null) {
      for (const side of [this.one, this.other]) if (await side.exists(path)) await side.remove(path);
      this.synced.delete(path);
      return;
    }
    for (const side of [this.one, this.other]) await put(side, path, fresh);
    this.synced.set(path, fresh);
  }

  private copyName(path: string): string {
    this.count += 1;
    const name = path.slice(path.lastIndexOf('/') + 1);
    const dot = name.lastIndexOf('.') === -1 ? name.length : name.lastIndexOf('.');
    return path.slice(0, path.lastIndexOf('/') + 1) + this.nameCopy(name.slice(0, dot), name.slice(dot), this.count);
  }
}

async function put(adapter: MemoryAdapter, path: string, text: string): Promise<void> {
  const parts = path.split('/');
  for (let depth = 1; depth < parts.length; depth += 1) {
    const above = parts.slice(0, depth).join('/');
    if (!(await adapter.exists(above))) await adapter.mkdir(above);
  }
  if (adapter.textAt(path) !== text) adapter.writeOutside(path, text);
}

const call = { step: 'edit', changeset: 's', change: 'c', to: null, undoes: null, taint: null } as const;

interface Acknowledged {
  readonly said: Set<string>;
  readonly writes: Set<string>;
  readonly marked: Set<string>;
  /** Values of a setting that no device has written over since it saw them. */
  readonly chosen: Set<string>;
}

async function act(device: Device, seen: Acknowledged, chance: () => number, step: number): Promise<void> {
  const kind = chance();
  const name = `${device.name}${step}`;
  if (kind < 0.4) {
    if ((await device.log.append(user(`said ${name}`))).ok) seen.said.add(`said ${name}`);
  } else if (kind < 0.6) {
    const op = await device.journal.begin({ ...call, calls: ['x'], path: `${name}.md` });
    const stored = await device.journal.keep(new TextEncoder().encode(name));
    if (!op.ok || !stored.ok) throw new Error('not recorded');
    await device.journal.intend(op.value, null, stored.value, []);
    await device.journal.commit(op.value, stored.value);
    seen.writes.add(op.value);
  } else if (kind < 0.8) {
    device.provenance.mark(`${name}.md`, 'page', name);
    await device.provenance.settled();
    seen.marked.add(`${name}.md`);
  } else {
    const before = JSON.parse(device.adapter.textAt(dataFile) ?? '{}') as { readonly agentName?: string };
    await device.settings.change({ agentName: name });
    seen.chosen.delete(before.agentName ?? '');
    seen.chosen.add(name);
  }
}

async function expectNothingLost(device: Device, seen: Acknowledged): Promise<void> {
  const { log, journal, provenance, settings, adapter, name, problems } = device;
  expect(new Set(log.entries.flatMap((entry) => (entry.kind === 'user' ? [entry.text] : [])))).toEqual(seen.said);
  expect(log.damaged).toBe(0);
  expect(new Set(journal.operations().map(({ id }) => id))).toEqual(seen.writes);
  expect(journal.operations().every(({ state }) => state === 'committed')).toBe(true);
  for (const operation of journal.operations()) expect((await journal.bytes(operation.post ?? '')).ok).toBe(true);
  for (const path of seen.marked) expect([path, provenance.has(path)]).toEqual([path, true]);
  const values = adapter
    .paths()
    .filter((path) => path.startsWith(`${plugin}/data`))
    .map((path) => (JSON.parse(adapter.textAt(path) ?? '') as { agentName: string }).agentName);
  for (const value of seen.chosen) expect([name, values]).toEqual([name, expect.arrayContaining([value])]);
  if (new Set(values).size > 1) {
    expect([name, settings.damage?.flaw, problems.length]).toEqual([name, 'conflict', 1]);
    expect(settings.damage?.detail).toBe('agentName');
  }
  const index = new ChatIndex({
    ...{ store: new SessionFiles(adapter, () => 'Docent/chats', 'z'), digest },
    usagePlace: { day: () => '2026-11-24', isMetered: () => true },
    memory: { read: () => Promise.resolve(null), write: () => Promise.resolve(succeed(undefined)) },
    annotate: () => Promise.resolve(succeed(undefined)),
    trash: () => Promise.resolve(succeed(undefined)),
  });
  await index.refresh();
  expect(index.chats.map(({ id, messages }) => [id, messages])).toEqual(
    seen.said.size === 0 ? [] : [['c1', seen.said.size]],
  );
}

describe.each(Object.entries(services))('over %s', (_service, nameCopy) => {
  it('loses nothing over random writes, rounds of the sync, races and restarts', async () => {
    let conflicts = 0;
    for (let seed = 1; seed <= 6; seed += 1) {
      const chance = randomBy(seed);
      const files = { [dataFile]: '{}' };
      const adapters = [new MemoryAdapter({ files }), new MemoryAdapter({ files })] as const;
      const sync = new FileSync(adapters[0], adapters[1], nameCopy, chance);
      let session = 1;
      const devices: Device[] = [
        await openDevice('a', adapters[0], session),
        await openDevice('b', adapters[1], session),
      ];
      const seen: Acknowledged = { said: new Set(), writes: new Set(), marked: new Set(), chosen: new Set() };
      for (let step = 1; step <= 40; step += 1) {
        const at = chance() < 0.5 ? 0 : 1;
        const device = devices[at] as Device;
        const kind = chance();
        if (kind < 0.7) await act(device, seen, chance, step);
        else if (kind < 0.85) await sync.run();
        else if (kind < 0.93) {
          await sync.run();
          const logs = adapters[0].paths().filter((path) => path.endsWith('.jsonl'));
          const raced = logs[Math.floor(chance() * logs.length)];
          if (raced !== undefined) await sync.race(raced);
        } else {
          session += 1;
          devices[at] = await openDevice(device.name, device.adapter, session);
        }
      }
      for (let round = 0; round < 3; round += 1) await sync.run();
      for (const device of devices) {
        const again = await openDevice(device.name, device.adapter, session + 1);
        await expectNothingLost(again, seen);
        if (again.settings.damage !== null) conflicts += 1;
      }
    }
    // The settings are the one file that both devices write.
    expect(conflicts).toBeGreaterThan(1);
  });
});
