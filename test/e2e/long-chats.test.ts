/** Long conversations as a person meets them: the bar and its words, the list, summaries that can be changed and undone. */
import { getEncoding } from 'js-tiktoken';
import type { Locator } from 'playwright-core';
import type { ModelRequest, Script, ScriptStep } from '../workbench/scripted-model';
import { openPane, readLog, until, type OpenedPane } from './pane';
import { allText, lastSent, sentRequests } from './sent-request';
import { openWorkbench, type OpenedWorkbench, type OpenOptions } from './workbench';

jest.setTimeout(600_000);

const parts = [
  'overall_goal',
  'active_constraints',
  'key_knowledge',
  'artifact_trail',
  'file_system_state',
  'recent_actions',
  'task_state',
];
const snapshot = `<state_snapshot>${parts.map((name) => `<${name}>About ${name}.</${name}>`).join('')}</state_snapshot>`;
const report = `# Report\n\n${Array.from({ length: 120 }, (_, line) => `Line ${line}: the hull is sound.`).join('\n')}\n`;
const vault = { 'Report.md': report, 'Boat.md': '# Boat\n\nBronze bolts.\n', 'Docent/memory.md': '' };

let workbench: OpenedWorkbench;
let pane: OpenedPane;

/** Answers at length; reads the report when it is told to; writes a snapshot when it is asked for one. */
function longScript(words: number): Script {
  return (request: ModelRequest): ScriptStep => {
    const body = JSON.stringify(request.body);
    if (body.includes('[End of the conversation]')) return { text: snapshot };
    const messages = (request.body as { messages: { role: string; content: unknown }[] }).messages;
    const last = messages.at(-1);
    const said = JSON.stringify(last?.content ?? '');
    const isResult = last?.role === 'tool' || said.includes('tool_result');
    if (!isResult && said.includes('Read the report')) {
      return { toolCalls: [{ name: 'read_note', arguments: { path: 'Report.md' } }] };
    }
    return { text: `Noted. ${'The boat is fine. '.repeat(words)}` };
  };
}

async function open(words: number, options: OpenOptions = {}): Promise<void> {
  workbench = await openWorkbench({ vault, scripted: longScript(words), ...options });
  pane = await openPane(workbench);
}

afterEach(async () => {
  const { errors, outsideRequests } = workbench;
  await workbench.close();
  expect(errors).toEqual([]);
  expect(outsideRequests).toEqual([]);
});

const bar = (): Locator => pane.root.locator('button.docent-context');
const modal = (name: 'list' | 'snapshot'): Locator => workbench.page.locator(`.docent-${name}-modal`);
const divider = (): Locator => pane.root.locator('.docent-summary');

