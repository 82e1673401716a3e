import { openPane } from './pane';
import { openWorkbench } from './workbench';
jest.setTimeout(60000);
it('x', async () => {
  const w = await openWorkbench();
  const pane = await openPane(w);
  await pane.input.fill('abc');
  await w.page.waitForTimeout(600);
  await w.reload();
  await w.page.waitForTimeout(1500);
  await w.screenshot('zz');
  console.log(await w.readNote('.obsidian/workspace.json').catch(String));
  console.log(
    await w.page.evaluate(() => [
      window.app.workspace.rightSplit.collapsed,
      window.app.workspace.getLeavesOfType('docent-chat').map((l) => l.isDeferred),
    ]),
  );
});
