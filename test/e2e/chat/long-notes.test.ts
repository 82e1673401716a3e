/** A note that takes more than a quarter of the context window: its chip, and what of it is sent. */
import { words } from '../../../src/text';
import { openChatView, until, untilUnsaved, type OpenedChatView } from '../driver/chat-view';
import { choose, sectionIn, sendTyped, walk, type Walk } from '../driver/reach-walk';
import type { SentRequest } from '../driver/sent-request';
import type { OpenOptions } from '../driver/workbench';

jest.setTimeout(120_000);

const filler = 'The keeper wrote down the weather and the ships that passed on that day, and lit the lamp at dusk.';
const sections = Array.from({ length: 420 }, (_, index) => {
  const own = { 200: 'The foghorn was tuned to 311 hertz.', 300: 'The harbour cat is called Pomona.' }[index];
  return [`## Week ${index + 1}`, '', ...Array.from({ length: 7 }, () => filler), own ?? filler, ''].join('\n');
});
const book = ['# The book', '', ...sections].join('\n');
const vault = { 'Book.md': book, 'Boat.md': 'Blue.\n' };

const options = (window: number, more: OpenOptions = {}): OpenOptions => ({
  vault,
  ...more,
  settings: { model: 'anthropic/scripted', contextWindow: window },
});

const chipOf = ({ root }: OpenedChatView) => root.locator('.docent-composer .docent-chip').filter({ hasText: 'Book' });
const actOf = (chatView: OpenedChatView) => chipOf(chatView).locator('.docent-chip-act');
const sizeOf = (chatView: OpenedChatView): Promise<string> => chipOf(chatView).locator('.docent-chip-size').innerText();

/** Waits until the chip shows a size like this, and returns it. */
async function untilSize(chatView: OpenedChatView, size: RegExp): Promise<string> {
  await until(async () => size.test(await sizeOf(chatView)), `the chip shows ${size}`);
  return sizeOf(chatView);
}

const numberIn = (text: string): number => Number(/[\d,]+/.exec(text)?.[0].replaceAll(',', ''));
const textOf = ({ messages }: SentRequest): string => messages.flatMap(({ texts }) => texts).join('\n');
const bookIn = (request: SentRequest): string => sectionIn(textOf(request), 'note') ?? '';

const seen = { outline: '', act: '', fits: '', afterReload: '', back: '' };