/** Moves by Tab alone until the focus is on the button whose name begins so, and presses it. */
async function press(within: Locator, name: RegExp): Promise<void> {
  const { page } = workbench;
  for (let step = 0; step < 200; step += 1) {
    const focused = within.locator(':focus');
    if ((await focused.count()) > 0) {
      const said = (await focused.getAttribute('aria-label')) ?? (await focused.innerText());
      if (name.test(said)) return page.keyboard.press('Enter');
    }
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never reached ${name.source}`);
}

async function level(): Promise<string> {
  return (await bar().getAttribute('class')) ?? '';
}

describe('with the keyboard alone', () => {
  it('R251 R243 leaves out, outlines and pins from the list, each with its effect said beforehand', async () => {
    await open(20, { settings: { contextWindow: 16_384, compaction: 'manual' } });
    await pane.ask('Read the report');
    await pane.ask('Thank you');
    await until(async () => (await bar().count()) > 0, 'the bar');
    await bar().focus();
    await workbench.page.keyboard.press('Enter');
    await modal('list').waitFor();
    const effect = await modal('list')
      .getByRole('button', { name: /^Outline only.*read_note/ })
      .getAttribute('aria-label');
    const frees = Number(/frees ([\d,]+)/.exec(effect ?? '')?.[1]?.replaceAll(',', ''));
    expect(frees).toBeGreaterThan(500);
    await press(modal('list'), /^Outline only.*read_note/);
    await modal('list').locator('.docent-list-row.is-outline').waitFor();
    await workbench.page.keyboard.press('Escape');
    await pane.ask('Go on');
    expect(allText(lastSent(workbench.model))).not.toContain('Line 60:');
    expect(allText(lastSent(workbench.model))).toContain('Only the outline is shown');

    await bar().focus();
    await workbench.page.keyboard.press('Enter');
    await press(modal('list'), /^Leave out.*“Thank you/);
    await modal('list').locator('.docent-list-row.is-dropped').waitFor();
    await press(modal('list'), /^Pin.*“Read the report/);
    await modal('list').locator('.docent-list-row.is-pinned').waitFor();
    await workbench.page.keyboard.press('Escape');
    await pane.ask('And now');
    expect(allText(lastSent(workbench.model))).not.toContain('Thank you');
    const forms = (await readLog(workbench)).filter(({ k }) => k === 'context-forms');
    expect(forms).toHaveLength(3);
  });

  it('R240 R237 R247 /compact with a focus shows the summary, takes changed words, and can be undone', async () => {
    await open(130, { settings: { contextWindow: 16_384, compaction: 'manual' } });
    for (let turn = 1; turn <= 8; turn += 1) await pane.ask(`Question ${turn} about the boat`);
    const before = allText(lastSent(workbench.model));
    await pane.input.focus();
    await workbench.page.keyboard.type('/compact the bolts');
    await workbench.page.keyboard.press('Enter');
    await modal('snapshot').waitFor();
    expect(allText(lastSent(workbench.model))).toContain('keep in view above all: the bolts');
    expect(await divider().count()).toBe(0);
    expect(await modal('snapshot').innerText()).toMatch(/goes from [\d,]+ to [\d,]+ tokens/);
    const knowledge = modal('snapshot').getByLabel('What is known');
    await knowledge.focus();
    await workbench.page.keyboard.press('Control+a');
    await workbench.page.keyboard.type('Bolts are bronze.');
    await workbench.screenshot('long-chats-snapshot');
    await press(modal('snapshot'), /^Use this summary/);
    await divider().waitFor();
    expect(await divider().innerText()).toMatch(/\d+ messages summarised, \d+ kept[\s\S]*→[\s\S]*In view: the bolts/);
    await workbench.screenshot('long-chats-divider');
    await pane.ask('Go on');
    expect(allText(lastSent(workbench.model))).toContain('Bolts are bronze.');
    expect(allText(lastSent(workbench.model))).not.toContain('Question 1 about');

    await divider().locator('button').first().focus();
    await press(divider(), /^Edit/);
    await modal('snapshot').getByLabel('What is known').fill('Bolts are steel.');
    await press(modal('snapshot'), /^Save/);
    await modal('snapshot').waitFor({ state: 'detached' });
    await pane.ask('And now');
    expect(allText(lastSent(workbench.model))).toContain('Bolts are steel.');

    await divider().locator('button').first().focus();
    await press(divider(), /^Undo/);
    await divider().getByText('Taken back').waitFor();
    await pane.ask('Again');
    const after = allText(lastSent(workbench.model));
    expect(after).toContain('Question 1 about');
    expect(after).not.toContain('Bolts are steel.');
    expect(before).toContain('Question 1 about');
  });
});

describe('the bar', () => {
  it('R145 K36 says in words and colour how full the window is, and where a summary will come', async () => {
    await open(60, { desktop: true, settings: { contextWindow: 12_000 } });
    await until(async () => (await bar().count()) > 0 && (await level()).includes('is-ok'), 'a calm bar');
    await workbench.screenshot('long-chats-ok');
    const seen: string[] = [];
    for (let turn = 1; turn <= 30 && !seen.includes('is-critical'); turn += 1) {
      await pane.ask(`Question ${turn} about the boat`);
      await workbench.page.waitForTimeout(600);
      for (const name of ['is-warning', 'is-critical']) {
        if (!(await level()).includes(name) || seen.includes(name)) continue;
        seen.push(name);
        await workbench.screenshot(`long-chats-${name.slice(3)}`);
        const said = await pane.root.locator('.docent-said').innerText();
        expect(said).toMatch(name === 'is-warning' ? /filling up/ : /nearly full[\s\S]*summarised at [\d,]+ tokens/);
      }
    }
    expect(seen).toEqual(['is-warning', 'is-critical']);
    expect(await pane.root.locator('.docent-context-point').count()).toBe(1);
    expect(await workbench.page.locator('.docent-status-bar').innerText()).toMatch(/^Docent: \d+% full$/);
  });
});

describe('on a phone', () => {
  it('R247 R243 the list, a summary, its change and its undo fit the screen and the finger', async () => {
    await open(250, { phone: true, settings: { contextWindow: 16_384, compaction: 'manual' } });
    for (let turn = 1; turn <= 8; turn += 1) await pane.ask(`Question ${turn} about the boat`);
    await bar().tap();
    await modal('list').waitFor();
    expect(await modal('list').evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
    const small = await modal('list')
      .locator('button')
      .evaluateAll((all) =>
        all.filter((each) => each.getBoundingClientRect().height < 44).map((each) => each.textContent),
      );
    expect(small).toEqual([]);
    await workbench.screenshot('long-chats-list-phone');
    await modal('list').getByRole('button', { name: 'Summarise older messages' }).tap();
    await modal('snapshot').waitFor();
    await workbench.screenshot('long-chats-snapshot-phone');
    await modal('snapshot').getByLabel('What is known').fill('Bolts are bronze.');
    await modal('snapshot').getByRole('button', { name: 'Use this summary' }).tap();
    await divider().waitFor();
    await divider().getByRole('button', { name: 'Undo' }).tap();
    await divider().getByText('Taken back').waitFor();
    await bar().tap();
    await modal('list')
      .getByRole('button', { name: /^Leave out.*“Question 2 / })
      .tap();
    await modal('list').locator('.docent-list-row.is-dropped').waitFor();
    expect(await workbench.page.locator('.docent-status-bar').count()).toBe(0);
  });
});

describe('to the end', () => {
  it.each([
    ['300 turns with tools in 16K', 300, 16_384, 30],
    ['60 turns in 4K', 60, 4_096, 12],
  ])('R239 R112 K23 %s', async (_name, turns, window, words) => {
    await open(words, { settings: { contextWindow: window } });
    await pane.ask('Begin. [GOAL]');
    workbench.model?.setScript((request) => {
      const step = (longScript(words) as (asked: ModelRequest) => ScriptStep)(request);
      const isFirst = JSON.stringify(request.body).includes('Set the goal') && step.text?.startsWith('Noted') === true;
      return isFirst && sentRequests(workbench.model).length < 3 ? { text: '[GOAL] Launch the boat by June' } : step;
    });
    await pane.ask('Set the goal');
    for (let turn = 1; turn <= turns; turn += 1) {
      await pane.ask(turn % 6 === 0 ? `Read the report, turn ${turn}` : `Question ${turn} about the boat`);
    }
    const log = await readLog(workbench);
    const users = log.filter(({ k }) => k === 'user');
    expect(users).toHaveLength(turns + 2);
    expect(log.filter(({ k }) => k === 'failure').map(({ b }) => b)).toEqual([]);
    const perTurn = log
      .map(({ k, b }) => (k.startsWith('summary') && b['trigger'] === 'automatic' ? 'x' : k === 'user' ? '|' : ''))
      .join('');
    expect(perTurn).not.toMatch(/xx/);
    expect(lastSent(workbench.model).system).toContain('Launch the boat by June');
    const bodies = (workbench.model?.requests ?? []).map(({ body }) => body as { messages: unknown; tools?: unknown });
    const largest = bodies.sort((a, b) => JSON.stringify(b).length - JSON.stringify(a).length).slice(0, 10);
    const encoder = getEncoding('o200k_base');
    for (const { messages, tools = [] } of largest) {
      const texts = JSON.stringify(messages).replace(/\\[n"]/g, ' ') + JSON.stringify(tools);
      expect(encoder.encode(texts).length).toBeLessThan(window);
    }
    const summaries = log.filter(({ k }) => k === 'summary');
    expect(summaries.length).toBeGreaterThan(0);
    for (let left = summaries.length; left > 0; left -= 1) {
      const undo = divider().getByRole('button', { name: 'Undo' });
      await undo.first().click();
      await until(
        async () => (await divider().getByText('Taken back').count()) === summaries.length - left + 1,
        'taken back',
      );
    }
  });
});
