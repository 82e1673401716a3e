import { imageMentions } from '../../../../src/core/mentions/files';
import {
  followMove,
  formatMention,
  isMissing,
  mentionsInText,
  withoutMention,
} from '../../../../src/core/mentions/mention-text';
import { linkTextOf } from '../../../../src/core/mentions/note';
import type { Mention } from '../../../../src/core/session/entry';
import { mentionContext } from './mention-context';

const picture = new Uint8Array(3);
const image = {
  digest: 'a'.repeat(64),
  mediaType: 'image/png',
  width: 10,
  height: 10,
  bytes: 3,
  conversation: 'c1',
} as const;
const pasted: Mention = { kind: 'image', id: image.digest, label: 'Pasted image 1', apart: true, image };

describe('R218 images', () => {
  it('are offered once something was typed, the newest first, where two share a name by their paths', () => {
    const context = mentionContext({
      'a/boat.png': picture,
      'b/Boat.PNG': picture,
      'Chart.webp': picture,
      'x.svg': picture,
      'Boat.md': '',
    });
    expect(imageMentions.offer(context, '')).toBeNull();
    expect(imageMentions.offer(context, 'boat#x')).toBeNull();
    const offered = imageMentions.offer(context, 'b')?.candidates.flatMap((one) => ('mention' in one ? one : []));
    expect(offered?.map(({ mention }) => [mention.id, formatMention(mention)])).toEqual([
      ['Chart.webp', '[[Chart.webp]]'],
      ['b/Boat.PNG', '[[b/Boat.PNG]]'],
      ['a/boat.png', '[[a/boat.png]]'],
    ]);
    expect(offered?.map(({ name, detail }) => [name, detail])).toEqual([
      [undefined, ''],
      ['Boat.PNG', 'b'],
      ['boat.png', 'a'],
    ]);
  });

  it('keep their two names when one of them is moved', () => {
    const { vault } = mentionContext({ 'b/boat.png': picture, 'c/boat.png': picture, 'c/Chart.png': picture });
    const named = (id: string): Mention => ({ kind: 'image', id, label: id });
    const draft = { text: '[[a/boat.png]] [[b/boat.png]]', mentions: [named('a/boat.png'), named('b/boat.png')] };
    const linkText = (path: string): string => linkTextOf(vault, path);
    expect(followMove(draft, 'a/boat.png', 'c/boat.png', linkText)).toEqual({
      text: '[[c/boat.png]] [[b/boat.png]]',
      mentions: [named('c/boat.png'), named('b/boat.png')],
    });
    expect(followMove(draft, 'a/boat.png', 'c/Chart.png', linkText)?.text).toBe('[[Chart.png]] [[b/boat.png]]');
  });

  it('are missing when their file is gone and nothing was kept of it', () => {
    const context = mentionContext({ 'a.png': picture });
    const named = (id: string): Mention => ({ kind: 'image', id, label: id });
    expect(isMissing(named('a.png'), context)).toBe(false);
    expect(isMissing(named('b.png'), context)).toBe(true);
    expect(isMissing({ ...named('b.png'), image }, context)).toBe(false);
    expect(isMissing(pasted, context)).toBe(false);
  });

  it('beside the text stay, whatever becomes of the text, and are there once', () => {
    const named: Mention = { kind: 'image', id: 'a.png', label: 'a.png' };
    expect(mentionsInText([named, pasted, { ...pasted }], 'See')).toEqual([pasted]);
    expect(mentionsInText([named, pasted], 'See [[a.png]]')).toEqual([named, pasted]);
    const text = 'About [[Pasted image 1]]';
    expect(withoutMention(text, pasted, [pasted])).toBe(text);
  });
});
