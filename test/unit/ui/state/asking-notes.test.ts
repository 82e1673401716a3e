/** What prompts and workspaces set in a chat, and what the user is asked before. */
import type { Chat } from '../../../../src/core/chat/chat';
import type { AskingNote } from '../../../../src/core/context/chat-choices';
import type { Mention } from '../../../../src/core/session/entry';
import { words } from '../../../../src/text';
import { AskingNotes } from '../../../../src/ui/state/asking-notes';
import type { ChatViewPorts, EmptyPrompt } from '../../../../src/ui/state/ports';
import { fakeVault } from '../../../support/fake-vault';

const say = words.prompts.asked;
const { permissions, permissionGuidance: guidance } = words.asking;
type Fields = Partial<AskingNote['fields']>;

interface Question {
  readonly title: string;
  readonly text: string;
  readonly action: string;
  readonly isHarmless?: boolean;
}

/** A chat that asks in review mode, and notes that ask for something. */
function open(notes: Readonly<Record<string, Fields>> = {}) {
  const done: string[] = [];
  const questions: Question[] = [];
  const state = {
    answer: Promise.resolve(true),
    empty: [] as readonly EmptyPrompt[],
    selected: 'P.md' as string | null,
  };
  const chatOf = (name: string): Chat =>
    ({
      id: 'c',
      get choices() {
        return {
          ...{ mode: 'assistant', model: 'p/one', permission: 'review', contextNotes: [] },
          selectedPrompt: state.selected,
        };
      },
      choose: (choices: object) => Promise.resolve(void done.push(`${name}: ${JSON.stringify(choices)}`)),
    }) as unknown as Chat;
  const asked: (string | null)[] = [];
  const ports = {
    vault: fakeVault({ 'Keel.md': '' }),
    askingNote: (path: string) => {
      const fields = notes[path];
      return fields === undefined ? null : { path, name: path.replace('.md', ''), fields: { pinned: [], ...fields } };
    },
    report: (said: string) => void done.push(said),
    prompts: {
      modelChoices: () => ({ 'p/one': 'One', 'p/two': 'Two' }),
      confirm: (question: Question) => {
        questions.push(question);
        return state.answer;
      },
      findEmpty: (_mentions: readonly Mention[], selected: string | null) => {
        asked.push(selected);
        return Promise.resolve(state.empty);
      },
    },
  } as unknown as ChatViewPorts;
  const shown: { chat: Chat | null } = { chat: null };
  const notesOf = new AskingNotes(ports, () => shown.chat);
  return { notes: notesOf, chat: chatOf('chat'), chatOf, shown, done, questions, state, asked };
}

