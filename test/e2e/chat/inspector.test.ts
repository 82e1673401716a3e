/** The inspector and the context bar: what is shown of a request is what is sent, word for word. */
import type { Locator } from 'playwright-core';
import { until } from '../driver/chat-view';
import { chatView, openChat, workbench } from '../driver/open-chat';
import { lastSent } from '../driver/sent-request';
import { type OpenOptions } from '../driver/workbench';

jest.setTimeout(60_000);

const vault = {
  'Now.md': 'The blue boat is on the hard & <b>dry</b>.\n',
  'Other.md': 'Something else.\n',
  // Without this note, the first message would create the agent folder, which would appear in the listing of the vault.
  'Docent/memory.md': '',
};

async function open(options: OpenOptions = {}): Promise<void> {
  await openChat({ vault, ...options });
  await workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
}

async function inspect(tab: 'Next request' | 'Sent requests'): Promise<Locator> {
  await workbench.command('show-prompt');
  const modal = workbench.page.locator('.docent-inspector-modal');
  await modal.getByRole('tab', { name: tab }).click();
  return modal;
}

async function close(modal: Locator): Promise<void> {
  await workbench.page.keyboard.press('Escape');
  await modal.waitFor({ state: 'detached' });
}

async function copyPrompt(modal: Locator): Promise<string> {
  await modal.getByRole('button', { name: 'Copy prompt' }).click();
  return workbench.page.evaluate(() => navigator.clipboard.readText());
}

/** The system prompt in the copied text. */
function systemIn(copied: string): string {
  return /\n=== system ===\n([\s\S]*?)\n\n=== (?:user|assistant|tools) ===\n/.exec(copied)?.[1] ?? '';
}

afterEach(async () => {
  expect(workbench.errors).toEqual([]);
  await workbench.close();
});

it.each(['openai-compatible', 'anthropic'])(
  'shows the request to %s before and after it is sent, byte for byte',
  async (provider) => {
    await open({ settings: { model: `${provider}/scripted` } });
    await chatView.mention('Now');
    await workbench.page.keyboard.type('is it dry?');
    const before = await inspect('Next request');
    let announced = '';
    const isComplete = async (): Promise<boolean> => {
      announced = await copyPrompt(before);
      return announced.includes('is it dry?');
    };
    await until(isComplete, 'the next request has the question');
    await close(before);
    await chatView.input.press('Enter');
    await chatView.answers.getByText('Understood.').waitFor();
    const sent = lastSent(workbench.model);
    expect(systemIn(announced)).toBe(sent.system);
    const after = await inspect('Sent requests');
    const copied = await copyPrompt(after);
    expect(systemIn(copied)).toBe(sent.system);
    for (const text of sent.messages.flatMap(({ texts }) => texts)) expect(copied).toContain(text);
    for (const tool of sent.tools) expect(copied).toContain(`\n${tool}: `);
    expect(sent.tools.length).toBeGreaterThan(3);
  },
);

it('shows each section with its tokens, marked as an estimate, and its text when it is opened', async () => {
  await open();
  await chatView.mention('Now');
  const modal = await inspect('Next request');
  const parts = modal.locator('.docent-inspector-group .docent-inspector-part');
  const files = parts.filter({
    has: workbench.page.locator('.docent-inspector-title', { hasText: /^Attached notes/ }),
  });
  const counted = parts.locator('.docent-inspector-tokens:not(.is-estimate)');
  await files.locator('.docent-inspector-tokens:not(.is-estimate)').waitFor();
  const tokens = await counted.allInnerTexts();
  expect(tokens.length).toBeGreaterThan(1);
  const isExact = (await modal.getByText('Numbers with ≈ are estimates.').count()) === 0;
  for (const text of tokens) expect(text).toMatch(isExact ? /^[\d,]+$/ : /^≈[\d,]+$/);
  await files.locator('summary').click();
  expect(await files.locator('pre').innerText()).toContain('& <b>dry</b>');
});

it('says that nothing was sent before anything was', async () => {
  await open();
  const modal = await inspect('Sent requests');
  await modal.getByText('Nothing has been sent in this chat since Obsidian started.').waitFor();
});

it('marks what is searched in the color of the theme, with room to the edge of its part', async () => {
  await open();
  const modal = await inspect('Next request');
  await modal.getByRole('searchbox').fill('vault');
  const mark = modal.locator('.docent-inspector-excerpt mark').first();
  await mark.waitFor();
  const [color, wanted, room] = await mark.evaluate((element) => {
    const probe = element.ownerDocument.body.createDiv({ attr: { style: 'background: var(--text-highlight-bg)' } });
    const { backgroundColor } = getComputedStyle(probe);
    probe.remove();
    const edge = element.closest('summary')?.getBoundingClientRect().bottom ?? 0;
    const bottom = element.closest('.docent-inspector-excerpt')?.getBoundingClientRect().bottom ?? 0;
    return [getComputedStyle(element).backgroundColor, backgroundColor, edge - bottom];
  });
  expect(color).toBe(wanted);
  expect(room).toBeGreaterThanOrEqual(4);
});

it('opens from the bar, which tells in words how full the window is', async () => {
  await open({ settings: { tier: 3, contextStatus: 'never', compaction: 'manual' } });
  const bar = chatView.root.locator('.docent-context');
  const words = bar.locator('.docent-context-words');
  await words.waitFor();
  await chatView.ask('Is it dry?');
  const used = Number(
    /^≈?([\d,]+) of [\d,]+ tokens \(\d+% full\)$/.exec(await words.innerText())?.[1]?.replaceAll(',', ''),
  );
  expect(used).toBeGreaterThan(500);
  await bar.click();
  await workbench.page.locator('.docent-list-modal').getByRole('button', { name: 'Show prompt' }).click();
  await workbench.page.locator('.docent-inspector-modal').waitFor();
  await workbench.page.keyboard.press('Escape');
  const data = JSON.parse(await workbench.readNote('.obsidian/plugins/docent/data.json')) as object;
  // 512 tokens of a window this small are reserved for the answer.
  const fill = async (share: number): Promise<void> =>
    workbench.writeNote(
      '.obsidian/plugins/docent/data.json',
      JSON.stringify({ ...data, contextWindow: Math.round(used / share) + 512 }),
    );
  await fill(0.8);
  await until(async () => (await words.innerText()).startsWith('The context window is filling up.'), 'the warning');
  await fill(0.95);
  await until(
    async () => (await words.innerText()).startsWith('The context window is almost full.'),
    'the second warning',
  );
});

it('opens on the phone and fits its width', async () => {
  await open({ phone: true });
  const modal = await inspect('Next request');
  await modal.locator('.docent-inspector-part').first().locator('summary').click();
  const { x, width } = (await modal.boundingBox()) ?? { x: -1, width: 0 };
  expect(x).toBeGreaterThanOrEqual(0);
  expect(x + width).toBeLessThanOrEqual(390);
  const overflow = await modal.evaluate((element) => element.scrollWidth - element.clientWidth);
  expect(overflow).toBeLessThanOrEqual(0);
});
