/** @jest-environment node */
import type { Mention } from '../../../src/core/session/entry';
import { countMentions, NoteTokens } from '../../../src/tokens/open';
import { fakeVault } from '../../support/fake-vault';

const signal = new AbortController().signal;

function open(files: Record<string, string>, factor = 1) {
  const vault = fakeVault(files);
  const counter = {
    count: (texts: readonly string[]) => Promise.resolve(texts.map((text) => text.length)),
    close: () => undefined,
  };
  const read = (path: string): ReturnType<typeof vault.read> => vault.read(path);
  const notes = new NoteTokens(vault, read, counter);
  const factors = { of: () => factor, learn: () => undefined };
  return { vault, notes, counted: countMentions({ vault, notes, read, counter, factors }) };
}

const mention = (kind: Mention['kind'], id: string): Mention => ({ kind, id, label: id });
const text = '# One\nabc\n# Two\nlonger text\n';

describe('what a chip says of its tokens', () => {
  it('R168 is an estimate until it is counted, without a note being read for it', async () => {
    const { counted, vault, notes } = open({ 'A.md': text });
    const note = mention('note', 'A.md');
    expect(counted.known(note, 'm')).toEqual({ tokens: Math.ceil(text.length / 4), exact: false });
    expect(vault.reads).toEqual([]);
    expect(await counted.count(note, 'm', signal)).toEqual({ tokens: text.length, exact: true });
    expect(counted.known(note, 'm')).toEqual({ tokens: text.length, exact: true });
    vault.put('A.md', `${text}more`);
    expect(counted.known(note, 'm')?.exact).toBe(false);
    notes.forget(['A.md']);
    expect(await counted.count(note, 'm', signal)).toEqual({ tokens: text.length + 4, exact: true });
  });

  it('R168 is that of the part that is named', async () => {
    const { counted } = open({ 'A.md': text });
    expect(counted.known(mention('heading', 'A.md#One'), 'm')).toBeNull();
    expect(await counted.count(mention('heading', 'A.md#One'), 'm', signal)).toEqual({ tokens: 9, exact: true });
    expect(await counted.count(mention('heading', 'A.md#Three'), 'm', signal)).toBeNull();
  });

  it('R168 follows how the model counts, and is an estimate then', async () => {
    const { counted } = open({ 'A.md': text }, 1.5);
    expect(await counted.count(mention('note', 'A.md'), 'm', signal)).toEqual({
      tokens: Math.round(text.length * 1.5),
      exact: false,
    });
  });

  it('is nothing for what has no text of its own, or cannot be read', async () => {
    const { counted } = open({ 'A.md': text });
    for (const [kind, id] of [
      ['folder', 'A'],
      ['tag', '#a'],
      ['tool', 'x'],
      ['prompt', 'built-in'],
      ['note', 'B.md'],
      ['image', 'a.png'],
    ] as const) {
      expect(counted.known(mention(kind, id), 'm')).toBeNull();
      expect(await counted.count(mention(kind, id), 'm', signal)).toBeNull();
    }
  });
});
