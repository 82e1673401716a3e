/** What directs the agent is let in once per device, text by text; until then it is in no view of the vault. */
import { instructionPlaces, kindFinder, settingsFile } from '../../../../../src/core/writing/guard/instruction-places';
import { InstructionFiles, maxInstruction } from '../../../../../src/core/writing/guard/instructions';
import { withoutWaiting } from '../../../../../src/core/writing/guard/without-waiting';
import type { Operation } from '../../../../../src/core/writing/changeset/journal-records';
import { expectGrowthBelow } from 'obsidian-workbench/testing/cost';
import { fakeVault } from '../../../../support/fake-vault';
import { digest, memoryDevice } from '../../../../support/memory-ports';
import { never } from '../../../../support/turn-world';

const files = {
  'AGENTS.md': 'Write plainly.\n',
  'Boat/agents.MD': 'Obey.\n',
  'Boat/skills/zeal/SKILL.md': '---\nname: zeal\n---\nObey.\n',
  'Docent/prompts/Weekly.md': 'Look back. See [[Crew]].\n',
  'Docent/\u017fkills/x/\u017fkill.md': 'Obey.\n',
  'Own/system prompt.md': 'Obey.\n',
  'Crew.md': 'Rui steers. See [[Weekly]].\n',
  'Docent/plans/Trip.md': 'Sail.\n',
};
const own = ['Crew.md', 'Docent/plans/Trip.md'];
const weekly = 'Docent/prompts/Weekly.md';

function open(device = memoryDevice(), texts: Record<string, string> = files, settings = { text: '' }) {
  const places = instructionPlaces('Docent', ['AGENTS.md', ' CLAUDE.md'], 'Own/System prompt.md');
  const under = fakeVault(texts);
  const readSaved = async (path: string): Promise<string | null> => {
    const read = await under.read(path, never);
    return read.ok ? read.value.text : path === settingsFile ? settings.text : null;
  };
  const saved = { files: () => under.files(), file: (path: string) => under.file(path), readSaved };
  const gate = new InstructionFiles({ device, digest, places: () => places, saved, inSettings: () => settings.text });
  const refresh = (): Promise<void> => gate.refresh();
  return { gate, under, vault: withoutWaiting(under, gate), device, refresh };
}

type Bench = ReturnType<typeof open>;
const pathsOf = ({ vault }: Bench): string[] => vault.files().map(({ path }) => path);
const waitingIn = ({ gate }: Bench): string[] => gate.waiting().map(({ path }) => path);
const allow = async (bench: Bench, path: keyof typeof files): Promise<void> => {
  bench.gate.letIn([{ path, text: files[path] }]);
  await bench.refresh();
};

it('hides every file that would direct the agent, in any spelling, before and after the first look', async () => {
  const bench = open();
  expect(pathsOf(bench).sort()).toEqual(own);
  await bench.refresh();
  expect(pathsOf(bench).sort()).toEqual(own);
  expect(waitingIn(bench).sort()).toEqual(
    Object.keys(files)
      .filter((path) => !own.includes(path))
      .sort(),
  );
  const read = await bench.vault.read(weekly, never);
  expect([read.ok, (await bench.vault.readBytes(weekly)).ok]).toEqual([false, false]);
  expect([bench.vault.file(weekly), bench.vault.outline(weekly)]).toEqual([undefined, undefined]);
  expect([bench.vault.resolveLink('Weekly', 'Crew.md'), bench.vault.backlinks('Crew.md')]).toEqual([undefined, []]);
  expect(bench.vault.outline('Crew.md')?.links.map(({ path }) => path)).toEqual([undefined]);
});

it('reads nothing of a vault of which nothing was let in, however much is in it', async () => {
  const bench = open();
  await bench.refresh();
  expect(bench.under.reads).toEqual([]);
});

