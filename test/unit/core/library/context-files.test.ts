import { contextFileIn, memoryPath, nestedContextFiles, wrapContext } from '../../../../src/core/library/context-files';
import { cutToTokens, tokensByRule } from '../../../../src/core/markup/budget';
import { fakeVault } from '../../../support/fake-vault';

const names = ['AGENTS.md', 'CLAUDE.md'];

describe('context files', () => {
  it('R195 are looked for by name: the first that is there wins', () => {
    const vault = fakeVault({ 'CLAUDE.md': 'c', 'Recipes/CLAUDE.md': 'c', 'Recipes/AGENTS.md': 'a' });
    expect(contextFileIn(vault, '', names)).toBe('CLAUDE.md');
    expect(contextFileIn(vault, 'Recipes', names)).toBe('Recipes/AGENTS.md');
    expect(contextFileIn(vault, 'Journal', names)).toBeUndefined();
    expect(contextFileIn(vault, '', [])).toBeUndefined();
    expect(contextFileIn(vault, '', [' ', 'Recipes/AGENTS.md'])).toBeUndefined();
  });

  it('R195 answer to another spelling of case, under the name they have', () => {
    expect(contextFileIn(fakeVault({ 'agents.md': 'x' }), '', names)).toBe('agents.md');
  });

  it('R199 arrive from the folders between the root and what was touched, outermost first', () => {
    const vault = fakeVault({
      'AGENTS.md': 'root',
      'A/AGENTS.md': 'a',
      'A/B/CLAUDE.md': 'b',
      'A/B/Note.md': 'n',
      'C/AGENTS.md': 'c',
    });
    expect(nestedContextFiles(vault, 'A/B/Note.md', names, [])).toEqual(['A/AGENTS.md', 'A/B/CLAUDE.md']);
    expect(nestedContextFiles(vault, 'A/B', names, [])).toEqual(['A/AGENTS.md', 'A/B/CLAUDE.md']);
    expect(nestedContextFiles(vault, 'A/New.md', names, [])).toEqual(['A/AGENTS.md']);
    expect(nestedContextFiles(vault, 'Top.md', names, [])).toEqual([]);
  });

  it('R199 arrive once, whatever the spelling, and not beside themselves', () => {
    const vault = fakeVault({ 'A/AGENTS.md': 'a', 'A/B/AGENTS.md': 'b', 'A/B/Note.md': 'n' });
    expect(nestedContextFiles(vault, 'A/B/Note.md', names, ['a/agents.MD'])).toEqual(['A/B/AGENTS.md']);
    expect(nestedContextFiles(vault, 'A/AGENTS.md', names, [])).toEqual([]);
    const loaded = nestedContextFiles(vault, 'A/B/Note.md', names, []);
    expect(nestedContextFiles(vault, 'A/B/Note.md', names, loaded)).toEqual([]);
  });

  it('R199 are one file where two names lead to the same one', () => {
    const vault = fakeVault({ 'A/agents.md': 'a', 'A/Note.md': 'n' });
    expect(nestedContextFiles(vault, 'A/Note.md', ['AGENTS.md', 'agents.md'], [])).toEqual(['A/agents.md']);
  });

  it('R196 stand between their bounds, trimmed', () => {
    expect(wrapContext('AGENTS.md', '\n# Rules\n\n')).toBe(
      '--- Context from: AGENTS.md ---\n# Rules\n--- End of Context from: AGENTS.md ---',
    );
  });

  it('R196 R199 are cut by rule when they are very long, and say so', () => {
    const text = `First line\n${'x'.repeat(2_000_000)}`;
    const wrapped = wrapContext('AGENTS.md', text);
    expect(wrapped).toContain('--- Context from: AGENTS.md ---\nFirst line\nxxx');
    expect(wrapped).toContain('[Cut here: 64000 of 2000011 characters shown. The note itself is whole.]');
    expect(tokensByRule(wrapped)).toBeLessThan(16_100);
    expect(wrapContext('AGENTS.md', 'x'.repeat(64_000))).not.toContain('Cut here');
  });
});

describe('memory', () => {
  it('R198 is one note in the agent folder', () => {
    expect(memoryPath('Agent stuff')).toBe('Agent stuff/memory.md');
  });
});

describe('cutting by rule', () => {
  it('R199 counts four bytes a token and splits no character', () => {
    expect(cutToTokens('abcdefgh', 1)).toEqual({ text: 'abcd', cut: true });
    expect(cutToTokens('abcd', 1)).toEqual({ text: 'abcd', cut: false });
    expect(cutToTokens('abc😀', 1)).toEqual({ text: 'abc', cut: true });
    expect(cutToTokens('ééé', 1)).toEqual({ text: 'éé', cut: true });
    expect(cutToTokens('', 0)).toEqual({ text: '', cut: false });
    expect([tokensByRule(''), tokensByRule('a'), tokensByRule('abcde'), tokensByRule('€😀')]).toEqual([0, 1, 2, 2]);
  });
});
