/** What is done with single messages of a chat, also when another chat or box is open by the time that it is done. */
import { signal } from '@preact/signals';
import type { Chat } from '../../../../src/core/chat/chat';
import { type Failure, fail, type Outcome, succeed } from '../../../../src/core/ports/failure';
import type { Mention } from '../../../../src/core/session/entry';
import { MessageActs } from '../../../../src/ui/state/message-acts';

const refused: Failure = { kind: 'refused', words: 'No room.', remedy: '' };

/** A chat that records what is asked of it. */
function fakeChat(id: string, more: object = {}) {
  const done: string[] = [];
  const state = { outcome: succeed(undefined) as Outcome<unknown> };
  const note = (what: string): Promise<Outcome<unknown>> => {
    done.push(what);
    return Promise.resolve(state.outcome);
  };
  const chat = {
    ...{ id, isIdle: true },
    current: { items: [{ type: 'user', id: `${id}1`, text: 'Which?', mentions: [] }], versions: new Map(), ...more },
    send: (text: string, mentions: readonly Mention[], instead?: string) =>
      note(`send ${text} for ${instead} with ${mentions.map(({ label }) => label).join(', ') || 'nothing'}`),
    answerAgain: (message: string) => note(`answer ${message}`),
    deleteMessage: (message: string, isDeleted: boolean) => note(`delete ${message} ${isDeleted}`),
    showVersion: (message: string, part: string, number: number) => note(`show ${part} ${number} of ${message}`),
    showEntry: (message: string) => note(`find ${message}`),
  };
  return { chat: chat as unknown as Chat, done, state };
}

function open(first: Chat | null, ports: object = {}) {
  const shown = { chat: first, chooses: true };
  const said: (Failure | null)[] = [];
  const opened: string[] = [];
  let again = (): void => {};
  const host = {
    ports: { chats: ports },
    showOutcome: (outcome: Outcome<unknown>, retry: () => void): boolean => {
      said.push(outcome.ok ? null : outcome.failure);
      again = retry;
      return outcome.ok;
    },
    place: signal<unknown>(null),
    open: (id: string) => Promise.resolve(void opened.push(id)),
    choose: (choices: object) => {
      opened.push(JSON.stringify(choices));
      return Promise.resolve(shown.chooses);
    },
  };
  const acts = new MessageActs(host as unknown as ConstructorParameters<typeof MessageActs>[0], () => shown.chat);
  return { acts, shown, said, opened, place: host.place, again: () => again() };
}
const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
const note: Mention = { kind: 'note', id: 'Oak.md', label: 'Oak' };

it('sends an edited message in place of the one it was, with the notes that it still names', async () => {
  const { chat, done } = fakeChat('a');
  const { acts, said } = open(chat);
  acts.startEdit('a1');
  await acts.edit('a1', '  See [[Oak]].  ', [note, { ...note, id: 'Elm.md', label: 'Elm' }]);
  expect(done).toEqual(['send See [[Oak]]. for a1 with Oak']);
  expect([acts.editing.value, said]).toEqual([null, [null]]);
});

it('keeps the box open when the message could not be stored, and sends it again', async () => {
  const { chat, done, state } = fakeChat('a');
  const { acts, said, again } = open(chat);
  state.outcome = fail(refused);
  acts.startEdit('a1');
  acts.edits.set('a1', signal({ text: 'Oak?', mentions: [] }));
  await acts.edit('a1', 'Oak?', []);
  expect([acts.editing.value, acts.edits.has('a1'), said]).toEqual(['a1', true, [refused]]);
  state.outcome = succeed(undefined);
  again();
  await settle();
  expect([acts.editing.value, acts.edits.has('a1')]).toEqual([null, false]);
  expect(done).toEqual(Array(2).fill('send Oak? for a1 with nothing'));
});

it('has what is in the boxes of messages follow a note that is moved', () => {
  const { acts } = open(null);
  const [oak, elm] = [signal({ text: 'See [[Oak]].', mentions: [note] }), signal({ text: 'Elm?', mentions: [] })];
  acts.edits.set('a1', oak).set('a2', elm);
  const before = elm.value;
  acts.follow('Oak.md', 'Trees/Holm oak.md', (path) => path.replace(/^.*\/|\.md$/g, ''));
  const moved = { kind: 'note', id: 'Trees/Holm oak.md', label: 'Holm oak' };
  expect(oak.value).toEqual({ text: 'See [[Holm oak]].', mentions: [moved] });
  expect(elm.value).toBe(before);
});

it('sends an edited message to its own chat although another one was opened meanwhile', async () => {
  const [one, other] = [fakeChat('a'), fakeChat('b')];
  let look = (): void => {};
  const { acts, shown } = open(one.chat, { look: () => new Promise<void>((resolve) => (look = resolve)) });
  acts.startEdit('a1');
  const edited = acts.edit('a1', 'Oak?', []);
  shown.chat = other.chat;
  acts.startEdit('b1');
  look();
  await edited;
  expect([one.done, other.done]).toEqual([['send Oak? for a1 with nothing'], []]);
  expect(acts.editing.value).toBe('b1');
});

