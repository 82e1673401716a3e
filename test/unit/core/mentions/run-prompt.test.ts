/** Prompts run with `/` and `@`: which are offered, how they appear in the text, and the text after the name. */
import {
  isMissing,
  mentionsInText,
  withArguments,
  withoutMention,
  formatMention,
} from '../../../../src/core/mentions/mention-text';
import { promptMentions, runPromptMentions } from '../../../../src/core/mentions/prompts';
import { builtInPrompts } from '../../../../src/core/prompt/built-in';
import type { Mention } from '../../../../src/core/session/entry';
import { tools } from '../../../../src/core/tools';
import { mentionContext } from './mention-context';

const prompt = (label: string): Mention => ({ kind: 'prompt', id: `${label}.md`, label });
const plan = prompt('Plan');
const week = prompt('Plan my week');

it('R171 R175 offers the same prompts after / and @: notes, and what is registered, with their tools there', () => {
  const context = mentionContext(
    { 'Docent/prompts/Tidy.md': '---\nrequiredTools: no_such_tool\n---\n', 'Docent/prompts/Plan.md': '' },
    { tools, prompts: builtInPrompts },
  );
  const offered = runPromptMentions.offer(context, 'x');
  expect(offered?.candidates).toBe(promptMentions.offer(context, '')?.candidates);
  const labels = offered?.candidates.map((one) => ('mention' in one ? one.mention.label : ''));
  expect(labels).toContain('Plan');
  expect(labels).toContain('Shorten');
  expect(labels).not.toContain('Tidy');
});

it('R128 hides a built-in prompt whose tools are not offered', () => {
  const context = mentionContext({}, { tools: [], prompts: builtInPrompts });
  const ids = promptMentions.offer(context, '')?.candidates.map((one) => ('mention' in one ? one.mention.id : ''));
  expect(ids).toEqual(['built-in/correct', 'built-in/question-me', 'built-in/shorten']);
});

it('R175 stands in the text as it was begun', () => {
  expect([formatMention(plan), formatMention(plan, '/'), formatMention(plan, '@'), formatMention(plan, '#')]).toEqual([
    '@Plan',
    '/Plan',
    '@Plan',
    '@Plan',
  ]);
  expect(mentionsInText([plan], '/Plan the boat')).toEqual([plan]);
  expect(mentionsInText([plan], 'a/Plan')).toEqual([]);
  expect(mentionsInText([plan, week], '/Plan my week')).toEqual([week]);
  expect(withoutMention('/Plan the boat', plan, [plan])).toBe('the boat');
});

it.each<[string, Mention[], (string | undefined)[]]>([
  ['/Plan the boat ', [plan], ['the boat']],
  ['Please @Plan', [plan], ['']],
  ['/Plan one @Plan my week two\nlines', [plan, week], ['one', 'two\nlines']],
  ['@Plan my week a, then /Plan b', [plan, week], ['b', 'a, then']],
  ['@Plan first @Plan second', [plan], ['first']],
  ['no name', [plan], [undefined]],
])('R171 takes as arguments of %j', (text, mentions, expected) => {
  expect(withArguments(text, mentions).map((mention) => mention.arguments)).toEqual(expected);
});

it('leaves other mentions as they are', () => {
  const mentions: Mention[] = [{ kind: 'note', id: 'A.md', label: 'A' }];
  expect(withArguments('[[A]] and more', mentions)).toBe(mentions);
});

it('R175 a registered prompt is missing once it is taken back', () => {
  const mention: Mention = { kind: 'prompt', id: 'built-in/shorten', label: 'Shorten' };
  expect(isMissing(mention, mentionContext({}, { prompts: builtInPrompts }))).toBe(false);
  expect(isMissing(mention, mentionContext({}))).toBe(true);
});
