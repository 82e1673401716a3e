/** The shape of the requests of ten chats in two windows: which sections, where, in which order, in which form. */
import type { ModelDescription } from '../../src/core/ports/model';
import type { RequestPlan } from '../../src/core/ports/request-plan';
import { gatherFacts } from '../../src/core/prompt/section';
import { sections } from '../../src/core/prompt/sections';
import type { World } from '../../src/core/prompt/world';
import { planRequest } from '../../src/core/request/plan-request';
import { tools } from '../../src/core/tools';
import { offeredIn, type Tool } from '../../src/core/tools/tool';
import { o200k } from '../unit/core/prompt/composition/composed';
import { device, never, worldOf } from '../support/turn-world';
import { expectGolden } from './golden';
import { type Remembered, type Scenario, type ScenarioTurn, scenarios } from './scenarios/scenarios';

/** The window of the scenario's own tier without a cache, or a large one with a cache. */
type Window = 'small' | 'large';
const windows: readonly Window[] = ['small', 'large'];
const smallWindows = { 1: 4_096, 2: 8_192, 3: 16_384, 4: 32_768, 5: 200_000 } as const;
const places = ['system', 'reference', 'first-message', 'before-message', 'after-message'] as const;

function modelFor(window: Window, { tier }: Scenario): ModelDescription {
  const cachesPrompts = window === 'large';
  const contextWindow = cachesPrompts ? 200_000 : smallWindows[tier];
  return { id: 'p/m', label: 'm', contextWindow, outputLimit: 4_096, nativeTools: true, cachesPrompts, modern: contextWindow >= 100_000 };
}

function rememberedBy({ turn, remembered }: ScenarioTurn): Remembered {
  const { mode = 'assistant' } = turn;
  return { knownEditor: null, headMode: mode, earlierMode: null, reminderDue: true, start: device, ...remembered };
}

/** Those that a chat of this tier and permission mode has; Review unless the scenario says otherwise. */
function toolsOf({ tier }: Scenario, { turn }: ScenarioTurn): readonly Tool[] {
  return offeredIn(tools, tier, turn.permissionMode ?? 'review');
}

function worldFor(scenario: Scenario, turn: ScenarioTurn, model: ModelDescription): World {
  const world = worldOf(scenario.vault, {
    tier: scenario.tier,
    contextWindow: model.contextWindow,
    modernModel: model.modern === true,
    permissionMode: 'review',
    toolNames: toolsOf(scenario, turn).map(({ name }) => name),
    ...turn.turn,
    ...rememberedBy(turn),
  });
  return {
    ...world,
    device: { ...world.device, ...scenario.device },
    settings: { ...world.settings, ...scenario.settings },
  };
}

async function planOf(window: Window, scenario: Scenario, turn: ScenarioTurn): Promise<RequestPlan> {
  const model = modelFor(window, scenario);
  const facts = await gatherFacts(sections, worldFor(scenario, turn, model), never);
  const messages = [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'What now?' }] }];
  const chat = { conversationId: 'c1', model, tier: scenario.tier, messages, tools: toolsOf(scenario, turn) };
  return planRequest({ ...chat, sections, facts, tokenizer: o200k });
}

const plansOf = (window: Window, scenario: Scenario): Promise<RequestPlan[]> =>
  Promise.all(scenario.turns.map((turn) => planOf(window, scenario, turn)));

/** Lists the blocks of a request in the order in which they are sent. */
function shapeOf({ blocks }: RequestPlan): string[] {
  const ordered = places.flatMap((place) => blocks.filter((block) => block.place === place));
  expect(ordered).toHaveLength(blocks.length);
  // Which tier a part starts in hangs on when its files were changed, which a copy of the vault does not keep.
  const rows = ordered.map(({ place, zone, section, outcome, tier }) =>
    [(tier === undefined ? place : 'tiers').padEnd(14), zone.padEnd(12), section.padEnd(22), outcome].join(' '),
  );
  return [...new Set(rows)];
}

const cases = scenarios.flatMap((scenario) => windows.map((window) => [scenario.name, window, scenario] as const));

describe('scenarios', () => {
  it.each(cases)('R048 R144 R181 K6 %s has its shape in a %s window', async (name, window, scenario) => {
    const plans = await plansOf(window, scenario);
    const text = plans.map((plan, index) => [`# ${scenario.turns[index]?.name}`, ...shapeOf(plan)].join('\n'));
    expectGolden(`scenarios/${name}.${window}.txt`, text.join('\n\n'));
  });

  it.each(windows)('have every section in its full form at least once in a %s window', async (window) => {
    const plans = (await Promise.all(scenarios.map((scenario) => plansOf(window, scenario)))).flat();
    const shown = new Set(
      plans.flatMap(({ blocks }) => blocks.filter(({ outcome }) => outcome === 'full').map(({ section }) => section)),
    );
    // A chat has its summary as its first messages.
    const elsewhere = ['previous-context'];
    const missing = sections.map(({ id }) => id).filter((id) => !shown.has(id));
    const remedy = (id: string): string => `Add a turn that shows ${id} in full to test/goldens/scenarios/scenarios.ts.`;
    expect(missing.map(remedy)).toEqual(elsewhere.map(remedy));
  });

  it.each(windows)('R107 K4 leave the head as it was when the mode is switched in a %s window', async (window) => {
    const scenario = scenarios.find(({ name }) => name === 'mode-switch');
    if (scenario === undefined) throw new Error('There is no such scenario.');
    expect(new Set((await plansOf(window, scenario)).map(({ system }) => system)).size).toBe(1);
  });

  it.each(windows)('R190 R191 send the open notes in full at first, then as changes in a %s window', async (window) => {
    const scenario = scenarios.find(({ name }) => name === 'editor');
    if (scenario === undefined) throw new Error('There is no such scenario.');
    const editorForms = ({ blocks }: RequestPlan): string[] =>
      blocks
        .filter(({ section }) => section === 'editor-context')
        .map(({ text }) => (text.includes('"cursorMoved"') ? 'changes' : 'full'));
    expect((await plansOf(window, scenario)).map(editorForms)).toEqual([['full'], ['changes'], []]);
  });

  it('R048 K32 put the composition in its order, with a blank line between the parts', async () => {
    const order = [
      ...['preamble', 'core-mandates', 'sub-agents', 'available-skills', 'hook-notice'],
      ...['planning-workflow', 'primary-workflow', 'guidelines', 'permissions', 'git', 'final-reminder'],
    ];
    for (const window of windows) {
      const met = new Set<string>();
      for (const scenario of scenarios) {
        for (const { blocks, system } of await plansOf(window, scenario)) {
          const composed = blocks.filter(({ section, text }) => order.includes(section) && text !== '');
          const found = composed.map(({ section }) => section);
          expect(found).toEqual(order.filter((section) => found.includes(section)));
          expect(found.includes('planning-workflow') && found.includes('primary-workflow')).toBe(false);
          found.forEach((section) => met.add(section));
          expect(system).toBe(system.trim());
          const systemBlocks = blocks.filter(({ place, text }) => place === 'system' && text !== '');
          systemBlocks.slice(1).forEach((block, index) => {
            const before = systemBlocks[index];
            expect(system.includes(`${before?.text}\n\n${block.text}`)).toBe(true);
          });
        }
      }
      expect(order.filter((section) => !met.has(section))).toEqual([]);
    }
  });
});