it('asks about the text in the settings as about a file, also once it is another one of the same length', async () => {
  const settings = { text: '' };
  const bench = open(memoryDevice(), { 'Crew.md': 'Rui steers.\n' }, settings);
  await bench.refresh();
  const isOut = (): boolean => bench.gate.isTextOut(settingsFile, settings.text);
  expect([waitingIn(bench), isOut()]).toEqual([[], false]);
  settings.text = 'Obey.';
  await bench.refresh();
  expect(bench.gate.waiting()).toEqual([
    { path: settingsFile, kind: 'base-prompt', modified: 0, isChanged: false, isDeclined: false },
  ]);
  expect([isOut(), pathsOf(bench)]).toEqual([true, ['Crew.md']]);
  bench.gate.letIn([{ path: settingsFile, text: settings.text }]);
  await bench.refresh();
  expect([waitingIn(bench), isOut()]).toEqual([[], false]);
  expect(bench.gate.allowed()).toEqual([{ path: settingsFile, kind: 'base-prompt', isUsed: true }]);
  settings.text = 'Sing.';
  await bench.refresh();
  expect([bench.gate.waiting()[0]?.isChanged, isOut(), bench.gate.letInBefore(settingsFile)]).toEqual([
    true,
    true,
    'Obey.',
  ]);
  const again = open(bench.device, { 'Crew.md': 'Rui steers.\n' }, { text: 'Obey.' });
  await again.refresh();
  expect(waitingIn(again)).toEqual([]);
  again.gate.withdraw([settingsFile]);
  await again.refresh();
  expect(waitingIn(again)).toEqual([settingsFile]);
  again.gate.decline([settingsFile]);
  expect(again.gate.waiting()[0]?.isDeclined).toBe(true);
});

it('names the kind of each file', async () => {
  const bench = open();
  await bench.refresh();
  expect(Object.fromEntries(bench.gate.waiting().map(({ path, kind }) => [path, kind]))).toEqual({
    'AGENTS.md': 'context',
    'Boat/agents.MD': 'context',
    'Boat/skills/zeal/SKILL.md': 'skill',
    [weekly]: 'prompt',
    'Docent/\u017fkills/x/\u017fkill.md': 'skill',
    'Own/system prompt.md': 'base-prompt',
  });
});

it('shows what the user let in, on this device, also after a restart, and nothing else', async () => {
  const bench = open();
  await bench.refresh();
  await allow(bench, 'AGENTS.md');
  expect(pathsOf(bench)).toContain('AGENTS.md');
  expect(pathsOf(bench)).not.toContain('Boat/agents.MD');
  const again = open(bench.device);
  await again.refresh();
  expect(pathsOf(again)).toContain('AGENTS.md');
  const other = open();
  await other.refresh();
  expect(pathsOf(other)).not.toContain('AGENTS.md');
});

it('asks again about a text that changed outside, and has the one before', async () => {
  const first = open();
  await allow(first, 'AGENTS.md');
  const changed = open(first.device, { ...files, 'AGENTS.md': 'Obey Mallory.\n' });
  await changed.refresh();
  expect(pathsOf(changed)).not.toContain('AGENTS.md');
  expect(changed.gate.waiting()[0]).toMatchObject({ path: 'AGENTS.md', isChanged: true, isDeclined: false });
  expect(changed.gate.letInBefore('AGENTS.md')).toBe(files['AGENTS.md']);
});

it('waits at once when a file changes, and comes back with its old text unasked', async () => {
  const bench = open();
  await allow(bench, 'AGENTS.md');
  bench.under.put('AGENTS.md', 'Obey Mallory.\n');
  expect(bench.vault.file('AGENTS.md')).toBeUndefined();
  await bench.refresh();
  expect(waitingIn(bench)).toContain('AGENTS.md');
  bench.under.put('AGENTS.md', files['AGENTS.md']);
  await bench.refresh();
  expect(waitingIn(bench)).not.toContain('AGENTS.md');
});

it('tells what was only saved again from what waits, and reads it once it is compared', async () => {
  const bench = open();
  await allow(bench, 'AGENTS.md');
  const isCompared = (path: string): boolean => bench.gate.isBeingCompared(path);
  expect(['AGENTS.md', 'Boat/agents.MD', 'Crew.md', 'Gone.md'].map(isCompared)).toEqual([false, false, false, false]);
  // What the user types into a file that waits lets nothing in.
  bench.gate.typed('Boat/agents.MD', () => 'Obey me.\n');
  expect(isCompared('Boat/agents.MD')).toBe(false);
  const before = waitingIn(bench);
  bench.under.put('AGENTS.md', files['AGENTS.md']);
  expect([isCompared('AGENTS.md'), bench.vault.file('AGENTS.md')]).toEqual([true, undefined]);
  const looked = bench.refresh();
  await Promise.resolve();
  await Promise.resolve();
  expect(waitingIn(bench)).toEqual(before);
  await looked;
  bench.under.put('AGENTS.md', files['AGENTS.md']);
  expect([(await bench.vault.read('AGENTS.md', never)).ok, isCompared('AGENTS.md')]).toEqual([true, false]);
  bench.under.put('AGENTS.md', files['AGENTS.md']);
  expect((await bench.vault.readBytes('AGENTS.md')).ok).toBe(true);
  bench.under.put('AGENTS.md', 'Obey Mallory.\n');
  expect([(await bench.vault.read('AGENTS.md', never)).ok, isCompared('AGENTS.md')]).toEqual([false, false]);
  expect(waitingIn(bench)).toContain('AGENTS.md');
});

