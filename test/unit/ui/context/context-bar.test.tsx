/** @jest-environment jsdom */
/** What the bar says of a window that fills, and of one that is small from the start. */
import { render } from 'preact';
import type { RequestPlan, RequestTotals } from '../../../../src/core/ports/request-plan';
import { defaultSettings } from '../../../../src/core/settings/settings';
import { words } from '../../../../src/text';
import { ContextBar } from '../../../../src/ui/context/context-bar';
import { closeTestApps, createTestApp } from '../../../workbench/emulator/jest';

const empty = {
  instructions: 0,
  tools: 0,
  reference: 0,
  history: 0,
  turn: 0,
  reserve: 1_024,
  window: 4_096,
  exact: true,
};

/** Of 2,457 tokens, where a window of 4,096 is compacted. */
async function wordsFor(totals: Partial<RequestTotals>): Promise<string> {
  await createTestApp();
  const root = document.body.createDiv();
  const all = { ...empty, ...totals };
  const sum = all.instructions + all.tools + all.reference + all.history + all.turn;
  const plan = { totals: { ...all, all: sum } } as RequestPlan;
  render(<ContextBar plan={plan} settings={defaultSettings} summarising={false} onOpen={() => undefined} />, root);
  const said = root.querySelector('[role=status]')?.textContent ?? '';
  render(null, root);
  root.remove();
  return said;
}

afterEach(closeTestApps);

it.each<[string, Partial<RequestTotals>, string]>([
  ['nothing while there is room', { instructions: 700, history: 500 }, ''],
  ['that the window fills', { instructions: 700, history: 1_200 }, words.status.warning],
  ['what is summarised when', { instructions: 700, history: 1_700 }, words.status.summarySoon('2,457')],
  [
    'what can be left out while there is nothing to summarise',
    { instructions: 1_700, tools: 600 },
    words.status.fixedParts,
  ],
  [
    'no more than that it is full when the message itself is large',
    { instructions: 700, turn: 1_700 },
    words.status.critical,
  ],
])('K36 tells %s', async (_what, totals, said) => {
  const told = await wordsFor(totals);
  if (said === '') expect(told).toBe('');
  else expect(told).toContain(said);
  expect(told.includes(words.status.fixedParts)).toBe(said === words.status.fixedParts);
});
