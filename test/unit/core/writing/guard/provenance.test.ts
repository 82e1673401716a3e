/** The record of whose text notes are: one file per device, merged by union, in any state of the files. */
import { fail, succeed } from '../../../../../src/core/ports/failure';
import { Provenance, type ProvenanceFiles } from '../../../../../src/core/writing/guard/provenance';
import { taintOf } from '../../../../../src/core/writing/guard/taint';
import { fakeVault } from '../../../../support/fake-vault';
import { fakeClock, memoryDevice } from '../../../../support/memory-ports';
import { expectCostBelow, expectGrowthBelow } from 'obsidian-workbench/testing/cost';

class Folder implements ProvenanceFiles {
  readonly texts = new Map<string, string>();
  broken = false;
  private refuse = () => fail<never>({ kind: 'storage', words: 'No.', remedy: '' });

  list = () => {
    const files = [...this.texts].map(([name, text]) => ({ name, version: String(text.length) }));
    return Promise.resolve(this.broken ? this.refuse() : succeed(files));
  };
  read = (name: string) => Promise.resolve(this.broken ? this.refuse() : succeed(this.texts.get(name) ?? ''));
  append = (writer: string, lines: string) => {
    if (this.broken) return Promise.resolve(this.refuse());
    const name = `${writer}.jsonl`;
    this.texts.set(name, `${this.texts.get(name) ?? ''}\n${lines}`);
    return Promise.resolve(succeed(undefined));
  };
}

const clock = fakeClock();
const on = (files: ProvenanceFiles, writer = 'a', device = memoryDevice()): Provenance =>
  new Provenance({ files, device, clock, writer });

async function heard(files: ProvenanceFiles, writer = 'b'): Promise<Provenance> {
  const other = on(files, writer);
  await other.refresh();
  return other;
}

it('a mark, what the user says, a move and an undo are heard on a second device', async () => {
  const folder = new Folder();
  const own = on(folder);
  own.mark('A.md', 'x.org', 'o1');
  own.mark('B.md', 'x.org', 'o2');
  own.mark('In/C.md', 'x.org', 'o3');
  own.moved('In', 'Out/Deep');
  own.written(
    { id: 'u', call: { taint: 'x.org', step: 'edit', path: 'B.md', to: null, undoes: 'o2' } } as never,
    () => undefined,
  );
  own.say('Clippings', 'own');
  own.say('Mine.md', 'others');
  await own.settled();
  const other = await heard(folder);
  const marked = ['A.md', 'B.md', 'In/C.md', 'Out/Deep/C.md', 'a.MD'].map((path) => other.has(path));
  expect(marked).toEqual([true, false, false, true, true]);
  expect([other.saidOf('Clippings/Deep/X.md'), other.saidOf('Mine.md'), other.saidOf('A.md')]).toEqual([
    ...['own', 'others', null],
  ]);
  other.say('Clippings', null);
  other.keep('A.md');
  await other.settled();
  await own.refresh();
  expect([own.saidOf('Clippings/X.md'), own.has('A.md')]).toEqual([null, false]);
  expect(own.said).toEqual([
    { path: 'A.md', is: 'own' },
    { path: 'Mine.md', is: 'others' },
  ]);
});

it('what the user trusts ends the marks of that time and no later ones, on any device', async () => {
  const folder = new Folder();
  const [one, two] = [on(folder, 'a'), on(folder, 'b')];
  one.mark('In/A.md', 'x.org', 'o1');
  await one.settled();
  two.mark('In/A.md', 'y.org', 'o2');
  one.keep('In');
  await Promise.all([one.settled(), two.settled()]);
  await one.refresh();
  expect(one.has('In/A.md')).toBe(true);
  one.keep('In');
  expect(one.has('In/A.md')).toBe(false);
  one.mark('In/A.md', 'x.org', 'o3');
  expect(one.has('In/A.md')).toBe(true);
  expect(await heard(folder, 'c').then((third) => [third.has('In/A.md'), third.saidOf('In/A.md')])).toEqual([
    true,
    'own',
  ]);
});