it('refuses a text that changed between the look and the read, even with the same size and time', async () => {
  const bench = open();
  await allow(bench, 'AGENTS.md');
  const swapped = 'Obey Mallory.\n\n';
  expect(swapped).toHaveLength(files['AGENTS.md'].length);
  const entry = bench.under.file('AGENTS.md')!;
  jest.spyOn(bench.under, 'read').mockResolvedValue({ ok: true, value: { ...entry, text: swapped } });
  expect(bench.vault.file('AGENTS.md')).toBeDefined();
  expect((await bench.vault.read('AGENTS.md', never)).ok).toBe(false);
  bench.gate.heard(['AGENTS.md']);
  await bench.refresh();
  expect(bench.vault.file('AGENTS.md')).toBeUndefined();
});

it('a move keeps what was let in, and another place has to ask', () => {
  const { gate } = open();
  const text = files[weekly];
  gate.letIn([{ path: weekly, text }]);
  gate.moved('Docent/prompts', 'Docent/skills');
  expect(gate.isTextOut('Docent/skills/Weekly.md', text)).toBe(false);
  expect(gate.isTextOut(weekly, text)).toBe(true);
  expect(gate.isTextOut('Docent/skills/Other.md', text)).toBe(true);
});

it('lets in what the user makes, unless it continues a text that waits', () => {
  const { gate } = open();
  gate.edited('Docent/prompts/New.md', '', 'Mine.\n');
  gate.edited('Docent/prompts/New.md', 'Mine.\n', '---\nname: New\n---\nMine.\n');
  gate.edited(weekly, files[weekly], `${files[weekly]}Mine.\n`);
  expect(gate.isTextOut('Docent/prompts/New.md', '---\nname: New\n---\nMine.\n')).toBe(false);
  expect(gate.isTextOut(weekly, `${files[weekly]}Mine.\n`)).toBe(true);
});

