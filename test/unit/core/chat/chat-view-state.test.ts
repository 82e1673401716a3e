/** What a chat shows of its requests and of the progress of its calls. */
import {
  addReport,
  addRequest,
  CallProgress,
  type SentRequest,
  SentRequests,
} from '../../../../src/core/chat/chat-view-state';
import type { Usage } from '../../../../src/core/ports/message';
import type { ModelEvent } from '../../../../src/core/ports/model';
import { type RequestPlan, withoutChat } from '../../../../src/core/ports/request-plan';
import { words } from '../../../../src/text';
import { scriptedModel } from '../../../support/scripted-model';
import { never } from '../../../support/turn-world';

const planOf = (conversationId: string): RequestPlan => ({ conversationId }) as RequestPlan;
const usage: Usage = { inputTokens: 10, outputTokens: 5 };

describe('the requests of a chat', () => {
  it('are the newest forty, and the newest one gets what the provider reports', () => {
    const plans = Array.from({ length: 41 }, (_, at) => planOf(String(at)));
    const requests = plans.reduce<readonly SentRequest[]>(addRequest, []);
    expect(requests.map(({ plan }) => plan)).toEqual(plans.slice(1));
    const reported = addReport(requests, usage);
    expect(reported.slice(0, -1)).toEqual(requests.slice(0, -1));
    expect(reported.at(-1)).toEqual({ plan: plans.at(-1), usage });
  });

  it('stay as they are where nothing is reported, or nothing was sent', () => {
    const requests = addRequest([], planOf('c1'));
    expect([addReport(requests, undefined), addReport([], usage)]).toEqual([[{ plan: planOf('c1'), usage: null }], []]);
  });
});

describe('the progress of calls', () => {
  const sayOf = (done: string, total: string | null = null, said = ''): string =>
    words.servers.progress(done, total, said);

  /** Progress with a pause that ends when the test says so. */
  function open() {
    const shown: Record<string, string>[] = [];
    const pauses: { readonly milliseconds: number; readonly end: () => void }[] = [];
    const progress = new CallProgress(
      (said) => void shown.push(Object.fromEntries(said)),
      (milliseconds, end) => {
        pauses.push({ milliseconds, end });
        return () => undefined;
      },
    );
    return { progress, shown, endPause: () => pauses.shift()?.end(), pauses };
  }

  it('is shown at once, and then the newest of each call after a pause', () => {
    const { progress, shown, pauses, endPause } = open();
    progress.hear('a', { progress: 1 });
    expect(shown).toEqual([{ a: sayOf('1') }]);
    progress.hear('a', { progress: 2 });
    progress.hear('b', { progress: 1, total: 4 });
    progress.hear('a', { progress: 3 });
    expect([shown.length, pauses.map(({ milliseconds }) => milliseconds)]).toEqual([1, [100]]);
    endPause();
    expect(shown.slice(1)).toEqual([{ a: sayOf('3'), b: sayOf('1', '4') }]);
    endPause();
    expect([shown.length, pauses.length]).toEqual([2, 0]);
    progress.hear('b', { progress: 2, total: 4 });
    expect(shown.slice(2)).toEqual([{ a: sayOf('3'), b: sayOf('2', '4') }]);
  });

  it('is not shown again while a server repeats itself', () => {
    const { progress, shown, endPause } = open();
    progress.hear('a', { progress: 1 });
    progress.hear('a', { progress: 1 });
    endPause();
    progress.hear('a', { progress: 1.001 });
    expect(shown).toHaveLength(1);
  });

  it('is forgotten when the next answer begins, with what was to be shown', () => {
    const { progress, shown, endPause } = open();
    progress.clear();
    expect(shown).toEqual([]);
    progress.hear('a', { progress: 1 });
    progress.hear('a', { progress: 2 });
    progress.clear();
    endPause();
    expect(shown).toEqual([{ a: sayOf('1') }, {}]);
    progress.hear('b', { progress: 1 });
    expect(shown.at(-1)).toEqual({ b: sayOf('1') });
  });

  it('is shown each time where nothing can wait', () => {
    const shown: string[] = [];
    const progress = new CallProgress((said) => void shown.push([...said.values()].join()), undefined);
    for (const done of [1, 2, 3]) progress.hear('a', { progress: done });
    expect(shown).toEqual([sayOf('1'), sayOf('2'), sayOf('3')]);
  });

  it('is one short line of rounded numbers, with nothing invisible', () => {
    const shown: string[] = [];
    const progress = new CallProgress((said) => void shown.push([...said.values()].join()), undefined);
    progress.hear('a', { progress: 1 / 3, total: 2 / 3, message: 'One\n two\u200b' });
    progress.hear('a', { progress: 1, message: 'x'.repeat(121) });
    expect(shown).toEqual([sayOf('0.33', '0.67', 'One two[U+200B]'), sayOf('1', null, 'x'.repeat(120))]);
  });
});

describe('the requests since the start', () => {
  const end: ModelEvent = { type: 'finish', reason: 'complete', usage };
  const silent: ModelEvent = { type: 'finish', reason: 'complete' };

  async function send(sent: SentRequests, conversation: string, last: ModelEvent = end): Promise<ModelEvent[]> {
    const events: ModelEvent[] = [];
    const model = sent.watch(scriptedModel([[{ type: 'text-delta', text: 'Yes.' }, last]]));
    for await (const event of model.stream(planOf(conversation), never)) events.push(event);
    return events;
  }

  it('are those of a chat with its subagents, and those outside all chats', async () => {
    const sent = new SentRequests();
    for (const id of ['c1', 'c1/look', 'c10', 'c2', withoutChat]) await send(sent, id);
    const of = (chat: string | null): string[] => sent.of(chat).map(({ plan }) => plan.conversationId);
    expect(of('c1')).toEqual(['c1', 'c1/look', withoutChat]);
    expect(of('c2')).toEqual(['c2', withoutChat]);
    expect([of(null), of('c3')]).toEqual([[withoutChat], [withoutChat]]);
  });

  it('have what was reported of each, and leave the answer as it is', async () => {
    const sent = new SentRequests();
    const events = await send(sent, 'c1');
    expect(events).toEqual([{ type: 'text-delta', text: 'Yes.' }, end]);
    await send(sent, 'c1', silent);
    expect(sent.of('c1').map((each) => each.usage)).toEqual([usage, null]);
    const script = scriptedModel([], { label: 'Other' });
    expect(sent.watch(script).description).toBe(script.description);
  });

  it('are the newest sixty', async () => {
    const sent = new SentRequests();
    for (let at = 0; at < 61; at += 1) await send(sent, `c1/${at}`);
    const ids = sent.of('c1').map(({ plan }) => plan.conversationId);
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([60, 'c1/1', 'c1/60']);
  });

  it('are said to whoever listens, when one is sent and when one is reported', async () => {
    const sent = new SentRequests();
    const heard: (Usage | null | undefined)[] = [];
    const release = sent.subscribe(() => void heard.push(sent.of('c1').at(-1)?.usage));
    await send(sent, 'c1');
    expect(heard).toEqual([null, usage]);
    release();
    await send(sent, 'c1');
    expect(heard).toHaveLength(2);
  });
});