it('a line from a time that has not come takes no mark away, and changes nothing that the user says later', async () => {
  const folder = new Folder();
  const at = { t: 1e300, w: 'z' };
  const forged = [
    { op: 'move', path: 'In', to: 'Out', ...at },
    { op: 'undo', id: 'o1', ...at },
    { op: 'say', path: 'In/A.md', is: 'own', marks: ['o1'], ...at },
    { op: 'say', path: 'Clippings', is: 'own', marks: [], ...at },
    { op: 'say', path: 'Mail', is: 'unsaid', marks: [], ...at },
    { op: 'mark', path: 'In/B.md', source: 's', id: 'o2', ...at },
    { op: 'say', path: 'Web', is: 'others', marks: [], ...at },
  ];
  folder.texts.set('z.jsonl', forged.map((line) => JSON.stringify(line)).join('\n'));
  const own = await heard(folder, 'a');
  own.mark('In/A.md', 'x.org', 'o1');
  own.say('Clippings', 'others');
  own.say('Mail', 'others');
  await own.settled();
  for (const each of [own, await heard(folder)]) {
    expect(['In/A.md', 'In/B.md', 'Out/A.md'].map((path) => each.has(path))).toEqual([true, true, false]);
    expect(['Clippings', 'Mail', 'Web'].map((path) => each.saidOf(path))).toEqual(['others', 'others', 'others']);
  }
});

it('what the user said of a note in a folder that moved is listed where the note is, and can be taken back', async () => {
  const folder = new Folder();
  const own = on(folder);
  own.mark('In/Deep/B.md', 'x.org', 'o1');
  own.say('In/Deep/A.md', 'others');
  own.say('In/Deep', 'own');
  own.moved('In', 'Out/Later');
  await own.settled();
  for (const each of [own, await heard(folder)]) {
    expect(each.said).toEqual([
      { path: 'Out/Later/Deep', is: 'own' },
      { path: 'Out/Later/Deep/A.md', is: 'others' },
    ]);
  }
  for (const { path } of own.said) own.say(path, null);
  expect([own.said, own.saidOf('Out/Later/Deep/A.md')]).toEqual([[], null]);
});

it.each(['the smaller', 'the larger'])(
  'what was said last of a note counts where a folder joins %s one',
  async (size) => {
    const own = on(new Folder());
    const seen: number[] = [];
    const leave = own.subscribe(() => seen.push(own.said.length));
    own.say('Out/A.md', 'own');
    own.say('Out/C.md', 'own');
    own.mark('In/A.md', 'x.org', 'o1');
    own.say('In/C.md', 'others');
    for (const name of ['D', 'E', 'F']) own.say(`${size === 'the smaller' ? 'In' : 'Out'}/${name}.md`, 'own');
    leave();
    own.moved('In', 'Out');
    await own.settled();
    expect(['A', 'C', 'D', 'F'].map((name) => own.saidOf(`Out/${name}.md`))).toEqual(['own', 'others', 'own', 'own']);
    expect([own.has('Out/A.md'), own.has('In/A.md'), own.saidOf('In/C.md')]).toEqual([true, false, null]);
    // It is called once for each statement and mark, and for none after it left.
    expect([seen.at(0), seen.at(-1)]).toEqual([1, 6]);
  },
);

it('a renaming that changes only letter case lists the place as it is spelled now', async () => {
  const folder = new Folder();
  const own = on(folder);
  own.say('In', 'own');
  own.say('In/a.md', 'others');
  own.mark('In/b.md', 'x.org', 'o1');
  own.moved('In', 'IN');
  own.moved('IN/a.md', 'IN/A.md');
  own.moved('IN/none.md', 'IN/None.md');
  await own.settled();
  for (const each of [own, await heard(folder)]) {
    expect(each.said).toEqual([
      { path: 'IN', is: 'own' },
      { path: 'IN/A.md', is: 'others' },
    ]);
    expect(each.has('IN/B.md')).toBe(true);
  }
  own.moved('IN', 'IN/Deep');
  expect(own.said.map(({ path }) => path)).toEqual(['IN', 'IN/A.md']);
});

