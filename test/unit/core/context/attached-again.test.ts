/** A note that is mentioned again: only a text that was sent whole need not be sent once more (R227). */
import type { Chat } from '../../../../src/core/chat/chat';
import { fail } from '../../../../src/core/ports/failure';
import type { Message } from '../../../../src/core/ports/message';
import { NoteCache } from '../../../../src/core/prompt/facts/attached-notes';
import { sections } from '../../../../src/core/prompt/sections';
import { unchanged } from '../../../../src/core/prompt/sections/notes';
import { attachedFormIn } from '../../../../src/core/context/prepare-turn';
import { shares } from '../../../../src/core/request/fit';
import type { TextCounter } from '../../../../src/tokens/text-counter';
import { ExactTokenizer } from '../../../../src/tokens/open';
import type { Mention } from '../../../../src/core/session/entry';
import { chatBench, rested, until } from '../../../support/chat-bench';
import { fakeVault } from '../../../support/fake-vault';
import { finish, say, scriptedModel, type Step } from '../../../support/scripted-model';

const textOf = (messages: readonly Message[]): string => JSON.stringify(messages.map(({ parts }) => parts));
const mention = (name: string): Mention => ({ kind: 'note', id: `${name}.md`, label: name });
const lines = (word: string, count: number): string =>
  `${word} first\n${`${word} and more\n`.repeat(count)}${word} last`;
const yes: Step[] = [say('Yes.'), finish()];

async function openChat(files: Record<string, string>, contextWindow: number, off = '') {
  const bench = chatBench({ vault: fakeVault(files) });
  const refresh = jest.fn(() => Promise.resolve());
  Object.assign(bench.ports, { refresh, sections: sections.filter(({ id }) => id !== off) });
  const model = scriptedModel([yes, yes, yes], { contextWindow });
  Object.assign(bench, { model });
  const chat: Chat = await bench.open();
  const ask = async (text: string, named: readonly (string | Mention)[] = []): Promise<string> => {
    const sent = model.plans.at(-1)?.messages.length ?? 0;
    await chat.send(
      text,
      named.map((each) => (typeof each === 'string' ? mention(each) : each)),
    );
    await until(chat, rested);
    return textOf(model.plans.at(-1)?.messages.slice(sent) ?? []);
  };
  return { refresh, model, chat, ask };
}

describe('a note that is attached again', () => {
  const files = { 'A.md': lines('alpha', 420), 'B.md': lines('beta', 420), 'C.md': 'gamma' };

  it('R227 is sent whole if two notes shared the tokens before and only its beginning was sent', async () => {
    const { ask } = await openChat(files, 8_192);
    const first = await ask('Both?', ['A', 'B', 'C']);
    expect(first).toContain('more characters');
    expect(first).not.toContain('alpha last');
    const second = await ask('And A?', ['A', 'C']);
    expect(second).toContain('alpha last');
    expect(second.split(unchanged)).toHaveLength(2);
    expect(second).toContain(`<note path=\\"C.md\\">\\n${unchanged}`);
    expect(await ask('A?', ['A'])).toContain(`<note path=\\"A.md\\">\\n${unchanged}`);
  });

  it('says in the transcript which notes were shortened', async () => {
    const { chat, ask } = await openChat(files, 8_192);
    await ask('Both?', ['A', 'B', 'C']);
    expect(chat.current.items[0]).toMatchObject({ inPart: { 'A.md': 'shortened', 'B.md': 'shortened' } });
    const reopened = chat.current.items[0] as { inPart?: Record<string, string> };
    expect(Object.keys(reopened.inPart ?? {})).toEqual(['A.md', 'B.md']);
  });

  it('R227 is sent when earlier only its name was', async () => {
    const many = Array.from({ length: 60 }, (_, at) => [`N${at}.md`, lines(`n${at}`, 30)] as const);
    const { ask } = await openChat(Object.fromEntries(many), 8_192);
    const first = await ask(
      'All?',
      many.map(([path]) => path.replace('.md', '')),
    );
    expect(first).not.toContain('n0 first');
    expect(await ask('And this?', ['N0'])).toContain('n0 last');
  });
});

describe('a note that the prompt would contain if its section were on', () => {
  const files = { 'AGENTS.md': 'Rules of the house.', 'Docent/memory.md': 'Likes tea.', 'A.md': 'alpha body' };

  it.each([
    ['project-context', 'AGENTS.md', 'Rules of the house.'],
    ['user-memory', 'Docent/memory.md', 'Likes tea.'],
    ['context-notes', 'A.md', 'alpha body'],
  ])('R227 R252 is sent with the message if %s is switched off in the settings', async (off, path, body) => {
    const { chat, ask, model } = await openChat(files, 16_384, off);
    await chat.choose({ contextNotes: ['A.md'] });
    expect(await ask('And this?', [{ kind: 'note', id: path, label: path }])).toContain(body);
    const { system = '' } = model.plans.at(-1) ?? {};
    expect(system).not.toContain(body);
    expect(system.includes('A.md, attached')).toBe(off !== 'context-notes');
  });
});

