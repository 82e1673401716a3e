/** The review in a real browser: with the keyboard alone, on a phone, with long texts, and as it looks. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expectSoon } from 'obsidian-workbench/testing/cost';
import type { Locator } from 'playwright-core';
import { measureContrast } from '../driver/measure-look';
import { until } from '../driver/chat-view';
import { closeQuiet, lookInThemes } from '../driver/workbench';
import { chatView, openLook, workbench } from '../driver/open-chat';
import { startChat } from '../driver/reach-walk';
import { editNote, restoreNotes } from '../driver/writing-walk';
import type { Script, ScriptedToolCall } from '../../support/model-server';

jest.setTimeout(180_000);

const crew = '# Crew\n\nRui steers by day.\n\nMhairi bails when it rains.\n\nPawel sings all the time.\n';
const vault = {
  'Crew.md': crew,
  'Stores.md': '| What | How many |\n|---|---|\n| Rope | 3 |\n',
  'Scrap.md': 'Nothing.\n',
};
const changes: readonly ScriptedToolCall[] = [
  editNote('Crew.md', 'Rui steers by day.', 'Rui navigates by day.'),
  editNote('Crew.md', 'all the time', 'in the evening'),
  editNote('Stores.md', '| Rope | 3 |', '| Rope | 5 |'),
  { name: 'create_note', arguments: { path: 'Bolts.md', text: '---\ntype: part\n---\nSix bolts of bronze.\n' } },
  { name: 'delete_note', arguments: { path: 'Scrap.md' } },
];

const proposing =
  (calls: readonly ScriptedToolCall[]): Script =>
  ({ index }) => {
    if (index === 0) return { toolCalls: [{ name: 'read_notes', arguments: { paths: Object.keys(vault) } }] };
    return index === 1 ? { toolCalls: calls } : { text: 'Proposed.' };
  };

const card = (): Locator => chatView.root.locator('.docent-review');

const opening = { vault, scripted: proposing(changes) };

async function propose(): Promise<void> {
  await chatView.ask('Bring the notes up to date.');
  await card().waitFor();
}

/** The name of what has the focus. */
const focus = (): Promise<string> =>
  workbench.page.evaluate(() => {
    const at = document.activeElement;
    return at?.ariaLabel ?? document.getElementById(at?.getAttribute('aria-labelledby') ?? '')?.ariaLabel ?? '';
  });

const exists = (path: string): Promise<boolean> =>
  workbench.readNote(path).then(
    () => true,
    () => false,
  );

afterAll(() => closeQuiet(workbench));

