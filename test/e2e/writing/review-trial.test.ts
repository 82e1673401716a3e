/** A first review without documentation: three notes are to be edited, and the user has an opinion on each of them. */
import type { Locator } from 'playwright-core';
import { words } from '../../../src/text';
import { findChatView, until, type OpenedChatView } from '../driver/chat-view';
import { lastSent, newText } from '../driver/sent-request';
import { closeQuiet, type OpenedWorkbench, openWorkbench, showTheme } from '../driver/workbench';
import { editNote, treeOf } from '../driver/writing-walk';
import type { Script, ScriptedToolCall } from '../../support/model-server';

jest.setTimeout(120_000);

const list = 'Voyages/2026/Packing list for the long crossing in June.md';
const vault: Record<string, string> = {
  'Crew.md':
    '---\nrole: crew\nsince: 2024\n---\n# Crew\n\nRui steers by day and Mhairi by night, each for four hours at a stretch, unless the wind goes round to the north and both are needed.\n\nPawel cooks.\n',
  [list]:
    '# Packing list\r\n\r\n- [x] Oilskins for three\r\n- [ ] Lamp oil\r\n- [ ] Rope, thirty metres\r\n\r\n| What | Who brings it |\r\n|---|---|\r\n| Charts | Rui |\r\n| Kettle | Pawel |',
  'Log.md': '\ufeff# Log\n\nMonday: fog until noon. See [[Crew]].\n\nTuesday: nothing.\n\nWednesday: two seals.\n',
  'Untouched.md': 'Not part of it.\n',
};
const calls: readonly ScriptedToolCall[] = [
  editNote('Crew.md', 'each for four hours at a stretch', 'each for three hours at a stretch'),
  editNote('Crew.md', 'Pawel cooks.', 'Pawel cooks, and keeps the log.'),
  editNote(list, '- [ ] Lamp oil', '- [x] Lamp oil'),
  editNote(list, '| Kettle | Pawel |', '| Kettle | Mhairi |'),
  editNote('Log.md', 'Tuesday: nothing.', 'Tuesday: nothing of note happened on this day.'),
];
const script: Script = ({ index }) => {
  if (index === 0) return { toolCalls: [{ name: 'read_notes', arguments: { paths: ['Crew.md', list, 'Log.md'] } }] };
  return index === 1 ? { toolCalls: calls } : { text: 'I have proposed the changes to all three notes.' };
};
const reason = 'The log stays as it was written.';
const own = 'Pawel cooks, and Rui keeps the log.';

let workbench: OpenedWorkbench;
let chatView: OpenedChatView;
const card = (): Locator => chatView.root.locator('.docent-review');
/** A note of the review by how its name begins. */
const change = (name: string): Locator =>
  card()
    .locator('.docent-review-change')
    .filter({ has: workbench.page.locator('.docent-review-title', { hasText: new RegExp(`^${name}`) }) });

afterEach(() => closeQuiet(workbench));

/** What is wider than its place, or cut off without a way to see the rest. */
const sideways = (): Promise<string[]> =>
  chatView.root.evaluate((root) =>
    [root, ...root.querySelectorAll<HTMLElement>('.docent-transcript, .docent-review, .docent-review *')]
      .filter((element) => element.clientWidth > 0 && !element.matches('table, table *, .docent-said, input'))
      .filter((element) => element.scrollWidth - element.clientWidth > 1)
      .filter((element) => !['auto', 'scroll'].includes(getComputedStyle(element).overflowX))
      .map((element) => `${element.className}: ${element.scrollWidth} in ${element.clientWidth}`),
  );

/** What can be pressed or filled in, and has no name for those who do not see it. */
const unnamed = (): Promise<string[]> =>
  card().evaluate((root) =>
    [...root.querySelectorAll<HTMLElement>('button, input, textarea, summary, [role=group]')]
      .filter((element) => element.offsetParent !== null)
      .filter((element) => {
        const labels = element.instanceOf(HTMLInputElement) ? [...(element.labels ?? [])] : [];
        const names = [
          element.getAttribute('aria-label') ?? '',
          document.getElementById(element.getAttribute('aria-labelledby') ?? '')?.ariaLabel ?? '',
          element.innerText,
          ...labels.map((label) => label.innerText),
        ];
        return names.join('').trim() === '';
      })
      .map((element) => element.outerHTML.slice(0, 80)),
  );

