import { expectCostBelow } from 'obsidian-workbench/testing/cost';
import {
  findMentions,
  isAttachedAt,
  mentionsInText,
  withoutMention,
  formatMention,
  onePerPlace,
} from '../../../../src/core/mentions/mention-text';
import type { Mention } from '../../../../src/core/session/entry';

const mention = (kind: Mention['kind'], label: string, id = label): Mention => ({ kind, id, label });
const plan = mention('prompt', 'Plan');
const planWeek = mention('prompt', 'Plan my week');
const boat = mention('workspace', 'Boat');
const heron = mention('note', 'Heron', 'Heron.md');
const search = mention('tool', 'search_notes');

it.each<[Mention, string]>([
  [heron, '[[Heron]]'],
  [mention('note', 'Boats/Heron', 'Boats/Heron.md'), '[[Boats/Heron]]'],
  [mention('heading', 'Heron#Keel', 'Heron.md#Keel'), '[[Heron#Keel]]'],
  [mention('block', 'Heron#^a1', 'Heron.md#^a1'), '[[Heron#^a1]]'],
  [mention('folder', 'Boats/', 'Boats'), '[[Boats/]]'],
  [mention('tag', '#boat'), '[[#boat]]'],
  [planWeek, '@Plan my week'],
  [boat, '#Boat'],
  [search, '/search_notes'],
])('R175 writes %j', (one, text) => {
  expect(formatMention(one)).toBe(text);
  expect(mentionsInText([one], `see ${text} now`)).toEqual([one]);
  expect(mentionsInText([one], `see ${text.slice(0, -1)} now`)).toEqual([]);
});

describe('R175 keeping what is written', () => {
  it.each<[string, Mention[]]>([
    ['@Plan my week', [planWeek]],
    ['@Plan, then @Plan my week', [plan, planWeek]],
    ['@Planner', []],
    ['me@Plan', []],
    ['@Plan.', [plan]],
    ['do @Plan\n#Boat', [plan, boat]],
    ['a/search_notes #Boats [[#Boat]]', []],
    ['x[[Heron]]y /search_notes', [heron, search]],
    ['', []],
  ])('%j', (text, expected) => {
    expect(mentionsInText([plan, planWeek, boat, heron, search], text)).toEqual(expected);
  });

  it('keeps each once, and the same list when nothing changed', () => {
    expect(mentionsInText([heron, { ...heron }], '[[Heron]]')).toEqual([heron]);
    const mentions = [heron, boat];
    expect(mentionsInText(mentions, '[[Heron]] #Boat')).toBe(mentions);
  });
});

describe('R175 taking a mention out of the text', () => {
  it.each<[Mention, string, string]>([
    [heron, 'see [[Heron]] now', 'see now'],
    [heron, '[[Heron]] now', 'now'],
    [heron, 'see [[Heron]]', 'see '],
    [heron, '[[Heron]] and [[Heron]]!', 'and !'],
    [heron, 'two  spaces\n    stay [[Heron]]', 'two  spaces\n    stay '],
    [heron, 'a([[Heron]])', 'a()'],
    [plan, '@Plan, not @Plan my week', ', not @Plan my week'],
    [planWeek, '@Plan, not @Plan my week', '@Plan, not '],
  ])('%j from %j', (one, text, rest) => {
    expect(withoutMention(text, one, [heron, plan, planWeek])).toBe(rest);
    expect(mentionsInText([heron, plan, planWeek], rest)).not.toContain(one);
  });
});

it('R175 tells an attached name from one being typed', () => {
  expect(isAttachedAt('@Plan my week and', 0, 17, [planWeek])).toBe(true);
  expect(isAttachedAt('@Plan my we', 0, 11, [planWeek])).toBe(false);
  expect(isAttachedAt('x @Plan my week', 0, 15, [planWeek])).toBe(false);
});

describe('a message that came with a chat of somebody else', () => {
  const within = mention('note', 'Heron|[[Heron]]', 'Heron.md');

  it('has its mentions found in time, however often it names them', async () => {
    const text = '[[Heron]] [[Heron|[[Heron]]]] @Plan my week @Plan '.repeat(20_000);
    await expectCostBelow(1_500, () => {
      const places = findMentions(text, [heron, within, plan, planWeek]);
      expect(places).toHaveLength(80_000);
      expect(places.slice(0, 4).map(({ mention: { label } }) => label)).toEqual([
        ...['Heron', within.label, 'Plan my week', 'Plan'],
      ]);
      expect(onePerPlace(places)).toHaveLength(1_000);
    });
  });

  it('has names found that overlap themselves and one another as long as none is longer', () => {
    const [twin, other] = [mention('note', 'a]][[a'), mention('note', 'b]][[a')];
    const fromOf = (text: string): string[] =>
      findMentions(text, [twin, other, mention('note', 'a')]).map(({ from, mention: { label } }) => `${from} ${label}`);
    expect(fromOf('[[a]][[a]][[a]]')).toEqual(['0 a]][[a', '5 a]][[a']);
    expect(fromOf('[[b]][[a]][[a]] [[a]]')).toEqual(['0 b]][[a', '5 a]][[a', '16 a']);
  });
});
