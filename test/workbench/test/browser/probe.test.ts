/**
 * The probe runs together with another plugin over a real folder: what it registers, the vault, the index, views and
 * windows.
 */
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { builtFolders, openPage } from './open-page';
import { shareProbe, startEcho } from './probe-page';

jest.setTimeout(60_000);

const probe = shareProbe();

describe('start', () => {
  it('runs beside another plugin, greets once, and is ready with the layout', async () => {
    expect(await probe.page.evaluate(() => Object.keys(window.app.plugins.plugins).sort())).toEqual([
      'probe',
      'word-count',
    ]);
    const log = await probe.takeLog();
    expect(log.filter((line) => line === 'layout ready' || line === 'user enable')).toEqual([
      'layout ready',
      'user enable',
    ]);
    expect(JSON.parse(await probe.workbench.readNote('.obsidian/community-plugins.json'))).toEqual([
      'word-count',
      'probe',
    ]);
  });

  it('hears of no file in the storm once it waits for the layout', async () => {
    expect(await probe.page.evaluate(() => window.app.vault.getMarkdownFiles().length)).toBe(4);
    expect((await probe.takeLog()).filter((line) => line.startsWith('create'))).toEqual([]);
  });

  it('has its styles in the page', async () => {
    await probe.trial('ensureItemView');
    const mark = await probe.page
      .locator('.probe-pane')
      .evaluate((el) => getComputedStyle(el).getPropertyValue('--probe-mark'));
    expect(mark.trim()).toBe('present');
  });
});

describe('ribbon, status bar and commands', () => {
  it('has a ribbon button that tells a held key', async () => {
    await probe.page.getByLabel('Probe ribbon').click({ modifiers: ['Control'] });
    await probe.untilNoted('ribbon click tab');
    expect(await probe.page.getByLabel('Probe ribbon').locator('svg circle').count()).toBe(1);
  });

  it('has a status bar item that can be pressed', async () => {
    await probe.page.locator('.status-bar .plugin-probe', { hasText: 'Probe status' }).click();
    await probe.untilNoted('status click');
  });

  it('runs a command by its hotkey, before an editor hears the key', async () => {
    await probe.trial('openNote', 'Write.md');
    await probe.trial('setText', 'the probe is here');
    await probe.page.keyboard.press('Control+Alt+y');
    await probe.untilNoted('plain command');
    expect(await probe.trial('text')).toBe('the probe is here');
  });

  it('lists in the palette only commands that apply', async () => {
    await probe.page.keyboard.press('Control+p');
    await probe.page.locator('.prompt-input').fill('probe');
    const listed = await probe.page.locator('.suggestion-item .suggestion-title').allInnerTexts();
    expect(listed.filter((name) => name.startsWith('Probe:')).sort()).toEqual([
      'Probe: Editor',
      'Probe: Pane',
      'Probe: Plain',
    ]);
    expect(await probe.page.locator('.suggestion-hotkey', { hasText: 'Ctrl + Alt + Y' }).count()).toBe(1);
    await probe.page.keyboard.press('Escape');
  });

  it('runs editor commands in the active note, and writes the note to the disk', async () => {
    await probe.workbench.command('probe:editor');
    await probe.untilNoted('editor command Write.md');
    await probe.trial('select', { from: 4, to: 9 });
    await probe.workbench.command('probe:editor-sometimes');
    await probe.trial('save');
    expect(await probe.workbench.readNote('Write.md')).toBe('the PROBE is here[edited]');
  });

  it('does not run what was removed, is for phones, or does not apply', async () => {
    for (const id of ['gone', 'mobile', 'sometimes']) {
      await expect(probe.workbench.command(`probe:${id}`)).rejects.toThrow('There is no command');
    }
  });

  it('has a key of the app’s scope and a scope pushed above it', async () => {
    await probe.page.keyboard.press('Control+Shift+F9');
    await probe.untilNoted('scope key F9 false');
    await probe.trial('pushScope');
    await probe.page.keyboard.press('F8');
    await probe.page.keyboard.press('F8');
    await probe.page.keyboard.press('Control+Alt+y');
    const log = await probe.takeLog();
    expect(log.filter((line) => line === 'pushed scope')).toHaveLength(1);
    expect(await probe.trial('keymap')).toEqual({ mod: 'tab', middle: 'tab', none: false, modifier: true });
  });
});