it('a folder that moves with all its notes is one line, and a later move in it another', async () => {
  const folder = new Folder();
  const own = on(folder);
  own.mark('In/Deep/1.md', 'x.org', 'o1');
  await own.refresh();
  const linesNow = (): number => (folder.texts.get('a.jsonl') ?? '').split('\n').filter((line) => line !== '').length;
  own.moved('In', 'Out');
  own.moved('In/Deep', 'Out/Deep');
  for (let note = 0; note < 10_000; note += 1) own.moved(`In/Deep/${note}.md`, `Out/Deep/${note}.md`);
  await own.settled();
  expect([linesNow(), own.has('Out/Deep/1.md')]).toEqual([2, true]);
  // Another device marks a note that it makes in the old place; its lines arrive late.
  const late = { op: 'mark', t: clock.now() + 1, w: 'b', path: 'In/Deep/2.md', source: 's', id: 'late' };
  folder.texts.set('b.jsonl', JSON.stringify(late));
  clock.advance(10);
  own.moved('In/Deep/2.md', 'Out/Deep/2.md');
  own.moved('Into/3.md', 'Out/3.md');
  await own.settled();
  await own.refresh();
  expect([linesNow(), own.has('Out/Deep/2.md')]).toEqual([4, true]);
  own.moved('Out', 'New');
  own.moved('Out/Deep/2.md', 'New/Elsewhere/2.md');
  own.moved('Outer/2.md', 'Newer/2.md');
  own.mark('New/5.md', 'x.org', 'o5');
  own.moved('Out/5.md', 'New/5.md');
  await own.settled();
  expect(linesNow()).toBe(9);
});

it('moves that are reported at once are stored once, and survive a crash right after', async () => {
  const device = memoryDevice();
  const folder = new Folder();
  const own = on(folder, 'a', device);
  own.mark('In/1.md', 'x.org', 'o1');
  await own.refresh();
  folder.broken = true;
  const stored = jest.spyOn(device, 'set');
  const written = jest.spyOn(folder, 'append');
  for (let note = 0; note < 1_000; note += 1) own.moved(`In/${note}.md`, `Out/${note}.md`);
  own.moved('In', 'Out');
  await own.settled();
  expect([stored.mock.calls.length, written.mock.calls.length]).toEqual([1, 1]);
  folder.broken = false;
  const again = on(folder, 'a', device);
  await again.refresh();
  expect([again.has('In/1.md'), again.has('Out/1.md')]).toEqual([false, true]);
});

it('a folder can be trusted however many notes in it have marks', async () => {
  const folder = new Folder();
  const own = on(folder);
  const paths = Array.from({ length: 1_200 }, (_, at) => `In/${at}.md`);
  for (const [at, path] of paths.entries()) own.mark(path, 'x.org', `operation${String(at).padStart(7, '0')}`);
  own.keep('In');
  await own.settled();
  for (const each of [own, await heard(folder)]) {
    expect([each.saidOf('In/0.md'), paths.filter((path) => each.has(path))]).toEqual(['own', []]);
  }
});

it('every order and copy of the same lines gives the same record', async () => {
  const folder = new Folder();
  const own = on(folder);
  for (let round = 0; round < 20; round += 1) {
    own.mark(`In/${round}.md`, 'x.org', `o${round}`);
    if (round % 3 === 0) own.moved(`In/${round}.md`, `Out/${round}.md`);
    if (round % 4 === 0) own.keep(`In/${round}.md`);
  }
  await own.settled();
  const lines = (folder.texts.get('a.jsonl') ?? '').split('\n').filter((line) => line !== '');
  const expected = lines.flatMap((_, at) => [own.has(`In/${at}.md`), own.has(`Out/${at}.md`)]);
  expect(expected.filter(Boolean).length).toBeGreaterThan(8);
  for (const order of [lines, [...lines].reverse(), [...lines, ...lines]]) {
    const copies = new Folder();
    const half = Math.floor(order.length / 2);
    copies.texts.set('a.jsonl', order.slice(0, half + 3).join('\n'));
    copies.texts.set('a (conflicted copy).jsonl', order.slice(half).join('\r\n'));
    const read = await heard(copies);
    expect(lines.flatMap((_, at) => [read.has(`In/${at}.md`), read.has(`Out/${at}.md`)])).toEqual(expected);
  }
});