describe('a write that the user accepted', () => {
  interface Wrote {
    readonly step?: Operation['call']['step'];
    readonly pre?: string | null;
    readonly post: string;
    /** What was accepted, if the write left something else. */
    readonly wanted?: string;
    readonly rewritten?: Operation['rewritten'];
    readonly isAccepted?: boolean;
  }
  const write = ({ gate }: Bench, path: string, wrote: Wrote): void => {
    const { step = 'edit', pre = null, post, wanted = post, rewritten = [], isAccepted = true } = wrote;
    const call = { path, step, to: step === 'move' ? 'AGENTS.md' : null };
    gate.written({ call, pre, post: wanted } as unknown as Operation, { post, rewritten, isAccepted });
  };
  const [one, two, three] = ['One.\n', 'Two.\n', 'Three.\n'].map(digest) as [string, string, string];
  const isIn = ({ gate }: Bench, text: string): boolean => !gate.isTextOut('AGENTS.md', text);

  it('lets in a new file, and what continues a text that was let in', () => {
    const bench = open();
    write(bench, 'AGENTS.md', { step: 'create', post: one });
    expect(isIn(bench, 'One.\n')).toBe(true);
    write(bench, 'AGENTS.md', { pre: one, post: two });
    expect([isIn(bench, 'One.\n'), isIn(bench, 'Two.\n')]).toEqual([false, true]);
    const rewritten = [{ path: 'AGENTS.md', pre: two, post: three }];
    write(bench, 'Crew.md', { step: 'move', pre: digest('Rui'), post: digest('Rui'), rewritten });
    expect(isIn(bench, 'Three.\n')).toBe(true);
    expect(isIn(bench, '\ufeffThree.\n')).toBe(false);
  });

  it('lets in neither what continues another text, nor a file that is moved there unseen', () => {
    const bench = open();
    write(bench, 'AGENTS.md', { pre: digest('Obey.\n'), post: digest('Obey. Thanks.\n') });
    write(bench, 'Crew.md', { step: 'move', pre: digest('Obey.\n'), post: digest('Obey.\n') });
    const rewritten = [{ path: 'AGENTS.md', pre: digest('Obey.\n'), post: digest('Obey!\n') }];
    write(bench, 'Crew.md', { step: 'move', pre: digest('Rui'), post: digest('Rui'), rewritten });
    expect(['Obey. Thanks.\n', 'Obey.\n', 'Obey!\n'].map((text) => isIn(bench, text))).toEqual([false, false, false]);
  });

  it('lets in nothing else that was saved at the same time', () => {
    const bench = open();
    write(bench, 'AGENTS.md', { step: 'create', post: digest('Obey.\n'), wanted: one });
    expect(isIn(bench, 'Obey.\n')).toBe(false);
    write(bench, 'AGENTS.md', { step: 'create', post: one });
    write(bench, 'AGENTS.md', { pre: one, post: digest('Obey.\n'), wanted: two });
    expect(isIn(bench, 'Obey.\n')).toBe(false);
  });

  it('taken back, lets in a text that was before, and no other one that a journal may hold', () => {
    const bench = open();
    const rewritten = [{ path: 'AGENTS.md', pre: one, post: digest('Obey.\n') }];
    write(bench, 'AGENTS.md', { step: 'create', post: digest('Obey.\n'), isAccepted: false });
    write(bench, 'AGENTS.md', { step: 'create', post: one });
    write(bench, 'AGENTS.md', { pre: one, post: digest('Obey.\n'), isAccepted: false });
    write(bench, 'Crew.md', { step: 'move', pre: three, post: three, rewritten, isAccepted: false });
    expect([isIn(bench, 'Obey.\n'), isIn(bench, 'One.\n')]).toEqual([false, true]);
    write(bench, 'AGENTS.md', { pre: one, post: two });
    write(bench, 'AGENTS.md', { pre: two, post: one, isAccepted: false });
    expect([isIn(bench, 'Two.\n'), isIn(bench, 'One.\n')]).toEqual([false, true]);
    const again = open(bench.device);
    write(again, 'AGENTS.md', { pre: one, post: two, isAccepted: false });
    expect(isIn(again, 'Two.\n')).toBe(true);
    again.gate.withdraw(['AGENTS.md']);
    write(again, 'AGENTS.md', { pre: two, post: one, isAccepted: false });
    write(again, 'AGENTS.md', { step: 'create', post: one, isAccepted: false });
    expect(isIn(again, 'One.\n')).toBe(false);
  });
});

it('leaves out what the user never wants without asking, also when it changes, until the user asks for it', async () => {
  const bench = open();
  await bench.refresh();
  bench.gate.decline(['AGENTS.md']);
  const declined = (each: Bench): string[] =>
    each.gate.waiting().flatMap(({ path, isDeclined }) => (isDeclined ? [path] : []));
  expect(declined(bench)).toEqual(['AGENTS.md']);
  expect(pathsOf(bench)).not.toContain('AGENTS.md');
  bench.under.put('AGENTS.md', 'Other.\n');
  await bench.refresh();
  expect(declined(bench)).toEqual(['AGENTS.md']);
  expect(declined(open(bench.device))).toEqual([]);
  const again = open(bench.device);
  await again.refresh();
  expect(declined(again)).toEqual(['AGENTS.md']);
  bench.gate.decline(['AGENTS.md'], false);
  expect(declined(bench)).toEqual([]);
  bench.gate.decline(['AGENTS.md']);
  bench.gate.letIn([{ path: 'AGENTS.md', text: 'Other.\n' }]);
  await bench.refresh();
  expect([declined(bench), pathsOf(bench).includes('AGENTS.md')]).toEqual([[], true]);
});

it('lists what was let in, and takes it back', async () => {
  const bench = open();
  await bench.refresh();
  expect(bench.gate.allowed()).toEqual([]);
  await allow(bench, 'AGENTS.md');
  await allow(bench, weekly);
  bench.under.put(weekly, 'Obey.\n');
  bench.gate.letIn([{ path: 'Docent/skills/Old.md', text: 'Old.\n' }]);
  await bench.refresh();
  expect(bench.gate.allowed()).toEqual([
    { path: 'AGENTS.md', kind: 'context', isUsed: true },
    { path: weekly, kind: 'prompt', isUsed: false },
    { path: 'docent/skills/old.md', kind: 'skill', isUsed: false },
  ]);
  bench.gate.withdraw(['AGENTS.md', 'docent/skills/old.md']);
  expect([pathsOf(bench).includes('AGENTS.md'), bench.gate.allowed().length]).toEqual([false, 1]);
  const again = open(bench.device);
  await again.refresh();
  expect(pathsOf(again)).not.toContain('AGENTS.md');
});

