/** What is sent to have a summary written, by whom it is written and how much its window holds. */
import { type SummaryQuestion, summaryRequest } from '../../../../../src/core/context/compaction/snapshot';
import type { Message } from '../../../../../src/core/ports/message';
import type { RequestPlan } from '../../../../../src/core/ports/request-plan';
import type { SessionEntry } from '../../../../../src/core/session/entry';

const part = (section: string) => ({ section, key: section, text: `<${section}>told</${section}>` });
const older = [
  { kind: 'user', id: 'u1', text: 'Which bolts?', mentions: [] },
  {
    ...{ kind: 'turn-zone', id: 'z1', mode: 'assistant', editor: null },
    before: [part('files'), part('editor-context')],
    after: [part('reminder')],
  },
] as unknown as readonly SessionEntry[];

async function sentWith(given: Partial<SummaryQuestion>, window = 1_000): Promise<string | null> {
  const messages = await summaryRequest({
    ...{ older, goal: null, focus: '', own: null, apart: false },
    plan: (asked: readonly Message[]) => {
      const all = JSON.stringify(asked).length;
      return Promise.resolve({ totals: { all, reserve: 0, window } } as unknown as RequestPlan);
    },
    ...given,
  });
  return messages && JSON.stringify(messages);
}

it('sends what was told around messages as it was to the model that was told it', async () => {
  const sent = await sentWith({ apart: false }, 100_000);
  for (const section of ['files', 'editor-context', 'reminder']) expect(sent).toContain(`<${section}>`);
});

it('keeps what told of a moment from another model', async () => {
  const sent = await sentWith({ apart: true }, 100_000);
  expect(sent).toContain('<files>');
  expect(sent).not.toMatch(/<editor-context>|<reminder>/);
});

it('is null where not even the newest exchange fits', async () => {
  expect(await sentWith({}, 10)).toBeNull();
});

it('leaves out what was told around messages before a message, when not all of it fits', async () => {
  const whole = (await sentWith({}, 100_000)) ?? '';
  const sent = await sentWith({}, whole.length - 1);
  expect(sent).toContain('Which bolts?');
  expect(sent).not.toContain('<files>');
});
