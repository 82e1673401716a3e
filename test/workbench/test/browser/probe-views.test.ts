/** The probe's views, windows, editor extensions and rendered Markdown, and what is left when it is switched off. */
import { shareProbe } from './probe-page';

jest.setTimeout(60_000);

const probe = shareProbe();

describe('panes and views', () => {
  it('opens one pane at the side, with its state', async () => {
    await probe.trial('ensureItemView', 'first');
    expect(await probe.trial('ensureItemView', 'second')).toEqual({
      isItemView: true,
      count: 1,
      inRight: true,
      state: 'second',
    });
    expect(await probe.page.locator('.probe-word').innerText()).toBe('second');
    await probe.untilNoted('active probe-pane');
  });

  it('gives its field the keys that no scope claims, and its scope the others', async () => {
    await probe.page.locator('.probe-input').click();
    await probe.page.keyboard.press('a');
    await probe.page.keyboard.press('Enter');
    await probe.page.keyboard.press('Control+j');
    await probe.page.keyboard.press('Control+Alt+y');
    const log = (await probe.takeLog()).filter((line) => /key|command/.test(line) && !/Control|Alt/.test(line));
    expect(log).toEqual(['input key a', 'input key Enter', 'pane key', 'plain command']);
    expect(await probe.page.locator('.probe-input').inputValue()).toBe('a\n');
  });

  it('has its action and its own rows in the pane menu', async () => {
    const ran = await probe.page.evaluate(() => {
      const button = document.querySelector<HTMLElement>('.workspace-leaf .view-action[aria-label="Probe action"]');
      button?.click();
      return button !== null;
    });
    expect(ran).toBe(true);
    await probe.untilNoted('view action');
    await probe.page.locator('.workspace-tab-header[data-type="probe-pane"]').click({ button: 'right' });
    await probe.page.locator('.menu-item', { hasText: 'Probe the pane' }).click();
    await probe.untilNoted('pane menu tab-header');
  });

  it('shows files of its own kind, and follows their name', async () => {
    await probe.trial('openNote', 'View.probefile');
    expect(await probe.page.locator('.probe-file').innerText()).toBe('View: seen');
    await probe.page.evaluate(async () => {
      await window.app.vault.rename(window.app.vault.getFileByPath('View.probefile')!, 'Viewed.probefile');
    });
    expect(await probe.page.locator('.probe-renamed').innerText()).toBe('Viewed.probefile');
    await probe.page.locator('.nav-file-title', { hasText: 'Viewed' }).waitFor();
  });

  it('edits text of its own kind, and saves it by itself', async () => {
    await probe.trial('openNote', 'Edit.probetext');
    const area = probe.page.locator('textarea.probe-text');
    expect(await area.inputValue()).toBe('before');
    await area.fill('after');
    await probe.untilNoted('modify Edit.probetext');
    expect(await probe.workbench.readNote('Edit.probetext')).toBe('after');
    await probe.workbench.writeNote('Edit.probetext', 'from outside');
    await probe.page.waitForFunction(
      () => document.querySelector<HTMLTextAreaElement>('textarea.probe-text')?.value === 'from outside',
    );
  });
});

describe('workspace', () => {
  it('opens notes and links, in tabs and splits', async () => {
    await probe.takeLog();
    expect(await probe.trial('openNote', 'Write.md')).toMatchObject({ active: 'Write.md', editor: 'Write.md' });
    await probe.untilNoted('file-open Write.md');
    expect(await probe.trial('openLink', { link: 'Links#Links', source: 'Write.md', leafType: 'tab' })).toEqual({
      active: 'Links.md',
      editor: 'Links.md',
      view: 'source',
      leaves: 2,
    });
    expect(await probe.trial('split')).toEqual({ added: 1, left: 0 });
    expect(await probe.trial('pin')).toBe(true);
    await probe.untilNoted('layout-change');
  });

  it('makes the note that a link names', async () => {
    await probe.trial('openLink', { link: 'Made by link', source: 'Links.md' });
    expect(await probe.workbench.readNote('Made by link.md')).toBe('');
  });

  it('opens a real window with documents of its own', async () => {
    const opening = probe.page.context().waitForEvent('page');
    const seen = probe.trial('popOut');
    await opening;
    expect(await seen).toEqual({
      otherWindow: true,
      ownDocument: true,
      isElement: true,
      text: '# Links\n\nA paragraph about birch.\n',
      made: true,
    });
    const log = await probe.takeLog();
    expect(log.filter((line) => line.startsWith('window-'))).toEqual(['window-open true', 'window-close']);
    expect(probe.page.context().pages()).toHaveLength(1);
  });
});

