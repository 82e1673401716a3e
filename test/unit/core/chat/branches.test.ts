/** @jest-environment jsdom */
/** Messages that are edited, answered again, deleted and taken to a new chat: what is shown, sent, and stored. */
import { closeTestApps } from 'obsidian-workbench/jest';
import type { Chat } from '../../../../src/core/chat/chat';
import { ChatIndex, type ChatSummary, summariseChat } from '../../../../src/core/chat/chat-index';
import type { ChatPorts } from '../../../../src/core/chat/chat-view-state';
import { OpenChats } from '../../../../src/core/chat/open-chats';
import { unsavedOf } from '../../../../src/core/ports/device';
import { succeed } from '../../../../src/core/ports/failure';
import type { RequestPlan } from '../../../../src/core/ports/request-plan';
import type { Mention } from '../../../../src/core/session/entry';
import { SessionLog } from '../../../../src/core/session/session-log';
import { words } from '../../../../src/text';
import { forksBelow } from '../../../../src/ui/chats/chat-list-state';
import { MessageActs } from '../../../../src/ui/state/message-acts';
import { type ChatBench, chatBench, rested, scriptedBench, shown, until } from '../../../support/chat-bench';
import { countingIdentifiers, digest, logPorts } from '../../../support/memory-ports';
import { breakOff, call, finish, say, scriptedModel, type Step } from '../../../support/scripted-model';
import { writingChat } from '../../../support/writing-chat';
import { mergeShards } from '../../../support/merge-shards';

const usagePlace = { day: () => '2026-11-24', isMetered: () => true };

const answers = (...texts: string[]): Step[][] =>
  texts.map((text) => [
    say(text),
    { type: 'finish', reason: 'complete', usage: { inputTokens: 10, outputTokens: 1, cost: 1 } },
  ]);
/** What a request says of the chat, in order. */
const saidIn = (plan: RequestPlan | undefined): string[] =>
  (plan?.messages ?? []).flatMap(({ parts }) => parts.map((part) => ('text' in part ? part.text : '')));
const textOf = (plan: RequestPlan | undefined): string => saidIn(plan).join('\n');
const questions = ({ current }: Chat): string[] =>
  current.items.flatMap((item) => (item.type === 'user' ? [item.text] : []));
const idOf = ({ current }: Chat, text: string): string =>
  current.items.find((item) => item.type === 'user' && item.text === text)?.id ?? '';
const versions = ({ current }: Chat) => [...(current.versions ?? new Map()).values()];

const indexOf = (bench: ChatBench): ChatIndex =>
  new ChatIndex({
    ...{ store: bench.store, digest, memory: unsavedOf(bench), usagePlace },
    annotate: () => Promise.resolve(succeed(undefined)),
    trash: () => Promise.resolve(succeed(undefined)),
  });

async function ask(chat: Chat, ...texts: string[]): Promise<void> {
  for (const text of texts) {
    expect((await chat.send(text, [])).ok).toBe(true);
    await until(chat, rested);
  }
}

async function edit(chat: Chat, before: string, after: string): Promise<void> {
  expect((await chat.send(after, [], idOf(chat, before))).ok).toBe(true);
  await until(chat, rested);
}

it('sends a message again with a note that has another name by now', async () => {
  const bench = scriptedBench(...answers('one', 'two'));
  const { model, vault } = bench;
  vault.put('Old.md', 'The keel is oak.');
  const sentAt = bench.clock.now();
  const note: Mention = { kind: 'note', id: 'Old.md', label: 'Old' };
  let now = note;
  const namedNow: ChatPorts['namedNow'] = ({ at }) => (at === sentAt ? [now] : []);
  Object.assign(bench.ports, { namedNow });
  const chat = await bench.open();
  // Without a model, nothing is read for the message yet.
  Object.assign(bench, { model: null });
  await chat.send('What of [[Old]]?', [note]);
  await until(chat, rested);
  Object.assign(bench, { model });
  vault.remove('Old.md');
  vault.put('New.md', 'The keel is oak.');
  now = { ...note, id: 'New.md', label: 'New' };
  for (const again of [() => chat.resend(), () => chat.answerAgain(idOf(chat, 'What of [[Old]]?'))]) {
    await again();
    await until(chat, rested);
    expect(textOf(model.plans.at(-1))).toContain('<note path="New.md">\nThe keel is oak.');
  }
});

