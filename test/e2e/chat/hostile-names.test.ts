/**
 * A chat that came by sync, in which everything that has a name has a hostile one: it is drawn as text, fits its view, and
 * asks with the very path that is meant.
 */
import type { EntryBody } from '../../../src/core/session/entry';
import { encodeEntry } from '../../../src/core/session/log-format';
import { words } from '../../../src/text';
import { openPicker } from '../driver/chat-view';
import { modal } from '../driver/sights';
import { digest } from '../../support/memory-ports';
import { installJudges, judgeBoxes } from '../driver/accessibility';
import { measureOverflow } from '../driver/measure-look';
import { chatView, openChat, workbench } from '../driver/open-chat';
import { closeQuiet } from '../driver/workbench';

jest.setTimeout(90_000);

const long = 'Windlass'.repeat(700);
const markup = '<img src=x onerror="window.hacked=1"><b>b</b> **b** [[Now]]';
const turned = 'Gears \u202e\u2067fdp.tegduB';
const marks = `Z${'\u0301\u0489\u035b'.repeat(1_000)}`;
const lines = 'Applied.\n\nApproved by you.\r\nEnd';
const hostile = { long, markup, turned, marks, lines };
const all = Object.values(hostile);

/** A question, an answer with a call, and what was asked of the user, all with names of this form. */
function bodiesOf(name: string): EntryBody[] {
  const call = { type: 'tool-call' as const, id: 'k', name, argumentsText: JSON.stringify({ query: name }) };
  const result = { kind: 'tool-result', callId: 'k', text: name, isError: true, sources: [] } as const;
  return [
    { kind: 'title', title: name },
    {
      kind: 'choices',
      choices: {
        ...{ model: `openai/${name}`, contextNotes: [`${name}.md`] },
        ...{ selectedPrompt: `Docent/prompts/${name}.md`, selectedWorkspace: `Docent/workspaces/${name}.md` },
      },
    },
    { kind: 'tainted', source: name },
    { kind: 'goal', event: { type: 'created', description: name, priority: 'high' }, origin: 'user' },
    {
      ...{ kind: 'user', text: `What of [[${name}]] and ${name}?` },
      mentions: [
        { kind: 'note', id: `${name}.md`, label: name },
        { kind: 'folder', id: name, label: `${name}/`, apart: true },
        { kind: 'tag', id: `#${name}`, label: `#${name}`, apart: true },
      ],
    },
    { kind: 'hook-context', additions: [{ kind: 'hook', source: name, text: name }], reports: [name] },
    { kind: 'assistant', parts: [call], end: 'tool-calls', model: `openai/${name}` },
    {
      ...{ ...result, name, steps: [{ title: name, text: name, isError: true }] },
      view: { kind: 'todos', items: [{ text: name, state: 'open' }] },
    },
    { kind: 'assistant', parts: [{ ...call, id: 'l' }], end: 'tool-calls', model: `openai/${name}` },
    {
      ...{ ...result, callId: 'l', name, endsTurn: true },
      view: { kind: 'question', question: name, options: [name, `${name} 2`], several: true },
    },
    {
      ...{ kind: 'assistant', end: 'complete', model: `openai/${name}`, usage: { inputTokens: 1, outputTokens: 1 } },
      parts: [{ type: 'text', text: 'It is stowed forward.' }],
    },
    { kind: 'failure', failure: { kind: 'network', words: name, remedy: name } },
  ];
}

function logOf(chat: string, bodies: readonly EntryBody[]): [string, string] {
  const place = { conversation: chat, writer: 'dev', session: 'old', time: 1.76e12 };
  const text = bodies.map((body, at) =>
    encodeEntry({ ...body, ...place, id: `${chat}-${at}`, lamport: at + 1 }, digest),
  );
  return [`Docent/chats/${chat}/dev-old.jsonl`, text.join('')];
}

/** Lines that no version of Docent writes, between two that are as they should be. */
const forged = [
  { kind: 'user', text: 'Which oak?', mentions: [{ kind: 'sound', id: 'a', label: 'b' }] },
  { kind: 'choices', choices: { model: 5, mode: 'pirate', tier: 9, contextNotes: 'A.md', selectedPrompt: {} } },
  { kind: 'assistant', parts: [{ type: 'text' }, { type: 'sound' }], end: 'late', model: 'm', usage: { cost: {} } },
  {
    ...{ kind: 'tool-result', callId: 'k', name: 'n', text: '', isError: false, sources: [] },
    view: { kind: 'todos' },
  },
  {
    ...{ kind: 'tool-result', callId: 'k', name: 'n', text: '', isError: false, sources: [] },
    view: { kind: 'question' },
  },
  { kind: 'failure', failure: { kind: 'toString', words: 'w', remedy: 'r', actions: {} } },
  { kind: 'assistant', parts: [{ type: 'text', text: 'The oak of Inner Skerrow.' }], end: 'complete', model: 'm' },
] as unknown as EntryBody[];

const vault = Object.fromEntries([
  ['Now.md', 'The blue boat is on the hard.\n'],
  ['Papers/Budget 2026.pdf.bat', 'echo hacked'],
  ['Winches/Winch \u202edm.yraiD.md', 'Bronze.\n'],
  ...Object.entries(hostile).map(([name, text]) => logOf(`chat-${name}`, bodiesOf(text))),
  logOf('forged', forged),
]);

const open = (chat: string): Promise<void> =>
  workbench.page.evaluate((id) => {
    const [leaf] = window.app.workspace.getLeavesOfType('docent-chat');
    return leaf?.setViewState({ type: 'docent-chat', active: true, state: { chat: id } });
  }, chat);

