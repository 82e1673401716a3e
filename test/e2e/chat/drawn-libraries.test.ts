/** Answers drawn by the libraries of the app: math, diagrams, and colors of code, and what of them must not be drawn. */
import { open } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { words } from '../../../src/text';
import { HOSTILE_CODE, HOSTILE_DIAGRAMS, HOSTILE_MATH } from '../app/render-page/hostile-drawings';
import { openChatView, type OpenedChatView } from '../driver/chat-view';
import { openWorkbench, type OpenedWorkbench } from '../driver/workbench';

jest.setTimeout(120_000);

const say = words.render;
const fence = '```';
const pixel = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect width="20" height="10"/></svg>';

const answer = [
  '> Tighten the keel bolts by hand first.',
  '[[Keel#Bolts|Keel › Bolts]]',
  'The force is $F = m a$ and[^sea] so #bolts hold:\n\n$$\n\\sum_{i=1}^{n} F_i = \\frac{1}{2}\n$$',
  `${fence}mermaid\ngraph LR\n A[Haul out] -->|dry| B{Rust?}\n B -->|no| C[Done]\n${fence}`,
  `${fence}ts\nconst bolts: number = 7;\n${fence}`,
  '> [!warning]- Mind the torque\n> Never above 90.',
  '![[mast.svg|40]] ![[gone.png]] ![[huge.png]]',
  '![[Loop]]',
  `${fence}mermaid\ngraph TD\n A[[[ --> \n${fence}`,
  '[^sea]: At sea, twice.',
].join('\n\n');

let workbench: OpenedWorkbench;
let chatView: OpenedChatView;
let hits: string[];
let canary: http.Server;
let hostile = '';

beforeAll(async () => {
  hits = [];
  canary = http.createServer((request, response) => {
    hits.push(request.url ?? '');
    response.writeHead(200, { 'access-control-allow-origin': '*' }).end();
  });
  await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(canary.address() as AddressInfo).port}`;
  const aim = (text: string, name: string): string =>
    text
      .replaceAll('CANARY', `${address}/${name}`)
      .replaceAll('ESCAPED', encodeURIComponent(`${address}/${name}`))
      .replaceAll('SHORT', `${address.replace('//', '/')}/${name}`);
  hostile = [
    ...HOSTILE_MATH.map((tex, n) => `$$\n${aim(tex, `math-${n}`)}\n$$\n\nand $${aim(tex, `line-${n}`)}$.`),
    ...HOSTILE_DIAGRAMS.map((source, n) => `${fence}mermaid\n${aim(source, `diagram-${n}`)}\n${fence}`),
    ...HOSTILE_CODE.map(([language, code], n) => `${fence}${language}\n${aim(code, `code-${n}`)}\n${fence}`),
  ].join('\n\n');
  workbench = await openWorkbench({
    vault: {
      'Keel.md': `# Keel\n\n${'Prose.\n\n'.repeat(60)}## Bolts\n\nTighten the keel bolts **by hand** first.\n`,
      'Loop.md': 'Around and ![[Loop]]\n',
      'mast.svg': pixel,
    },
    scripted: ({ body }) => {
      const said = JSON.stringify(body);
      return { text: said.lastIndexOf('the hostile ones') > said.lastIndexOf('the bolts?') ? hostile : answer };
    },
  });
  const huge = await open(path.join(workbench.vaultFolder, 'huge.png'), 'w');
  await huge.truncate(50_000_000);
  await huge.close();
  chatView = await openChatView(workbench);
});

afterAll(() => void canary?.close());

/** Brings each element into view for as long as it takes to be noticed, which is when it is drawn. */
async function seeAll(drawn: Locator, selector: string): Promise<void> {
  await drawn.evaluate(async (root, wanted) => {
    for (const element of root.querySelectorAll(wanted)) {
      element.scrollIntoView({ block: 'center' });
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    }
  }, selector);
}