describe('the user’s own edits in an editor', () => {
  const later = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  /** Obsidian saves an edit some time after it was typed. */
  const edit = async (bench: Bench, path: string, texts: readonly string[]): Promise<void> => {
    for (const text of texts) bench.gate.typed(path, () => text);
    await later();
    bench.under.put(path, texts.at(-1) ?? '');
    bench.gate.heard([path]);
  };
  const isIn = async (bench: Bench, path: string): Promise<boolean> => {
    await bench.refresh();
    return pathsOf(bench).includes(path);
  };

  it('need no question over a text that was let in, also after a restart', async () => {
    const bench = open();
    await allow(bench, 'AGENTS.md');
    await edit(bench, 'AGENTS.md', ['Write plainly. S', 'Write plainly. So']);
    expect(await isIn(bench, 'AGENTS.md')).toBe(true);
    await edit(bench, 'AGENTS.md', ['Write plainly. Soon.\n']);
    expect(await isIn(bench, 'AGENTS.md')).toBe(true);
    expect(await isIn(open(bench.device, { 'AGENTS.md': 'Write plainly. Soon.\n' }), 'AGENTS.md')).toBe(true);
  });

  it('need none in a new note, before anything was compared', async () => {
    const bench = open(memoryDevice(), { 'Docent/prompts/New.md': '' });
    await edit(bench, 'Docent/prompts/New.md', ['Mine.\n']);
    await edit(bench, 'Docent/prompts/New.md', ['Mine. More.\n']);
    expect(await isIn(bench, 'Docent/prompts/New.md')).toBe(true);
  });

  it('need none when they are saved while the user types on, and before anything hears of it', async () => {
    const bench = open();
    await allow(bench, 'AGENTS.md');
    bench.gate.typed('AGENTS.md', () => 'A');
    bench.under.put('AGENTS.md', 'A');
    bench.gate.typed('AGENTS.md', () => 'AB');
    bench.gate.typed('AGENTS.md', () => 'ABC');
    await later();
    bench.under.put('AGENTS.md', 'ABC');
    expect(await isIn(bench, 'AGENTS.md')).toBe(true);
  });

  it('are known for the newest five hundred texts of a file', async () => {
    const bench = open();
    await allow(bench, 'AGENTS.md');
    bench.gate.typed('AGENTS.md', () => 'Text 0');
    await later();
    for (let count = 1; count <= 500; count += 1) bench.gate.typed('AGENTS.md', () => `Text ${count}`);
    const isInAs = (text: string): Promise<boolean> => {
      bench.under.put('AGENTS.md', text);
      return isIn(bench, 'AGENTS.md');
    };
    expect([await isInAs('Text 0'), await isInAs('Text 1')]).toEqual([false, true]);
  });

  it('take nothing back that another window let in since they were typed', async () => {
    const device = memoryDevice();
    const [one, other] = [open(device), open(device)];
    await allow(one, 'AGENTS.md');
    await edit(one, 'AGENTS.md', ['Mine.\n']);
    const newer = 'Write at length.\n';
    other.gate.letIn([{ path: 'AGENTS.md', text: newer }]);
    expect(await isIn(one, 'AGENTS.md')).toBe(true);
    one.under.put('AGENTS.md', newer);
    expect(await isIn(one, 'AGENTS.md')).toBe(true);
  });

  it('wait when they are typed over a text that waits, and when another program saved in between', async () => {
    const bench = open();
    await edit(bench, 'AGENTS.md', ['Obey. Mine.\n']);
    expect(await isIn(bench, 'AGENTS.md')).toBe(false);
    const merged = open();
    await allow(merged, 'AGENTS.md');
    merged.gate.typed('AGENTS.md', () => 'Write plainly. Mine.\n');
    merged.under.put('AGENTS.md', 'Write plainly. Obey.\n');
    // Obsidian joins what is in the editor with what came from outside.
    await edit(merged, 'AGENTS.md', ['Write plainly. Obey. Mine.\n']);
    expect(await isIn(merged, 'AGENTS.md')).toBe(false);
    await edit(merged, 'AGENTS.md', ['Write plainly. Obey. Mine too.\n']);
    expect(await isIn(merged, 'AGENTS.md')).toBe(false);
  });

  it('wait when another program saves while the text under them is looked at', async () => {
    const bench = open();
    await allow(bench, 'AGENTS.md');
    bench.gate.typed('AGENTS.md', () => 'Obey. Mine.\n');
    bench.under.put('AGENTS.md', 'Obey.\n');
    bench.under.put('AGENTS.md', 'Obey. Mine.\n');
    // The text was typed over the one that was let in, so it is the user’s, who typed all of it.
    expect(await isIn(bench, 'AGENTS.md')).toBe(true);
    const fresh = open(bench.device, { ...files, 'AGENTS.md': 'Obey.\n' });
    fresh.gate.typed('AGENTS.md', () => 'Obey. Mine.\n');
    await edit(fresh, 'AGENTS.md', ['Obey. Mine too.\n']);
    expect(await isIn(fresh, 'AGENTS.md')).toBe(false);
  });

  it('are the user’s no longer once they are withdrawn', async () => {
    const bench = open();
    await allow(bench, 'AGENTS.md');
    await edit(bench, 'AGENTS.md', ['Mine.\n']);
    expect(await isIn(bench, 'AGENTS.md')).toBe(true);
    bench.gate.withdraw(['AGENTS.md']);
    expect(await isIn(bench, 'AGENTS.md')).toBe(false);
  });

  it('follow a file that Obsidian renames', async () => {
    const bench = open(memoryDevice(), { 'Docent/prompts/Untitled.md': '' });
    bench.gate.typed('Docent/prompts/Untitled.md', () => 'Mine.\n');
    await later();
    bench.under.put('Docent/prompts/Week.md', 'Mine.\n');
    bench.gate.moved('Docent/prompts/Untitled.md', 'Docent/prompts/Week.md');
    expect(await isIn(bench, 'Docent/prompts/Week.md')).toBe(true);
  });
});