describe('a pinned note that the reference has no room for', () => {
  it('is sent with the message that mentions it, once', async () => {
    const many = Array.from({ length: 60 }, (_, at) => [`N${at}.md`, lines(`n${at}`, 30)] as const);
    const { chat, ask, model } = await openChat(Object.fromEntries(many), 8_192);
    await chat.choose({ contextNotes: many.map(([path]) => path) });
    expect(await ask('What is in it?', ['N59'])).toContain('n59 last');
    const before = model.plans.at(-1);
    expect(await ask('And then?', ['N59'])).toContain(`<note path=\\"N59.md\\">\\n${unchanged}`);
    expect(model.plans.at(-1)?.system).toBe(before?.system);
    expect(await ask('And now?')).not.toContain('n59');
  });

  it('is found out without reading anything else of the prompt again', async () => {
    const many = Array.from({ length: 60 }, (_, at) => [`N${at}.md`, lines(`n${at}`, 30)] as const);
    const { refresh, chat, ask } = await openChat({ ...Object.fromEntries(many), 'AGENTS.md': 'Rules.' }, 8_192);
    await chat.choose({ contextNotes: many.map(([path]) => path) });
    const read = jest.spyOn(NoteCache.prototype, 'read');
    expect(await ask('What is in it?', ['N59'])).toContain('n59 last');
    const others = read.mock.calls.filter(([path]) => path !== 'N59.md');
    read.mockRestore();
    expect([refresh.mock.calls.length, others.length]).toEqual([1, 60]);
  });
});

describe('a long note that is pinned', () => {
  it('is not called attached in full in the map of the vault', async () => {
    const { chat, ask, model } = await openChat({ 'Book.md': lines('page', 2_500), 'A.md': 'alpha' }, 16_384);
    await chat.choose({ contextNotes: ['Book.md'] });
    await ask('What is in it?');
    const { system = '' } = model.plans.at(-1) ?? {};
    expect(system).toContain('is shown in part');
    expect(system).toMatch(/^- Book\.md, attached$/m);
  });
});

describe('a long note that is attached whole', () => {
  it('R227 is not sent again in part when it is only mentioned', async () => {
    const { ask } = await openChat({ 'Book.md': lines('page', 1_250) }, 16_384);
    expect(await ask('What is in it?', ['Book'])).not.toContain('page last');
    expect(await ask('And in all of it?', [{ ...mention('Book'), form: 'whole' }])).toContain('page last');
    const again = await ask('And which page is the last?', ['Book']);
    expect(again).toContain(`<note path=\\"Book.md\\">\\n${unchanged}`);
    expect(again).not.toContain('page and more');
  });

  it.each([
    ['more', 3],
    ['fewer', 5.5],
  ])('is sent as far as it fits, with a counter that finds %s tokens than the estimate', async (_name, perToken) => {
    const counter: TextCounter = {
      count: (texts) => Promise.resolve(texts.map((text) => Math.ceil(text.length / perToken))),
      close: () => undefined,
    };
    const bench = chatBench({
      vault: fakeVault({ 'Book.md': lines('The keeper lit the lamp', 2_600) }),
      ports: { tokenizer: new ExactTokenizer(counter) },
    });
    Object.assign(bench, { model: scriptedModel([yes], { contextWindow: 16_384 }) });
    const chat = await bench.open();
    const book: Mention = { ...mention('Book'), form: 'whole' };
    const plan = await chat.preview('What is in it?', [book], new AbortController().signal);
    if (!plan.ok) throw new Error(plan.failure.words);
    const sent = attachedFormIn(plan.value, 'Book.md')?.sent ?? '';
    const limit = shares.turn[3] * (plan.value.totals.window - plan.value.totals.reserve);
    expect(sent.length / perToken).toBeLessThanOrEqual(limit);
    expect(sent.length / perToken).toBeGreaterThan(0.8 * limit);
  });

  it('R227 tells its chip why a note could not be read', async () => {
    const vault = fakeVault({ 'Book.md': 'x' });
    const failure = {
      kind: 'not-text',
      words: '“Book.md” is not a text file.',
      remedy: 'Open it in its own app.',
    } as const;
    Object.assign(vault, { read: () => Promise.resolve(fail(failure)) });
    const bench = chatBench({ vault });
    Object.assign(bench, { model: scriptedModel([yes]) });
    const plan = await (await bench.open()).preview('What is in it?', [mention('Book')], new AbortController().signal);
    if (!plan.ok) throw new Error(plan.failure.words);
    expect(attachedFormIn(plan.value, 'Book.md')?.problem).toBe(`${failure.words} ${failure.remedy}`);
  });
});