describe('a long note at a window of 32K', () => {
  const self: Walk = walk(options(32_000), async (walked) => {
    const { workbench, chatView } = walked;
    await choose(walked, '[[Book', 'Book');
    await workbench.page.keyboard.type('What was the foghorn tuned to?');
    seen.outline = await untilSize(chatView, /^Outline · ≈?[\d,]+ tokens$/);
    seen.act = await actOf(chatView).innerText();
    await sendTyped(walked);
    await chatView.ask('And who tuned it?');
    await choose(walked, '[[Book', 'Book');
    await workbench.page.keyboard.type('What is the harbour cat called?');
    await untilSize(chatView, /^Outline · ≈?[\d,]+ tokens$/);
    await actOf(chatView).focus();
    await workbench.page.keyboard.press('Enter');
    seen.fits = await untilSize(chatView, /fit$/);
    await untilUnsaved(workbench.page, '"form":"whole"');
    await workbench.reload();
    const reopened = await openChatView(workbench);
    seen.afterReload = await untilSize(reopened, /fit$/);
    await actOf(reopened).click();
    seen.back = await untilSize(reopened, /^Outline · ≈?[\d,]+ tokens$/);
    await reopened.input.press('Enter');
    await reopened.questions.nth(2).waitFor();
    await reopened.untilIdle();
  });

  it('is offered as its outline with the price of both', () => {
    expect(numberIn(seen.outline)).toBeLessThan(4_000);
    expect(seen.act).toMatch(/^Attach whole \(\d\d,\d{3} tokens\)$/);
    expect(numberIn(seen.act)).toBeGreaterThan(60_000);
  });

  it('R166@request is sent as its outline and the part that matches, and nothing else of it', () => {
    const sent = bookIn(self.sent(0));
    expect(sent).toMatch(
      /^\[This note of about [\d,]+ tokens is shown in part, with its outline and the \d+ passages? /,
    );
    expect(sent).toContain('# The book (line 1,');
    expect(sent).toContain('under The book › Week 201:]');
    expect(sent).toContain('The foghorn was tuned to 311 hertz.');
    expect(sent).not.toContain('Pomona');
    expect(sent.length).toBeLessThan(16_000);
  });

  it('stays in the chat as it was sent, and says so in the message’s chip', async () => {
    const [first, second] = [self.sent(0), self.sent(1)];
    expect(textOf(second).startsWith(textOf(first))).toBe(true);
    const chips = self.chatView.questions.first().locator('.docent-chip');
    expect(await chips.innerText()).toMatch(/^Book\s+Outline$/);
  });

  it('says before sending how much of the whole fits, remembers the choice, and takes it back', () => {
    expect(seen.fits).toMatch(/^≈?[\d,]+ of ≈?[\d,]+ tokens fit$/);
    expect(seen.afterReload).toBe(seen.fits);
    expect(seen.back).toMatch(/^Outline · /);
    const text = textOf(self.sent(2));
    expect(text).toContain('The harbour cat is called Pomona.');
    expect(text.split('is shown in part')).toHaveLength(3);
  });
});

describe('a long note at a window of 200K, on a phone in the light', () => {
  let box: { readonly width: number; readonly height: number } | null = null;
  let label: string | null = null;
  const self: Walk = walk(options(200_000, { phone: true, theme: 'light' }), async (walked) => {
    const { workbench, chatView } = walked;
    await choose(walked, '[[Book', 'Book');
    await workbench.page.keyboard.type('Tell me of the foghorn.');
    await untilSize(chatView, /^Outline · /);
    box = await actOf(chatView).boundingBox();
    label = await actOf(chatView).getAttribute('aria-label');
    await actOf(chatView).tap();
    await untilSize(chatView, /^[\d,]+ tokens$/);
    await until(
      async () => (await actOf(chatView).innerText()) === words.chatView.attachOutline,
      'the act is the other',
    );
    await sendTyped(walked);
  });

  it('R166@request is attached whole by touch, with its price in the name', () => {
    expect(box?.height).toBeGreaterThanOrEqual(44);
    expect(label).toMatch(/^Attach whole \([\d,]+ tokens\): Book$/);
    expect(bookIn(self.sent(0))).toBe(book);
  });

  it('says so in the sent message', async () => {
    expect(await self.chatView.questions.first().locator('.docent-chip').innerText()).toMatch(/^Book\s+Whole$/);
  });
});

describe('two long notes attached whole, and a third one pinned', () => {
  const fitting: string[] = [];
  const more = { vault: { ...vault, 'Log.md': book.replace('# The book', '# The log'), 'Pinned.md': book } };
  const given = options(32_000, more);
  const self: Walk = walk(
    { ...given, settings: { ...given.settings, contextNotes: ['Pinned.md'] } },
    async (walked) => {
      const { chatView, workbench } = walked;
      for (const name of ['Book', 'Log']) {
        await choose(walked, `[[${name}`, name);
        const chip = chatView.chips.filter({ hasText: name });
        await chip.locator('.docent-chip-act').click();
      }
      await workbench.page.keyboard.type(' Compare them.');
      const sizes = chatView.chips.locator('.docent-chip-size');
      await until(async () => (await sizes.allInnerTexts()).every((text) => /fit$/.test(text)), 'both say what fits');
      fitting.push(...(await sizes.allInnerTexts()));
      await chatView.input.focus();
      await sendTyped(walked);
    },
  );

  it('R166@request share what goes with a message, as their chips say', () => {
    const [first = '', second = ''] = fitting;
    expect(Math.abs(numberIn(first) - numberIn(second))).toBeLessThan(200);
    const text = textOf(self.sent(0));
    for (const title of ['# The book\n', '# The log\n']) expect(text).toContain(title);
    expect(text.match(/more characters; continue with read_note\.\]/g)).toHaveLength(2);
    expect(text.length).toBeLessThan(32_000 * 4);
  });

  it('R219@request has the pinned one as its outline and its beginning', () => {
    const request = self.sent(0);
    expect(`${request.system}\n${textOf(request)}`).toMatch(
      /<note path="Pinned\.md">\n\[This note of about [\d,]+ tokens is shown in part, with its outline and its beginning;/,
    );
  });
});

describe('two notes that share what goes with a message, at a window of 8K', () => {
  const seen: string[] = [];
  const lines = (word: string): string => `${`${word} ${filler}\n`.repeat(60)}${word} end\n`;
  const given = options(8_192, { vault: { 'Book.md': lines('Alpha'), 'Log.md': lines('Beta') } });
  const self: Walk = walk(given, async (walked) => {
    const { chatView, workbench } = walked;
    for (const name of ['Book', 'Log']) await choose(walked, `[[${name}`, name);
    await workbench.page.keyboard.type(' Compare them.');
    seen.push(await untilSize(chatView, /fit$/));
    await sendTyped(walked);
    seen.push(await chatView.questions.first().locator('.docent-chip').first().innerText());
    await choose(walked, '[[Book', 'Book');
    await workbench.page.keyboard.type(' And this one alone?');
    seen.push(await untilSize(chatView, /^≈?[\d,]+ tokens$/));
    await sendTyped(walked);
  });

  it('say before and after sending that they are shortened', () => {
    expect(seen[0]).toMatch(/^≈?[\d,]+ of ≈?[\d,]+ tokens fit$/);
    expect(seen[1]).toMatch(/^Book\s+Shortened$/);
  });

  it('R227@request are sent again, whole, once there is room', () => {
    expect(textOf(self.sent(0))).not.toContain('Alpha end');
    expect(textOf(self.sent(1))).toContain('Alpha end');
    expect(textOf(self.sent(1))).not.toContain(words.chatView.outlineBefore);
  });
});