/** What is drawn that no name may draw, and what does not fit. */
async function judge(roots = '.docent-pane'): Promise<string[]> {
  const { page } = workbench;
  const drawn = await page.evaluate(() => {
    const made = [
      ...document.querySelectorAll('[class*=docent-] :is(b, script, iframe, img:not(.docent-chip-picture))'),
    ];
    return [...made.map(({ outerHTML }) => outerHTML.slice(0, 80)), ...('hacked' in window ? ['hacked'] : [])];
  });
  return [...drawn, ...(await judgeBoxes(page, roots)), ...(await measureOverflow(page))];
}

beforeAll(async () => {
  await openChat({
    vault,
    models: { openai: all, anthropic: [long] },
    scripted: () => ({ text: 'See [[Budget 2026.pdf.bat|the budget]].' }),
  });
  await installJudges(workbench.page);
});
afterAll(() => closeQuiet(workbench));

it.each([480, 300])('draws them as text that fits a view of %i px', async (width) => {
  const { page } = workbench;
  await page.evaluate((size) => {
    const { rightSplit } = window.app.workspace as unknown as { rightSplit: { setWidth?(width: number): void } };
    rightSplit.setWidth?.(size);
  }, width);
  for (const name of Object.keys(hostile)) {
    await open(`chat-${name}`);
    await chatView.root.getByText('It is stowed forward.').first().waitFor();
    for (const line of await chatView.root.locator('.docent-run-line[aria-expanded=false]').all()) await line.click();
    // No line ends within one character, however wide its marks are.
    const isWide = name === 'marks';
    const found = await judge();
    expect([name, found.filter((each) => !isWide || !/^(?:sideways|outside): /.test(each))]).toEqual([name, []]);
    const transcript = chatView.root.locator('.docent-transcript');
    await transcript.hover();
    await page.mouse.wheel(400, 0);
    expect(await transcript.evaluate(({ scrollLeft }) => scrollLeft)).toBe(0);
  }
  await chatView.root.getByRole('button', { name: words.commandNames['show-chats'] }).click();
  await chatView.root.locator('.docent-chats-row').nth(all.length).waitFor();
  expect(await judge()).toEqual([]);
  await chatView.root.getByRole('button', { name: words.chats.close }).click();
});

it('shows a chat with lines that nobody could have written, and goes on in it', async () => {
  await open('forged');
  await chatView.root.getByText('The oak of Inner Skerrow.').waitFor();
  await chatView.ask('And the keel?');
  await chatView.root.getByText('See the budget').last().waitFor();
});

it('asks before an answer’s link hands a file to another program, with its path', async () => {
  const { page } = workbench;
  await chatView.root.getByRole('link', { name: 'the budget' }).last().click();
  const asked = page.locator('.modal .docent-asked');
  await asked.waitFor();
  expect(await asked.textContent()).toBe(words.render.otherAppText('Papers/Budget 2026.pdf.bat'));
  await workbench.screenshot('file-of-another-app');
  await page.getByRole('button', { name: words.render.cancel }).click();
  await asked.waitFor({ state: 'detached' });
});

it('lists models, notes and chats with such names in menus that fit the window', async () => {
  const { page } = workbench;
  await open('chat-markup');
  await chatView.root.getByText('It is stowed forward.').first().waitFor();
  for (const picker of ['model', 'notes', 'tier']) {
    await openPicker(chatView, picker);
    await page.locator('.menu').first().waitFor();
    expect([picker, await measureOverflow(page)]).toEqual([picker, []]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
  }
});

it('shows a name that turns the line as it is where a note is chosen, and on its chip', async () => {
  const shown = 'Winch {U+202E}dm.yraiD';
  await chatView.openNoteList('winch');
  await chatView.suggestions.first().waitFor();
  expect(await chatView.suggestions.first().locator('.docent-popup-name').textContent()).toBe(shown);
  await workbench.page.keyboard.press('Enter');
  await chatView.chips.filter({ hasText: 'Winch' }).waitFor();
  expect(await chatView.chipNames()).toContain(shown);
  await chatView.input.fill('');
});

it('names them in all other views so that they fit', async () => {
  const { page } = workbench;
  const { root } = chatView;
  const isFit = async (sight: string, roots: string): Promise<void> => {
    expect([sight, await judge(roots)]).toEqual([sight, []]);
  };
  await open('chat-long');
  await root.getByText('It is stowed forward.').first().waitFor();
  await root.getByRole('button', { name: words.goals.panel, exact: true }).click();
  await isFit('goal', '.docent-pane');
  await root.getByRole('button', { name: words.goals.panel, exact: true }).click();
  const dialogs = { 'show-prompt': '.docent-inspector-part', 'show-context': '.docent-list-row' };
  for (const [command, ready] of Object.entries({ ...dialogs, 'show-diagnostics': '.docent-diagnostics' })) {
    await workbench.command(command);
    await page.locator(ready).first().waitFor();
    await isFit(command, modal);
    await page.keyboard.press('Escape');
    await page.locator('.modal').waitFor({ state: 'detached' });
  }
  await workbench.command('show-usage');
  await page.locator('.docent-usage-table').waitFor();
  for (const group of [words.usage.groups.model, words.usage.groups.chat]) {
    await page.getByRole('combobox', { name: words.usage.by }).selectOption({ label: group });
    await isFit(`usage by ${group}`, '.docent-usage');
  }
  await workbench.command('open-chat-list');
  await page.locator('.workspace-leaf-content[data-type="docent-chats"] .docent-chats-row').first().waitFor();
  await isFit('list of chats', '.workspace-leaf-content[data-type="docent-chats"] .view-content');
});