describe('vault and index', () => {
  it('makes, appends, processes, copies and renames on the disk', async () => {
    await probe.takeLog();
    expect(await probe.trial('makeFiles')).toEqual({
      processed: 'FIRST\nsecond\n',
      bytes: [1, 2, 255, 7],
      folder: ['One.md'],
      resource: true,
      same: true,
      cached: 'copied',
    });
    expect(await probe.workbench.readNote('Lab/Deep/One.md')).toBe('FIRST\nsecond\n');
    expect(await probe.workbench.readNote('Lab/Renamed.md')).toBe('copied');
    const log = await probe.takeLog();
    expect(log).toEqual(
      expect.arrayContaining([
        'create Lab/Deep',
        'create Lab/Deep/One.md',
        'modify Lab/Deep/One.md',
        'rename Lab/Copy.md Lab/Renamed.md',
      ]),
    );
  });

  it('deletes, and moves to the trash of the vault and of the system', async () => {
    expect(await probe.trial('removeFiles')).toEqual(['Lab', 'Lab/Deep']);
    await expect(probe.workbench.readNote('Lab/Renamed.md')).rejects.toThrow('ENOENT');
    expect(await probe.workbench.readNote('.trash/Renamed.md')).toBe('copied');
    expect(await probe.takeLog()).toEqual(
      expect.arrayContaining(['delete Lab/bytes.bin', 'delete Lab/Renamed.md', 'delete Lab/Deep/One.md']),
    );
  });

  it('writes below the config folder through the adapter', async () => {
    expect(await probe.trial('useAdapter')).toEqual({
      text: 'a\nb\nc\n',
      files: ['.obsidian/plugins/probe/store/log.txt'],
      size: 6,
      type: 'file',
    });
    expect(await probe.workbench.readNote('.obsidian/plugins/probe/store/log.txt')).toBe('a\nb\nc\n');
  });

  it('indexes a new note and tells of it', async () => {
    expect(await probe.trial('useIndex')).toEqual({
      tags: ['#a', '#b'],
      links: ['Links'],
      block: 'block',
      task: ' ',
      sections: ['yaml', 'heading', 'paragraph', 'list'],
      target: 'Links.md',
      linktext: 'Index',
      resolved: { 'Links.md': 1 },
    });
    await probe.untilNoted('changed Index.md');
    await probe.untilNoted('resolve Index.md');
    await probe.untilNoted('resolved');
  });

  it('renames a note and rewrites the links to it', async () => {
    expect(await probe.trial('renameWithLinks')).toBe('[[New name#Part|shown]] and [[New name]]');
    expect(await probe.workbench.readNote('Source.md')).toBe('[[New name#Part|shown]] and [[New name]]');
  });

  it('changes properties only', async () => {
    const text = '---\nkept: 1\nadded:\n  - x\n  - "[[Links]]"\n---\nBody\n';
    expect(await probe.trial('changeProperties')).toBe(text);
    expect(await probe.workbench.readNote('Properties.md')).toBe(text);
  });

  it('makes links and paths', async () => {
    expect(await probe.trial('makeLinks')).toEqual({
      link: '[[Links#Head|shown]]',
      attachment: 'picture.png',
      parent: '/',
    });
    expect(await probe.trial('useProperties')).toEqual({ yaml: 'a:\n  - 1\n  - two\n', path: 'a/b' });
  });

  it('hears of notes that another program makes and changes', async () => {
    await probe.workbench.writeNote('Outside.md', '# Outside');
    await probe.untilNoted('create Outside.md');
    await probe.untilNoted('changed Outside.md');
    await probe.workbench.writeNote('Outside.md', '# Outside, again');
    await probe.untilNoted('modify Outside.md');
  });
});

