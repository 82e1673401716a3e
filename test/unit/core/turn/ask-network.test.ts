/** What is asked before a call leaves for the network, what is sent then, and what is said where nobody can be asked. */
import * as z from 'zod/v4';
import { succeed } from '../../../../src/core/ports/failure';
import type { ApprovalRequest } from '../../../../src/core/ports/network';
import { permissionModes } from '../../../../src/core/settings/mode';
import { type TurnToolContext, tool } from '../../../../src/core/tools/tool';
import {
  type AskPlace,
  answerMilliseconds,
  approvalFor,
  ApprovalRequests,
} from '../../../../src/core/turn/approve-calls';
import { runToolCall } from '../../../../src/core/turn/run-tool-calls';
import { words } from '../../../../src/text';
import { entry, user } from '../../../support/entries';
import { fakeVault } from '../../../support/fake-vault';
import { goalBench } from '../../../support/goals';
import { fakeClock } from '../../../support/memory-ports';
import { noSubagents } from '../../../support/subagents';

const never = new AbortController().signal;
const secret = 'The door code is 4711, says Rui.';
const result = {
  kind: 'tool-result',
  callId: 'r',
  name: 'read_note',
  text: secret,
  isError: false,
  sources: [],
} as const;
const call = {
  title: 'Ask a: look',
  server: 'a',
  url: 'https://a.example',
  argumentsText: JSON.stringify({ q: secret }),
};

function asking(changes: Partial<AskPlace> = {}, isAllowed = true) {
  const asked: Omit<ApprovalRequest, 'id'>[] = [];
  const ask = approvalFor({
    questions: {
      ask: (question) => {
        asked.push(question);
        return Promise.resolve(isAllowed);
      },
    },
    permission: () => 'review',
    taint: () => null,
    canAsk: () => true,
    entries: () => [user('Go.'), result].map((body) => entry(body)),
    ...changes,
  });
  return { asked, ask };
}

describe('the asker', () => {
  it.each([...permissionModes])(
    '6.1 asks in the mode %s, tainted or not, with the passages that the call carries',
    async (mode) => {
      for (const taint of ['Page.md', null]) {
        const { asked, ask } = asking({ permission: () => mode, taint: () => taint });
        expect(await ask(call, never)).toBeNull();
        expect(asked).toEqual([{ ...call, taint, passages: ['the door code is 4711, says rui.'] }]);
      }
    },
  );

  it.each([
    ['an unknown mode', { permission: () => 'all' }],
    ['nobody there', { canAsk: () => false }],
  ])('6.1 refuses without asking with %s', async (_what, changes) => {
    const { asked, ask } = asking(changes);
    expect(await ask(call, never)).toMatchObject({
      kind: 'refused',
      words: expect.stringContaining('no user is present'),
    });
    expect(asked).toEqual([]);
  });

  it('6.9 says what a call would take out and whose text is in view, where nobody can be asked about it', async () => {
    const { ask } = asking({ canAsk: () => false, taint: () => 'Clippings/Page.md' });
    const refused = await ask(call, never);
    expect(refused?.words).toContain('Clippings/Page.md');
    expect(refused?.words).toContain('the door code is 4711');
  });

  it('tells the model not to repeat what the user has refused', async () => {
    const { ask } = asking({}, false);
    expect(await ask(call, never)).toMatchObject({
      kind: 'refused',
      remedy: expect.stringContaining('Do not retry'),
    });
  });
});

