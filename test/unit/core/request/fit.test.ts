/** What goes with a message fits its share of the window; what takes the rest of it is named. */
import type { RequestPlan } from '../../../../src/core/ports/request-plan';
import { gatherFacts } from '../../../../src/core/prompt/section';
import { sections } from '../../../../src/core/prompt/sections';
import { foldMessages, interruptedResult } from '../../../../src/core/request/history';
import { exceedsWindow, planRequest } from '../../../../src/core/request/plan-request';
import { explainOverflow } from '../../../../src/core/request/print-plan';
import type { Mention } from '../../../../src/core/session/entry';
import { words } from '../../../../src/text';
import { answer, entry, result, toolCall, user } from '../../../support/entries';
import { type FakeVault, fakeVault } from '../../../support/fake-vault';
import { roughTokenizer } from '../../../support/memory-ports';
import { description } from '../../../support/scripted-model';
import { never, worldOf } from '../../../support/turn-world';

const chosen = sections.filter(({ id }) => ['preamble', 'files', 'vault-listing'].includes(id));
const mentionsOf = (paths: readonly string[]): Mention[] => paths.map((id) => ({ kind: 'note', id, label: id }));

async function planWith(vault: FakeVault, mentions: readonly Mention[], contextWindow = 16_384): Promise<RequestPlan> {
  const facts = await gatherFacts(chosen, worldOf(vault, { contextWindow, mentions }), never);
  return planRequest({
    ...{ conversationId: 'c1', model: { ...description, contextWindow }, tier: 3, sections: chosen, facts },
    ...{ messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }], tools: [], tokenizer: roughTokenizer },
  });
}
const files = ({ blocks }: RequestPlan) => blocks.find(({ section }) => section === 'files');