describe('editor and Markdown', () => {
  it('edits in steps that can be undone', async () => {
    await probe.trial('openNote', 'Write.md');
    expect(await probe.trial('edit')).toEqual({
      selected: 'two',
      edited: '> one!\nTWO\nThree.',
      undone: expect.not.stringMatching(/^> one!\nTWO\nThree\.$/) as string,
      redone: true,
      word: 'TWO',
      lines: 3,
      offset: 7,
      position: { line: 0, ch: 6 },
      cursors: 1,
    });
    await probe.untilNoted('editor-change Write.md');
  });

  it('marks words by an extension that knows its note', async () => {
    await probe.trial('setText', 'a probe here');
    const mark = probe.page.locator('.workspace-leaf.mod-active .probe-word-mark');
    expect(await mark.innerText()).toBe('probe');
    expect(await mark.getAttribute('data-at')).toBe('live Write.md');
  });

  it('completes words by the editor suggester, before the editor hears Enter', async () => {
    await probe.trial('setText', 'plant ');
    await probe.page.keyboard.type(';;b');
    const items = probe.page.locator('.suggestion-container .suggestion-item');
    await items.first().waitFor();
    expect(await items.allInnerTexts()).toEqual(['beech', 'birch']);
    await probe.page.keyboard.press('ArrowDown');
    await probe.page.keyboard.press('Enter');
    expect(await probe.trial('text')).toBe('plant birch ');
    expect(await probe.page.locator('.suggestion-container').count()).toBe(0);
  });

  it('refuses a paste, and has a row in the editor’s menu', async () => {
    await probe.page.locator('.workspace-leaf.mod-active .cm-content').evaluate((el) => {
      const data = new DataTransfer();
      data.setData('text/plain', 'refuse me');
      el.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    });
    await probe.untilNoted('paste refused');
    expect(await probe.trial('text')).toBe('plant birch ');
    await probe.page.locator('.workspace-leaf.mod-active .cm-line').first().click({ button: 'right' });
    await probe.page.locator('.menu-item', { hasText: 'Probe the editor' }).click();
    await probe.untilNoted('editor menu 0 true');
  });

  it('has a row in the menu of files', async () => {
    await probe.page.locator('.nav-file-title', { hasText: 'Links' }).click({ button: 'right' });
    await probe.page.locator('.menu-item', { hasText: 'Probe the file' }).click();
    await probe.untilNoted('file menu file-explorer-context-menu Links.md');
  });

  it('draws its code block and its badge in reading view', async () => {
    expect(await probe.trial('openReading', 'Read.md')).toMatchObject({ active: 'Read.md', view: 'preview' });
    const list = probe.page.locator('.markdown-reading-view ul.probe-block');
    expect(await list.locator('li').allInnerTexts()).toEqual(['one', 'two']);
    expect(await list.getAttribute('data-title')).toBe('A title');
    const badge = probe.page.locator('.markdown-reading-view .probe-badge');
    expect(await badge.getAttribute('data-source')).toBe('Read.md');
    expect(await badge.getAttribute('data-lines')).toBe('5-5');
    expect(await probe.page.locator('.markdown-reading-view a.is-unresolved').innerText()).toBe('Nowhere');
  });

  it('draws Markdown anywhere, through the same processors', async () => {
    await probe.trial('render', '**badge** [[Links]]\n\n```probe\nhere\n```');
    const drawn = probe.page.locator('.probe-rendered');
    expect(await drawn.locator('.probe-badge').getAttribute('data-source')).toBe('Index.md');
    expect(await drawn.locator('.probe-block li').innerText()).toBe('here');
    expect(await drawn.locator('a.internal-link').getAttribute('data-href')).toBe('Links');
    await drawn.evaluate((el) => el.remove());
  });
});