it('a torn, damaged or foreign line says nothing, and the others count', async () => {
  const folder = new Folder();
  const own = on(folder);
  own.mark('A.md', 'x.org', 'o1');
  own.mark('B.md', 'x.org', 'o2');
  await own.settled();
  const text = folder.texts.get('a.jsonl') ?? '';
  const good = text.split('\n').filter((line) => line !== '');
  for (let cut = 0; cut <= (good[0] ?? '').length; cut += 7) {
    const torn = new Folder();
    torn.texts.set('a.jsonl', `${good[0]?.slice(0, cut)}\n${good[1]}\n{"op":"undo"`);
    const read = await heard(torn);
    expect([read.has('A.md'), read.has('B.md')]).toEqual([cut === good[0]?.length, true]);
  }
  const strange = new Folder();
  const odd = ['null', '[]', '{}', '{"op":"constructor","t":1,"w":"x"}', '{"op":"mark","t":1,"w":"x","path":"A.md"}'];
  const deep = { op: 'mark', t: 1, w: 'x', path: 'a/'.repeat(4_000), source: 's', id: 'i' };
  const late = { op: 'mark', t: 9e15, w: 'x', path: 'Late.md', source: 's', id: 'late' };
  strange.texts.set('x.jsonl', [...odd, '\u0000'.repeat(100), JSON.stringify(deep), JSON.stringify(late)].join('\n'));
  const read = await heard(strange);
  expect([read.has('A.md'), read.has('Late.md'), read.said]).toEqual([false, true, []]);
  read.mark('B.md', 's', 'o');
  expect(read.has('B.md')).toBe(true);
});

it('what cannot be written waits on the device, over a restart, and a record that cannot be read is said', async () => {
  const folder = new Folder();
  const device = memoryDevice();
  folder.broken = true;
  const own = on(folder, 'a', device);
  own.mark('A.md', 'x.org', 'o1');
  await own.settled();
  expect(await own.refresh()).toMatchObject({ kind: 'storage' });
  expect(own.problem).not.toBeNull();
  const places = { vault: fakeVault({ 'N.md': 'Mine.' }), clippings: [], untrusted: own };
  expect(taintOf({ notes: [{ path: 'N.md' }] }, places)).toBe(own.problem);
  const again = on(folder, 'a', device);
  expect(again.has('A.md')).toBe(true);
  folder.broken = false;
  expect(await again.refresh()).toBeNull();
  expect([again.problem, (await heard(folder)).has('A.md')]).toEqual([null, true]);
  expect(taintOf({ notes: [{ path: 'N.md' }] }, { ...places, untrusted: again })).toBeNull();
});

it('takes over the marks that earlier versions stored on the device', async () => {
  const device = memoryDevice();
  device.set('foreign-notes', JSON.stringify({ 'A.md': { source: 'x.org', operations: ['o1'] } }));
  const folder = new Folder();
  const own = on(folder, 'a', device);
  await own.settled();
  expect([own.has('A.md'), device.get('foreign-notes'), (await heard(folder)).has('A.md')]).toEqual([true, null, true]);
});

it('reads ten thousand lines, and costs no more than their number', async () => {
  const make = (count: number): Folder => {
    const folder = new Folder();
    const lines = Array.from({ length: count }, (_, at) => {
      const line = { t: at, w: 'x' };
      if (at % 3 === 0) return { ...line, op: 'mark', path: `F${at % 50}/${at}.md`, source: 's', id: `o${at}` };
      if (at % 3 === 1) return { ...line, op: 'move', path: `F${at % 50}`, to: `F${(at + 7) % 50}` };
      return { ...line, op: 'say', path: `F${at % 50}/${at}.md`, is: 'own', marks: [`o${at - 2}`] };
    });
    folder.texts.set('x.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'));
    return folder;
  };
  const [small, middle, large] = [make(5_000), make(10_000), make(20_000)];
  const read = (folder: Folder) => async () => (await heard(folder)).has('F1/1.md');
  await expectCostBelow(250, read(middle));
  await expectGrowthBelow(9, read(large), read(small));
});

it('a mark on top of a long record costs its own line alone', async () => {
  const folder = new Folder();
  const lines = Array.from({ length: 8_000 }, (_, at) => {
    return { op: 'mark', t: at, w: 'x', path: `In/${at}.md`, source: 's', id: `o${at}` };
  });
  folder.texts.set('x.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'));
  const own = await heard(folder);
  let count = 0;
  await expectCostBelow(150, async () => {
    const until = count + 60;
    for (; count < until; count += 1) own.mark(`Out/${count}.md`, 's', `late${count}`);
    await own.settled();
  });
  expect([own.has('In/0.md'), own.has('Out/59.md'), own.has(`Out/${count}.md`)]).toEqual([true, true, false]);
});