describe('a call to the network', () => {
  const sent: unknown[] = [];
  const post = tool({
    name: 'post',
    agent: 'search',
    description: 'Posts.',
    parameters: () => z.object({ q: z.string() }),
    effect: 'network',
    title: (args) => {
      void Promise.resolve().then(() => Object.assign(args, { q: 'another' }));
      return 'Post';
    },
    run: (args) => {
      sent.push(args);
      return Promise.resolve(succeed({ text: 'Posted.', sources: [] }));
    },
  });
  const part = { type: 'tool-call', id: 'p', name: 'post', argumentsText: '{"q":"boats"}' } as const;
  const bare: TurnToolContext = { skillFolders: [], goals: goalBench().goals, subagents: noSubagents };
  const runIn = (place: TurnToolContext, signal = never) => runToolCall(part, [post], fakeVault({}), signal, place);
  beforeEach(() => sent.splice(0));

  it('6.1 is refused where there is no one to ask', async () => {
    expect(await runIn(bare)).toMatchObject({ isError: true, text: expect.stringContaining('no user is present') });
    expect(sent).toEqual([]);
  });

  it('H7 sends what was shown, whatever happens to the arguments meanwhile', async () => {
    let shown = '';
    const askNetwork: TurnToolContext['askNetwork'] = async ({ argumentsText }) => {
      shown = argumentsText;
      await new Promise((resolve) => setTimeout(resolve, 2));
      return null;
    };
    expect((await runIn({ ...bare, askNetwork })).isError).toBe(false);
    expect([sent, JSON.parse(shown)]).toEqual([[{ q: 'boats' }], { q: 'boats' }]);
  });

  it.each([
    ['{"q":"boats","id":1234567890123456789}', '1234567890123456789'],
    ['{"q":"a \\"b","ids":[[-9007199254740993]]}', '-9007199254740993'],
  ])('is not made with a number that would be rounded, as in %s', async (argumentsText, number) => {
    const { inexactNumber, inexactNumberRemedy } = words.failures;
    const askNetwork = jest.fn();
    const place = { ...bare, askNetwork };
    const result = await runToolCall({ ...part, argumentsText }, [post], fakeVault({}), never, place);
    expect(result).toMatchObject({ isError: true, text: `${inexactNumber(number)} ${inexactNumberRemedy}` });
    expect(askNetwork).not.toHaveBeenCalled();
    expect(sent).toEqual([]);
  });

  it('is made with long numbers in texts, and with those that are not whole', async () => {
    const argumentsText =
      '{"q":"1234567890123456789 \\" 1234567890123456789","at":59.33258012345678901,"n":[9007199254740991,1e30]}';
    const place = { ...bare, askNetwork: () => Promise.resolve(null) };
    expect(await runToolCall({ ...part, argumentsText }, [post], fakeVault({}), never, place)).toMatchObject({
      isError: false,
    });
  });

  it('F30 is not made when the turn is stopped between the word of the user and the call', async () => {
    const abort = new AbortController();
    const askNetwork = () => {
      abort.abort();
      return Promise.resolve(null);
    };
    expect((await runIn({ ...bare, askNetwork }, abort.signal)).isError).toBe(true);
    expect(sent).toEqual([]);
  });

  it('is refused when asking breaks', async () => {
    const askNetwork = () => Promise.reject(new Error('boom'));
    expect(await runIn({ ...bare, askNetwork })).toMatchObject({ isError: true });
    expect(sent).toEqual([]);
  });
});