it('sends an edited message to its chat as it is with what another device has added', async () => {
  const [before, after] = [fakeChat('a'), fakeChat('a')];
  const { acts, shown } = open(before.chat, {
    look: (chats: readonly string[]) => {
      looked.push(...chats);
      return Promise.resolve(void (shown.chat = after.chat));
    },
  });
  const looked: string[] = [];
  await acts.edit('a1', 'Oak?', []);
  expect(looked).toEqual(['a']);
  expect([before.done, after.done]).toEqual([[], ['send Oak? for a1 with nothing']]);
});

it('tries an edit again in the chat in which it failed', async () => {
  const [one, other] = [fakeChat('a'), fakeChat('b')];
  const { acts, shown, again } = open(one.chat);
  one.state.outcome = fail(refused);
  await acts.edit('a1', 'Oak?', []);
  await acts.delete('a1', true);
  shown.chat = other.chat;
  again();
  await settle();
  expect([one.done.slice(1), other.done]).toEqual([['delete a1 true', 'delete a1 true'], []]);
});

it('answers again in the chat in which it was asked, whichever is open once the model is chosen', async () => {
  const [one, other] = [fakeChat('a'), fakeChat('b')];
  const { acts, shown } = open(one.chat);
  const answered = acts.answerAgain('a1', 'm/other');
  shown.chat = other.chat;
  await answered;
  expect([one.done, other.done]).toEqual([['answer a1'], []]);
});

it('answers again by another model only once that is chosen', async () => {
  const { chat, done } = fakeChat('a');
  const { acts, shown, opened } = open(chat);
  shown.chooses = false;
  await acts.answerAgain('a1', 'm/other');
  expect([done, opened]).toEqual([[], ['{"model":"m/other"}']]);
  shown.chooses = true;
  await acts.answerAgain('a1', 'm/other');
  await acts.answerAgain('a1');
  expect([done, opened.length]).toEqual([['answer a1', 'answer a1'], 2]);
});

it('goes from the last version to the first, and back', async () => {
  const versions = new Map([['a1', { question: { number: 3, of: 3 }, answer: { number: 1, of: 2 } }]]);
  const { chat, done } = fakeChat('a', { versions });
  const { acts, place } = open(chat);
  await acts.showVersion('a1', 'question', 1);
  await acts.showVersion('a1', 'answer', -1);
  expect(done).toEqual(['show question 1 of a1', 'show answer 2 of a1']);
  expect(place.value).toEqual({ message: 'a1', isAnswer: false });
  await acts.showVersion('b1', 'question', 1);
  await acts.showVersionOfLast(1);
  expect(done.slice(2)).toEqual(['show answer 2 of a1']);
});

it('shows another version of the last message that has several, whichever part of it has them', async () => {
  const versions = new Map([['a1', { question: { number: 1, of: 2 } }]]);
  const { chat, done } = fakeChat('a', { versions });
  const { acts } = open(chat);
  await acts.showVersionOfLast(1);
  expect(done).toEqual(['show question 2 of a1']);
});

it('knows no image without a chat', () => {
  const { chat } = fakeChat('a');
  Object.assign(chat, { hasImage: (digest: string) => digest === 'd' });
  expect([open(null).acts.hasImage('d'), open(chat).acts.hasImage('d'), open(chat).acts.hasImage('e')]).toEqual([
    ...[false, true, false],
  ]);
});

it('opens what was forked, and says why it was not', async () => {
  const { chat } = fakeChat('a');
  const forks = jest.fn(() => Promise.resolve<Outcome<string>>(fail(refused)));
  const { acts, opened, said } = open(chat, { fork: forks });
  await acts.fork('a1');
  forks.mockResolvedValue(succeed('c'));
  await acts.fork('a1');
  expect([opened, said, forks.mock.calls]).toEqual([['c'], [refused, null], Array(2).fill(['a', 'a1'])]);
});

it('opens no fork over a chat that was opened while it was written', async () => {
  let end = (_forked: Outcome<string>): void => {};
  const { acts, shown, opened } = open(fakeChat('a').chat, { fork: () => new Promise((resolve) => (end = resolve)) });
  const forked = acts.fork('a1');
  shown.chat = fakeChat('b').chat;
  end(succeed('c'));
  await forked;
  expect(opened).toEqual([]);
});

it('changes nothing without a chat, or in one that can only be read', async () => {
  const { acts, said } = open(null);
  await acts.edit('a1', 'Oak?', []);
  expect([await acts.delete('a1', true), acts.canChange, acts.lastMessage, said]).toEqual([false, false, null, []]);
  const { chat } = fakeChat('a', { isReadOnly: true });
  const readOnly = open(chat).acts;
  expect([readOnly.canChange, readOnly.lastMessage?.id]).toEqual([false, 'a1']);
});

it('looks for a message in other branches only if it is not in view', async () => {
  const { chat, done } = fakeChat('a');
  const { acts } = open(chat);
  await acts.find({ message: 'a1', isAnswer: false });
  await acts.find({ message: 'a2', isAnswer: false });
  expect(done).toEqual(['find a2']);
});