it.each(['removed', 'set back', 'cut'])(
  'what a device has written is written again where its file was %s',
  async (how) => {
    const folder = new Folder();
    const own = on(folder);
    own.mark('A.md', 'x.org', 'o1');
    await own.settled();
    const older = folder.texts.get('a.jsonl') ?? '';
    own.mark('B.md', 'x.org', 'o2');
    own.say('Clippings', 'others');
    await own.settled();
    await own.refresh();
    const whole = folder.texts.get('a.jsonl') ?? '';
    folder.texts.set('x.jsonl', '');
    if (how === 'removed') folder.texts.delete('a.jsonl');
    else folder.texts.set('a.jsonl', how === 'cut' ? whole.slice(0, -20) : older);
    await own.refresh();
    const later = await heard(folder, 'a');
    expect([later.has('A.md'), later.has('B.md'), later.saidOf('Clippings/X.md')]).toEqual([true, true, 'others']);
    const written = folder.texts.get('a.jsonl');
    for (let looks = 0; looks < 3; looks += 1) await own.refresh();
    expect(folder.texts.get('a.jsonl')).toBe(written);
  },
);

it('a line that comes late from another device counts at its own time', async () => {
  const folder = new Folder();
  const own = on(folder);
  own.mark('In/A.md', 'x.org', 'o1');
  own.moved('In', 'Out');
  expect([own.has('In/A.md'), own.has('Out/A.md')]).toEqual([false, true]);
  const late = { op: 'mark', t: 1, w: 'x', path: 'In/B.md', source: 's', id: 'o2' };
  folder.texts.set('x.jsonl', JSON.stringify(late));
  await own.refresh();
  expect([own.has('In/B.md'), own.has('Out/B.md')]).toEqual([false, true]);
});

describe('a line', () => {
  const mark = { op: 'mark', t: 1, w: 'x', path: 'A.md', source: 's', id: 'o1' };
  const read = async (...lines: readonly object[]): Promise<Provenance> => {
    const folder = new Folder();
    folder.texts.set('x.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'));
    return heard(folder);
  };

  it.each<[string, object]>([
    ['a mark without a source', { ...mark, path: 'B.md', source: '' }],
    ['a mark without an operation', { ...mark, path: 'B.md', id: 2 }],
    ['a mark without a path', { ...mark, path: ['B.md'] }],
    ['a move to nowhere', { op: 'move', path: 'A.md', to: '' }],
    ['a move without a target', { op: 'move', path: 'A.md' }],
    ['a move from nowhere', { op: 'move', path: '', to: 'B' }],
    ['a move to a path that is too long', { op: 'move', path: 'A.md', to: 'b'.repeat(1_025) }],
    ['a statement that nobody can make', { op: 'say', path: 'A.md', is: 'maybe', marks: [] }],
    ['a statement about no note', { op: 'say', path: '', is: 'own', marks: [] }],
    ['a statement without a list of marks', { op: 'say', path: 'A.md', is: 'own', marks: 'o1' }],
    ['no time', { ...mark, path: 'B.md', t: null }],
    ['a time that is text', { ...mark, path: 'B.md', t: '3' }],
    ['no device', { ...mark, path: 'B.md', w: '' }],
    ['an act of another version', { ...mark, path: 'B.md', op: 'other' }],
  ])('with %s says nothing', async (_what, line) => {
    const found = await read(mark, { t: 2, w: 'x', ...line });
    expect([found.has('A.md'), found.has('B.md'), found.said, found.problem]).toEqual([true, false, [], null]);
  });

  it('counts with the longest path that a note may have, and up to 16,384 characters', async () => {
    const path = `${'a'.repeat(1_021)}.md`;
    const lengthOf = (line: object): number => JSON.stringify(line).length;
    const padded = (name: string, length: number) => {
      const line = { ...mark, path: name, id: name };
      return { ...line, source: 's'.repeat(length - lengthOf(line) + 1) };
    };
    const [whole, long] = [padded('B.md', 16_384), padded('C.md', 16_385)];
    expect([lengthOf(whole), lengthOf(long)]).toEqual([16_384, 16_385]);
    const found = await read({ ...mark, path }, whole, long);
    expect([path, 'B.md', 'C.md'].map((each) => found.has(each))).toEqual([true, true, false]);
  });
});

it('begins without the marks of earlier versions where what was stored is damaged', () => {
  const device = memoryDevice();
  device.set('foreign-notes', '{"A.md":');
  const own = on(new Folder(), 'a', device);
  own.mark('B.md', 'x.org', 'o1');
  expect([own.has('A.md'), own.has('B.md'), device.get('foreign-notes')]).toEqual([false, true, null]);
});
