/** Modes and sizes: which template a model gets at which window, within which budget, and what a user's own one does. */
import { openTiktoken } from '../../bench/baselines/tiktoken';
import { toolNames } from '../../../src/core/markup/variables';
import type { ModeId, Tier } from '../../../src/core/settings/mode';
import { words } from '../../../src/text';
import { until } from '../driver/chat-view';
import { shareChat, sharedWalk, storeSettings } from '../driver/begin-again';
import { sectionIn, startChat, type Walk } from '../driver/reach-walk';
import { type SentRequest, sentRequests } from '../driver/sent-request';
import { openSettingsWindow } from '../driver/settings-window';

jest.setTimeout(120_000);

const vault = { 'Boat.md': 'The boat is blue.\n', 'Docent/memory.md': '' };
const oracle = openTiktoken();
const budgets: Readonly<Record<Tier, number>> = { 1: 200, 2: 500, 3: 1_000, 4: 1_500, 5: 1_500 };
/** For each tier, a text that only the template of Assistant at that tier contains. */
const marks: Readonly<Record<Tier, string>> = {
  1: 'Read a note before you propose a change to it.',
  2: 'Do not answer from a search result alone.',
  3: 'search once, with the most specific words',
  4: 'Weigh evidence',
  5: 'Gather evidence',
};

/** The template, which ends where the rest of the composition begins. */
function templateOf({ system }: SentRequest): string {
  const ends = ['\n\nThis is an interactive chat', '\n\n<'].map((part) => system.indexOf(part)).filter((at) => at > 0);
  return system.slice(0, Math.min(...ends));
}
/** The template of a mode: at the head for the first mode of a chat, in a notice with the message for a later one. */
function templateOfMode(request: SentRequest): string {
  const notice = sectionIn(request.messages.at(-1)?.text ?? '', 'mode_notice');
  return notice === undefined ? templateOf(request) : notice.slice(notice.indexOf('\n\n') + 2).replaceAll('&amp;', '&');
}
const tokensOf = (text: string): number => oracle.count(text);
const sizesIn = (text: string): string[] =>
  Object.entries(marks).flatMap(([tier, mark]) => (text.includes(mark) ? [tier] : []));

async function set(
  { workbench }: Walk,
  change: (settings: Awaited<ReturnType<typeof openSettingsWindow>>) => Promise<void>,
): Promise<void> {
  const settings = await openSettingsWindow(workbench);
  await change(settings);
  await settings.close();
}

shareChat({ vault });

describe('by the window', () => {
  const windows = [
    ['R088@request', 2_048, 1],
    ['R088@request', 4_096, 1],
    ['R261@request', 6_144, 2],
    ['R089@request', 8_192, 2],
    ['R261@request', 12_288, 3],
    ['R090@request', 16_384, 3],
    ['R261@request', 20_480, 4],
    ['R091@request', 32_768, 4],
    ['R261@request', 49_152, 5],
    ['R092@request', 65_536, 5],
    ['R092@request', 131_072, 5],
    ['R261@request', 1_000_000, 5],
  ] as const;
  const sizes = sharedWalk({ vault }, async (self) => {
    for (const [at, [, window]] of windows.entries()) {
      // Once as a person does it: to open the settings each time would cost more than the rest of the walk.
      if (at === 0) await set(self, (settings) => settings.type('Context window', String(window)));
      else await storeSettings(self.workbench, { contextWindow: window });
      await startChat(self);
      await self.chatView.ask(`In ${window}`);
    }
  });

  it.each(windows)(
    'R095@request R105@request %s a window of %i tokens is size %i, within its budget',
    (_row, window, tier) => {
      const request = sentRequests(sizes.workbench.model).find(({ messages }) =>
        messages.at(-1)?.text.includes(`In ${window}`),
      );
      if (request === undefined) throw new Error(`Nothing was sent in ${window}.`);
      expect(sizesIn(request.system)).toEqual([String(tier)]);
      const tokens = tokensOf(templateOf(request));
      expect(tokens).toBeLessThanOrEqual(budgets[tier]);
      expect(tokens).toBeGreaterThanOrEqual(tier === 1 ? 100 : 0.6 * budgets[tier]);
    },
  );

  it('R258@request R093@request says more from size to size, and names the tool that asks the user alone, if it is offered', () => {
    const templates = [2_048, 8_192, 16_384, 32_768].map((window) => {
      const at = windows.findIndex(([, each]) => each === window);
      return templateOf(sizes.sent(at));
    });
    const tokens = templates.map(tokensOf);
    expect(tokens).toEqual([...tokens].sort((a, b) => a - b));
    expect(tokens[0]).toBeLessThanOrEqual(200);
    for (const [at, template] of templates.entries()) {
      const named = Object.values<string>(toolNames).filter((name) => template.includes(name));
      expect(named).toEqual(at === 0 ? [] : [toolNames.askUser]);
    }
    expect(new Set(templates.map((template) => template.split('\n')[0])).size).toBe(1);
  });
});

