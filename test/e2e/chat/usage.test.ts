/** Usage: a month of it seen by day, model and chat, its sums equal to the logs on disk, saved as a table. */
import { words } from '../../../src/text';
import { digest } from '../../support/memory-ports';
import { encodeEntry } from '../../../src/core/session/log-format';
import type { EntryBody, SessionEntry } from '../../../src/core/session/entry';
import { openChatView, readLog, readStoredJson, until } from '../driver/chat-view';
import { openSettingsWindow } from '../driver/settings-window';
import { measureContrast, measureOverflow } from '../driver/measure-look';
import { openWorkbench, showTheme, type OpenedWorkbench } from '../driver/workbench';

jest.setTimeout(90_000);

const say = words.usage;
const day = 86_400_000;
const today = new Date().setHours(12, 0, 0, 0);
const since = today - 29 * day - day / 2;

let workbench: OpenedWorkbench;
afterEach(() => workbench.close());

const usage = (inputTokens: number, outputTokens: number, more: object = {}) => ({
  ...{ inputTokens, outputTokens, ...more },
});

/** The log of one chat a day: an answer, the report of a subagent, and a background request. */
function logOf(at: number): string {
  const chat = `month${at}`;
  const time = today - at * day;
  const model = at % 3 === 0 ? 'openai/gpt-5-mini' : 'anthropic/claude-opus';
  const priced = at % 3 === 0 ? {} : { cost: 0.01 * (at + 1), cacheReadTokens: 100 * at };
  const bodies: EntryBody[] = [
    { kind: 'user', text: at === 1 ? '=HYPERLINK("https://evil.example")' : `Question of day ${at}`, mentions: [] },
    {
      ...{ kind: 'assistant', parts: [{ type: 'text', text: 'Answer.' }], end: 'complete', model },
      usage: usage(5000 + at, 40 + at, priced),
    },
    {
      ...{ kind: 'tool-result', callId: 'c', name: 'run_subagent', text: 'Report.', isError: false, sources: [] },
      usage: usage(300, 20, { cost: 0.002, model: 'anthropic/claude-haiku' }),
    },
    { kind: 'request-beside', model: 'anthropic/claude-haiku', usage: usage(50, 5, { cost: 0.001 }) },
  ];
  return bodies
    .map((body, index): SessionEntry => {
      return {
        ...body,
        id: `${chat}e${index}`,
        conversation: chat,
        writer: 'w',
        session: 's',
        lamport: index + 1,
        time,
      };
    })
    .map((entry) => encodeEntry(entry, digest))
    .join('');
}

const month = Object.fromEntries(
  Array.from({ length: 40 }, (_, at) => [`Docent/chats/month${at}/w-s.jsonl`, logOf(at)]),
);
const page = () => workbench.page.locator('.workspace-leaf-content[data-type="docent-usage"]');
const total = () => page().locator('.docent-usage-total');
const rows = () => page().locator('tbody tr:not(.docent-usage-bars)');
const choose = (label: string, option: string) => page().getByRole('combobox', { name: label }).selectOption(option);

/** How far the name of the first chat is above or below its figures, in pixels. */
const unevenness = (): Promise<number> =>
  rows()
    .first()
    .evaluate((row) => {
      const bottoms = [row.querySelector('button'), row.querySelector('td')].map((cell) => {
        const range = document.createRange();
        if (cell !== null) range.selectNodeContents(cell);
        return range.getBoundingClientRect().bottom;
      });
      return Math.abs((bottoms[0] ?? 0) - (bottoms[1] ?? 0));
    });

interface Reported {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cost?: number;
  readonly model?: string;
}

/** The reports on disk of the days from this time on, each with its time and its model. */
async function reportsSince(since: number): Promise<(Reported & { readonly time: number; readonly model: string })[]> {
  const records = (await readLog(workbench)) as unknown as { t: number; b: { usage?: Reported; model?: string } }[];
  return records.flatMap(({ t, b: { usage: report, model = '' } }) =>
    t >= since && report !== undefined ? [{ model, ...report, time: t }] : [],
  );
}