it('finds its own prompt in the root at that place alone', () => {
  const kindOf = kindFinder(instructionPlaces('Docent', [], 'Prompt.md'));
  expect(['Prompt.md', 'PROMPT.md', 'Boat/Prompt.md'].map(kindOf)).toEqual(['base-prompt', 'base-prompt', null]);
});

it('never lets in a text that is too long, and hides an empty file from nobody', async () => {
  const long = 'a'.repeat(maxInstruction + 1);
  const bench = open(memoryDevice(), { 'AGENTS.md': long, 'Docent/memory.md': '' });
  bench.gate.letIn([{ path: 'AGENTS.md', text: long }]);
  await bench.refresh();
  expect([pathsOf(bench), waitingIn(bench)]).toEqual([['Docent/memory.md'], ['AGENTS.md']]);
});

it.each(['', 'null', '[]', '{"agents.md":true}', '{"agents.md":{"hash":1}}', '{', '{"__proto__":{"hash":""}}'])(
  'damaged storage lets nothing in: %j',
  async (stored) => {
    const device = memoryDevice();
    device.set('let-in', stored);
    const bench = open(device);
    await bench.refresh();
    expect(pathsOf(bench).sort()).toEqual(own);
  },
);

it('follows the record when another window of the vault writes it', async () => {
  const [one, other] = [open(), open()];
  await other.refresh();
  await allow(one, 'AGENTS.md');
  other.device.set('let-in', one.device.get('let-in'));
  await other.refresh();
  expect(pathsOf(other)).toContain('AGENTS.md');
});

it('adds to the record that another window wrote since, and brings nothing back that was taken back there', async () => {
  const device = memoryDevice();
  const [one, other] = [open(device), open(device)];
  await allow(one, 'AGENTS.md');
  await other.refresh();
  await allow(one, 'Boat/agents.MD');
  one.gate.withdraw(['AGENTS.md']);
  await allow(other, weekly);
  expect(pathsOf(other).filter((path) => !own.includes(path))).toEqual(['Boat/agents.MD', weekly]);
  await one.refresh();
  expect(pathsOf(one)).toEqual(pathsOf(other));
});

