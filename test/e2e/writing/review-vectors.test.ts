/** Hostile text in the plugin itself: as an answer, and as the text of a note under review, nothing of it loads or runs. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { openChatView, type OpenedChatView } from '../driver/chat-view';
import { HOSTILE_HTML } from '../app/render-page/hostile-html';
import { HOSTILE_MARKDOWN } from '../app/render-page/hostile-markdown';
import { startChat } from '../driver/reach-walk';
import { openWorkbench, type OpenedWorkbench, type OpenOptions } from '../driver/workbench';
import type { Script } from '../../support/model-server';

jest.setTimeout(180_000);

/** Long enough for the control to make all its requests. */
const quietMs = 1_000;
const hits = new Set<string>();
let connections = 0;
let server: http.Server;
let canary: string;
let workbench: OpenedWorkbench;
let chatView: OpenedChatView;

beforeAll(async () => {
  server = http.createServer((request, response) => {
    hits.add(request.url ?? '');
    response.writeHead(200, { 'content-type': 'image/svg+xml', 'access-control-allow-origin': '*' });
    response.end('<svg xmlns="http://www.w3.org/2000/svg"/>');
  });
  server.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  canary = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Forgets what the control asked for: each test begins with a canary that nobody has asked. */
beforeEach(() => {
  hits.clear();
  connections = 0;
});

const aim = (texts: readonly string[], name: string): string[] =>
  texts.map((text, index) => text.replaceAll('CANARY', `${canary}/${name}-${index}`));
const html = (): string[] => aim(HOSTILE_HTML, 'html');
const markdown = (): string[] => aim(HOSTILE_MARKDOWN, 'markdown');

async function open(options: OpenOptions = {}): Promise<void> {
  workbench = await openWorkbench({
    vault: { 'Note.md': 'Plain.\n' },
    scripted: () => ({ text: 'Hello.' }),
    ...options,
  });
  chatView = await openChatView(workbench);
}

/** Begins a chat in which the model answers so. */
async function begin(script: Script): Promise<void> {
  await startChat({ workbench, chatView });
  workbench.model?.setScript(script);
}

/** Elements that only markup from a text could have made. */
const trespassers = (): Promise<number> =>
  chatView.root.evaluate((root) => {
    const unexpected =
      'iframe, object, embed, script, style, link, form, video, audio, base, meta, [onerror], [onload]';
    return root.querySelectorAll(`.docent-transcript :is(${unexpected}, img:not([src^="app:"], [src^="blob:"]))`)
      .length;
  });

it('sees what a page of the workbench loads: as HTML, the vectors reach the canary', async () => {
  expect(HOSTILE_HTML.length).toBeGreaterThanOrEqual(66);
  expect(HOSTILE_MARKDOWN.length).toBeGreaterThanOrEqual(40);
  const refusals = /^(?:Unsafe attempt to load URL|Failed to load module script:|Refused to) /;
  await open({ expectedErrors: refusals });
  await workbench.page.evaluate((texts) => {
    for (const text of texts) {
      const frame = document.body.appendChild(document.createElement('iframe'));
      const body = frame.contentDocument?.body;
      if (body) body.innerHTML = text;
    }
  }, html());
  await workbench.page.waitForTimeout(quietMs);
  const reached = new Set([...hits].map((url) => /html-\d+/.exec(url)?.[0]));
  expect(reached.size).toBeGreaterThanOrEqual(30);
  await workbench.close();
});

describe('in the chat view', () => {
  beforeAll(() => open());
  afterAll(() => workbench.close());

  it.each(['html', 'markdown'] as const)('makes no request for an answer of %s vectors', async (kind) => {
    const texts = kind === 'html' ? html() : markdown();
    await begin(({ index }) => ({ text: texts.slice(index * 25, index * 25 + 25).join('\n\n') || 'Done.' }));
    for (let from = 0; from < texts.length; from += 25) await chatView.ask('Go on.');
    await workbench.page.waitForTimeout(quietMs);
    expect([[...hits], connections, await trespassers()]).toEqual([[], 0, 0]);
    // The answers are there: it is not an empty page that asks for nothing.
    expect((await chatView.answers.allInnerTexts()).join('').length).toBeGreaterThan(texts.length * 10);
  });

  it('makes no request for vectors in a review, in all that it shows of them', async () => {
    const all = [...html(), ...markdown()];
    const text = `Vectors.\n\n${all.join('\n\n')}\n`;
    const cells = all.map((vector) => `| ${vector.replace(/\s+/g, ' ').replaceAll('|', '\\|')} | x |`).slice(0, 40);
    const table = `| a | b |\n|---|---|\n${cells.join('\n')}\n`;
    const properties = all.slice(0, 30).map((vector, index) => `key${index}: ${JSON.stringify(vector)}`);
    const changed = `---\n${properties.join('\n')}\n---\n`;
    await begin(({ index }) => {
      if (index === 0) return { toolCalls: [{ name: 'read_note', arguments: { path: 'Note.md' } }] };
      if (index > 1) return { text: 'Proposed.' };
      return {
        toolCalls: [
          { name: 'create_note', arguments: { path: 'New.md', text } },
          { name: 'create_note', arguments: { path: 'Table.md', text: `${changed}${table}` } },
          { name: 'edit_note', arguments: { path: 'Note.md', oldText: 'Plain.', newText: text } },
        ],
      };
    });
    await chatView.ask('Propose.');
    const card = chatView.root.locator('.docent-review');
    await card.waitFor();
    for (const more = card.locator('.docent-review-more').first(); (await more.count()) > 0;) await more.click();
    const shown = await card.innerText();
    for (const vector of ['<img src=x onerror=', '<iframe srcdoc=', '![x](', 'dataviewjs'])
      expect(shown).toContain(vector);
    await workbench.page.waitForTimeout(quietMs);
    expect([[...hits], connections, await trespassers()]).toEqual([[], 0, 0]);
    expect(await card.locator('a, img, svg image, iframe').count()).toBe(0);
    expect(workbench.outsideRequests).toEqual([]);
  });
});
