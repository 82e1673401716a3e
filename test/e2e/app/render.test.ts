/** The renderer in a real browser: nothing hostile reaches a canary server, and no link opens without a yes. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import esbuild from 'esbuild';
import type { BrowserContext, Page } from 'playwright-core';
import { newContext } from '../driver/browser';
import { HOSTILE_HTML } from './render-page/hostile-html';
import { HOSTILE_MARKDOWN } from './render-page/hostile-markdown';
import type { RenderPage } from './render-page/page';

declare const renderPage: RenderPage;

/** Long enough for the control to make all its requests. */
const QUIET_MS = 2_000;

/** A server that hostile texts would ask. */
interface Canary {
  readonly origin: string;
  readonly hits: Set<string>;
  connections: number;
}

let context: BrowserContext;
let script: string;
let home: string;
const servers: http.Server[] = [];

async function listen(answer: http.RequestListener): Promise<{ server: http.Server; origin: string }> {
  const server = http.createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

beforeAll(async () => {
  const built = await esbuild.build({
    entryPoints: [path.join(__dirname, 'render-page/page.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2021',
    logLevel: 'silent',
  });
  script = built.outputFiles[0]?.text ?? '';
  const pages = await listen((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end('<!doctype html><link rel="icon" href="data:,"><title>Renderer</title><body></body>');
  });
  home = pages.origin;
  context = await newContext({ phone: false, theme: 'light' });
}, 60_000);

afterAll(async () => {
  await context?.close();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

async function startCanary(): Promise<Canary> {
  const hits = new Set<string>();
  const { server, origin } = await listen((request, response) => {
    hits.add(request.url ?? '');
    response.writeHead(200, { 'content-type': 'image/svg+xml', 'access-control-allow-origin': '*' });
    response.end('<svg xmlns="http://www.w3.org/2000/svg"/>');
  });
  const canary: Canary = { origin, hits, connections: 0 };
  server.on('connection', () => canary.connections++);
  return canary;
}

async function openPage(): Promise<Page> {
  const page = await context.newPage();
  await page.goto(home);
  await page.addScriptTag({ content: script });
  return page;
}

/** Gives each text an address of its own, so that each request can be traced to its text. */
function aim(texts: readonly string[], { origin }: Canary, name: string): string[] {
  return texts.map((text, index) => text.replaceAll('CANARY', `${origin}/${name}-${index}`));
}

const vectorsHit = ({ hits }: Canary): number => new Set(Array.from(hits, (url) => /[a-z]+-\d+/.exec(url)?.[0])).size;

/** HTML where Markdown may put it: alone, among words, in lists, quotes, tables, links and code. */
const wrappedHtml = HOSTILE_HTML.flatMap((html) => [
  html,
  `before ${html} after`,
  `- ${html}\n\n> ${html}\n\n[${html}](CANARY)`,
  `| a |\n|---|\n| ${html.replaceAll('|', '\\|')} |\n\n\`${html}\n\n# ${html}`,
]);

it('has enough vectors', () => {
  expect(HOSTILE_HTML.length).toBeGreaterThanOrEqual(66);
  expect(HOSTILE_MARKDOWN.length).toBeGreaterThanOrEqual(40);
});

describe('hostile texts', () => {
  const ways = ['whole', 'stream', 'other-document'] as const;
  const drawn = new Map<string, { readonly page: Page; readonly canary: Canary }>();
  let control: Canary;

  /** All pages have the same time to make requests. */
  beforeAll(async () => {
    for (const way of ways) {
      const [page, canary] = [await openPage(), await startCanary()];
      drawn.set(way, { page, canary });
      const texts = [...aim(wrappedHtml, canary, 'html'), ...aim(HOSTILE_MARKDOWN, canary, 'markdown')];
      await page.evaluate(([list, how]) => renderPage.draw(list, how), [texts, way] as const);
    }
    control = await startCanary();
    const page = await openPage();
    await page.evaluate((texts) => renderPage.drawRaw(texts), aim(HOSTILE_HTML, control, 'raw'));
    await page.waitForTimeout(QUIET_MS);
    await page.close();
  }, 120_000);

  afterAll(() => Promise.all([...drawn.values()].map(({ page }) => page.close())));

  it('is not blind: taken as HTML, the vectors reach the canary', () => {
    expect(vectorsHit(control)).toBeGreaterThanOrEqual(30);
  });

  it.each(ways)('makes no request and no connection when drawn: %s', async (way) => {
    const { page, canary } = drawn.get(way)!;
    expect(await page.evaluate(() => renderPage.trespasses())).toEqual([]);
    expect([Array.from(canary.hits), canary.connections]).toEqual([[], 0]);
    expect(page.url()).toBe(`${home}/`);
  });
});

it('opens nothing by mouse, wheel button, keyboard or menu when the answer is no, and only by the gate on yes', async () => {
  const page = await openPage();
  const canary = await startCanary();
  const opened: string[] = [];
  page.context().on('page', (other) => opened.push(other.url()));
  const destinations = Array.from({ length: 120 }, (_, index) => `${canary.origin}/link-${index}?secret=note%20text`);
  await page.evaluate(
    (list) => renderPage.draw(list, 'whole'),
    destinations.map((url) => `[here](${url})`),
  );
  const links = page.locator('.drawn a');
  expect(await links.count()).toBe(120);
  for (const link of (await links.all()).slice(0, 12)) {
    await link.hover();
    await link.click();
    await link.click({ button: 'middle' });
    await link.click({ modifiers: ['Control'] });
    await link.click({ button: 'right' });
    await link.press('Enter');
  }
  await links.evaluateAll((all) => all.forEach((link) => (link as HTMLElement).click()));
  await page.waitForTimeout(200);
  expect(await page.evaluate(() => [renderPage.opened.length, renderPage.asked])).toEqual([0, 12 * 4 + 120]);
  await page.evaluate(() => void (renderPage.answer = true));
  await links.first().click();
  await page.waitForTimeout(100);
  expect(await page.evaluate(() => renderPage.opened)).toEqual([`${canary.origin}/link-0?secret=note%20text`]);
  expect([opened, Array.from(canary.hits), canary.connections, page.url()]).toEqual([[], [], 0, `${home}/`]);
  await page.close();
}, 120_000);

describe('100,000 characters of one kind', () => {
  let page: Page;

  beforeAll(async () => {
    page = await openPage();
  });

  afterAll(() => page.close());

  /** The time by the speed of the machine. */
  const drawTimed = (text: string): Promise<number> =>
    page.evaluate((source) => {
      // Times a fixed amount of work in the page, to distinguish a slow machine from slow rendering. The work takes 6
      // ms on a machine where the limit is half a second.
      const slowness = (): number => {
        const start = performance.now();
        const words = Array.from({ length: 12_000 }, (_, index) => `word ${(index * 7919) % 12_007}`);
        const places = new Map(words.map((word, index) => [word, index]));
        const found = [...words.join('\n').matchAll(/\d+$/gm)].map(([digits]) => places.get(`word ${digits}`) ?? 0);
        if (words.sort().length + found.length !== 24_000) throw new Error('The page did other work than it should.');
        return Math.max(1, (performance.now() - start) / 6);
      };
      const before = slowness();
      return renderPage.drawTimed(source) / Math.max(before, slowness());
    }, text);

  it.each(['- a\n', '> a\n\n', 'a\n\n', '*a* ', '[x](https://a.example) ', '|a|b|\n|-|-|\n|c|d|\n\n'])(
    'are drawn without a long pause: %j',
    async (unit) => {
      const text = unit.repeat(Math.ceil(100_000 / unit.length));
      const times: number[] = [];
      // Other work on the machine can slow one of them down, but hardly all.
      while (times.length < 4 && !times.some((time) => time < 500)) times.push(await drawTimed(text));
      expect(Math.min(...times)).toBeLessThan(500);
    },
    60_000,
  );
});