describe('open questions', () => {
  const asked = { ...call, passages: [], taint: null };

  it('are shown in order, each with a name of its own, and gone once answered', async () => {
    const shown: string[][] = [];
    const questions = new ApprovalRequests({
      clock: fakeClock(),
      show: (open) => void shown.push(open.map(({ id }) => id)),
    });
    const answers = [questions.ask(asked, never), questions.ask(asked, never)];
    questions.answer('question-2', true);
    questions.answer('question-2', false);
    questions.answer('no-such', true);
    questions.answer('question-1', false);
    expect(await Promise.all(answers)).toEqual([false, true]);
    expect(shown).toEqual([['question-1'], ['question-1', 'question-2'], ['question-1'], []]);
  });

  it('6.2 take no yes after ten minutes, and none when the clock was set back', async () => {
    for (const [elapsed, isAllowed] of [
      [answerMilliseconds, true],
      [answerMilliseconds + 1, false],
      [-1, false],
    ] as const) {
      const clock = fakeClock();
      const questions = new ApprovalRequests({ clock, show: () => undefined });
      const answer = questions.ask(asked, never);
      clock.advance(elapsed);
      questions.answer('question-1', true);
      expect([elapsed, await answer]).toEqual([elapsed, isAllowed]);
    }
  });

  it('F30 are refused by a stop, and gone with it', async () => {
    const shown: number[] = [];
    const questions = new ApprovalRequests({ clock: fakeClock(), show: (open) => void shown.push(open.length) });
    const abort = new AbortController();
    const answers = [questions.ask(asked, abort.signal), questions.ask(asked, never)];
    abort.abort();
    expect(await answers[0]).toBe(false);
    expect(shown).toEqual([1, 2, 1]);
    questions.answer('question-2', true);
    expect(await answers[1]).toBe(true);
  });

  it('are allowed for the rest of the chat by one yes, with those of the same tool that wait', async () => {
    const shown: string[][] = [];
    const questions = new ApprovalRequests({
      clock: fakeClock(),
      show: (open) => void shown.push(open.map(({ id }) => id)),
    });
    const answers = ['look', 'look', 'other', undefined].map((key) => questions.ask(asked, never, key));
    questions.answer('question-1', true, { forChat: true });
    expect([questions.isGranted('look'), questions.isGranted('other')]).toEqual([true, false]);
    expect(await Promise.all(answers.slice(0, 2))).toEqual([true, true]);
    expect(shown.at(-1)).toEqual(['question-3', 'question-4']);
    questions.answer('question-3', false, { forChat: true });
    questions.answer('question-4', true, { forChat: true });
    expect(await Promise.all(answers)).toEqual([true, true, false, true]);
    expect([questions.isGranted('other'), shown.at(-1)]).toEqual([false, []]);
  });

  it('6.2 are allowed once, unless the user says so of the rest of the chat in time', async () => {
    const clock = fakeClock();
    const questions = new ApprovalRequests({ clock, show: () => undefined });
    const once = questions.ask(asked, never, 'look');
    questions.answer('question-1', true);
    const late = questions.ask(asked, never, 'look');
    clock.advance(answerMilliseconds + 1);
    questions.answer('question-2', true, { forChat: true });
    expect([await once, await late, questions.isGranted('look')]).toEqual([true, false, false]);
  });

  it('of a server are answered with what the user wrote, with a no, or with no decision', async () => {
    const questions = new ApprovalRequests({ clock: fakeClock(), show: () => undefined });
    const abort = new AbortController();
    const answers = [never, never, never, abort.signal].map((signal) => questions.reply(asked, signal));
    questions.answer('question-1', true, { content: { name: 'Rui' } });
    questions.answer('question-2', true);
    questions.answer('question-3', false);
    abort.abort();
    expect(await Promise.all(answers)).toEqual([
      { action: 'accept', content: { name: 'Rui' } },
      { action: 'accept' },
      { action: 'decline' },
      { action: 'cancel' },
    ]);
    expect(await questions.reply(asked, AbortSignal.abort())).toEqual({ action: 'cancel' });
  });

  it('6.2 end by themselves after ten minutes, and wait no more once they are answered', async () => {
    const waits: { readonly milliseconds: number; readonly end: () => void }[] = [];
    const after = (milliseconds: number, end: () => void) => {
      const wait = { milliseconds, end };
      waits.push(wait);
      return () => void waits.splice(waits.indexOf(wait), 1);
    };
    const abort = new AbortController();
    const listened = jest.spyOn(abort.signal, 'removeEventListener');
    const shown: number[] = [];
    const questions = new ApprovalRequests({ clock: fakeClock(), after, show: (open) => void shown.push(open.length) });
    const answers = [questions.ask(asked, abort.signal), questions.ask(asked, never)];
    expect(waits.map(({ milliseconds }) => milliseconds)).toEqual(Array(2).fill(answerMilliseconds));
    questions.answer('question-1', true);
    expect([waits.length, listened.mock.calls.length]).toEqual([1, 1]);
    waits[0]?.end();
    expect([await Promise.all(answers), waits, shown.at(-1)]).toEqual([[true, false], [], 0]);
  });

  it('are all refused at the end, and none is asked after a stop', async () => {
    const questions = new ApprovalRequests({ clock: fakeClock(), show: () => undefined });
    const answers = [questions.ask(asked, never), questions.ask(asked, never)];
    questions.close();
    expect(await Promise.all(answers)).toEqual([false, false]);
    expect(await questions.ask(asked, AbortSignal.abort())).toBe(false);
  });
});