describe('bad input', () => {
  it('a note larger than the window is shortened, says by how much, and the request goes out', async () => {
    const plan = await planWith(fakeVault({ 'Long.md': 'word 🌊 '.repeat(20_000) }), mentionsOf(['Long.md']));
    expect(files(plan)?.text).toMatch(
      /\[This note of about [\d,]+ tokens is shown in part, [^\]]*call read_note with heading/,
    );
    expect(files(plan)?.tokens).toBeLessThan(5_734);
    expect(files(plan)?.text).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
    expect(exceedsWindow(plan)).toBe(false);
  });

  it('many notes are shortened fairly: small ones stay whole', async () => {
    const vault = fakeVault({ 'A.md': 'a '.repeat(20_000), 'B.md': 'small', 'C.md': 'c '.repeat(20_000) });
    const text = files(await planWith(vault, mentionsOf(['A.md', 'B.md', 'C.md'])))?.text ?? '';
    expect(text).toContain('<note path="B.md">\nsmall\n</note>');
    const [a = 0, c = 0] = ['a ', 'c '].map((letter) => text.split(letter).length);
    expect(Math.abs(a - c)).toBeLessThan(a / 10);
  });

  it('5,000 mentions are named as far as there is room, and the rest is counted', async () => {
    const paths = Array.from({ length: 5_000 }, (_, index) => `N${index}.md`);
    const vault = fakeVault(Object.fromEntries(paths.map((path) => [path, `text of ${path}`])));
    const plan = await planWith(vault, mentionsOf(paths));
    expect(files(plan)?.text).toMatch(/N0\.md\nN1\.md\n[\s\S]*… and [\d,]+ more notes; read each with read_note\./);
    expect(exceedsWindow(plan)).toBe(false);
  });

  it('R215 a call without a result gets one that says so, next to its call', () => {
    const log = [user('Read.'), answer(toolCall('a'), toolCall('b')), result('b', 'beta'), user('And?')];
    const messages = foldMessages(log.map((body) => entry(body)));
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
    expect(messages[2]?.parts.map((part) => ('text' in part ? part.text : ''))).toEqual([interruptedResult, 'beta']);
  });

  it('a window given too small by the user is refused in words that name what takes the room', async () => {
    const vault = fakeVault({ 'A.md': 'alpha' });
    const plan = await planWith(vault, [], 1_024);
    const crowded = { ...plan, totals: { ...plan.totals, tools: 900, all: plan.totals.all + 900 } };
    expect(exceedsWindow(crowded)).toBe(true);
    expect(explainOverflow(crowded)).toMatchObject({
      kind: 'context-length',
      action: 'open-settings',
      actions: ['show-context', 'retry'],
    });
    expect(explainOverflow(crowded).words).toMatch(
      /^This request needs about [\d,]+ tokens, but the model accepts 768\. Its largest parts: the tools 900, /,
    );
  });

  it('a refusal names the notes, the message and what came before, the largest three first', async () => {
    const plan = await planWith(fakeVault({ 'A.md': 'alpha' }), []);
    const note = `<note path="A.md">\n${'alpha '.repeat(2_000)}\n</note>`;
    const parts = [note, 'What is in it? '.repeat(300)].map((text) => ({ type: 'text' as const, text }));
    const { totals } = plan;
    const grown = {
      ...plan,
      messages: [...plan.messages, { role: 'user' as const, parts }],
      totals: { ...totals, history: 9_000, turn: 4_600, all: totals.all + 13_600 },
    };
    const { words, action, actions } = explainOverflow(grown);
    expect(words).toMatch(/Its largest parts: earlier messages [\d,]+, A\.md [\d,]+, your message [\d,]+\.$/);
    expect([action, actions]).toEqual(['new-chat', ['open-settings', 'show-context', 'retry']]);
  });

  it('a refusal counts what goes with the message as such, and nothing that takes no tokens', async () => {
    const plan = await planWith(fakeVault({}), []);
    const block = (section: string, zone: string, place: string) => ({
      ...plan.blocks[0]!,
      section,
      zone,
      place,
      tokens: 500,
    });
    const refused = (blocks: readonly unknown[], totals: object): string =>
      explainOverflow({
        ...plan,
        ...{ blocks, messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }] },
        totals: { ...plan.totals, instructions: 0, reference: 0, tools: 0, history: 0, turn: 0, all: 9, ...totals },
      } as never).words;
    const with1 = refused([block('mine', 'instructions', 'system')], {});
    expect(with1).toContain('500');
    for (const [zone, place] of [
      ['turn', 'system'],
      ['instructions', 'before-message'],
      ['instructions', 'after-message'],
    ] as const)
      expect(refused([block('mine', zone, place)], {})).not.toContain('500');
    expect(refused([], { history: 700 })).toMatch(/earlier messages 699, your message 1/);
    expect(refused([], { turn: 700 })).toMatch(/earlier messages 699/);
    expect(refused([], {})).not.toMatch(/tools|earlier/);
  });

  it('a refusal names answers and results that follow the message apart from it', async () => {
    const plan = await planWith(fakeVault({}), []);
    const totals = { ...plan.totals, instructions: 0, reference: 0, tools: 0, history: 0, turn: 900 };
    const messages: RequestPlan['messages'] = [
      { role: 'user', parts: [{ type: 'text', text: 'Hi' }] },
      { role: 'assistant', parts: [{ type: 'text', text: 'a'.repeat(400) }] },
      {
        role: 'tool',
        parts: [{ type: 'tool-result', callId: 'k', name: 'n', text: 'b'.repeat(2_000), isError: false }],
      },
    ];
    const { results, answers, earlier, partOf } = words.request;
    expect(explainOverflow({ ...plan, blocks: [], messages, totals }).words).toContain(
      [partOf(results, 500), partOf(earlier, 299), partOf(answers, 100)].join(', '),
    );
  });

  it('a refusal leads to the settings only if more than half of the window is fixed', async () => {
    const plan = await planWith(fakeVault({}), []);
    const actionOf = (totals: object) =>
      explainOverflow({
        ...plan,
        totals: { ...plan.totals, instructions: 0, reference: 0, tools: 0, window: 1_000, ...totals },
      }).action;
    expect(actionOf({ instructions: 200, reference: 200, tools: 100 })).toBe('new-chat');
    expect(actionOf({ instructions: 201, reference: 200, tools: 100 })).toBe('open-settings');
  });
});