describe('with the keyboard alone', () => {
  beforeAll(() => openLook({ theme: 'dark' }, opening));
  beforeEach(async () => {
    await restoreNotes(workbench, vault);
    workbench.model?.setScript(proposing(changes));
    await startChat({ workbench, chatView });
  });

  it('R220 reads, rejects, edits in place, says why, applies and undoes', async () => {
    await propose();
    const { page } = workbench;
    for (let step = 0; step < 60 && !(await focus()).startsWith('Edited: Crew'); step += 1) {
      await page.keyboard.press('Shift+Tab');
    }
    expect(await focus()).toBe('Edited: Crew');
    await page.keyboard.press('j');
    expect(await focus()).toBe('line 3 of Crew');
    await page.keyboard.press('r');
    await page.keyboard.press('w');
    await card().locator('input:focus, textarea:focus').waitFor();
    await page.keyboard.type('He steers.');
    await page.keyboard.press('Enter');
    await card().locator('.docent-review-hunk.is-rejected').waitFor();
    while ((await focus()) !== 'line 7 of Crew') await page.keyboard.press('j');
    await page.keyboard.press('e');
    await card().locator('textarea:focus').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Pawel sings at dusk.');
    await page.keyboard.press('Control+Enter');
    await card().locator('ins', { hasText: 'dusk' }).waitFor();
    expect(await focus()).toBe('line 7 of Crew');
    expect(await card().locator('.docent-review-hunk.is-rejected').count()).toBe(1);
    await page.keyboard.press('End');
    expect(await focus()).toBe('Deleted: Scrap');
    await page.keyboard.press('r');
    // The key does nothing in the first moments after the change of a text, as the button.
    const apply = card().getByRole('button', { name: 'Apply 3 of 5 changes' });
    await until(() => apply.isEnabled(), 'the review can be applied');
    await page.keyboard.press('Enter');
    await card().getByText('Applied to 3 notes').waitFor();
    expect(await workbench.readNote('Crew.md')).toBe(crew.replace('Pawel sings all the time.', 'Pawel sings at dusk.'));
    expect(await workbench.readNote('Stores.md')).toContain('| Rope | 5 |');
    expect([await exists('Scrap.md'), await exists('Bolts.md')]).toEqual([true, true]);
    await page.keyboard.press('Home');
    await page.keyboard.press('u');
    await card().getByText('Applied to 2 notes, undone in 1 note').waitFor();
    expect(await workbench.readNote('Crew.md')).toBe(crew);
    await page.keyboard.press('u');
    await card().getByText('Applied to 3 notes').waitFor();
    await chatView.ask('And now?');
    expect(JSON.stringify(workbench.model?.requests.at(-1)?.body)).toContain('He steers.');
  });

  it('moves nothing under a mouse that is pressed, and undoes at the first press', async () => {
    const { page } = workbench;
    await propose();
    await card().getByRole('button', { name: 'Apply all' }).click();
    await card().getByText('Applied to').waitFor();
    await chatView.input.focus();
    const legend = card().locator('.docent-review-keys');
    const height = async (): Promise<number | undefined> => (await card().boundingBox())?.height;
    const before = await height();
    expect(await legend.isVisible()).toBe(false);
    await card().getByRole('button', { name: 'Undo the change to Crew' }).hover();
    await page.mouse.down();
    await card().locator('button:focus').waitFor();
    expect(await height()).toBe(before);
    await page.mouse.up();
    await until(async () => (await workbench.readNote('Crew.md')) === crew, 'the note is as it was');
    // Whoever comes with the keyboard is shown its keys, and they stay while the focus does.
    await page.keyboard.press('Tab');
    await legend.waitFor();
    await card().getByText('Bolts').click();
    expect(await legend.isVisible()).toBe(true);
    await chatView.input.focus();
    await legend.waitFor({ state: 'hidden' });
  });

  it('undoes by a double-click, and does not redo at once what it undid', async () => {
    const { mouse } = workbench.page;
    await propose();
    await card().getByRole('button', { name: 'Apply all' }).click();
    await card().getByText('Applied to 4 notes').waitFor();
    /** Presses the button, and presses again once it is what takes that back. */
    const pressTwice = async (name: string, back: string): Promise<void> => {
      await card().getByRole('button', { name, exact: true }).click();
      await card().getByRole('button', { name: back, exact: true }).waitFor();
      await mouse.down({ clickCount: 2 });
      await mouse.up({ clickCount: 2 });
      // In this time, what is pressed once is done.
      await sleep(500);
    };
    await pressTwice('Undo the change to Crew', 'Redo the change to Crew');
    expect(await workbench.readNote('Crew.md')).toBe(crew);
    await pressTwice('Redo the change to Crew', 'Undo the change to Crew');
    expect(await workbench.readNote('Crew.md')).not.toBe(crew);
    await pressTwice('Undo all', 'Redo all');
    expect(await workbench.readNote('Crew.md')).toBe(crew);
  });

  it('R220 has commands that are there only when they can act', async () => {
    await expect(workbench.command('apply-changes')).rejects.toThrow();
    await expect(workbench.command('undo-changes')).rejects.toThrow();
    await propose();
    // A review that has only just appeared cannot be applied by accident.
    const apply = (): Promise<boolean> =>
      workbench.command('apply-changes').then(
        () => true,
        () => false,
      );
    await until(apply, 'the review can be applied');
    await card().getByText('Applied to 4 notes').waitFor();
    expect(await exists('Scrap.md')).toBe(false);
    await expect(workbench.command('reject-changes')).rejects.toThrow();
    await workbench.command('undo-changes');
    await card().getByText('Undone in 4 notes').waitFor();
    expect([await workbench.readNote('Crew.md'), await exists('Bolts.md')]).toEqual([crew, false]);
  });
});

it('opens 3 MB of proposed text without hanging the pane', async () => {
  const long = Array.from(
    { length: 45_000 },
    (_, n) => `Line ${n} of a long note, with words enough to fill a line of its own.`,
  ).join('\n');
  const calls = [editNote('Long.md', 'Line 0 ', 'Row 0 ')];
  const script: Script = ({ index }) =>
    index === 0
      ? { toolCalls: [{ name: 'read_note', arguments: { path: 'Long.md' } }] }
      : index === 1
        ? { toolCalls: calls }
        : { text: 'Done.' };
  await openLook({ theme: 'dark' }, opening);
  await workbench.writeNote('Long.md', `${long}\n`);
  await workbench.page.waitForFunction(() => {
    const file = window.app.vault.getFileByPath('Long.md');
    return file !== null && window.app.metadataCache.getFileCache(file) !== null;
  });
  await workbench.page.evaluate(() => {
    const page = window as unknown as { longest: number };
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) page.longest = Math.max(page.longest, duration);
    }).observe({ entryTypes: ['longtask'] });
  });
  await expectSoon(1_000, async () => {
    workbench.model?.setScript(script);
    await startChat({ workbench, chatView });
    await workbench.page.evaluate(() => void Object.assign(window, { longest: 0 }));
    await chatView.ask('Change the first line.');
    await card().waitFor();
    const rows = await card().locator('.docent-review-row').count();
    expect(rows).toBeLessThan(100);
    await card().getByRole('checkbox').first().uncheck();
    await card().getByRole('checkbox').first().check();
    return workbench.page.evaluate(() => (window as unknown as { longest: number }).longest);
  });
});