/** Brings each diagram into view until it is drawn, or says that it is not. */
async function seeDiagrams(drawn: Locator): Promise<void> {
  await drawn.evaluate(async (root) => {
    for (const diagram of root.querySelectorAll('.docent-code:has(.language-mermaid)')) {
      diagram.scrollIntoView({ block: 'center' });
      const isDecided = (): boolean =>
        diagram.classList.contains('is-drawn') || diagram.querySelector('.docent-source-note') !== null;
      const late = Date.now() + 15_000;
      while (!isDecided()) {
        if (Date.now() > late) throw new Error(`Neither drawn nor refused: ${diagram.textContent}`);
        await new Promise(requestAnimationFrame);
      }
    }
  });
}

it('draws formulas, diagrams, colors, embeds, footnotes, and tags, and opens what an answer cites', async () => {
  const { page } = workbench;
  const drawn = await chatView.ask('How do I tighten the bolts?');
  await drawn.locator('.docent-math[aria-label="F = m a"] mjx-container mjx-c').first().waitFor();
  await seeAll(drawn, '.docent-math, .docent-code, .docent-embed');
  await drawn.locator('.docent-math.is-display[role="img"] mjx-container').waitFor();
  const diagram = drawn.locator('.docent-diagram > svg[role="img"]');
  await diagram.waitFor();
  expect((await diagram.locator('text').allTextContents()).map((text) => text.trim())).toEqual(
    expect.arrayContaining(['Haul out', 'Rust?', 'dry']),
  );
  const { width } = (await diagram.boundingBox())!;
  expect(width).toBeGreaterThan(100);
  await drawn.locator('.docent-code.is-drawn').getByText(say.showSource).click();
  await drawn.getByText('A[Haul out]').waitFor();
  await drawn.locator('code.language-ts .token.keyword').waitFor();
  expect(await drawn.locator('code.language-ts').innerText()).toBe('const bolts: number = 7;');
  const title = drawn.locator('.callout-title[role="button"]');
  await title.focus();
  await page.keyboard.press('Enter');
  await drawn.getByText('Never above 90.').waitFor();
  expect(await title.locator('svg').count()).toBe(2);
  await drawn.locator('img.docent-image[width="40"]').waitFor();
  expect(await drawn.locator('.docent-link-inert.is-unresolved').allInnerTexts()).toEqual(['gone.png']);
  await drawn.getByText(say.showLargeImage(50)).click();
  await drawn.getByText(say.imageFailed('huge.png')).waitFor();
  await drawn.locator('.docent-embedded-note').getByText(say.embedsItself).waitFor();
  await drawn.locator('.docent-code').last().getByText(say.diagramFailed).waitFor();
  await drawn.locator('sup a').click();
  await drawn.locator('.docent-footnote:focus').getByText('At sea, twice.').waitFor();
  await drawn.locator('a.tag').click();
  await page.locator('.workspace-leaf-content[data-type="search"] input[type="search"]').waitFor();
  expect(await page.locator('input[type="search"]').inputValue()).toBe('tag:#bolts');
  await drawn.getByText('Keel › Bolts').click();
  const flashing = page.locator('.cm-editor .is-flashing');
  await flashing.first().waitFor();
  expect((await flashing.allInnerTexts()).join('')).toContain('Tighten the keel bolts');
});

it('copies formulas as their source', async () => {
  const { page } = workbench;
  const drawn = await chatView.ask('What is the force on the bolts?');
  await seeAll(drawn, '.docent-math');
  await drawn.locator('.docent-math.is-display[role="img"] mjx-container').waitFor();
  await drawn.evaluate((root) => {
    const [inLine, block] = root.querySelectorAll('.docent-math');
    const start = inLine!.previousSibling!;
    root.ownerDocument.getSelection()!.setBaseAndExtent(start, 4, block!.parentNode!.nextSibling!, 0);
  });
  await page.keyboard.press('ControlOrMeta+c');
  const pasted = chatView.input.evaluate(
    (box) =>
      new Promise<string>((done) => {
        const take = (event: Event): void => done((event as ClipboardEvent).clipboardData!.getData('text/html'));
        box.addEventListener('paste', take, { once: true });
      }),
  );
  await chatView.input.fill('');
  await chatView.input.press('ControlOrMeta+v');
  expect((await chatView.input.inputValue()).trim()).toBe(
    'force is $F = m a$ and1 so #bolts hold:\n\n$$\n\\sum_{i=1}^{n} F_i = \\frac{1}{2}\n$$',
  );
  expect(await pasted).toContain('$F = m a$');
  expect(await drawn.locator('.docent-math-source').count()).toBe(0);
  await drawn.evaluate((root) => {
    const [inLine] = root.querySelectorAll('.docent-math');
    root.ownerDocument.getSelection()!.selectAllChildren(inLine!);
  });
  await page.keyboard.press('ControlOrMeta+c');
  await chatView.input.fill('');
  await chatView.input.press('ControlOrMeta+v');
  expect(await chatView.input.inputValue()).toBe('$F = m a$');
  await chatView.input.fill('');
});

