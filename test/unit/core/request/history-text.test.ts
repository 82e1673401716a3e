/** What is sent of a result that was cleared, and of a note that was outlined, to save tokens. */
import { element, write } from '../../../../src/core/markup/markup';
import { formatToolResult, notesIn, openTasks, reshapeNotes } from '../../../../src/core/request/history-text';
import type { SessionEntry, Snapshot } from '../../../../src/core/session/entry';
import { entry, result } from '../../../support/entries';

type ResultEntry = SessionEntry & { readonly kind: 'tool-result' };
const resultOf = (text: string, more: object = {}): ResultEntry =>
  entry({ ...result('c1', text), ...more } as never) as never;
const text = `${'a'.repeat(149)}🚢${'m'.repeat(600)}🚢${'z'.repeat(149)}`;

it('keeps the two ends of a long result, without half of a character, and says how much there was', () => {
  const [head, notice, tail, ...more] = formatToolResult(resultOf(text), 'masked').split('\n');
  expect([head, tail, more]).toEqual(['a'.repeat(149), 'z'.repeat(149), []]);
  expect(notice).toContain(`${text.length} characters was cleared`);
  const [plainHead, , plainTail] = formatToolResult(resultOf('b'.repeat(600)), 'masked').split('\n');
  expect([plainHead, plainTail]).toEqual(['b'.repeat(150), 'b'.repeat(150)]);
});

it('names the first six tasks of a summary that are open, without their marks', () => {
  const open = Array.from({ length: 8 }, (_, at) => `- [${at % 2 === 0 ? 'TODO' : 'IN PROGRESS'}] Plank ${at} `);
  const tasks = ['[DONE] Keel', 'Look at [TODO]', ...open].join('\n');
  expect(openTasks({ task_state: tasks } as Snapshot)).toEqual([0, 1, 2, 3, 4, 5].map((at) => `Plank ${at}`));
});

it('keeps nothing of a result that is dropped, or too short for two ends', () => {
  for (const [of, form] of [
    [text, 'dropped'],
    ['b'.repeat(599), 'masked'],
  ] as const) {
    const shown = formatToolResult(resultOf(of), form);
    expect(shown).not.toContain('\n');
    expect(shown).toContain(`${of.length} characters`);
  }
});

it('leaves out the middle of a result that was capped, and says how much', () => {
  const capped = formatToolResult(resultOf(text, { shown: { head: 10, tail: 20 } }), undefined);
  const [head, notice, tail] = capped.split('\n');
  expect([head, tail]).toEqual(['a'.repeat(10), 'z'.repeat(20)]);
  expect(notice).toContain(`${text.length - 30} characters are left out here`);
  expect(formatToolResult(resultOf(text, { shown: { head: text.length - 20, tail: 20 } }), undefined)).toBe(text);
  expect(formatToolResult(resultOf(text, { shown: { head: 10, tail: 0 } }), undefined)).toMatch(/^a{10}\n.+\n$/);
});

it('outlines an attached section whose heading has a sign of tags in it', () => {
  const body = `# Input > Output\n\n${'word '.repeat(200)}`;
  const section = element('note', { path: 'A > B.md', heading: 'Input > "Output" > 2' }, body);
  const { text: sent } = write([section, '\n', element('note', { path: 'C.md' }, 'Oak.')]);
  expect(notesIn(sent).map(({ path }) => path)).toEqual(['A > B.md', 'C.md']);
  const outlined = reshapeNotes(sent, (path) => (path === 'C.md' ? undefined : 'outline'));
  expect([outlined.includes('word'), outlined.includes('Oak.')]).toEqual([false, true]);
  expect(outlined).toContain('heading="Input > &quot;Output&quot; > 2">\n# Input > Output\n');
});