describe('editing a message', () => {
  it('sends what came before it, follows the branch in the goals, and goes back to what was', async () => {
    const bench = scriptedBench(...answers('one', 'two', 'three', 'two again', 'four'));
    const chat = await bench.open();
    await ask(chat, 'first', 'second');
    await chat.goals.createGoal('Of the old branch');
    await ask(chat, 'third');
    await edit(chat, 'second', 'second, better');
    expect(shown(chat.current)).toEqual([
      'user: first',
      'answer (complete): one',
      'user: second, better',
      'answer (complete): two again',
    ]);
    const sent = bench.model.plans.at(-1);
    expect(textOf(sent)).toContain('second, better');
    expect(textOf(sent)).not.toMatch(/third|three|Of the old branch/);
    expect([chat.goals.getActiveGoal(), versions(chat)]).toEqual([null, [{ question: { number: 2, of: 2 } }]]);
    // The request begins as the one that it takes the place of did.
    const shared = saidIn(bench.model.plans[1])
      .slice(0, -1)
      .filter((text) => !text.includes('second'));
    expect(saidIn(sent).slice(0, shared.length)).toEqual(shared);
    await chat.showVersion(idOf(chat, 'second, better'), 'question', 1);
    expect([questions(chat), chat.goals.getActiveGoal()?.description]).toEqual([
      ['first', 'second', 'third'],
      'Of the old branch',
    ]);
    const again = await bench.open();
    expect([questions(again), again.current.spent]).toEqual([['first', 'second', 'third'], 4]);
    await ask(again, 'fourth');
    expect(textOf(bench.model.plans.at(-1))).toContain('third');
    expect(textOf(bench.model.plans.at(-1))).not.toContain('better');
  });

  it('edits the first message, and a message of a branch', async () => {
    const bench = scriptedBench(...answers('one', 'again', 'more', 'more again'));
    const chat = await bench.open();
    await ask(chat, 'first');
    await edit(chat, 'first', 'other');
    await ask(chat, 'next');
    await edit(chat, 'next', 'next, better');
    expect(questions(chat)).toEqual(['other', 'next, better']);
    expect(versions(chat)).toEqual([{ question: { number: 2, of: 2 } }, { question: { number: 2, of: 2 } }]);
    await chat.showVersion(idOf(chat, 'other'), 'question', 1);
    expect(questions(chat)).toEqual(['first']);
    // What was in view last of the other version is in view again.
    await chat.showVersion(idOf(chat, 'first'), 'question', 2);
    expect(questions(chat)).toEqual(['other', 'next, better']);
  });

  it('refuses while an answer is written', async () => {
    const bench = scriptedBench([say('one'), finish()], [say('two'), 'hang']);
    const chat = await bench.open();
    await ask(chat, 'first');
    void chat.send('second', []);
    await until(chat, ({ live }) => live !== null);
    const first = idOf(chat, 'first');
    for (const act of [
      () => chat.send('edited', [], first),
      () => chat.answerAgain(first),
      () => chat.deleteMessage(first, true),
    ]) {
      expect(await act()).toMatchObject({ ok: false, failure: { kind: 'refused' } });
    }
    expect([questions(chat), chat.current.queued]).toEqual([['first', 'second'], []]);
    chat.close();
  });

  it('stores nothing for a message that is in view or unknown, even while an answer is written', async () => {
    const bench = scriptedBench([say('one'), finish()], [say('two'), 'hang']);
    const chat = await bench.open();
    await ask(chat, 'first');
    void chat.send('second', []);
    await until(chat, ({ live }) => live !== null);
    const stored = bench.store.linesOf('c1').length;
    for (const id of [idOf(chat, 'first'), 'unknown'])
      expect(await chat.showEntry(id)).toEqual({ ok: true, value: undefined });
    expect(bench.store.linesOf('c1')).toHaveLength(stored);
    chat.close();
  });

  it('stays where it was if the disk refuses the message', async () => {
    const bench = scriptedBench(...answers('one'));
    const chat = await bench.open();
    await ask(chat, 'first');
    bench.store.fault = () => 'lost';
    expect((await chat.send('edited', [], idOf(chat, 'first'))).ok).toBe(false);
    expect((await chat.answerAgain(idOf(chat, 'first'))).ok).toBe(false);
    expect([shown(chat.current), chat.current.running]).toEqual([['user: first', 'answer (complete): one'], false]);
  });
});

