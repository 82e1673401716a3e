import { defaultSettings, type Settings, type SettingsProblem } from '../../../../src/core/settings/settings';
import { SettingsFile } from '../../../../src/vault/settings-file';
import { memoryDevice } from '../../../support/memory-ports';

/** Data as the app keeps it: the text of data.json; broken text makes loadData reject. */
function openFile(text: string | null = null, device = memoryDevice()) {
  const disk = { text, writes: 0, full: false };
  const plugin = {
    loadData: async (): Promise<unknown> => (disk.text === null ? null : JSON.parse(disk.text)),
    saveData: async (data: unknown): Promise<void> => {
      if (disk.full) throw new Error('ENOSPC');
      disk.writes += 1;
      disk.text = JSON.stringify(data);
    },
  };
  const problems: SettingsProblem[] = [];
  const file = new SettingsFile(plugin, device, (problem) => void problems.push(problem));
  return { file, disk, device, problems };
}

const good: Settings = { ...defaultSettings, agentName: 'Ada', mode: 'planning', contextNotes: ['A.md'] };
const stored = JSON.stringify({ ...good, later: { a: [1, 2] } });

describe('SettingsFile', () => {
  it('starts with the defaults and writes nothing by itself', async () => {
    const { file, disk, problems } = openFile();
    await file.load();
    expect(file.settings).toEqual(defaultSettings);
    expect([disk.writes, problems]).toEqual([0, []]);
  });

  it('S9 stores a change with the keys of other versions, and tells listeners until they leave', async () => {
    const { file, disk } = openFile(stored);
    await file.load();
    const reported: string[] = [];
    const leave = file.subscribe(({ agentName }) => void reported.push(agentName));
    await file.change({ agentName: 'Bo' });
    leave();
    await file.change({ agentName: 'Cy' });
    expect(reported).toEqual(['Bo']);
    expect(JSON.parse(disk.text ?? '')).toEqual({ ...good, agentName: 'Cy', later: { a: [1, 2] } });
  });

  it('S9 follows a change from outside', async () => {
    const { file, disk } = openFile(stored);
    await file.load();
    disk.text = stored.replace('Ada', 'Eve');
    const reported: string[] = [];
    file.subscribe(({ agentName }) => void reported.push(agentName));
    await file.load();
    expect([file.settings.agentName, reported]).toEqual(['Eve', ['Eve']]);
  });

  it('S9 R259 follows a change from outside that a look at the problems reads first, and tells of it once', async () => {
    const { file, disk, problems } = openFile(stored);
    await file.load();
    disk.text = JSON.stringify({ ...JSON.parse(stored), agentName: 'Eve', tier: 9 });
    const reported: string[] = [];
    file.subscribe(({ agentName }) => void reported.push(agentName));
    const invalid = [{ key: 'tier', problem: 'invalid' }];
    expect(await file.problems()).toEqual(invalid);
    expect(await file.problems()).toEqual(invalid);
    expect([file.settings.agentName, reported, problems]).toEqual(['Eve', ['Eve'], invalid]);
    disk.text = '{ broken';
    expect(await file.problems()).toMatchObject([{ problem: 'not-an-object' }]);
    expect(problems).toHaveLength(2);
  });

  it('S9 lets the newest of several reads and changes hold, in whatever order they end', async () => {
    const ends: (() => void)[] = [];
    const texts = [stored, stored.replace('Ada', 'Eve'), stored.replace('Ada', 'Fay')];
    const plugin = {
      loadData: (): Promise<unknown> => {
        const read: unknown = JSON.parse(texts.shift() ?? '');
        return new Promise((resolve) => void ends.push(() => resolve(read)));
      },
      saveData: () => Promise.resolve(),
    };
    const file = new SettingsFile(plugin, memoryDevice(), () => undefined);
    const reads = [file.load(), file.load()];
    for (const end of ends.splice(0).reverse()) end();
    await Promise.all(reads);
    expect(file.settings.agentName).toBe('Eve');
    const late = file.load();
    await file.change({ agentName: 'Gil' });
    for (const end of ends) end();
    await late;
    expect(file.settings.agentName).toBe('Gil');
  });

  it('F14 keeps the last good copy through 200 mutated files: nothing is thrown, nothing foreign is lost', async () => {
    let seed = 7;
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor((seed / 2 ** 32) * below);
    };
    const junk = ['{', '}', '"', 'null', '[]', '\u0000', '1e999', '<<<<<<< HEAD\n', ',', '{"mode":7}', '\ufeff'];
    let broken = 0;
    for (let count = 0; count < 200; count += 1) {
      const device = memoryDevice();
      const before = openFile(stored, device);
      await before.file.load();
      const at = random(stored.length);
      const piece = junk[random(junk.length)] ?? '';
      const mutants = [
        stored.slice(0, at),
        stored.slice(0, at) + piece + stored.slice(at),
        stored.slice(0, at) + stored.slice(at + 1 + random(9)),
        piece,
      ];
      const text = mutants[random(mutants.length)] ?? '';
      const { file, disk, problems } = openFile(text, device);
      await file.load();
      expect(disk).toMatchObject({ text, writes: 0 });
      let parsed: unknown = null;
      try {
        parsed = JSON.parse(text);
      } catch {
        broken += 1;
        expect(problems).toHaveLength(1);
        expect(file.settings).toEqual(good);
      }
      await file.change({ tier: 4 });
      const written = JSON.parse(disk.text ?? '') as Record<string, unknown>;
      expect(written['tier']).toBe(4);
      if (parsed === null) expect(written['later']).toEqual({ a: [1, 2] });
      expect(written['mode']).toMatch(/^(assistant|developer|planning|debugger|user)$/);
    }
    expect(broken).toBeGreaterThan(50);
  });

  it('reports each value that was refused and keeps the last good one', async () => {
    const device = memoryDevice();
    await openFile(stored, device).file.load();
    const { file, problems } = openFile(JSON.stringify({ ...good, mode: 'wizard', tier: 9 }), device);
    await file.load();
    expect(file.settings).toEqual(good);
    expect(problems).toEqual([
      { key: 'mode', problem: 'invalid' },
      { key: 'tier', problem: 'invalid' },
    ]);
  });

  it.each(['{', '[]', '"x"'])('pays no heed to a last good copy that is %s itself', async (text) => {
    const device = memoryDevice();
    device.set('settings-last-good', text);
    const { file } = openFile('{broken', device);
    await file.load();
    expect(file.settings).toEqual(defaultSettings);
  });

  it('says when a change cannot be stored, and keeps it on this device', async () => {
    const { file, disk, device, problems } = openFile(stored);
    await file.load();
    disk.full = true;
    await file.change({ tier: 1 });
    expect(problems).toEqual([{ key: 'ENOSPC', problem: 'not-saved' }]);
    await file.problems();
    expect(file.settings.tier).toBe(1);
    const next = openFile('{ broken', device);
    await next.file.load();
    expect(next.file.settings.tier).toBe(1);
  });

  it('leaves the number of a newer version in the file', async () => {
    const { file, disk } = openFile(JSON.stringify({ ...good, version: 7, later: true }));
    await file.load();
    await file.change({ tier: 1 });
    expect(JSON.parse(disk.text ?? '')).toMatchObject({ version: 7, later: true, tier: 1 });
  });
});
