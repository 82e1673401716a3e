/** What a draft mentions goes on under its new name after it was moved or renamed. */
import { followMove } from '../../../../src/core/mentions/mention-text';
import type { Mention } from '../../../../src/core/session/entry';

const linkText = (path: string): string => (path.split('/').at(-1) ?? '').replace(/\.md$/, '');
const mention = (kind: Mention['kind'], id: string, label: string): Mention => ({ kind, id, label });

it.each<[string, Mention, string, Mention, string]>([
  ['a note', mention('note', 'Now.md', 'Now'), '[[Now]]', mention('note', 'Later.md', 'Later'), '[[Later]]'],
  [
    'a heading',
    mention('heading', 'Now.md#To do', 'Now#To do'),
    '[[Now#To do]]',
    mention('heading', 'Later.md#To do', 'Later#To do'),
    '[[Later#To do]]',
  ],
  [
    'a block',
    mention('block', 'Now.md#^a1', 'Now#^a1'),
    '[[Now#^a1]]',
    mention('block', 'Later.md#^a1', 'Later#^a1'),
    '[[Later#^a1]]',
  ],
  [
    'a note with another text to show',
    mention('note', 'Now.md', 'Now|this week'),
    '[[Now|this week]]',
    mention('note', 'Later.md', 'Later|this week'),
    '[[Later|this week]]',
  ],
  [
    'a heading with another text to show',
    mention('heading', 'Now.md#To do', 'Now#To do|# 1'),
    '[[Now#To do|# 1]]',
    mention('heading', 'Later.md#To do', 'Later#To do|# 1'),
    '[[Later#To do|# 1]]',
  ],
  [
    'a note whose text is not its name, with a part of it',
    mention('note', 'Now.md', 'This day#To do'),
    '[[This day#To do]]',
    mention('note', 'Later.md', 'Later#To do'),
    '[[Later#To do]]',
  ],
  [
    'a note whose text is not its name',
    mention('note', 'Now.md', 'This day'),
    '[[This day]]',
    mention('note', 'Later.md', 'Later'),
    '[[Later]]',
  ],
  [
    'a note whose text only begins like its name',
    mention('note', 'Now.md', 'Nowhere'),
    '[[Nowhere]]',
    mention('note', 'Later.md', 'Later'),
    '[[Later]]',
  ],
])('follows %s to a new name', (_what, before, text, after, renamed) => {
  const draft = { text: `See ${text} and ${text}.`, mentions: [before] };
  expect(followMove(draft, 'Now.md', 'Later.md', linkText)).toEqual({
    text: `See ${renamed} and ${renamed}.`,
    mentions: [after],
  });
});

it('follows a note whose name has the sign that comes before a heading', () => {
  const mentions = [mention('note', 'C# now.md', 'C# now'), mention('heading', 'C# now.md#To do', 'C# now#To do')];
  expect(followMove({ text: '[[C# now]] [[C# now#To do]]', mentions }, 'C# now.md', 'Later.md', linkText)).toEqual({
    text: '[[Later]] [[Later#To do]]',
    mentions: [mention('note', 'Later.md', 'Later'), mention('heading', 'Later.md#To do', 'Later#To do')],
  });
});

it('follows what is in a folder that was moved, and the folder itself', () => {
  const before = [
    mention('folder', 'Boats', 'Boats/'),
    mention('note', 'Boats/Heron.md', 'Heron'),
    mention('image', 'Boats/map.png', 'map.png'),
    mention('prompt', 'Boats/Plan.md', 'Plan my week'),
    mention('note', 'Boatshed.md', 'Boatshed'),
  ];
  const text = '[[Boats/]] [[Heron]] [[map.png]] @Plan my week [[Boatshed]]';
  expect(followMove({ text, mentions: before }, 'Boats', 'Old/$&', linkText)).toEqual({
    text: '[[Old/$&/]] [[Heron]] [[map.png]] @Plan my week [[Boatshed]]',
    mentions: [
      mention('folder', 'Old/$&', 'Old/$&/'),
      mention('note', 'Old/$&/Heron.md', 'Heron'),
      mention('image', 'Old/$&/map.png', 'map.png'),
      mention('prompt', 'Old/$&/Plan.md', 'Plan my week'),
      before[4],
    ],
  });
});

it('leaves a draft alone that mentions nothing of it', () => {
  const mentions = [mention('tag', '#now', '#now'), mention('tool', 'Now.md', 'Now.md'), mention('note', 'A.md', 'A')];
  expect(followMove({ text: '[[#now]] /Now.md [[A]]', mentions }, 'Now.md', 'Later.md', linkText)).toBeNull();
});
