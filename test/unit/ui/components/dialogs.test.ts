/** @jest-environment jsdom */
/** Questions that name what others named: each shows the very path or name that the answer is about. */
import { closeTestApps, createTestApp, type TestApp } from 'obsidian-workbench/jest';
import { words } from '../../../../src/text';
import {
  askToOverwrite,
  askToWriteActive,
  askWriteOutside,
  confirmAction,
  confirmOtherApp,
  confirmOutsideFile,
} from '../../../../src/ui/components/dialogs';

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp({ bare: true });
});
afterEach(() => closeTestApps());

const lastOf = (selector: string): HTMLElement => [...document.querySelectorAll<HTMLElement>(selector)].at(-1)!;
const question = (): string => lastOf('.modal-title').textContent + lastOf('.modal-content').textContent;
const press = (name: string): void => {
  const buttons = [...lastOf('.modal').querySelectorAll('button')];
  buttons.find(({ textContent }) => textContent === name)?.click();
};

/** Questions about a path, each with the label that agrees to it. */
const asking: readonly (readonly [ask: (path: string) => Promise<boolean>, agree: string])[] = [
  [(path) => confirmOutsideFile(app, path), words.ownPrompt.allow],
  [(path) => askWriteOutside(app, path), words.ownPrompt.allow],
  [(path) => askToOverwrite(app, path), words.ownPrompt.replace],
  [(path) => askToWriteActive(app, path, []), words.ownPrompt.writeAnyway],
  [(path) => confirmOtherApp(app, path), words.render.open],
  [(path) => confirmAction(app, { title: words.chatNotes.ask(path), text: '', action: 'Write' }), 'Write'],
  [(path) => confirmAction(app, { title: '', text: words.prompts.deleteText(path, 'A.md'), action: 'Go' }), 'Go'],
];

it.each([
  ['what reorders the line', 'Plans/\u202edm.yraiD', 'Plans/{U+202E}dm.yraiD'],
  ['an isolate that is never closed', 'Plans/\u2067Diary.md', 'Plans/{U+2067}Diary.md'],
  ['what nobody sees', 'Dia\u200bry\u00ad.md', 'Dia{U+200B}ry{U+00AD}.md'],
  ['a line of its own', 'A.md\nApplied.', 'A.md{U+000A}Applied.'],
  ['a line end of Windows', 'A.md\r\nB.md', 'A.md{U+000D}{U+000A}B.md'],
  ['other line ends', 'A\u2028B\u2029C\rD', 'A{U+2028}B{U+2029}C{U+000D}D'],
  ['the end of a text', 'A\0.md', 'A{U+0000}.md'],
  ['half a character', 'A\ud83d.md', 'A{U+D83D}.md'],
  ['HTML', '<img src=x onerror=alert(1)>.md', '<img src=x onerror=alert(1)>.md'],
  ['marks that cover other lines', `a${'\u0301'.repeat(2_000)}.md`, `a${'\u0301'.repeat(8)}{+1992}.md`],
  ['emoji and letters that join', '👩‍👩‍👧 می‌خواهم क्‍ष.md', '👩‍👩‍👧 می‌خواهم क्‍ष.md'],
])('name a path that has %s as it is', async (_what, path, shown) => {
  for (const [ask, agree] of asking) {
    const answer = ask(path);
    expect(question()).toContain(shown);
    expect(lastOf('.modal').querySelector('img')).toBeNull();
    press(agree);
    expect(await answer).toBe(true);
  }
});

it('show all of a long path, whose end tells it from another', () => {
  const long = `${'folder/'.repeat(20_000)}Diary.md`;
  void askToOverwrite(app, long);
  expect(question()).toContain(words.ownPrompt.overwriteText(long));
});

it('are answered with no by their other button, and when they are closed', async () => {
  for (const [ask] of asking) {
    const answers = [ask('A.md')];
    press(words.ownPrompt.cancel);
    answers.push(ask('A.md'));
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    lastOf('.modal-close-button')?.click();
    expect(await Promise.all(answers)).toEqual([false, false]);
  }
});
