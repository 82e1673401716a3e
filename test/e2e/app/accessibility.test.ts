/**
 * Every sight of the interface, judged by axe in both themes, and by its boxes: from right to left, on a narrow screen,
 * magnified, with large text, in high contrast, without motion, and under a finger.
 */
import {
  findUnseenFocus,
  installJudges,
  judge,
  judgeBoxes,
  judgeNarrow,
  type Judgement,
} from '../driver/accessibility';
import { chatView, openApp, showChat, workbench } from '../driver/open-chat';
import { optionsOfSights, walkSights } from '../driver/sights';
import { beginVersions, walkDialogs } from '../driver/sights-of-dialogs';

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

/** Walks sights of the app that is open; returns what was found. */
async function walk(sights: typeof walkSights, device: 'desktop' | 'phone'): Promise<Findings> {
  const findings: Findings = {};
  const isPhone = device === 'phone';
  const app = { workbench, chatView };
  await sights(app, isPhone, async (page, sight, roots) => {
    const note = (judgement: Judgement): void => {
      for (const [look, found] of Object.entries(judgement)) {
        findings[look] ??= {};
        if (found.length > 0) findings[look][sight] = found;
      }
    };
    note(await judge(page, roots, isPhone));
    if (isPhone) {
      await page.setViewportSize(sizes.narrow);
      note(await judgeNarrow(page, roots));
      await page.setViewportSize(sizes.phone);
      return;
    }
    await page.setViewportSize(sizes.magnified);
    note({ magnified: await judgeBoxes(page, roots) });
    // The list closes when the focus leaves its box.
    if (sight === 'suggestions') return page.setViewportSize(sizes.desktop);
    await Promise.all([page.setViewportSize(sizes.desktop), page.emulateMedia({ forcedColors: 'active' })]);
    note({ focus: await findUnseenFocus(page, roots) });
    await page.emulateMedia({ forcedColors: 'none' });
  });
  return findings;
}

const walks = [
  ['the chat view, the settings, and the other views', walkSights],
  ['dialogs, and what is drawn in a note', walkDialogs],
] as const;

/** Opens the app for the walks of the enclosing block; a second try of one begins in another app, without its chats. */
function shareApp(phone: boolean): void {
  const tried = new Set<string>();
  const open = async (): Promise<void> => {
    await openApp({ ...optionsOfSights, phone });
    beginVersions(workbench);
    await showChat();
    await installJudges(workbench.page);
  };
  beforeAll(open);
  beforeEach(async () => {
    const { currentTestName = '' } = expect.getState();
    if (tried.has(currentTestName)) {
      await workbench.close();
      await open();
    }
    tried.add(currentTestName);
  });
  afterAll(() => workbench.close());
}

describe('on a desktop', () => {
  shareApp(false);

  it.each(walks)('%s have no violation of any rule, and all of it is seen and reached', async (_, sights) => {
    expect(await walk(sights, 'desktop')).toEqual({
      ...{ axe: {}, 'axe, other theme': {} },
      ...{ boxes: {}, 'from right to left': {}, magnified: {}, 'large text': {}, motion: {}, focus: {}, tooltips: {} },
    });
  });
});

describe('on a phone', () => {
  shareApp(true);

  it.each(walks)('%s have no violation of any rule, and all of it is seen and reached', async (_, sights) => {
    expect(await walk(sights, 'phone')).toEqual({
      ...{ axe: {}, 'axe, other theme': {} },
      ...{ boxes: {}, motion: {}, tooltips: {} },
      ...{ 'large text': {}, 'narrow, large text': {}, 'narrow, from right to left': {} },
    });
  });
});
