/** Prompts run with `/` and `@`: which are offered, how they appear in the text, and the text after the name. */
import {
  isMissing,
  mentionsInText,
  withArguments,
  withoutMention,
  formatMention,
} from '../../../../src/core/mentions/mention-text';
import { mentionSources } from '../../../../src/core/mentions';
import { chatCommands } from '../../../../src/core/mentions/commands';
import { completedName } from '../../../../src/core/mentions/mention-source';
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

describe('R175 a name after a slash that is written in full', () => {
  const prompts = ['Plan', 'Plan my week', 'weekly', 'compact'];
  const context = mentionContext(Object.fromEntries(prompts.map((name) => [`Docent/prompts/${name}.md`, 'Text.'])), {
    tools,
    commands: chatCommands,
    skills: [{ name: 'weekly', description: 'Reviews.', source: 'plugin', location: 'plugin/weekly' }],
  });
  const found = (before: string, text: string): string | undefined => {
    const mention = completedName(mentionSources, () => context, before, text);
    return mention === null ? undefined : `${mention.kind} ${mention.id} ${mention.label}`;
  };

  it.each([
    ['a word, once a space follows it', '/Plan', '/Plan ', 'prompt Docent/prompts/Plan.md Plan'],
    ['a word in other letters', '/plan', '/plan ', 'prompt Docent/prompts/Plan.md plan'],
    [
      'several words at their end',
      '/Plan my wee',
      '/Plan my week',
      'prompt Docent/prompts/Plan my week.md Plan my week',
    ],
    ['the longest of those pasted', '', '/Plan my week\nnow', 'prompt Docent/prompts/Plan my week.md Plan my week'],
    ['a skill before a prompt', '/weekly', '/weekly ', 'skill plugin/weekly weekly'],
    ['a tool', '', '/search_notes for tides', 'tool search_notes search_notes'],
  ])('attaches %s', (_name, before, text, expected) => {
    expect(found(before, text)).toBe(expected);
  });

  it.each([
    ['a word over which the list is open', '/Pla', '/Plan'],
    ['a longer word', '/Plan', '/Planner '],
    ['a name that was written before', '/Plan ', '/Plan n'],
    ['a name inside a message', 'See /Plan', 'See /Plan '],
    ['a command of the chat', '/compact', '/compact '],
    ['no name', '/none', '/none '],
  ])('attaches nothing for %s', (_name, before, text) => {
    expect(found(before, text)).toBeUndefined();
  });
});