describe('a note that sets something', () => {
  it('has it stored in the chat, and says what it set', async () => {
    const { notes, chat, done, questions } = open({ 'A.md': { mode: 'planning', model: 'Two', permission: 'plan' } });
    await notes.follow(['A.md', null, undefined, 'None.md'], chat);
    const changes = [say.mode(words.settings.modes.planning), say.model('Two'), say.permission(permissions.plan)];
    expect(done).toEqual(['chat: {"mode":"planning","model":"p/two","permission":"plan"}', say.done('A', changes)]);
    expect(questions).toEqual([]);
  });

  it('stores nothing where nothing differs, and says what it could not set', async () => {
    const { notes, chat, done } = open({
      'Same.md': { mode: 'assistant', model: 'p/one', permission: 'review' },
      'Lost.md': { model: 'three', pinned: ['[[Nowhere]]', '[[Keel]]'] },
    });
    await notes.follow(['Same.md'], chat);
    expect(done.splice(0)).toEqual(['']);
    await notes.follow(['Lost.md'], chat);
    const problems = [say.modelMissing('Lost', 'three'), say.noteMissing('Lost', 'Nowhere')];
    expect(done).toEqual([
      'chat: {"contextNotes":["Keel.md"]}',
      [say.done('Lost', [say.pinned(1)]), ...problems].join(' '),
    ]);
  });

  it('sets a looser permission only after a yes', async () => {
    const { notes, chat, done, questions, state } = open({ 'A.md': { permission: 'auto-edit' } });
    let answer = (_isAllowed: boolean): void => undefined;
    state.answer = new Promise((resolve) => (answer = resolve));
    const following = notes.follow(['A.md'], chat);
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(notes.isConfirming).toBe(true);
    answer(false);
    await following;
    expect([notes.isConfirming, done]).toEqual([false, ['']]);
    const [now, looser] = [permissions.review, permissions['auto-edit']];
    expect(questions).toEqual([
      {
        ...{ title: say.looser(looser), action: say.allow(looser) },
        text: say.looserText('A', now, looser, guidance['auto-edit']),
      },
    ]);
    state.answer = Promise.resolve(true);
    await notes.follow(['A.md'], chat);
    expect(done.slice(1)).toEqual(['', 'chat: {"permission":"auto-edit"}']);
  });

  it('is stored in the chat as it was read last, and in no other', async () => {
    const { notes, chat, chatOf, shown, done } = open({ 'A.md': { mode: 'planning' } });
    shown.chat = chatOf('read again');
    await notes.follow(['A.md'], chat);
    shown.chat = { ...chatOf('another'), id: 'd' } as Chat;
    await notes.follow(['A.md'], chat);
    expect(done.filter((each) => each.includes('{'))).toEqual([
      'read again: {"mode":"planning"}',
      'chat: {"mode":"planning"}',
    ]);
  });

  it('is followed where a message mentions it as a prompt', async () => {
    const { notes, chat, done } = open({ 'A.md': { mode: 'planning' }, 'B.md': { mode: 'debugger' } });
    const mention = (kind: 'prompt' | 'note', id: string): Mention => ({ kind, id, label: id });
    await notes.followPrompts([mention('note', 'A.md'), mention('prompt', 'B.md')], chat);
    expect(done[0]).toBe('chat: {"mode":"debugger"}');
    expect(done).toHaveLength(2);
  });
});

describe('a prompt with nothing to work on', () => {
  const selection: EmptyPrompt = { id: 'P.md', reasons: 'No selection.' };
  const mentioned: Mention = { kind: 'prompt', id: 'Q.md', label: 'Q' };

  it('is sent unasked if there is none, or if it has all that it needs', async () => {
    const { notes, chat, state, asked, questions } = open();
    state.selected = null;
    expect(await notes.confirmEmptyPrompts(chat, [])).toBe(true);
    expect(asked).toEqual([]);
    state.selected = 'P.md';
    expect(await notes.confirmEmptyPrompts(chat, [])).toBe(true);
    expect([asked, questions]).toEqual([['P.md'], []]);
  });

  it('is sent after a yes, which the prompt of a chat needs once', async () => {
    const { notes, chat, state, asked, questions } = open();
    state.empty = [selection, { id: 'Q.md', reasons: 'No note.' }];
    state.answer = Promise.resolve(false);
    expect(await notes.confirmEmptyPrompts(chat, [mentioned])).toBe(false);
    expect(questions).toEqual([
      {
        ...{ title: words.prompts.sendEmpty, action: words.prompts.sendAnyway, isHarmless: true },
        text: 'No selection. No note.',
      },
    ]);
    state.answer = Promise.resolve(true);
    expect(await notes.confirmEmptyPrompts(chat, [mentioned])).toBe(true);
    expect(await notes.confirmEmptyPrompts(chat, [])).toBe(true);
    expect(asked).toEqual(['P.md', 'P.md', null]);
  });

  it('of a message is asked about each time', async () => {
    const { notes, chat, state, asked } = open();
    state.empty = [{ id: 'Q.md', reasons: 'No note.' }];
    expect(await notes.confirmEmptyPrompts(chat, [mentioned])).toBe(true);
    expect(await notes.confirmEmptyPrompts(chat, [mentioned])).toBe(true);
    expect(asked).toEqual(['P.md', 'P.md']);
  });

  it('is not sent by a second press while the user is being asked', async () => {
    const { notes, chat, state } = open();
    state.empty = [selection];
    let answer = (_isSent: boolean): void => undefined;
    state.answer = new Promise((resolve) => (answer = resolve));
    const first = notes.confirmEmptyPrompts(chat, []);
    expect(await notes.confirmEmptyPrompts(chat, [])).toBe(false);
    await new Promise((resolve) => setTimeout(resolve, 0));
    answer(true);
    expect([await first, notes.isConfirming]).toEqual([true, false]);
  });
});