describe('by the mode', () => {
  const modes = ['assistant', 'developer', 'planning', 'debugger'] as const;
  const subjects: Readonly<Record<(typeof modes)[number], readonly string[]>> = {
    assistant: ['question', 'summary', 'rewrite', 'new note'],
    developer: ['template', 'dataview', 'base', 'properties', 'css'],
    planning: ['goal', 'step', 'folder', 'decision', 'risk'],
    debugger: ['link', 'query', 'copies', 'plugin', 'cause'],
  };
  const settings = { tier: 4, contextStatus: 'never' };
  const all = sharedWalk({ vault, settings }, async (self) => {
    for (const mode of modes) {
      await storeSettings(self.workbench, { ...settings, mode });
      await self.chatView.ask(`As ${mode}`);
    }
  });

  it.each([
    ['R097@request', 'assistant', 'the assistant'],
    ['R098@request', 'developer', 'the builder'],
    ['R099@request', 'planning', 'the planner'],
    ['R100@request', 'debugger', 'the troubleshooter'],
  ] as const)('%s the template of %s is that of %s, and covers its work', (_row, mode, name) => {
    const text = templateOfMode(all.sent(modes.indexOf(mode)));
    expect(text).toMatch(new RegExp(`^You are ${name} in the user's Obsidian vault: you `));
    expect(subjects[mode].filter((subject) => !text.toLowerCase().includes(subject))).toEqual([]);
  });

  it('R107@request R004@request sends the template of each mode at the same size, and keeps what was said', () => {
    const templates = modes.map((_, at) => templateOfMode(all.sent(at)));
    expect(new Set(modes.map((_, at) => all.sent(at).system)).size).toBe(1);
    expect(new Set(templates).size).toBe(modes.length);
    for (const template of templates) expect(tokensOf(template)).toBeGreaterThan(900);
    const said = all
      .sent()
      .messages.filter(({ role }) => role === 'user')
      .map(({ texts }) => texts.join('\n'));
    expect(said.map((text) => /As (\w+)/.exec(text)?.[1])).toEqual([...modes]);
  });
});

describe('of the user’s own', () => {
  const notes = {
    'Docent/modes/user/tier2.md': 'You are the tutor in small.\n',
    'Docent/modes/user/tier4.md': ' \n',
    'Docent/modes/user/tier5.md': 'You are the tutor at large.\n',
  };
  const settings = { mode: 'user' satisfies ModeId, contextStatus: 'never' };
  const own = sharedWalk({ vault: { ...vault, ...notes }, settings }, async (self) => {
    for (const tier of [5, 4, 2] as const) {
      await storeSettings(self.workbench, { ...settings, tier });
      await self.chatView.ask(`At ${tier}`);
    }
  });

  it('R104@request R008@request R103@request serves the note of the mode and size, and ours where it is blank', () => {
    expect([0, 1, 2].map((at) => templateOf(own.sent(at)).split('\n')[0])).toEqual([
      'You are the tutor at large.',
      expect.stringMatching(/^You are the assistant in the user's Obsidian vault/),
      'You are the tutor in small.',
    ]);
    expect(sizesIn(own.sent(1).system)).toEqual(['4']);
  });

  it('R006@dom R005@dom R093@dom tells the budget of each size, which text is served, and the four ways out of one that is too long', async () => {
    const { workbench, chatView } = own;
    const settings = await openSettingsWindow(workbench);
    await settings.openPage(words.ownPrompt.templates);
    for (const tier of [2, 5] as const) {
      const budget = budgets[tier].toLocaleString('en-US');
      await settings
        .row(`Level ${tier}`)
        .getByText(new RegExp(`^≈?[\\d,]+ of ${budget} tokens$`))
        .waitFor();
    }
    await settings.back();
    await settings.close();
    await set(own, (each) => each.choose('Instruction level', words.settings.tiers[3]));
    await chatView.ask('At 3');
    await workbench.command('show-diagnostics');
    const modal = workbench.page.locator('.docent-diagnostics-modal');
    await modal.locator('[data-check="templates"]').getByText('You have no template for Custom at level 3').waitFor();
    await workbench.page.keyboard.press('Escape');
    await modal.waitFor({ state: 'detached' });
    await workbench.writeNote('Docent/modes/user/tier3.md', 'word '.repeat(2_000));
    await chatView.root.locator('.docent-needs-look').getByText('its budget is 1,000').waitFor();
    await workbench.command('show-diagnostics');
    const shownText = async (): Promise<string> => (await modal.innerText()).toLowerCase();
    await until(async () => (await shownText()).includes('its budget is 1,000'), 'the budget is told');
    for (const way of [/shorten/, /remove|leave out/, /skill/, /smaller|lower|larger/])
      expect(await shownText()).toMatch(way);
  });
});
