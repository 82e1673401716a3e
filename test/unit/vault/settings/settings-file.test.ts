import type { DataAdapter } from 'obsidian';
import { succeed } from '../../../../src/core/ports/failure';
import { describeDamage } from '../../../../src/core/settings/damaged-settings';
import { defaultSettings, type Settings, type SettingsProblem } from '../../../../src/core/settings/settings';
import { SettingsFile } from '../../../../src/vault/settings-file';
import { fakeClock, memoryDevice } from '../../../support/memory-ports';

const folder = '.obsidian/plugins/docent';
const dataFile = `${folder}/data.json`;

/** Data as the app keeps it: the files of the plugin's folder; broken text makes loadData reject. */
function openFile(text: string | null = null, device = memoryDevice()) {
  const files = new Map<string, string>();
  if (text !== null) files.set(dataFile, text);
  const disk = {
    files,
    writes: 0,
    /** When the file was last written. */
    time: 0,
    full: false,
    /** What another program does right before or right after the operation that is under way. */
    now: null as (() => void) | null,
    soon: null as (() => void) | null,
    /** Called before each operation of the disk; a returned text is the error that it ends with. */
    refuse: (_operation: string, _path: string): string | undefined => undefined,
    get text(): string | null {
      return files.get(dataFile) ?? null;
    },
    set text(written: string | null) {
      disk.time += 1;
      if (written === null) files.delete(dataFile);
      else files.set(dataFile, written);
    },
    get copies(): string[] {
      return [...files.keys()].filter((path) => path !== dataFile).sort();
    },
  };
  let saved: (() => void) | null = null;
  const at = async (operation: string, path: string): Promise<string | undefined> => {
    await Promise.resolve();
    const refused = disk.refuse(operation, path);
    if (refused !== undefined) throw new Error(refused);
    const { now, soon } = disk;
    Object.assign(disk, { now: null, soon: null });
    now?.();
    const found = files.get(path);
    // After a save, the text is that of the save.
    if (operation === 'save') saved = soon;
    else soon?.();
    return found;
  };
  const need = async (operation: string, path: string): Promise<string> => {
    const found = await at(operation, path);
    if (found === undefined) throw new Error('ENOENT');
    return found;
  };
  const adapter = {
    stat: async (path: string) => {
      const found = await at('stat', path);
      return found === undefined ? null : { type: 'file', size: found.length, ctime: 0, mtime: disk.time };
    },
    read: (path: string) => need('read', path),
    copy: async (from: string, to: string) => void files.set(to, await need('copy', from)),
    rename: async (from: string, to: string) => {
      files.set(to, await need('rename', from));
      files.delete(from);
    },
    remove: async (path: string) => void (files.delete(path) || (await need('remove', path))),
    list: async (path: string) => {
      await at('list', path);
      return { files: [...files.keys()], folders: [] };
    },
  } as Partial<DataAdapter> as DataAdapter;
  const plugin = {
    app: { vault: { adapter, configDir: '.obsidian' } },
    manifest: { id: 'docent', dir: folder },
    loadData: async (): Promise<unknown> => JSON.parse(await need('read', dataFile)),
    saveData: async (data: unknown): Promise<void> => {
      if (disk.full) throw new Error('ENOSPC');
      await at('save', dataFile);
      disk.writes += 1;
      disk.text = JSON.stringify(data);
      saved?.();
      saved = null;
    },
  } as unknown as ConstructorParameters<typeof SettingsFile>[0];
  const problems: SettingsProblem[] = [];
  const pauses: number[] = [];
  const clock = fakeClock();
  const file = new SettingsFile(plugin, device, {
    clock,
    pause: async (milliseconds) => {
      pauses.push(milliseconds);
      await Promise.resolve();
    },
    report: (problem) => void problems.push(problem),
  });
  return { file, disk, device, problems, pauses, clock };
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

  it('stores no text that would make the file too large to be read, says so, and stores a shorter one', async () => {
    const { file, disk, problems } = openFile(stored);
    await file.load();
    await file.change({ additionalInstructions: 'é'.repeat(2_600_000) });
    expect(problems).toEqual([{ key: '', problem: 'too-large' }]);
    expect([file.damage, disk.writes, disk.copies, disk.text]).toEqual([null, 0, [], stored]);
    await file.change({ additionalInstructions: 'short', agentName: 'Bo' });
    expect(JSON.parse(disk.text ?? '')).toMatchObject({ additionalInstructions: 'short', agentName: 'Bo' });
    expect(problems).toHaveLength(1);
  });

  it('goes on naming what was moved, also what is below it', async () => {
    const { file, disk } = openFile(
      JSON.stringify({
        ...defaultSettings,
        keptFolders: ['/Home/Diary/', 'Home', 'Homes'],
        clippingFolders: ['home/Web', 'Clippings'],
        contextNotes: ['Home/Plan.md', 'Home.md'],
        systemPromptPath: 'Home/system.md',
        promptExportPath: 'Exports',
      }),
    );
    await file.load();
    file.moved('Elsewhere', 'Home');
    expect(disk.writes).toBe(0);
    const moved = {
      keptFolders: ['Old/House/Diary', 'Old/House', 'Homes'],
      // A disk that keeps spellings apart may have both.
      clippingFolders: ['home/Web', 'Old/House/Web', 'Clippings'],
      contextNotes: ['Old/House/Plan.md', 'Home.md'],
      systemPromptPath: 'Old/House/system.md',
    };
    file.moved('Home', 'Old/House');
    // At once, so that nothing in the folder is read in the meantime.
    expect(file.hidden.keptFolders).toEqual(moved.keptFolders);
    await file.problems();
    expect(JSON.parse(disk.text ?? '')).toEqual({ ...defaultSettings, ...moved, promptExportPath: 'Exports' });
    file.moved('Old/House/Plan.md', 'Old/House/Plans.md');
    expect(file.settings).toMatchObject({ ...moved, contextNotes: ['Old/House/Plans.md', 'Home.md'] });
  });

  it('names the agent folder as this device lists it, and leaves the spelling of the file to all devices', async () => {
    const { file, disk } = openFile(JSON.stringify({ ...good, agentFolder: 'Docent' }));
    await file.load();
    const inFile = (): unknown => (JSON.parse(disk.text ?? '') as Settings).agentFolder;
    const reported: string[] = [];
    file.subscribe(({ agentFolder }) => void reported.push(agentFolder));
    file.spell('docent');
    await file.problems();
    expect([file.settings.agentFolder, reported, disk.writes]).toEqual(['docent', ['docent'], 0]);
    await file.change({ agentName: 'Bo' });
    expect([file.settings.agentFolder, inFile()]).toEqual(['docent', 'Docent']);
    // Another device stores something else, then the spelling that this one has, then another folder.
    disk.text = (disk.text ?? '').replace('Bo', 'Eve');
    await file.load();
    expect([file.settings.agentName, file.settings.agentFolder]).toEqual(['Eve', 'docent']);
    disk.text = (disk.text ?? '').replace('Docent', 'docent');
    await file.load();
    await file.change({ agentName: 'Cy' });
    expect([file.settings.agentFolder, inFile()]).toEqual(['docent', 'docent']);
    disk.text = (disk.text ?? '').replace('docent', 'Agent');
    await file.load();
    await file.change({ agentName: 'Di' });
    expect([file.settings.agentFolder, inFile()]).toEqual(['Agent', 'Agent']);
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
    expect(await file.problems()).toMatchObject([{ problem: 'damaged' }]);
    expect(problems).toHaveLength(2);
  });

  it('S9 lets the newest of several reads and changes hold, in whatever order they are asked for', async () => {
    const { file, disk } = openFile(stored);
    const reads = [file.load(), file.load()];
    disk.text = stored.replace('Ada', 'Eve');
    await Promise.all(reads);
    expect(file.settings.agentName).toBe('Eve');
    const changed = file.change({ agentName: 'Gil' });
    expect(file.settings.agentName).toBe('Gil');
    await Promise.all([file.load(), changed, file.load()]);
    expect([file.settings.agentName, JSON.parse(disk.text ?? '')]).toMatchObject(['Gil', { agentName: 'Gil' }]);
  });

  it('S9 stores a change over what another device has written by then', async () => {
    const { file, disk } = openFile(stored);
    await file.load();
    disk.text = JSON.stringify({ ...JSON.parse(stored), keptFolders: ['Private'], tier: 2 });
    await file.change({ agentName: 'Bo' });
    const merged = { agentName: 'Bo', keptFolders: ['Private'], tier: 2, later: { a: [1, 2] } };
    expect(JSON.parse(disk.text)).toMatchObject(merged);
    expect(file.settings).toMatchObject({ agentName: 'Bo', keptFolders: ['Private'], tier: 2 });
  });

  it('S9 loses neither of two changes of which the second comes while the first is written', async () => {
    const { file, disk } = openFile(stored);
    await file.load();
    await Promise.all([file.change({ agentName: 'Bo' }), file.change({ tier: 2 }), file.change({ agentName: 'Cy' })]);
    expect(JSON.parse(disk.text ?? '')).toMatchObject({ agentName: 'Cy', tier: 2 });
  });

  it('loses neither change when another program writes at any moment around the own one', async () => {
    const operations: string[] = [];
    const dry = openFile(stored);
    await dry.file.load();
    dry.disk.refuse = (operation, path) => void (path === dataFile && operations.push(operation));
    await dry.file.change({ agentName: 'Bo' });
    const last = operations.indexOf('save') - 1;
    // The file is looked at once more after it was read, right before it is written.
    expect(operations.slice(0, last + 2)).toEqual(['stat', 'read', 'stat', 'save']);
    expect(operations.length - last).toBeGreaterThan(3);
    for (const when of ['before', 'after'] as const) {
      // Between the last look at the file and the write that the disk is doing, nothing can be noticed.
      const moments = [...operations.keys()].filter((at) => (when === 'before' ? at !== last + 1 : at !== last));
      for (const moment of moments) {
        const { file, disk, problems } = openFile(stored);
        await file.load();
        let count = -1;
        const isNow = (path: string): boolean => path === dataFile && (count += 1) === moment;
        const others = (): void => {
          disk.text = JSON.stringify({ ...(JSON.parse(disk.text ?? '') as object), other: moment, mode: 'debugger' });
        };
        disk.refuse = (_operation, path) => {
          if (isNow(path)) disk[when === 'before' ? 'now' : 'soon'] = others;
          return undefined;
        };
        await file.change({ agentName: 'Bo' });
        await file.load();
        const place = `${when} ${moment} ${operations[moment]}`;
        expect([place, JSON.parse(disk.text ?? '')]).toEqual([
          place,
          { ...good, agentName: 'Bo', mode: 'debugger', later: { a: [1, 2] }, other: moment },
        ]);
        expect([file.settings.agentName, file.settings.mode, problems]).toEqual(['Bo', 'debugger', []]);
      }
    }
  });

  it('loses nothing of a record or a list that another program stores while something else in it is changed', async () => {
    const entry = (models: readonly string[], baseUrl = '') => ({ baseUrl, keyName: '', models: [...models] });
    const [far, before] = ['https://far.example', { lmstudio: entry([]), openai: entry(['a']), vllm: entry(['b']) }];
    const start = { ...good, providers: before, keptFolders: ['Work', 'Old'] };
    const theirs = { lmstudio: entry([], far), openai: entry(['a', 'd']), vllm: entry(['b']), ollama: entry([]) };
    const own = { lmstudio: entry(['oak']), openai: entry(['a']) };
    const expected = {
      providers: { lmstudio: entry(['oak'], far), openai: entry(['a', 'd']), ollama: entry([]) },
      ...{ keptFolders: ['Cellar', 'Private'], tier: 2 },
    };
    for (const when of ['right after the save', 'while the disk is full'] as const) {
      const { file, disk } = openFile(JSON.stringify(start));
      await file.load();
      const write = (): void => {
        disk.text = JSON.stringify({ ...good, providers: theirs, keptFolders: ['Old', 'Private'], tier: 2 });
      };
      disk.full = when === 'while the disk is full';
      disk.refuse = (operation) => {
        if (operation === 'save' && disk.writes === 0) disk.soon = write;
        return undefined;
      };
      await file.change({ providers: own, keptFolders: ['Work', 'Cellar'] });
      if (disk.full) write();
      Object.assign(disk, { full: false, refuse: () => undefined });
      await file.change({ brevity: 'normal' });
      expect([when, JSON.parse(disk.text ?? '')]).toEqual([when, { ...good, ...expected, brevity: 'normal' }]);
      expect(file.settings).toMatchObject(expected);
    }
  });

  it('loses no server that another device stores while one is added here', async () => {
    const server = (name: string, isOn = true) => ({ name, url: `https://${name}.example`, keyName: '', isOn });
    const { file, disk } = openFile(JSON.stringify({ ...good, mcpServers: [server('tide')] }));
    await file.load();
    disk.full = true;
    await file.change({ mcpServers: [...file.settings.mcpServers, server('charts')] });
    const theirs = [server('tide', false), { ...server('wind'), later: 1 }];
    disk.text = JSON.stringify({ ...good, mcpServers: theirs });
    disk.full = false;
    await file.change({ brevity: 'normal' });
    const expected = [server('tide', false), server('charts'), { ...server('wind'), later: 1 }];
    expect(JSON.parse(disk.text ?? '')).toMatchObject({ mcpServers: expected });
    expect(file.settings.mcpServers).toEqual(expected);
  });

  it('drops nothing that the user hides where the file has no list that can be read', async () => {
    for (const written of [{ keptFolders: 'Work' }, {}, null]) {
      const { file, disk, device } = openFile(JSON.stringify({ ...good, keptFolders: ['Work'] }));
      await file.load();
      disk.full = true;
      await file.change({ keptFolders: ['Work', 'Cellar'] });
      const { keptFolders: _, ...others } = good;
      disk.text = written === null ? null : JSON.stringify({ ...others, ...written });
      Object.assign(disk, { full: false });
      device.set('settings-last-good', null);
      await file.change({ brevity: 'normal' });
      expect([file.settings.keptFolders, file.hidden.keptFolders]).toEqual([
        ['Work', 'Cellar'],
        ['Work', 'Cellar'],
      ]);
      if (disk.text !== null) expect(JSON.parse(disk.text)).toMatchObject({ keptFolders: ['Work', 'Cellar'] });
    }
  });

  it('is not drawn into a fight with a program that writes its own version back each time, and says so', async () => {
    const { file, disk, problems } = openFile(stored);
    await file.load();
    disk.refuse = (operation, path) => {
      if (path === dataFile && operation === 'stat' && disk.writes > 0) disk.text = stored;
      return undefined;
    };
    await file.change({ agentName: 'Bo' });
    expect([disk.writes, problems]).toEqual([2, [{ key: '', problem: 'written-over' }]]);
    expect(file.settings.agentName).toBe('Bo');
    disk.refuse = () => undefined;
    await file.change({ mode: 'user' });
    expect(JSON.parse(disk.text ?? '')).toMatchObject({ agentName: 'Bo', mode: 'user' });
  });

  it('F14 keeps the last good copy through 200 mutated files: nothing is thrown, nothing of others is lost', async () => {
    let seed = 7;
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor((seed / 2 ** 32) * below);
    };
    const junk = ['{', '}', '"', 'null', '[]', '\u0000', '1e999', '<<<<<<< HEAD\n', ',', '{"mode":7}'];
    let broken = 0;
    for (let count = 0; count < 200; count += 1) {
      const device = memoryDevice();
      await openFile(stored, device).file.load();
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
      if (file.damage !== null) {
        broken += 1;
        expect(problems).toHaveLength(1);
        expect(file.settings).toEqual(good);
        await file.change({ tier: 4 });
        expect([disk.text, disk.copies.map((path) => disk.files.get(path))]).toEqual([text, [text]]);
        expect((await file.choose('last-good')).ok).toBe(true);
        expect((JSON.parse(disk.text ?? '') as Record<string, unknown>)['later']).toEqual({ a: [1, 2] });
      }
      await file.change({ tier: 4 });
      expect(file.settings.tier).toBe(4);
      const written = JSON.parse(disk.text ?? '') as Record<string, unknown>;
      expect(written['tier']).toBe(4);
      expect(disk.copies.map((path) => disk.files.get(path))).toEqual(
        file.damage === null && problems.every(({ problem }) => problem !== 'damaged') ? [] : [text],
      );
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

  it('writes no refused value again over one that the user has set since', async () => {
    const { file, disk } = openFile(JSON.stringify({ ...good, mode: 'wizard', tier: 9 }));
    await file.load();
    await file.change({ tier: 2 });
    expect(JSON.parse(disk.text ?? '')).toMatchObject({ mode: 'wizard', tier: 2 });
    await file.change({ agentName: 'Bo' });
    expect(JSON.parse(disk.text ?? '')).toMatchObject({ mode: 'wizard', tier: 2, agentName: 'Bo' });
  });

  it.each(['{', '[]', '"x"'])('pays no heed to a last good copy that is %s itself', async (text) => {
    const device = memoryDevice();
    device.set('settings-last-good', text);
    const { file } = openFile('{broken', device);
    await file.load();
    expect(file.settings).toEqual(defaultSettings);
  });

  it('says when a change cannot be stored, keeps it on this device, and stores it with the next one', async () => {
    const { file, disk, device, problems } = openFile(stored);
    await file.load();
    disk.full = true;
    await file.change({ tier: 1 });
    expect(problems).toEqual([{ key: 'ENOSPC', problem: 'not-saved' }]);
    await file.problems();
    expect(file.settings.tier).toBe(1);
    // What a full disk makes of a write.
    disk.text = stored.slice(0, 20);
    const next = openFile(disk.text, device);
    await next.file.load();
    expect(next.file.settings).toMatchObject({ tier: 1, agentName: 'Ada' });
    disk.full = false;
    await file.change({ agentName: 'Bo' });
    expect(JSON.parse(disk.text)).toMatchObject({ tier: 1, agentName: 'Bo', later: { a: [1, 2] } });
    expect(file.damage).toBeNull();
  });

  it('leaves the number of a newer version in the file', async () => {
    const { file, disk } = openFile(JSON.stringify({ ...good, version: 7, later: true }));
    await file.load();
    await file.change({ tier: 1 });
    expect(JSON.parse(disk.text ?? '')).toMatchObject({ version: 7, later: true, tier: 1 });
  });
});

/** What a settings file can be instead of settings, and what is said of it. */
const damagedFiles: readonly (readonly [string, string, RegExp])[] = [
  ['empty', '', /is empty/],
  ['truncated', stored.slice(0, 40), /is cut off or damaged/],
  ['of zeros', '\u0000'.repeat(200), /contains only zeros/],
  ['a list', '[1]', /doesn’t contain settings/],
  ['null', 'null', /doesn’t contain settings/],
  ['a merge of two', `<<<<<<< HEAD\n${stored}\n=======\n${stored}\n`, /is cut off or damaged/],
  ['of 50 MB', ' '.repeat(50_000_000), /larger than 5 MB/],
];

describe.each(damagedFiles)('a settings file that is %s', (_name, text, said) => {
  it('with a last good copy: it applies, nothing is written over the file, and the choice has a copy', async () => {
    const device = memoryDevice();
    await openFile(stored, device).file.load();
    const { file, disk, problems } = openFile(text, device);
    await file.load();
    expect(problems).toHaveLength(1);
    expect(problems[0]?.key).toMatch(said);
    expect(problems[0]?.key).toMatch(/Until you choose, the last good copy on this device is used\.$/);
    expect(file.damage).toMatchObject({ isClosed: false, choices: ['last-good', 'defaults', 'retry'] });
    expect(file.settings).toEqual(good);
    await file.change({ tier: 4 });
    expect([disk.writes, disk.text === text, disk.copies.length]).toEqual([0, true, 1]);
    expect(disk.files.get(disk.copies[0] ?? '') === text).toBe(true);
    expect(problems.at(-1)?.problem).toBe('not-saved');
    expect(await file.choose('retry')).toMatchObject({ ok: false });
    expect(disk.writes).toBe(0);
    expect(await file.choose('last-good')).toEqual(succeed(undefined));
    expect(JSON.parse(disk.text ?? '')).toEqual({ ...good, tier: 4, later: { a: [1, 2] } });
    expect([file.damage, disk.copies.length]).toEqual([null, 1]);
  });

  it('without one: the defaults apply and nothing is read, until the user chooses them', async () => {
    const { file, disk, device, problems } = openFile(text);
    await file.load();
    expect(problems).toHaveLength(1);
    expect(problems[0]?.key).toMatch(said);
    expect(problems[0]?.key).toMatch(/the defaults are used and Docent reads no notes/);
    expect(file.damage).toMatchObject({ isClosed: true, choices: ['defaults', 'retry'] });
    await file.change({ agentName: 'Bo' });
    expect([disk.writes, disk.text === text, disk.copies.length]).toEqual([0, true, 1]);
    // The next start is as closed as this one.
    const next = openFile(text, device);
    await next.file.load();
    expect([next.file.damage?.isClosed, next.file.damage?.choices]).toEqual([true, ['defaults', 'retry']]);
    expect(await file.choose('defaults')).toEqual(succeed(undefined));
    expect(JSON.parse(disk.text ?? '')).toEqual({ ...defaultSettings, agentName: 'Bo' });
    expect([file.damage, disk.copies.length]).toEqual([null, 1]);
  });
});

describe('damaged settings', () => {
  it('says so when the file cannot be read, and moves it out of the way only when the user has chosen', async () => {
    const device = memoryDevice();
    await openFile(stored, device).file.load();
    const { file, disk, problems } = openFile(stored, device);
    disk.refuse = (operation) => (operation === 'read' || operation === 'copy' ? 'EACCES' : undefined);
    await file.load();
    expect(problems[0]?.key).toBe(
      'Couldn’t read the settings file. (EACCES) The file is unchanged. ' +
        'Until you choose, the last good copy on this device is used.',
    );
    expect([disk.copies, disk.writes]).toEqual([[], 0]);
    expect((await file.choose('last-good')).ok).toBe(true);
    expect(disk.copies.map((path) => disk.files.get(path))).toEqual([stored]);
  });

  it.each(['stat', 'read', 'copy', 'rename', 'list', 'save'])(
    'loses neither the file nor the copy when the disk refuses %s at any time',
    async (refused) => {
      for (const text of [stored, '{ broken']) {
        for (let nth = 1; nth <= 12; nth += 1) {
          const device = memoryDevice();
          await openFile(stored, device).file.load();
          const { file, disk, problems } = openFile(text, device);
          let count = 0;
          disk.refuse = (operation) => (operation === refused && (count += 1) >= nth ? 'EIO' : undefined);
          await file.load();
          await file.change({ tier: 4 });
          const outcome = await file.choose('last-good');
          const all = [...disk.files.values()];
          const isStored = disk.text !== null && disk.text.includes('"tier":4');
          expect(text === stored || all.includes(text)).toBe(true);
          const isReported = !outcome.ok || problems.some(({ problem }) => problem === 'not-saved');
          expect(isStored || isReported).toBe(true);
          expect(file.settings).toMatchObject({ agentName: 'Ada', tier: 4 });
        }
      }
    },
  );

  it('overwrites nothing when no copy can be made of it', async () => {
    const { file, disk } = openFile('{ broken');
    disk.refuse = (operation) => (operation === 'copy' || operation === 'rename' ? 'ENOSPC' : undefined);
    await file.load();
    expect(await file.choose('defaults')).toMatchObject({
      ok: false,
      failure: { words: 'Couldn’t copy the settings file, so nothing was overwritten.' },
    });
    expect([disk.text, disk.writes]).toEqual(['{ broken', 0]);
    expect(file.damage?.isClosed).toBe(true);
  });

  it('keeps at most five copies, and one of each text', async () => {
    const device = memoryDevice();
    let copies = new Map<string, string>();
    for (const count of [1, 1, 2, 3, 4, 5, 6, 7, 7]) {
      const { file, disk, clock } = openFile(`{ broken ${count}`, device);
      for (const [path, text] of copies) disk.files.set(path, text);
      clock.advance(count * 60_000);
      await file.load();
      copies = new Map(disk.copies.map((path) => [path, disk.files.get(path) ?? '']));
    }
    expect([...copies.values()]).toEqual([3, 4, 5, 6, 7].map((count) => `{ broken ${count}`));
  });

  it('is not reported of a file that a sync service is still writing', async () => {
    const { file, disk, problems, pauses } = openFile(stored);
    await file.load();
    disk.text = stored.slice(0, 30);
    let reads = 0;
    disk.refuse = (operation) => {
      if (operation === 'stat' && (reads += 1) === 3) disk.text = stored.replace('Ada', 'Eve');
      return undefined;
    };
    const reading = file.load();
    await reading;
    expect([file.settings.agentName, problems, disk.copies, file.damage]).toEqual(['Eve', [], [], null]);
    expect(pauses.length).toBeGreaterThan(0);
  });

  it('ends by itself when the file is whole again, and what was changed since is stored', async () => {
    const { file, disk } = openFile('{ broken');
    await file.load();
    await file.change({ tier: 2 });
    disk.text = stored;
    const heard: boolean[] = [];
    file.subscribe(() => void heard.push(file.damage === null));
    await file.load();
    expect(heard).toContain(true);
    expect([file.damage, file.settings.agentName]).toEqual([null, 'Ada']);
    expect(JSON.parse(disk.text)).toMatchObject({ agentName: 'Ada', tier: 2, later: { a: [1, 2] } });
  });

  it('while the app runs, goes on with the settings in memory even if the device has no copy', async () => {
    const { file, disk, device } = openFile(stored);
    await file.load();
    device.values.clear();
    disk.text = '';
    await file.load();
    expect(file.settings).toEqual(good);
    expect(file.damage).toMatchObject({ isClosed: false, choices: ['last-good', 'defaults', 'retry'] });
  });

  it('reads a file with a byte order mark, and one whose values are of wrong types, value by value', async () => {
    const marked = openFile(`\ufeff${stored}`);
    await marked.file.load();
    expect([marked.file.settings, marked.problems]).toEqual([good, []]);
    const wrong = { ...good, tier: 'huge', providers: { openai: { baseUrl: 7 } }, contextNotes: 'A.md' };
    const { file, disk, problems } = openFile(JSON.stringify(wrong));
    await file.load();
    expect(problems.map(({ key, problem }) => `${key} ${problem}`).sort()).toEqual([
      'contextNotes invalid-default',
      'providers invalid-default',
      'tier invalid-default',
    ]);
    expect([file.settings.agentName, file.settings.tier, file.damage]).toEqual(['Ada', 'auto', null]);
    await file.change({ tier: 2 });
    // What this version cannot read may be what another version wrote.
    const providers = { openai: { baseUrl: 7 } };
    expect(JSON.parse(disk.text ?? '')).toMatchObject({ tier: 2, providers, contextNotes: 'A.md' });
  });

  it.each(['keptFolders', 'keptTags'] as const)('reads no note while %s is unknown', async (key) => {
    const text = JSON.stringify({ ...good, keptFolders: ['Private'], keptTags: ['#me'], [key]: 'Secret' });
    const { file, disk, device, problems } = openFile(text);
    await file.load();
    expect(problems).toEqual([{ key, problem: 'invalid-hidden' }]);
    expect(file.damage).toMatchObject({ flaw: 'hidden', isClosed: true, choices: ['defaults', 'retry'] });
    await file.change({ tier: 2 });
    expect(JSON.parse(disk.text ?? '')).toMatchObject({ tier: 2, [key]: 'Secret' });
    expect(file.damage?.isClosed).toBe(true);
    const next = openFile('{ broken', device);
    await next.file.load();
    expect(next.file.damage?.isClosed).toBe(true);
    await file.change({ [key]: ['Secret'] });
    expect([file.damage, JSON.parse(disk.text ?? '')]).toMatchObject([null, { tier: 2, [key]: ['Secret'] }]);
  });

  it('reads no note either when a file with lists that cannot be read is missing, until the user has chosen', async () => {
    const { file, disk, device } = openFile(JSON.stringify({ ...good, keptFolders: 'Secret' }));
    await file.load();
    disk.text = null;
    const { file: next, disk: nextDisk, problems } = openFile(null, device);
    for (const each of [file, next]) {
      await each.load();
      expect(each.damage).toMatchObject({ flaw: 'hidden', isClosed: true });
    }
    expect(problems).toEqual([
      { key: '', problem: 'missing' },
      { key: 'keptFolders', problem: 'invalid-hidden' },
    ]);
    expect((await next.choose('defaults')).ok).toBe(true);
    expect([next.damage, JSON.parse(nextDisk.text ?? '')]).toEqual([null, { ...good, keptFolders: [] }]);
  });

  it('hides nothing in place of lists that cannot be read once the user has chosen that, and keeps a copy', async () => {
    const text = JSON.stringify({ ...good, keptFolders: { Private: true } });
    const { file, disk } = openFile(text);
    await file.load();
    expect((await file.choose('defaults')).ok).toBe(true);
    expect(JSON.parse(disk.text ?? '')).toEqual({ ...good, keptFolders: [] });
    expect(disk.copies.map((path) => disk.files.get(path))).toEqual([text]);
    expect(file.damage).toBeNull();
  });

  it('keeps the last good list of what is hidden when the file has none that can be read', async () => {
    const device = memoryDevice();
    const hiding = { ...good, keptFolders: ['Private'] };
    await openFile(JSON.stringify(hiding), device).file.load();
    const { file, disk, problems } = openFile(JSON.stringify({ ...hiding, keptFolders: 7 }), device);
    await file.load();
    expect([file.settings.keptFolders, file.damage]).toEqual([['Private'], null]);
    expect(problems).toEqual([{ key: 'keptFolders', problem: 'invalid' }]);
    await file.change({ tier: 2 });
    expect(file.settings.keptFolders).toEqual(['Private']);
    expect(JSON.parse(disk.text ?? '')).toMatchObject({ keptFolders: 7 });
  });

  it('stores a setting although the storage of the device is full, and drops a copy that hides less', async () => {
    const device = memoryDevice();
    const { file, disk } = openFile(stored, device);
    await file.load();
    const set = device.set.bind(device);
    device.set = (key, value) => (value === null ? set(key, value) : false);
    await file.change({ tier: 2 });
    expect(JSON.parse(disk.text ?? '')).toMatchObject({ tier: 2 });
    expect(device.get('settings-last-good')).toContain('"tier":"auto"');
    await file.change({ keptFolders: ['Private'] });
    expect(JSON.parse(disk.text ?? '')).toMatchObject({ keptFolders: ['Private'] });
    expect(device.get('settings-last-good')).toBeNull();
  });

  it('reports a missing file once there was one, and goes on with the last good copy', async () => {
    const device = memoryDevice();
    await openFile(stored, device).file.load();
    const { file, problems } = openFile(null, device);
    await file.load();
    expect([file.settings, problems, file.damage]).toEqual([good, [{ key: '', problem: 'missing' }], null]);
  });

  it.each([
    ['deep lists', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['deep records', `${'{"x":'.repeat(5_000)}1${'}'.repeat(5_000)}`],
  ])('takes a file with %s for damaged, at the start and by a sync', async (_what, deep) => {
    const text = `${stored.slice(0, -1)},"other":${deep}}`;
    const device = memoryDevice();
    const { file, disk } = openFile(stored, device);
    await file.load();
    disk.text = text;
    await file.problems();
    expect([file.damage?.flaw, file.settings.agentName, disk.writes]).toEqual(['not-settings', 'Ada', 0]);
    const next = openFile(text, device);
    await next.file.load();
    expect([next.file.damage?.flaw, next.file.settings.agentName]).toEqual(['not-settings', 'Ada']);
    expect((await next.file.choose('last-good')).ok).toBe(true);
    await next.file.change({ agentName: 'Bo' });
    expect([next.file.damage, JSON.parse(next.disk.text ?? '')]).toMatchObject([null, { agentName: 'Bo' }]);
    expect(next.disk.copies.map((path) => next.disk.files.get(path))).toContain(text);
  });

  it('has words for every flaw', () => {
    for (const flaw of ['empty', 'zeros', 'not-json', 'not-settings', 'too-large', 'unreadable', 'hidden'] as const) {
      const damage = { flaw, detail: 'EIO', copy: null, choices: [], isClosed: true };
      expect(describeDamage(damage)).toMatch(/^[A-Z].*reads no notes/);
    }
  });
});

describe('conflict copies of the settings', () => {
  const copyNames = [
    'data.sync-conflict-20261124-101500-ABCDEFG.json',
    'data (Conflicted copy Ada’s phone 202611241015).json',
    "data (Ada's conflicted copy 2026-11-24).json",
    'data 2.json',
    'data (1).json',
    'data-Ada-PC.json',
  ];
  const theirs = { ...good, agentName: 'Eve', keptFolders: ['Diary'], keptTags: ['#secret'], theirs: 1 };

  it.each(copyNames)('%s is reported, what it hides is hidden, and either choice keeps both versions', async (name) => {
    for (const choice of ['keep', 'take-copy'] as const) {
      const { file, disk, problems } = openFile(stored);
      disk.files.set(`${folder}/${name}`, JSON.stringify(theirs));
      await file.load();
      expect(problems.map(({ problem }) => problem)).toEqual(['damaged']);
      expect(problems[0]?.key).toContain(
        `“${name}”. The two differ in these entries of data.json: agentName, keptFolders, keptTags.`,
      );
      expect(file.damage).toMatchObject({
        flaw: 'conflict',
        copy: name,
        isClosed: false,
        choices: ['keep', 'take-copy'],
      });
      expect(file.settings.agentName).toBe('Ada');
      expect(file.hidden).toEqual({ keptFolders: ['Diary'], keptTags: ['#secret'] });
      // A change is stored while the question waits, which then names one more difference.
      await file.change({ mode: 'user' });
      expect([JSON.parse(disk.text ?? ''), problems.length]).toEqual([
        { ...good, mode: 'user', later: { a: [1, 2] } },
        2,
      ]);
      expect(await file.choose(choice)).toMatchObject({ ok: true });
      expect([file.damage, disk.files.has(`${folder}/${name}`)]).toEqual([null, false]);
      const isTaken = choice === 'take-copy';
      expect(file.settings).toMatchObject({ agentName: isTaken ? 'Eve' : 'Ada', mode: isTaken ? 'planning' : 'user' });
      expect(file.hidden.keptFolders).toEqual(isTaken ? ['Diary'] : []);
      const replaced = disk.copies.map((path) => JSON.parse(disk.files.get(path) ?? '') as Settings);
      expect(disk.copies.every((path) => /data\.replaced-[\d-]+\.json$/.test(path))).toBe(true);
      expect(replaced.map(({ agentName }) => agentName)).toEqual([isTaken ? 'Ada' : 'Eve']);
      const now = JSON.parse(disk.text ?? '') as object;
      expect(now).toMatchObject(isTaken ? { later: { a: [1, 2] }, theirs: 1 } : { later: { a: [1, 2] } });
      expect(await file.problems()).toEqual([]);
    }
  });

  it('leave what is hidden in the same lists while nothing changes, so that no list of notes is made again', async () => {
    const { file, disk } = openFile(stored);
    disk.files.set(`${folder}/${copyNames[0]}`, JSON.stringify(theirs));
    await file.load();
    const before = file.hidden;
    expect(before.keptFolders).toEqual(['Diary']);
    expect(file.hidden.keptFolders).toBe(before.keptFolders);
    expect(file.hidden.keptTags).toBe(before.keptTags);
    await file.change({ keptFolders: ['Work'] });
    expect(file.hidden.keptFolders).toEqual(['Work', 'Diary']);
  });

  it('that say the same, that cannot be read, or that are no copies are not asked about', async () => {
    const { file, disk, problems } = openFile(stored);
    disk.files.set(`${folder}/${copyNames[0]}`, stored);
    disk.files.set(`${folder}/${copyNames[1]}`, '{"agentName": "E');
    disk.files.set(`${folder}/data.damaged-2026-11-24.json`, JSON.stringify(theirs));
    disk.files.set(`${folder}/database.json`, JSON.stringify(theirs));
    await file.load();
    expect([problems, file.damage, disk.files.size]).toEqual([[], null, 5]);
  });

  it('are not all read when there are many', async () => {
    const { file, disk } = openFile(stored);
    for (let copy = 0; copy < 500; copy += 1) disk.files.set(`${folder}/data (${100 + copy}).json`, '{"damaged');
    let reads = 0;
    disk.refuse = (operation) => void (operation === 'read' && (reads += 1));
    await file.load();
    expect([file.damage, reads]).toEqual([null, 21]);
  });

  it('are found behind any number of others that cannot be read or say the same', async () => {
    for (const text of ['{"damaged', stored]) {
      const { file, disk } = openFile(stored);
      for (let copy = 0; copy < 50; copy += 1) disk.files.set(`${folder}/data (${100 + copy}).json`, text);
      disk.files.set(`${folder}/data (150).json`, JSON.stringify(theirs));
      await file.load();
      for (let look = 0; look < 2; look += 1) await file.problems();
      expect([file.damage?.copy, file.hidden.keptFolders]).toEqual(['data (150).json', ['Diary']]);
      await file.problems();
      expect(file.damage?.copy).toBe('data (150).json');
    }
  });

  it('are found again after one that was passed over has changed', async () => {
    const { file, disk } = openFile(stored);
    for (const name of [copyNames[4], copyNames[3]]) disk.files.set(`${folder}/${name}`, stored);
    await file.load();
    expect(file.damage).toBeNull();
    disk.files.set(`${folder}/${copyNames[4]}`, JSON.stringify(theirs));
    await file.problems();
    expect(file.damage?.copy).toBe(copyNames[4]);
  });

  it('leave a list of what is hidden as it is when their own cannot be read, and what they had stays', async () => {
    for (const list of [['Diary'], 'torn']) {
      const { file, disk } = openFile(JSON.stringify({ ...good, keptFolders: ['Diary'] }));
      await file.load();
      disk.text = JSON.stringify({ ...good, keptFolders: list });
      const copy = JSON.stringify({ ...theirs, keptFolders: { torn: 1 }, mode: 'newer' });
      disk.files.set(`${folder}/${copyNames[0]}`, copy);
      await file.problems();
      expect(file.damage?.detail).toBe('agentName, keptTags');
      expect(await file.choose('take-copy')).toMatchObject({ ok: true });
      expect([file.damage, file.hidden.keptFolders]).toEqual([null, ['Diary']]);
      expect(JSON.parse(disk.text ?? '')).toMatchObject({
        ...{ agentName: 'Eve', keptFolders: ['Diary'], keptTags: ['#secret'], mode: 'newer', theirs: 1 },
      });
      expect(disk.copies.map((path) => disk.files.get(path))).toContain(copy);
      expect(await file.problems()).toEqual([{ key: 'mode', problem: 'invalid' }]);
    }
  });

  it('are asked about one after the other, and what comes between is not chosen', async () => {
    const { file, disk } = openFile(stored);
    disk.files.set(`${folder}/${copyNames[3]}`, JSON.stringify({ ...good, agentName: 'Two' }));
    disk.files.set(`${folder}/${copyNames[4]}`, JSON.stringify({ ...good, agentName: 'One' }));
    await file.load();
    expect(file.damage?.copy).toBe(copyNames[4]);
    await file.choose('keep');
    expect(file.damage?.copy).toBe(copyNames[3]);
    disk.files.set(`${folder}/${copyNames[3]}`, JSON.stringify({ ...good, mode: 'user' }));
    await file.choose('take-copy');
    expect([file.settings.agentName, file.settings.mode, file.damage?.detail]).toEqual(['Ada', 'planning', 'mode']);
    await file.choose('take-copy');
    expect([file.settings.mode, file.damage]).toEqual(['user', null]);
  });

  it('stay, as does the file, when the disk refuses the choice', async () => {
    const { file, disk } = openFile(stored);
    const copy = `${folder}/${copyNames[0]}`;
    disk.files.set(copy, JSON.stringify(theirs));
    await file.load();
    disk.refuse = (operation) => (operation === 'copy' || operation === 'rename' ? 'EROFS' : undefined);
    for (const choice of ['keep', 'take-copy'] as const) {
      expect(await file.choose(choice)).toMatchObject({ ok: false, failure: { kind: 'storage' } });
      expect([disk.text, disk.files.has(copy), file.settings.agentName]).toEqual([stored, true, 'Ada']);
    }
  });
});