describe('a restart', () => {
  it('restores the pane with its state, deferred while it is behind another tab', async () => {
    await probe.trial('ensureItemView', 'kept');
    await probe.page.evaluate(async () => {
      await window.app.workspace.ensureSideLeaf('outline', 'right', { active: true });
    });
    expect(await probe.trial('saveLayout')).toEqual(expect.arrayContaining(['main', 'left', 'right', 'active']));
    const isSaved = async (): Promise<boolean> =>
      (await probe.workbench.readNote('.obsidian/workspace.json')).includes('"kept"');
    for (let tries = 0; tries < 50 && !(await isSaved()); tries++) await probe.page.waitForTimeout(100);
    await probe.workbench.reload();
    expect((await probe.takeLog()).includes('user enable')).toBe(false);
    expect(await probe.trial('loadDeferred')).toEqual({
      before: { deferred: true, isItemView: false },
      after: { deferred: false, isItemView: true },
    });
    expect(await probe.page.locator('.probe-word').innerText()).toBe('kept');
  });
});

describe('switching off', () => {
  it('leaves nothing behind, and comes back', async () => {
    await probe.page.evaluate(() => window.app.plugins.disablePlugin('probe'));
    await probe.page.waitForTimeout(300);
    const measure = (): Promise<Record<string, number>> =>
      probe.page.evaluate(() => {
        const { testing } = window.app;
        return { listeners: testing.listeners(), workers: testing.workers(), nodes: testing.nodes() };
      });
    const before = await measure();
    await probe.page.evaluate(() => window.app.plugins.enablePlugin('probe'));
    expect(await probe.page.locator('.probe-word').innerText()).toBe('kept');
    await probe.trial('showNotice');
    await probe.trial('hideNotice');
    await probe.page.evaluate(() => window.app.plugins.disablePlugin('probe'));
    await probe.page.waitForTimeout(300);
    expect(await measure()).toEqual(before);
    const left = await probe.page.evaluate(() => ({
      commands: Object.keys(window.app.commands.commands).filter((id) => id.startsWith('probe:')),
      views: [...window.app.viewRegistry.viewByType.keys()].filter((type) => type.startsWith('probe')),
      extensions: ['probefile', 'probetext'].filter((one) => window.app.viewRegistry.isExtensionRegistered(one)),
      protocol: window.app.protocolHandlers.has('probe'),
      cli: window.app.cliHandlers.has('probe:sum'),
      tabs: window.app.setting.pluginTabs.filter((tab) => tab.id === 'probe').length,
      styles: document.querySelectorAll('style[data-plugin="probe"]').length,
      ribbon: document.querySelectorAll('[aria-label="Probe ribbon"]').length,
      status: document.querySelectorAll('.status-bar .plugin-probe').length,
      hover: window.app.workspace.hoverLinkSources.has('probe'),
      suggesters: window.app.workspace.editorSuggest.suggests.length,
      extensionsOfEditor: window.app.workspace.editorExtensions.length,
      itemViews: document.querySelectorAll('.probe-pane .probe-word').length,
    }));
    expect(left).toEqual({
      commands: [],
      views: [],
      extensions: [],
      protocol: false,
      cli: false,
      tabs: 0,
      styles: 0,
      ribbon: 0,
      status: 0,
      hover: false,
      suggesters: 0,
      extensionsOfEditor: 0,
      itemViews: 0,
    });
  });
});