describe('answering again', () => {
  it('sends the same question to another model, and keeps both answers', async () => {
    const other = scriptedModel(answers('by the other'), { id: 'test/other' });
    const bench = scriptedBench(...answers('one', 'two'));
    bench.models.set('test/other', succeed(other));
    const chat = await bench.open();
    await ask(chat, 'first', 'second');
    await chat.choose({ model: 'test/other' });
    expect((await chat.answerAgain(idOf(chat, 'first'))).ok).toBe(true);
    await until(chat, rested);
    expect(shown(chat.current)).toEqual(['user: first', 'answer (complete): by the other']);
    expect(textOf(other.plans[0])).not.toMatch(/one|second/);
    expect(saidIn(other.plans[0]).at(-1)).toBe(saidIn(bench.model.plans[0]).at(-1));
    expect(chat.current.versions?.get(idOf(chat, 'first'))).toEqual({ answer: { number: 2, of: 2 } });
    await chat.showVersion(idOf(chat, 'first'), 'answer', 1);
    expect(questions(chat)).toEqual(['first', 'second']);
    const again = await bench.open();
    expect(shown(again.current)).toEqual(shown(chat.current));
    expect(again.choices.model).toBe('test/other');
  });

  it('stores what a crash cut off in the branch of the answer', async () => {
    const bench = scriptedBench([say('one'), finish()], [say('again, cut'), 'hang']);
    const chat = await bench.open();
    await ask(chat, 'first');
    void chat.answerAgain(idOf(chat, 'first'));
    await until(chat, ({ live }) => live !== null);
    chat.close();
    const again = await bench.open();
    expect(shown(again.current)).toEqual(['user: first', 'answer (interrupted): again, cut']);
    await again.showVersion(idOf(again, 'first'), 'answer', 1);
    expect(shown(again.current)).toEqual(['user: first', 'answer (complete): one']);
  });
});

describe('deleting a message', () => {
  it('leaves it out of requests with its answer, shows that, and takes it back', async () => {
    const bench = scriptedBench(...answers('one', 'two', 'three', 'four'));
    const chat = await bench.open();
    await ask(chat, 'first', 'second');
    const first = idOf(chat, 'first');
    await chat.deleteMessage(first, true);
    expect(shown(chat.current)).toEqual([`deleted: ${first}`, 'user: second', 'answer (complete): two']);
    await ask(chat, 'third');
    expect(textOf(bench.model.plans[2])).not.toMatch(/first|one/);
    // What only the first message said is said again.
    const dayIn = (plan: RequestPlan | undefined): boolean => /\d{4}-\d\d-\d\d/.test(textOf(plan));
    expect(dayIn(bench.model.plans[2])).toBe(dayIn(bench.model.plans[0]));
    await chat.deleteMessage(first, false);
    await ask(chat, 'fourth');
    expect(textOf(bench.model.plans[3])).toMatch(/first[\s\S]*one[\s\S]*second/);
    expect(questions(await bench.open())).toEqual(['first', 'second', 'third', 'fourth']);
  });

  it('deletes an answer alone', async () => {
    const bench = scriptedBench(...answers('secret', 'two'));
    const chat = await bench.open();
    await ask(chat, 'first');
    const [, answer] = chat.current.items;
    await chat.deleteMessage(answer?.id ?? '', true);
    await ask(chat, 'second');
    expect(textOf(bench.model.plans[1])).toContain('first');
    expect(textOf(bench.model.plans[1])).not.toContain('secret');
  });

  it('deletes an answer that broke off, and not the one that came when the message was sent again', async () => {
    const bench = scriptedBench(
      [say('half'), breakOff({ kind: 'refused', words: 'Broken.', remedy: '' })],
      ...answers('whole', 'next'),
    );
    const chat = await bench.open();
    await ask(chat, 'first');
    chat.resend();
    await until(chat, ({ running, items }) => !running && items.length > 3);
    const half = chat.current.items.find(({ type }) => type === 'answer');
    await chat.deleteMessage(half?.id ?? '', true);
    const left = ['user: first', `deleted: ${half?.id}`, 'answer (complete): whole'];
    expect([shown(chat.current), shown((await bench.open()).current)]).toEqual([left, left]);
    await ask(chat, 'second');
    expect(textOf(bench.model.plans[2])).toContain('whole');
    expect(textOf(bench.model.plans[2])).not.toContain('half');
    const index = indexOf(bench);
    await index.refresh();
    const counts = ['half', 'whole'].map(
      async (word) => (await index.search(word, new AbortController().signal)).length,
    );
    expect(await Promise.all(counts)).toEqual([0, 1]);
  });
});