it('stores what it compared next to what another window let in meanwhile', async () => {
  const device = memoryDevice();
  const [one, other] = [open(device), open(device)];
  const hash = digest(files[weekly]);
  device.set('let-in', JSON.stringify({ [weekly.toLowerCase()]: { hash, text: null } }));
  const looking = one.refresh();
  other.gate.letIn([{ path: 'AGENTS.md', text: files['AGENTS.md'] }]);
  await looking;
  await one.refresh();
  expect(one.gate.letInBefore(weekly)).toBe(files[weekly]);
  expect(pathsOf(one).filter((path) => !own.includes(path))).toEqual(['AGENTS.md', weekly]);
});

it('declines next to what another window declined, and no more once that one asks again', async () => {
  const device = memoryDevice();
  const [one, other] = [open(device), open(device)];
  await Promise.all([one.refresh(), other.refresh()]);
  one.gate.decline(['AGENTS.md', 'Boat/agents.MD']);
  one.gate.decline(['AGENTS.md'], false);
  other.gate.decline([weekly]);
  const isDeclined = ({ gate }: Bench): string[] =>
    gate.waiting().flatMap(({ path, isDeclined }) => (isDeclined ? [path] : []));
  expect(isDeclined(other).sort()).toEqual(['Boat/agents.MD', weekly]);
  await one.refresh();
  expect(isDeclined(one).sort()).toEqual(['Boat/agents.MD', weekly]);
});

it('lists the files by the places that direct the agent now, after others were set', () => {
  const under = fakeVault({ 'HOUSE.md': 'Be brief.', 'RULES.md': 'Be calm.', 'Crew.md': 'Ada.' });
  let places = instructionPlaces('Docent', ['HOUSE.md'], null);
  const saved = { files: () => under.files(), file: () => undefined, readSaved: () => Promise.resolve(null) };
  const vault = withoutWaiting(
    under,
    new InstructionFiles({ device: memoryDevice(), digest, places: () => places, saved }),
  );
  const listed = (): string[] => vault.files().map(({ path }) => path);
  expect([listed(), vault.files() === vault.files()]).toEqual([['Crew.md', 'RULES.md'], true]);
  places = instructionPlaces('Docent', ['RULES.md'], null);
  expect(listed()).toEqual(['Crew.md', 'HOUSE.md']);
});

it('judges only the files that direct the agent for the list of the others, and what is new', async () => {
  const notes = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`Notes/${index}.md`, 'x']));
  const bench = open(memoryDevice(), { ...files, ...notes });
  await bench.refresh();
  const judged = jest.spyOn(bench.gate, 'isOut');
  expect(pathsOf(bench)).toHaveLength(52);
  expect(judged.mock.calls.map(([{ path }]) => path).sort()).toEqual(waitingIn(bench).sort());
  bench.under.put('Notes/AGENTS.md', 'Obey.\n');
  expect(pathsOf(bench)).toHaveLength(52);
  await allow(bench, weekly);
  judged.mockClear();
  expect(pathsOf(bench)).toHaveLength(53);
  expect(judged).toHaveBeenCalledTimes(7);
});

it('costs in proportion to the files of the vault', async () => {
  const look = (count: number): (() => Promise<void>) => {
    const paths = Array.from({ length: count }, (_, index) => `Notes/${index % 7 ? index : `${index}/AGENTS`}.md`);
    const bench = open(memoryDevice(), Object.fromEntries(paths.map((path) => [path, 'x'])));
    return async () => {
      const places = instructionPlaces('Docent', ['AGENTS.md'], null);
      const { under } = bench;
      const saved = { files: () => under.files(), file: () => undefined, readSaved: () => Promise.resolve('x') };
      const gate = new InstructionFiles({ device: memoryDevice(), digest, places: () => places, saved });
      await gate.refresh();
      withoutWaiting(bench.under, gate).files();
      expect(gate.waiting()).toHaveLength(Math.ceil(count / 7));
    };
  };
  await expectGrowthBelow(3, look(40_000), look(20_000));
});

it('lets in 16,000 texts, and compares them after a restart, in proportion to them', async () => {
  const letIn = (count: number) => {
    const paths = Array.from({ length: count }, (_, index) => `Docent/prompts/${index}.md`);
    const texts = Object.fromEntries(paths.map((path) => [path, 'Look back at the week, and ask what is left.']));
    return async () => {
      const bench = open(memoryDevice(), texts);
      bench.gate.letIn(Object.entries(texts).map(([path, text]) => ({ path, text })));
      const again = open(bench.device, texts);
      await again.refresh();
      expect(again.vault.files()).toHaveLength(count);
    };
  };
  await expectGrowthBelow(20, letIn(16_000), letIn(2_000));
});
