/** Workspaces chosen for a chat, in the browser: what is sent of one, also when its note is missing. */
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { sectionIn, sendTyped, walk } from '../driver/reach-walk';
import { allText } from '../driver/sent-request';
import { until, openPicker } from '../driver/chat-view';

jest.setTimeout(90_000);

const vault = {
  'Boats/Whimbrel.md': 'Whimbrel is a sloop.\n',
  'Docent/memory.md': '',
  'Docent/workspaces/Refit.md': '---\nname: Refit\ndescription: The boat\nfolder: Boats\n---\nPrefer metric.\n',
};

describe('a workspace whose note is moved away', () => {
  const asked = walk({ vault, settings: { tier: 5 } }, async (one) => {
    const { workbench, chatView } = one;
    await openPicker(chatView, 'workspace');
    await workbench.page.locator('.menu .menu-item', { hasText: 'Refit' }).first().click();
    await sendTyped(one, 'What is it?');
    const folder = path.join(workbench.vaultFolder, 'Docent');
    await rename(path.join(folder, 'workspaces/Refit.md'), path.join(folder, 'Refit elsewhere.md'));
    await until(
      () => workbench.page.evaluate(() => window.app.vault.getFileByPath('Docent/workspaces/Refit.md') === null),
      'the note is gone',
    );
    await sendTyped(one, 'And now?');
  });

  it('R177@request is sent with its record while there is one', () => {
    expect(sectionIn(allText(asked.sent(0)), 'selected_workspace')).toContain('Prefer metric.');
  });

  it('R178@request is sent as its basic context in JSON once there is none, and the chat says that it is missing', async () => {
    const sections = [
      ...allText(asked.sent()).matchAll(/<selected_workspace[^>]*>\n([\s\S]*?)\n<\/selected_workspace>/g),
    ];
    expect(JSON.parse(sections.at(-1)?.[1] ?? '')).toEqual({ id: 'Docent/workspaces/Refit.md', name: 'Refit' });
    expect(await asked.chatView.root.innerText()).toContain('Refit');
  });
});
