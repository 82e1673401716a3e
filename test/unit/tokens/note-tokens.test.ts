import { NoteCache } from '../../../src/core/prompt/facts/attached-notes';
import { NoteTokens } from '../../../src/tokens/open';
import type { TextCounter } from '../../../src/tokens/text-counter';
import { fakeVault } from '../../support/fake-vault';

const never = new AbortController().signal;

function open(files: Record<string, string>) {
  const vault = fakeVault(files);
  const cache = new NoteCache(vault);
  const asked: string[] = [];
  const counter: TextCounter = {
    count: async (texts) => {
      asked.push(...texts);
      return texts.map((text) => (text === 'odd' ? null : text.length));
    },
    close: () => {},
  };
  const tokens = new NoteTokens(vault, (path, signal) => cache.read(path, signal), counter);
  return { vault, cache, tokens, asked };
}

describe('the tokens of notes', () => {
  it('are counted once for a version of a note, and known without reading from then on', async () => {
    const { vault, tokens, asked } = open({ 'A.md': 'alpha' });
    expect([tokens.known('A.md'), vault.reads]).toEqual([undefined, []]);
    expect(await tokens.count('A.md', never)).toBe(5);
    expect(await tokens.count('A.md', never)).toBe(5);
    expect([tokens.known('A.md'), asked, vault.reads]).toEqual([5, ['alpha'], ['A.md']]);
  });

  it('are not those of another version', async () => {
    const { vault, cache, tokens } = open({ 'A.md': 'alpha' });
    await tokens.count('A.md', never);
    vault.put('A.md', 'alpha and beta');
    expect(tokens.known('A.md')).toBeUndefined();
    cache.forget(['A.md']);
    expect(await tokens.count('A.md', never)).toBe(14);
  });

  it('are forgotten on change, whatever the times say', async () => {
    const { tokens, asked } = open({ 'A.md': 'alpha', 'B.md': 'beta' });
    await tokens.count('A.md', never);
    await tokens.count('B.md', never);
    tokens.forget(['A.md']);
    expect([tokens.known('A.md'), tokens.known('B.md')]).toEqual([undefined, 4]);
    await tokens.count('A.md', never);
    expect(asked).toEqual(['alpha', 'beta', 'alpha']);
  });

  it('are unknown for what cannot be read or counted', async () => {
    const { tokens } = open({ 'A.md': 'odd' });
    expect(await tokens.count('A.md', never)).toBeUndefined();
    expect(await tokens.count('Gone.md', never)).toBeUndefined();
    expect(tokens.known('Gone.md')).toBeUndefined();
  });
});