it('lets no hostile formula, diagram, or code load, ask, or cover anything', async () => {
  const { page } = workbench;
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  expect(HOSTILE_MATH.length + HOSTILE_DIAGRAMS.length + HOSTILE_CODE.length).toBeGreaterThanOrEqual(80);
  const drawn = await chatView.ask('Draw the hostile ones');
  await seeAll(drawn, '.docent-math, .docent-code');
  await seeDiagrams(drawn);
  expect(await drawn.locator('.docent-code.is-drawn').count()).toBeGreaterThan(10);
  expect(await drawn.locator('mjx-container').count()).toBeGreaterThan(3);
  const found = await drawn.evaluate((root) => {
    const plain = new Set(
      'a blockquote br button code del div em h1 h2 h3 h4 h5 h6 hr img input li mark ol p pre span strong sup table tbody td th thead tr ul'.split(
        ' ',
      ),
    );
    const inSvg = new Set(
      'svg g defs marker path rect circle ellipse line polyline polygon text tspan linearGradient stop title'.split(
        ' ',
      ),
    );
    const trespasses: string[] = [];
    for (const element of root.querySelectorAll('*')) {
      const { localName: name } = element;
      const isKnown = element.closest('svg') ? inSvg.has(name) : plain.has(name) || /^mjx-[a-z]+$/.test(name);
      if (!isKnown) trespasses.push(`<${name}>`);
      for (const { name: attribute, value } of Array.from(element.attributes)) {
        const isRisky = /^(?:on|href|src|srcset|xlink|ping|action|formaction|style)/.test(attribute);
        const isMathStyle = attribute === 'style' && name.startsWith('mjx-') && !/url|fixed|absolute/.test(value);
        if (isRisky && !isMathStyle) trespasses.push(`${name}[${attribute}=${value}]`);
        if (attribute !== 'xmlns' && element.closest('svg') && /:\/\/|javascript|url\((?!#docent-)/.test(value))
          trespasses.push(`${name}[${attribute}]`);
      }
      if (getComputedStyle(element).position === 'fixed') trespasses.push(`${name} is fixed`);
    }
    const { right, bottom } = root.getBoundingClientRect();
    const outside = Array.from(root.querySelectorAll('.docent-math')).filter((math) => {
      const box = math.getBoundingClientRect();
      return box.right > right + 8 || box.bottom > bottom + 8;
    });
    return { trespasses, outside: outside.length, left: document.querySelectorAll('.docent-diagram-bench').length };
  });
  expect(found).toEqual({ trespasses: [], outside: 0, left: 0 });
  expect([dialogs, hits, workbench.outsideRequests]).toEqual([[], [], []]);
  // What is refused stays refused for the formulas after it.
  expect(await drawn.locator('.docent-math[role="img"]').count()).toBeGreaterThan(3);
  // An answer after it is drawn as one before it.
  const next = await chatView.ask('And how do I loosen the bolts?');
  await next.locator('.docent-math[aria-label="F = m a"] mjx-container mjx-c').first().waitFor();
  await seeAll(next, '.docent-math, .docent-code');
  await next.locator('.docent-diagram > svg[role="img"]').waitFor();
  await next.locator('code.language-ts .token.keyword').waitFor();
});
