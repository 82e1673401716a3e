/**
 * Every sight of the interface, judged by axe in both themes, and by its boxes: from right to left, on a narrow screen,
 * magnified, with large text, in high contrast, without motion, and under a finger.
 */
import type { Page } from 'playwright-core';
import {
  findMisaligned,
  findMisfits,
  findMotion,
  findUnseenFocus,
  findViolations,
  installAxe,
} from '../driver/accessibility';
import { walkSights } from '../driver/sights';
import { walkDialogs } from '../driver/sights-of-dialogs';

jest.setTimeout(170_000);

const sizes = {
  desktop: { width: 1280, height: 800 },
  /** The same window at 200 %. */
  magnified: { width: 640, height: 400 },
  phone: { width: 390, height: 844 },
  narrow: { width: 320, height: 640 },
};

/** What was found, by what was looked for and by the sight. */
type Findings = Record<string, Record<string, readonly string[]>>;

const untilDrawn = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn()))));

async function inSize<Result>(page: Page, name: keyof typeof sizes, look: () => Promise<Result>): Promise<Result> {
  const before = page.viewportSize() ?? sizes.desktop;
  await page.setViewportSize(sizes[name]);
  await untilDrawn(page);
  const seen = await look();
  await page.setViewportSize(before);
  return seen;
}

async function inLightTheme<Result>(page: Page, look: () => Promise<Result>): Promise<Result> {
  const turn = (): Promise<void> =>
    page.evaluate(() => ['theme-dark', 'theme-light'].forEach((theme) => document.body.classList.toggle(theme)));
  await turn();
  const seen = await look();
  await turn();
  return seen;
}

async function fromRightToLeft<Result>(page: Page, look: () => Promise<Result>): Promise<Result> {
  const turn = (isRightToLeft: boolean): Promise<void> =>
    page.evaluate((is) => {
      document.body.toggleAttribute('dir', is);
      if (is) document.body.dir = 'rtl';
      document.body.classList.toggle('mod-rtl', is);
    }, isRightToLeft);
  await turn(true);
  const seen = await look();
  await turn(false);
  return seen;
}

/** With text of twice the size. */
async function inLargeText<Result>(page: Page, look: () => Promise<Result>): Promise<Result> {
  const turn = (isLarge: boolean): Promise<void> =>
    page.evaluate((is) => {
      const names = ['--font-ui-smaller', '--font-ui-small', '--font-ui-medium', '--font-ui-large', '--font-text-size'];
      const given = names.map((name) => parseFloat(getComputedStyle(document.body).getPropertyValue(name)));
      names.forEach((name, at) => document.body.setCssProps({ [name]: is ? `${2 * (given[at] ?? 0)}px` : '' }));
    }, isLarge);
  await turn(true);
  await untilDrawn(page);
  const seen = await look();
  await turn(false);
  return seen;
}

async function inHighContrast<Result>(page: Page, look: () => Promise<Result>): Promise<Result> {
  await page.emulateMedia({ forcedColors: 'active' });
  const seen = await look();
  await page.emulateMedia({ forcedColors: 'none' });
  return seen;
}

/** Walks sights; returns what was found. */
async function walk(sights: typeof walkSights, device: 'desktop' | 'phone'): Promise<Findings> {
  const findings: Findings = {};
  const isPhone = device === 'phone';
  let isInstalled = false;
  await sights({ phone: isPhone }, async (page, sight, roots) => {
    const note = (look: string, found: readonly string[]): void => {
      findings[look] ??= {};
      if (found.length > 0) findings[look][sight] = found;
    };
    if (!isInstalled) await installAxe(page);
    isInstalled = true;
    note('axe, dark', await findViolations(page, roots));
    note('axe, light', await inLightTheme(page, () => findViolations(page, roots)));
    note('boxes', await findMisfits(page, roots, isPhone));
    note('motion', await findMotion(page, roots));
    note('large text', await inLargeText(page, () => findMisfits(page, roots)));
    if (isPhone) {
      const look = () => inSize(page, 'narrow', () => findMisfits(page, roots, true));
      note('narrow, large text', await inLargeText(page, look));
      return note('narrow, from right to left', await fromRightToLeft(page, look));
    }
    const lookAtBoxes = async () => [...(await findMisfits(page, roots)), ...(await findMisaligned(page, roots))];
    note('from right to left', await fromRightToLeft(page, lookAtBoxes));
    note('magnified', await inSize(page, 'magnified', () => findMisfits(page, roots)));
    // The list closes when the focus leaves its box.
    if (sight !== 'suggestions') note('focus', await inHighContrast(page, () => findUnseenFocus(page, roots)));
  });
  return findings;
}

describe.each([
  ['the chat view, the settings, and the other views', walkSights],
  ['dialogs, and what is drawn in a note', walkDialogs],
])('%s', (_, sights) => {
  it('have no violation of any rule, and all of it is seen and reached, on a desktop', async () => {
    expect(await walk(sights, 'desktop')).toEqual({
      ...{ 'axe, dark': {}, 'axe, light': {} },
      ...{ boxes: {}, 'from right to left': {}, magnified: {}, 'large text': {}, motion: {}, focus: {} },
    });
  });

  it('have no violation of any rule, and all of it is seen and reached, on a phone', async () => {
    expect(await walk(sights, 'phone')).toEqual({
      ...{ 'axe, dark': {}, 'axe, light': {} },
      ...{ boxes: {}, motion: {}, 'large text': {}, 'narrow, large text': {}, 'narrow, from right to left': {} },
    });
  });
});
