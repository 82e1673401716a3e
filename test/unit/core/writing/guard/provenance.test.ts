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
