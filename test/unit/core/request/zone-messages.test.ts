/** What is sent in messages of its own before the user's message. */
import { foldMessages } from '../../../../src/core/request/history';
import { countMessages, planOver } from '../../../../src/core/request/plan-request';
import type { ZonePart } from '../../../../src/core/session/entry';
import { entry, user } from '../../../support/entries';
import { roughTokenizer } from '../../../support/memory-ports';
import { caching } from './reference-bench';

function messagesOf(...before: ZonePart[]) {
  const zone = { kind: 'turn-zone', before, after: [], mode: 'assistant', editor: null } as const;
  return foldMessages([entry(user('Hello?')), entry(zone)]);
}
const textsOf = (...before: ZonePart[]) =>
  messagesOf(...before).map(({ role, parts }) => [role, ...parts.map((part) => ('text' in part ? part.text : ''))]);

describe('messages of a turn', () => {
  it.each([
    ['R214', 'files', '# Working notes\nHere are the notes:', 'Ok.'],
    ['R211', 'url-context', '# Web pages\nThese pages were', 'Ok, I’ve reviewed the URL content.'],
    ['R212', 'review-context', '# Changes under review', 'Ok, I’ve reviewed the changes.'],
  ])('%s has %s as a pair before the words of the user', (_row, section, header, reply) => {
    const [first, second, third] = textsOf({ section, text: '<x>\nbody\n</x>' });
    expect(first?.[0]).toBe('user');
    expect(first?.[1]?.startsWith(header)).toBe(true);
    expect(first?.[1]?.endsWith('\n\n<x>\nbody\n</x>')).toBe(true);
    expect(second).toEqual(['assistant', reply]);
    expect(third).toEqual(['user', 'Hello?']);
  });

  it('R204 K10 stand after the history and before the words of the user, in the order in which they were sent', () => {
    const log = [user('Before.'), user('Hello?')].map((body) => entry(body));
    const before = ['url-context', 'files', 'editor-context'].map((section) => ({ section, text: section }));
    const zone = entry({ kind: 'turn-zone', before, after: [], mode: 'assistant', editor: null });
    const texts = foldMessages([...log, zone]).map(({ parts }) =>
      parts.map((part) => ('text' in part ? part.text : '')),
    );
    expect(texts.map((each) => each.join('|').slice(0, 22))).toEqual([
      'Before.',
      '# Web pages\nThese page',
      'Ok, I’ve reviewed the ',
      '# Working notes\nHere a',
      'Ok.',
      'editor-context|Hello?',
    ]);
  });

  it('count as part of the turn', () => {
    const messages = messagesOf({ section: 'files', text: 'x'.repeat(400) });
    const chat = { conversationId: 'c', model: caching, messages, tools: [], tokenizer: roughTokenizer };
    const { totals } = planOver({ blocks: [], system: '' }, chat);
    expect(totals.turn).toBe(countMessages(messages, roughTokenizer));
    expect(totals.history).toBe(0);
  });
});
