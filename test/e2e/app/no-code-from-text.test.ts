/** No part of the plugin makes code from text while it works: the app's reviewers look for it, and strict hosts forbid it. */
import { openChatView } from '../driver/chat-view';
import { openWorkbench } from '../driver/workbench';

jest.setTimeout(60_000);

declare global {
  interface Window {
    codeFromText: string[];
  }
}

it('the Function constructor and eval are never called, from opening the pane to an answer of each kind', async () => {
  const workbench = await openWorkbench({ scripted: true });
  const { page } = workbench;
  await page.evaluate(() => {
    window.codeFromText = [];
    const note = (name: string, given: unknown[]): void => {
      window.codeFromText.push(`${name}: ${String(given.at(-1)).slice(0, 80)}`);
    };
    const watched = new Proxy(Function, {
      construct: (target, given) => (note('new Function', given), Reflect.construct(target, given)),
      apply: (target, self, given) => (note('Function', given), Reflect.apply(target, self, given)),
    });
    Object.defineProperty(Function.prototype, 'constructor', { value: watched });
    window.Function = watched;
    const { eval: evaluate } = window;
    window.eval = (text: string) => {
      // This test’s own questions to the page arrive as text as well.
      if (!new Error().stack?.includes('UtilityScript')) note('eval', [text]);
      return evaluate(text);
    };
  });
  const chatView = await openChatView(workbench);
  await chatView.ask('Which bolts were wasted?');
  await workbench.command('show-prompt');
  await page.locator('.docent-inspector-part').first().waitFor();
  expect(await page.evaluate(() => window.codeFromText)).toEqual([]);
  // The watch itself must be able to see something.
  await page.evaluate(() => {
    window.setTimeout(() => {
      window.eval('1 + 1');
      new Function('return 1')();
    });
  });
  await page.waitForFunction(() => window.codeFromText.length > 1);
  expect(await page.evaluate(() => window.codeFromText)).toEqual(['eval: 1 + 1', 'new Function: return 1']);
});