describe.each([
  ['dark and light', ['light', 'dark']],
  ['phone', ['dark']],
] as const)('%s', (name, themes) => {
  it('R058@disk R220@disk one note is rejected with a reason, one hunk put in other words, the rest applied, and all undone', async () => {
    workbench = await openWorkbench({ vault, scripted: script, phone: name === 'phone' });
    const { page } = workbench;
    page.setDefaultTimeout(15_000);
    // On a phone the ribbon is a sheet of its own; the command opens the same chat view.
    if (name === 'phone') await workbench.command('open-chat');
    else await page.getByLabel(words.commands.ribbon).first().click();
    chatView = await findChatView(workbench);
    const before = await treeOf(workbench);
    await chatView.ask('Bring the crew list, the packing list and the log up to date.');
    await card().waitFor();
    expect(await treeOf(workbench)).toEqual(before);
    /** Looks at the review in each theme that it is shown in on this device. */
    const inThemes = async (look: (shown: string) => Promise<unknown>): Promise<void> => {
      for (const theme of themes) {
        await showTheme(workbench, theme);
        await look(name === 'phone' ? name : theme);
      }
    };
    const fits = (): Promise<void> =>
      inThemes(async () => expect([await sideways(), await unnamed()]).toEqual([[], []]));
    await inThemes((shown) => workbench.screenshot(`trial-${shown}-1-proposed`));
    const size = page.viewportSize() ?? { width: 1_280, height: 800 };
    // As a whole, on a screen that is tall enough for it.
    const shot = async (step: string): Promise<void> => {
      await page.setViewportSize({ ...size, height: 2_000 });
      await inThemes((shown) => card().screenshot({ path: `dist/test/trial-${shown}-${step}.png` }));
      await page.setViewportSize(size);
      // A press on what is still moving back to its place would miss it.
      await page.evaluate(
        () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(null)))),
      );
    };
    await shot('2-card');
    await fits();

    await change('Log').getByRole('checkbox').first().uncheck();
    await change('Log').getByPlaceholder(words.review.why).fill(reason);
    await change('Crew').getByRole('button', { name: 'Edit line 9 of Crew' }).click();
    const box = change('Crew').locator('textarea');
    expect(await box.inputValue()).toContain('Pawel cooks, and keeps the log.');
    await box.fill(own);
    await fits();
    await shot('3-editing');
    await change('Crew').getByRole('button', { name: words.review.save }).click();
    await change('Crew').locator('ins', { hasText: 'Rui' }).waitFor();
    // Who rejects a note is not asked to let more of it through.
    expect(await change('Log').getByLabel(words.review.grant).count()).toBe(0);
    expect(await change('Crew').getByLabel(words.review.grant).count()).toBe(1);
    await shot('4-decided');

    const apply = card().getByRole('button', { name: 'Apply 4 of 5 changes' });
    await until(() => apply.isEnabled(), 'it can be applied');
    await apply.click();
    await card().getByText('Applied to 2 notes').waitFor();
    await fits();
    await change('Log').getByText(words.review.rejectedMark).waitFor();
    await shot('5-applied');
    await inThemes((shown) => workbench.screenshot(`trial-${shown}-6-applied`));
    const bytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
    expect(await treeOf(workbench)).toEqual({
      ...before,
      'Crew.md': bytes((vault['Crew.md'] ?? '').replace('four hours', 'three hours').replace('Pawel cooks.', own)),
      [list]: bytes(
        (vault[list] ?? '')
          .replace('- [ ] Lamp oil', '- [x] Lamp oil')
          .replace('| Kettle | Pawel |', '| Kettle | Mhairi |'),
      ),
    });

    await card().getByRole('button', { name: words.review.undoAll }).click();
    await card().getByText('Undone in 2 notes').waitFor();
    expect(await treeOf(workbench)).toEqual(before);
    await shot('7-undone');
    await chatView.ask('And the log?');
    const sentText = newText(lastSent(workbench.model)) + JSON.stringify(lastSent(workbench.model).messages);
    expect(sentText).toContain(reason);
  });
});