/** Returns the buttons below the review over whose corner something lies, at any place of the chat that shows them. */
function coveredButtons(): Promise<string[]> {
  return chatView.root.evaluate(async (root) => {
    const list = root.querySelector('.docent-transcript')!;
    const view = list.getBoundingClientRect();
    const covered = new Set<string>();
    for (let top = list.scrollHeight - list.clientHeight; top > 0; top -= 30) {
      list.scrollTo(0, top);
      await new Promise((resolve) => setTimeout(resolve, 60));
      for (const button of root.querySelectorAll<HTMLElement>('.docent-review-foot button:enabled')) {
        const box = button.getBoundingClientRect();
        if (box.top < view.top || box.bottom > view.bottom) continue;
        const hit = document.elementFromPoint(box.right - 12, box.top + box.height / 2);
        if (!button.contains(hit)) covered.add(button.innerText);
      }
    }
    list.scrollTo(0, list.scrollHeight);
    return [...covered];
  });
}

describe.each(['desktop', 'phone'] as const)('looks: %s', (device) => {
  const isPhone = device === 'phone';
  beforeAll(async () => {
    await openLook(isPhone ? { phone: true } : { theme: 'dark' }, opening);
    await restoreNotes(workbench, vault);
    workbench.model?.setScript(proposing(changes));
    await propose();
  });

  it('stands inside the pane, and its words can be read', async () => {
    const { page } = workbench;
    const look = async (): Promise<void> => {
      const sideways = await chatView.root.evaluate((root) =>
        [root, ...root.querySelectorAll<HTMLElement>('.docent-transcript, .docent-review, .docent-review-rows')].map(
          (element) => element.scrollWidth - element.clientWidth,
        ),
      );
      expect(Math.max(...sideways)).toBeLessThanOrEqual(0);
      for (const words of [
        '.docent-review-text',
        '.docent-review-headline',
        '.docent-review-what',
        '.docent-review-line',
      ]) {
        const { ratio, count, lowest } = await measureContrast(
          page,
          `.docent-review-change:not(.is-rejected) ${words}, ${words}.docent-review-headline`,
        );
        expect({ words, count: count > 0, lowest, readable: ratio >= 4.5 }).toMatchObject({
          count: true,
          readable: true,
        });
      }
    };
    await card().getByRole('checkbox').nth(1).uncheck();
    if (isPhone) {
      await workbench.screenshot('review-phone');
      await look();
    } else await lookInThemes(workbench, 'review', look);
    await card().locator('.docent-review-foot').scrollIntoViewIfNeeded();
    await workbench.screenshot(`review-${device}-end`);
  });

  if (!isPhone)
    it('leaves the reader where they are while they decide, and follows the next question', async () => {
      const list = chatView.root.locator('.docent-transcript');
      await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      await workbench.page.waitForTimeout(100);
      const before = await list.evaluate((element) => element.scrollTop);
      expect(before).toBeGreaterThan(100);
      await card().getByRole('checkbox').last().uncheck();
      await workbench.page.waitForTimeout(200);
      expect(Math.abs((await list.evaluate((element) => element.scrollTop)) - before)).toBeLessThan(80);
      await list.evaluate((element) => element.scrollTo(0, 0));
      await chatView.ask('And now?');
      await until(() => list.evaluate((element) => element.scrollTop > 100), 'the new question is in view');
    });

  if (isPhone)
    it('gives a finger 44 points for everything that is pressed, on a phone', async () => {
      await card().getByRole('checkbox').nth(1).uncheck();
      const small = await chatView.root.evaluate((root) =>
        [
          ...root.querySelectorAll<HTMLElement>(
            '.docent-review button, .docent-review label, .docent-review summary, .docent-review-bar button, .docent-review-why',
          ),
        ]
          .filter((element) => element.offsetParent !== null)
          .map((element) => ({
            name: element.getAttribute('aria-label') ?? element.innerText,
            box: element.getBoundingClientRect(),
          }))
          .filter(({ box }) => Math.round(box.width) < 44 || Math.round(box.height) < 44)
          .map(({ name, box }) => `${name}: ${box.width} × ${box.height}`),
      );
      expect(small).toEqual([]);
      expect(await coveredButtons()).toEqual([]);
      await chatView.root
        .getByRole('button', { name: /^Apply 4 of 5/ })
        .first()
        .tap();
      await card().getByText('Applied to 4 notes').waitFor();
      await card().getByRole('button', { name: 'Undo all' }).tap();
      await card().getByText('Undone in 4 notes').waitFor();
      expect(await workbench.readNote('Crew.md')).toBe(crew);
    });
});
