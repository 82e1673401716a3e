/** The folders and tags that the user mentioned, one after the other, so that no note is given in full twice. */
import { tokensFor } from '../../markup/budget';
import { listNotes } from '../list-notes';
import type { AttachedList } from '../prompt-data';
import type { Fact } from '../section';
import { attachedPaths } from './attached-notes';

/** Shares of the window, and tokens at most, for all lines and for all full texts. */
const lineShare = 0.02;
const mostLineTokens = 4_000;
const textShare = 0.05;
const mostTextTokens = 10_000;

export const attachedLists: Fact<readonly AttachedList[]> = {
  id: 'attached-lists',
  gather: async (world, signal) => {
    const mentions = world.turn.mentions.filter(({ kind }) => kind === 'folder' || kind === 'tag');
    const keyOf = (mention: (typeof mentions)[number]): string => `${mention.kind}:${mention.id}`;
    const each = [...new Map(mentions.map((mention) => [keyOf(mention), mention])).values()];
    if (each.length === 0) return [];
    const window = world.turn.contextWindow;
    const budget = {
      lines: Math.floor(tokensFor(window, lineShare, mostLineTokens) / each.length),
      texts: Math.floor(tokensFor(window, textShare, mostTextTokens) / each.length),
    };
    const taken = new Set(attachedPaths(world));
    const lists: AttachedList[] = [];
    for (const { kind, id } of each) {
      const isTag = kind === 'tag';
      const name = isTag ? `#${id.replace(/^#/, '')}` : id.replace(/^\/+|\/+$/g, '');
      lists.push(await listNotes(world, isTag ? 'tag' : 'folder', name, budget, taken, signal));
    }
    return lists;
  },
};