describe('stores and requests', () => {
  it('asks a server, and tells refusals', async () => {
    const echo = await startEcho();
    expect(await probe.trial('request', echo.url)).toEqual({
      status: 200,
      json: { method: 'POST', body: '{"a":1}', type: 'application/json' },
      refused: 404,
      quiet: 404,
      text: '{"method":"GET","body":"","type":null}',
    });
    await echo.close();
  });

  it('keeps secrets, local values and its data', async () => {
    expect(await probe.trial('keepSecret')).toEqual({ value: 'hush', listed: true });
    expect(await probe.trial('keepLocally')).toEqual({ kept: { scroll: 4 }, removed: null });
    expect(await probe.trial('keepData')).toBe('kept');
    expect(await probe.readSettings()).toMatchObject({ text: 'kept', number: 3 });
  });

  it('is told when another program changes its data, and not of its own writes', async () => {
    await probe.page.waitForTimeout(500);
    expect(await probe.takeLog()).not.toContain('external settings change');
    await probe.workbench.writeNote('.obsidian/plugins/probe/data.json', '{"text":"from outside"}');
    await probe.untilNoted('external settings change');
  });

  it('answers the protocol and the command line', async () => {
    const answers = await probe.page.evaluate(async () => {
      window.app.protocolHandlers.get('probe')?.({ action: 'probe', word: 'x y' });
      return window.app.cliHandlers.get('probe:sum')?.handler({ a: '2', b: '3' });
    });
    expect(answers).toBe('5');
    await probe.untilNoted('protocol {"action":"probe","word":"x y"}');
  });
});

describe('platform and small functions', () => {
  it('describes the platform', async () => {
    expect(await probe.trial('describePlatform')).toEqual({
      phone: false,
      mobile: false,
      desktop: true,
      apple: false,
      dark: true,
      version: '1.13.1',
      recent: true,
      language: 'en',
    });
  });

  it('has moment, icons, conversions and debounce', async () => {
    expect(await probe.trial('useMoment')).toEqual({ text: '5 April 2026', same: true });
    expect(await probe.trial('useIcons')).toEqual({ own: true, lucide: 'svg', none: null, many: true });
    expect(await probe.trial('convertBytes')).toEqual({
      base64: 'aGk=',
      hex: '6869',
      back: 'hi',
      heading: 'A b',
    });
    expect(await probe.trial('debounced')).toEqual([2, 4]);
  });

  it('has the helpers on elements, arrays and windows', async () => {
    expect(await probe.trial('useDomHelpers')).toEqual({
      texts: ['zero', 'one'],
      clicks: 1,
      hidden: 'none',
      classes: ['a', 'b', 'on'],
      left: 0,
      svg: 'http://www.w3.org/2000/svg',
      is: true,
      last: 3,
      has: true,
      active: true,
    });
  });

  it('converts and searches text', async () => {
    expect(await probe.trial('convert')).toEqual({
      markdown: '## Head\n\na **b**',
      matches: 'a <span class="suggestion-highlight">birch</span> tree',
      fuzzy: true,
      noMatch: null,
      clean: '<b>bold</b>',
    });
  });
});

describe('a plugin whose code is not valid', () => {
  it('fails by name, and the next one runs', async () => {
    const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'workbench-plugin-')));
    await writeFile(path.join(folder, 'manifest.json'), JSON.stringify({ id: 'half', name: 'Half', version: '1.0.0' }));
    await writeFile(path.join(folder, 'main.js'), 'module.exports = class {');
    const opened = await openPage({ vault: { 'Note.md': 'text' }, plugins: [folder, builtFolders().probe] });
    try {
      expect(await opened.page.evaluate(() => Object.keys(window.app.plugins.plugins))).toEqual(['probe']);
      await opened.page.locator('.notice').getByText('Failed to load plugin half').waitFor();
      expect(opened.errors.join('\n')).toMatch(/Plugin failure: half SyntaxError: .*Unexpected token/);
    } finally {
      await opened.close();
      await rm(folder, { recursive: true });
    }
  });
});