/** What the logs on disk report of the days from this time on. */
async function reported(since: number) {
  const counted = await reportsSince(since);
  const sum = (key: 'inputTokens' | 'outputTokens' | 'cost'): number =>
    counted.reduce((all, each) => all + (each[key] ?? 0), 0);
  return {
    words: say.total(sum('inputTokens'), sum('outputTokens'), counted.length),
    cost: sum('cost'),
    unpriced: counted.filter(({ cost }) => cost === undefined).length,
    sum,
    count: counted.length,
  };
}

/** The rows that a month has by the logs on disk, each with its name, cost, and tokens. */
async function rowsOfLogs(nameOf: (report: { readonly time: number; readonly model: string }) => string) {
  const all = await reportsSince(since);
  return [...new Set(all.map(nameOf))].map((name) => {
    const reports = all.filter((report) => nameOf(report) === name);
    const priced = reports.flatMap(({ cost }) => cost ?? []);
    const dollars = words.spending.dollars(priced.reduce((before, cost) => before + cost, 0));
    const unpriced = reports.length - priced.length;
    const part = unpriced === 0 ? '' : say.partUnknown(unpriced);
    const sum = (key: 'inputTokens' | 'outputTokens') =>
      say.short(reports.reduce((before, each) => before + each[key], 0));
    const cost = priced.length === 0 ? say.priceUnknown : `${dollars}${part}`;
    return [name, cost, sum('inputTokens'), sum('outputTokens')].join(' | ');
  });
}

const shownRows = (): Promise<string[]> =>
  rows().evaluateAll((all) =>
    all.map((each) =>
      Array.from(each.children)
        .slice(0, 4)
        .map(({ textContent }) => textContent)
        .join(' | '),
    ),
  );

/** Chooses by keys how the table is grouped, and expects the rows and the sum that the logs have. */
async function equalsLogs(by: string, key: string, nameOf: Parameters<typeof rowsOfLogs>[0]): Promise<void> {
  await page().getByRole('combobox', { name: say.by }).focus();
  await workbench.page.keyboard.press(key);
  await page().getByText(say.caption(by)).waitFor();
  const wanted = (await rowsOfLogs(nameOf)).sort();
  await until(async () => (await shownRows()).sort().join('\n') === wanted.join('\n'), `the rows by ${by}`, 5_000);
  expect(await total().innerText()).toContain((await reported(since)).words);
  await fits();
}

/** Expects in each theme, and at each width of the view, the month by model and by day as the logs have it. */
async function looksEqualLogs(widths: readonly string[]): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await showTheme(workbench, theme);
    for (const width of widths) {
      await workbench.page.evaluate((wanted) => {
        const [leaf] = window.app.workspace.getLeavesOfType('docent-usage');
        leaf?.view.containerEl.setCssStyles({ width: wanted });
      }, width);
      await equalsLogs(say.groups.model, 'ArrowDown', ({ model }) => model.slice(model.indexOf('/') + 1));
      await equalsLogs(say.groups.day, 'ArrowUp', ({ time }) => say.day(localDay(time)));
    }
  }
}