it('continues in a new chat that begins with the messages up to an answer, and costs nothing yet', async () => {
  const bench = chatBench();
  const model = scriptedModel(answers('one', 'two', 'one again', 'on'));
  bench.model = model;
  const chats = new OpenChats(bench.allPorts(), logPorts(bench.store, { identifiers: countingIdentifiers('f') }));
  const opened = await chats.open(null);
  if (!opened.ok) throw new Error(opened.failure.words);
  const chat = opened.value;
  await ask(chat, 'first', 'second');
  await edit(chat, 'first', 'first, better');
  await ask(chat, 'left out');
  const forked = await chats.fork(chat.id, idOf(chat, 'first, better'));
  if (!forked.ok) throw new Error(forked.failure.words);
  const shards = [...(bench.store.logs.get(forked.value) ?? [])].map(([name, text]) => ({ name, text }));
  expect(summariseChat(forked.value, mergeShards(shards, digest), 0, usagePlace)).toMatchObject({
    ...{ forkOf: chat.id, title: 'first, better', messages: 1, spent: 0 },
  });
  const fork = await SessionLog.open(forked.value, logPorts(bench.store));
  if (!fork.ok) throw new Error(fork.failure.words);
  expect(fork.value.all.filter(({ branch }) => branch !== undefined)).toEqual([]);
  const next = await chats.open(forked.value);
  if (next.ok) expect(shown(next.value.current)).toEqual(['user: first, better', 'answer (complete): one again']);
  chats.close();
});

it('tells the model of a new chat what became of the changes in it, also if that was decided later', async () => {
  const writes = [call('w', 'edit_note', { path: 'A.md', oldText: 'alpha', newText: 'beta' }), finish('tool-calls')];
  const { chat, ports, store, model } = await writingChat(
    { files: { 'A.md': 'alpha\n' }, permission: 'review' },
    [call('r', 'read_note', { path: 'A.md' }), finish('tool-calls')],
    writes,
    ...[1, 2, 3, 4].map(() => [say('Well.'), finish()]),
  );
  const chats = new OpenChats(ports, logPorts(store, { identifiers: countingIdentifiers('f') }));
  await ask(chat, 'Change it.', 'Wait.');
  await chat.changes?.rejectAll('It is right.');
  await ask(chat, 'And now?');
  for (const message of ['Change it.', 'And now?']) {
    const forked = await chats.fork(chat.id, idOf(chat, message));
    const next = forked.ok ? await chats.open(forked.value) : forked;
    if (!next.ok) throw new Error(next.failure.words);
    expect(next.value.current.items.filter(({ type }) => type === 'review')).toEqual([]);
    await ask(next.value, 'Go on.');
    const sent = textOf(model.plans.at(-1));
    expect(sent.match(/<review_result>\n[^]*?\n<\/review_result>/g)).toEqual([expect.stringContaining('It is right.')]);
  }
  chats.close();
  await closeTestApps();
});

