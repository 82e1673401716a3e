/** One note with very many headings or tags, or very many prompts, cost a key no more than a vault of as many notes. */
import { compareText, editList, editsFor } from '../../../../src/core/base/list-edits';
import { blockMentions, headingMentions } from '../../../../src/core/mentions/note-parts';
import type { MentionContext } from '../../../../src/core/mentions/mention-source';
import { promptMentions } from '../../../../src/core/mentions/prompts';
import { tagMentions } from '../../../../src/core/mentions/tag';
import type { FileEntry, NoteOutline } from '../../../../src/core/ports/vault';
import { rankCandidates } from '../../../../src/ui/mentions/rank-candidates';
import { fakeVault } from '../../../support/fake-vault';
import { expectCostBelow, expectGrowthBelow } from 'obsidian-workbench/testing/cost';

const many = 100_000;

function vaultOf(outline: Partial<NoteOutline>) {
  const inner = fakeVault({ 'Long.md': '', 'Other.md': '' });
  const whole = { path: 'Long.md', headings: [], tags: [], links: [], properties: {}, blocks: [], ...outline };
  let files = inner.files();
  const vault = Object.assign(Object.create(inner) as typeof inner, {
    files: () => files,
    outline: (path: string) => (path === 'Long.md' ? { ...whole } : inner.outline(path)),
    tags: (path: string) => (path === 'Long.md' ? whole.tags : []),
  });
  const touch = (path: string): void => {
    const entries = files.filter((each) => each.path === path);
    const inOrder = (a: FileEntry, b: FileEntry): number => compareText(a.path, b.path);
    files = editList(files, editsFor(files, entries, entries, inOrder));
  };
  const context: MentionContext = {
    ...{ vault, agentFolder: 'Docent', tools: [], prompts: [], commands: [], skills: [], activeNote: 'Other.md' },
  };
  return { context, touch, whole };
}

const headings = Array.from({ length: many }, (_, line) => ({ level: 2, text: `Bolt ${line} of the keel`, line }));

it.each(['Long#', '#'])('shows 100,000 headings after [[%s from one list for all keys', async (asked) => {
  const { context } = vaultOf({ headings });
  const offer = (typed: string) => headingMentions.offer(context, `${asked}${typed}`);
  const first = offer('b');
  expect(first?.candidates).toHaveLength(many);
  rankCandidates(first?.candidates ?? [], 'b', 12);
  expect(offer('bo')?.candidates).toBe(first?.candidates);
  await expectCostBelow(60, () => {
    for (const typed of ['b', 'bo', 'bolt 99', 'keel 5']) {
      const shown = offer(typed);
      expect(rankCandidates(shown?.candidates ?? [], typed, 12)).toHaveLength(12);
    }
  });
});

it.each(['Long#', '#'])('offers after [[%s the headings of a note that has changed', (asked) => {
  const { context, whole } = vaultOf({ headings: headings.slice(0, 3) });
  const names = () => headingMentions.offer(context, asked)?.candidates.map((one) => 'name' in one && one.name);
  expect(names()).toEqual(['Bolt 0 of the keel', 'Bolt 1 of the keel', 'Bolt 2 of the keel']);
  whole.headings = headings.slice(1, 2);
  expect(names()).toEqual(['Bolt 1 of the keel']);
});

it('offers a block whose line has 200,000 blanks in its middle at once', async () => {
  const vault = fakeVault({ 'Log.md': `Oak${' '.repeat(200_000)}keel ^a1 ^b2 \n` });
  const context = { vault, agentFolder: 'Docent', tools: [], prompts: [], commands: [], skills: [], activeNote: null };
  await blockMentions.prepare?.(context, 'Log#^');
  await expectCostBelow(60, () => void blockMentions.offer(context, 'Log#^'));
  expect(blockMentions.offer(context, 'Log#^')?.candidates[0]).toMatchObject({
    detail: expect.stringMatching(/^Oak +keel \^a1$/) as string,
  });
});

it('counts 5,000 tags of a note that was touched in proportion to them', async () => {
  const touchWith = (count: number) => {
    const tags = Array.from({ length: count }, (_, at) => `#keel/bolt${at}`);
    const { context, touch } = vaultOf({ tags });
    const offer = () => tagMentions.offer(context, 'bolt');
    while (tagMentions.prepare?.(context, '') === true);
    expect(offer()?.candidates).toHaveLength(count + 1);
    return () => {
      for (let round = 0; round < 4; round += 1) {
        touch('Long.md');
        expect(offer()?.candidates).toHaveLength(count + 1);
      }
    };
  };
  await expectGrowthBelow(4, touchWith(5_000), touchWith(2_500));
});

it('lists 16,000 prompts in proportion to them', async () => {
  const { context } = vaultOf({});
  const listing = (count: number) => () => {
    const prompts = Array.from({ length: count }, (_, at) => ({
      ...{ id: `Docent/${at}`, name: `Sand plank ${at}`, content: '', source: 'mcp' as const, registeredAt: 0 },
    }));
    expect(promptMentions.offer({ ...context, prompts }, 'sand')?.candidates).toHaveLength(count);
  };
  await expectGrowthBelow(20, listing(16_000), listing(2_000));
});