it('shows a month by day, model and chat, dark and light, with sums equal to the logs, and saves it as a table', async () => {
  workbench = await openWorkbench({
    ...{ vault: { 'Now.md': 'x\n', ...month }, scripted: () => ({ text: 'Understood.' }) },
    settings: { spendingLimit: 0.5 },
  });
  const chatView = await openChatView(workbench);
  await chatView.ask('One more');
  await workbench.command('show-usage');
  await total().getByText('tokens in').waitFor();
  const logs = await reported(since);
  expect(logs.count).toBeGreaterThan(90);
  await total().getByText(logs.words).waitFor();
  await total()
    .getByText(say.totalCost(words.spending.dollars(logs.cost)))
    .waitFor();
  await total().getByText(say.totalUnpriced(logs.unpriced)).waitFor();
  expect(await rows().count()).toBe(30);
  expect(await page().getByText(say.limit('$0.50')).count()).toBe(1);
  expect(await page().locator('.docent-usage-bar .is-limit').count()).toBe(30);
  expect((await measureContrast(workbench.page, '.docent-usage td, .docent-usage th')).ratio).toBeGreaterThanOrEqual(
    4.5,
  );

  // As wide as its place, and as narrow as a sidebar.
  await looksEqualLogs(['', '300px']);
  await choose(say.by, say.groups.model);
  await rows().first().getByText('claude-opus').waitFor();
  await rows().filter({ hasText: 'gpt-5-mini' }).getByText(say.priceUnknown).waitFor();
  await total().getByText(logs.words).waitFor();
  await choose(say.range, say.ranges.all);
  await total()
    .getByText((await reported(0)).words)
    .waitFor();
  await choose(say.measure, say.measures.tokens);

  await choose(say.by, say.groups.chat);
  await choose(say.range, say.ranges.month);
  expect(await unevenness()).toBeLessThanOrEqual(2);
  await showTheme(workbench, 'light');
  await fits();
  await showTheme(workbench, 'dark');
  await page().getByRole('button', { name: say.save }).click();
  const file = `Docent/exports/Usage ${localDay(Date.now())}.csv`;
  await workbench.page
    .locator('.notice')
    .filter({ hasText: say.saved(file) })
    .waitFor();
  const lines = (await workbench.readNote(file)).trimEnd().split('\n').slice(1);
  const column = (at: number): number =>
    lines.reduce((all, line) => all + Number(line.replace(/"(?:[^"]|"")*"/g, '').split(',')[at] ?? 0), 0);
  expect([column(3), column(4), column(5), column(8)]).toEqual([
    ...[logs.count, logs.sum('inputTokens'), logs.sum('outputTokens'), logs.unpriced],
  ]);
  expect(column(7)).toBeCloseTo(logs.cost, 6);
  expect(lines.join('\n')).not.toMatch(/=HYPERLINK|https:/);
  const journal = await readJournal();
  expect(journal).toContain(file);

  await page().getByRole('button', { name: 'Question of day 2', exact: true }).click();
  await chatView.questions.getByText('Question of day 2').waitFor();

  const settings = await openSettingsWindow(workbench);
  await (await settings.reach(say.title)).getByRole('button', { name: words.commandNames['show-usage'] }).click();
  await total().getByText(logs.words).waitFor();
  expect((await readStoredJson(workbench, '.obsidian/plugins/docent/data.json'))['spendingLimit']).toBe(0.5);
});

it('has the same sums on a phone, dark and light, fits it, and can be read', async () => {
  workbench = await openWorkbench({ vault: { 'Now.md': 'x\n', ...month }, phone: true });
  await openChatView(workbench);
  await workbench.command('show-usage');
  await rows().first().waitFor();
  await looksEqualLogs(['']);
  await choose(say.by, say.groups.chat);
  await rows().first().getByRole('button').waitFor();
  expect(await unevenness()).toBeLessThanOrEqual(2);
  await choose(say.by, say.groups.day);
  await choose(say.measure, say.measures.tokens);
  await choose(say.by, say.groups.chat);
  await fits();
});

/** Expects that the view, as it is shown here, fits its place and can be read. */
async function fits(): Promise<void> {
  expect((await measureContrast(workbench.page, '.docent-usage td, .docent-usage th')).ratio).toBeGreaterThanOrEqual(
    4.5,
  );
  expect(await measureOverflow(workbench.page)).toEqual([]);
  const beyond = await page()
    .locator('.docent-usage')
    .evaluate((box) => box.scrollWidth - box.clientWidth);
  expect(beyond).toBe(0);
}

async function readJournal(): Promise<string> {
  let text = '';
  await until(async () => {
    text = await workbench.page.evaluate(async () => {
      const { adapter } = window.app.vault;
      const collect = async (folder: string): Promise<string> => {
        const { files, folders } = await adapter.list(folder);
        const logs = await Promise.all(
          files.filter((name) => name.endsWith('.jsonl')).map((name) => adapter.read(name)),
        );
        return [...logs, ...(await Promise.all(folders.map(collect)))].join('');
      };
      return collect('.obsidian/plugins/docent/journal');
    });
    return text.includes('"commit"');
  }, 'the journal has the end of the write');
  return text;
}

function localDay(time: number): string {
  const date = new Date(time);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
}
