/** That two style sheets which differ in one rule are distinguished wherever that rule holds, and that looking changes nothing. */
import { compareStyles, type StyleComparison } from './compare-styles';
import { openChatView } from './chat-view';
import { openWorkbench, type OpenedWorkbench } from './workbench';

jest.setTimeout(60_000);

const sheetOf = ({ page }: OpenedWorkbench) =>
  page.evaluate(() => document.head.querySelector('style[data-plugin="docent"]')?.textContent ?? '');
const findToolbar = ({ page }: OpenedWorkbench) =>
  page.evaluate(() =>
    [document.body, ...document.body.querySelectorAll('*')].flatMap((element, index) =>
      element.matches('.docent-pane > .docent-toolbar') ? [index] : [],
    ),
  );
const bodyOf = ({ page }: OpenedWorkbench) => page.evaluate(() => document.body.className);
const reported = ({ differences }: StyleComparison) =>
  differences.map(({ look, element, property, before, after }) => [look, element, property, before, after]);

describe('on a desktop', () => {
  let workbench: OpenedWorkbench;
  let sheet: string;
  /** Its place among all elements: what a rule for the toolbar does shows there, and reading all takes a second. */
  let toolbar: readonly number[];
  const compare = async (before: string, after: string, indexes?: readonly number[]): Promise<StyleComparison> => {
    const compared = await compareStyles(workbench.page, before, after, indexes);
    if (compared === null) throw new Error('The page has no sheet of the plugin.');
    return compared;
  };

  beforeAll(async () => {
    workbench = await openWorkbench({ vault: {} });
    await openChatView(workbench);
    sheet = await sheetOf(workbench);
    toolbar = await findToolbar(workbench);
  });

  it('finds nothing between a sheet and itself, and leaves the page as it was', async () => {
    const body = await bodyOf(workbench);
    const { elements, looks, count, differences } = await compare(sheet, sheet);
    expect({ looks, count, differences }).toEqual({
      looks: ['dark', 'light', 'phone'],
      count: { dark: 0, light: 0, phone: 0 },
      differences: [],
    });
    expect(elements).toBeGreaterThan(100);
    expect(await sheetOf(workbench)).toBe(sheet);
    expect(await bodyOf(workbench)).toBe(body);
  });

  it.each([
    ['dark', '.theme-dark .docent-toolbar { min-width: 1px; }'],
    ['dark', '.docent-toolbar:hover { min-width: 1px; }'],
    ['dark', '.docent-toolbar:is(.x, :focus-within) { min-width: 1px; }'],
    ['light', '.theme-light .docent-toolbar { min-inline-size: 1px; }'],
    ['light', '@media not (prefers-reduced-motion: reduce) { .docent-toolbar { min-width: 1px; } }'],
    ['phone', '.is-phone .docent-toolbar { min-width: 1px; }'],
  ])('finds a rule that holds in %s: %s', async (look, rule) => {
    const compared = await compare(sheet, `${sheet}\n${rule}`, toolbar);
    expect(reported(compared)).toContainEqual([
      ...[look, 'div.docent-pane > div.docent-toolbar', 'min-width', expect.any(String), '1px'],
    ]);
  });

  it('finds what is drawn before an element, and what stays away', async () => {
    const drawn = `${sheet}\n.is-phone .docent-toolbar::before { content: "x"; }`;
    const element = 'div.docent-pane > div.docent-toolbar::before';
    expect(reported(await compare(sheet, drawn, toolbar))).toContainEqual([
      'phone',
      element,
      'content',
      'not drawn',
      'drawn',
    ]);
    expect((await compare(drawn, sheet, toolbar)).count.phone).toBeGreaterThan(0);
  });

  it('names the selectors that match nothing', async () => {
    const after = `${sheet}\n.docent-nowhere:is(.a, .b), .docent-pane:hover { color: red; }`;
    const { idle } = await compare(sheet, after, toolbar);
    expect(idle).toContain('.docent-nowhere:is(.a, .b)');
    expect(idle).not.toContain('.docent-pane:hover');
    expect(idle).not.toContain('.docent-pane');
  });
});

it('takes a phone as it is', async () => {
  const workbench = await openWorkbench({ vault: {}, phone: true });
  await openChatView(workbench);
  const sheet = await sheetOf(workbench);
  const compared = await compareStyles(workbench.page, sheet, `${sheet}\n.docent-toolbar { min-width: 1px; }`);
  expect(compared).toMatchObject({ looks: ['phone'], count: { dark: 0, light: 0 } });
  expect(compared?.count.phone).toBeGreaterThan(0);
});