it('adds nothing to changes that wait for the user: they are decided first', async () => {
  const writes: Step[] = [
    call('w', 'edit_note', { path: 'A.md', oldText: 'alpha', newText: 'beta' }),
    finish('tool-calls'),
  ];
  const { chat } = await writingChat(
    { files: { 'A.md': 'alpha\n' }, permission: 'review' },
    [call('r', 'read_note', { path: 'A.md' }), finish('tool-calls')],
    writes,
    [say('Proposed.'), finish()],
    [say('Again.'), finish()],
  );
  await ask(chat, 'Change it.');
  const message = idOf(chat, 'Change it.');
  expect(chat.changes?.pendingReview).not.toBeNull();
  for (const refused of [await chat.answerAgain(message), await chat.send('Other.', [], message)]) {
    expect(refused).toMatchObject({ ok: false, failure: { words: words.branches.reviewWaits } });
  }
  await chat.changes?.rejectAll('');
  expect((await chat.answerAgain(message)).ok).toBe(true);
  await until(chat, rested);
  // What was decided of the changes of the other answer is still in view, and its branch alone is sent it.
  expect(chat.current.items.map(({ type }) => type)).toEqual(expect.arrayContaining(['review', 'answer']));
  await closeTestApps();
});

describe('the list of chats', () => {
  it('finds what another branch says, and not what was deleted', async () => {
    const bench = scriptedBench(...answers('copper', 'bronze', 'steel', 'pewter'));
    const chat = await bench.open();
    await ask(chat, 'first', 'second');
    const second = idOf(chat, 'second');
    await edit(chat, 'first', 'other');
    const index = indexOf(bench);
    await index.refresh();
    const find = async (word: string) =>
      (await index.search(word, new AbortController().signal)).map(({ place }) => place);
    expect(await find('bronze')).toEqual([{ message: second, isAnswer: true, entry: expect.any(String) as string }]);
    await chat.showEntry(second);
    expect(questions(chat)).toEqual(['first', 'second']);
    expect((await chat.answerAgain(second)).ok).toBe(true);
    await until(chat, rested);
    await index.refresh();
    expect((await find('pewter')).length).toBe(1);
    // With a message go all versions of its answer.
    await chat.deleteMessage(second, true);
    await chat.deleteMessage(chat.current.items[1]?.id ?? '', true);
    await index.refresh();
    expect([await find('bronze'), await find('pewter'), await find('copper')]).toEqual([[], [], []]);
    expect((await find('steel')).length).toBe(1);
  });

  it('leads to the version of an answer in which the words are', async () => {
    const bench = scriptedBench(...answers('copper', 'bronze'));
    const chat = await bench.open();
    await ask(chat, 'first');
    expect((await chat.answerAgain(idOf(chat, 'first'))).ok).toBe(true);
    await until(chat, rested);
    const index = indexOf(bench);
    await index.refresh();
    const acts = new MessageActs({} as ConstructorParameters<typeof MessageActs>[0], () => chat);
    for (const word of ['copper', 'bronze', 'bronze']) {
      const [hit] = await index.search(word, new AbortController().signal);
      await acts.find(hit!.place!);
      expect(shown(chat.current)).toEqual(['user: first', `answer (complete): ${word}`]);
    }
    // Nothing is stored where the version is in view.
    expect(bench.store.linesOf('c1').filter((line) => line.includes('branch-chosen'))).toHaveLength(2);
  });

  it('has forks below the chat that they come from, even if damaged logs come from one another', () => {
    const of = (id: string, forkOf = ''): ChatSummary => ({ id, forkOf }) as ChatSummary;
    const ids = (...chats: ChatSummary[]): string =>
      forksBelow(chats)
        .map(({ id }) => id)
        .join('');
    expect(ids(of('c', 'a'), of('b'), of('a'), of('d', 'c'), of('e', 'a'))).toBe('bacde');
    expect(ids(of('x', 'y'), of('b', 'vanished'), of('y', 'x'))).toBe('bxy');
  });
});
