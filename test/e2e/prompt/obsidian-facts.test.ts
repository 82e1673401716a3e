/** What Obsidian knows of the day and of its own settings, in the requests that the plugin sends. */
import { openChatView } from '../driver/chat-view';
import { sectionIn, walk, type Walk } from '../driver/reach-walk';

jest.setTimeout(90_000);

const tiered = { model: 'anthropic/scripted' };
const json = (value: unknown): string => JSON.stringify(value);

const firstText = (self: Walk, index: number): string => self.sent(index).messages[0]?.texts[0] ?? '';
const environment = (self: Walk, index = 0): string => sectionIn(firstText(self, index), 'environment') ?? '';

describe('a vault in which Obsidian is set up', () => {
  const vault = {
    'Boat.md': 'Blue.\n',
    '.obsidian/app.json': json({
      newFileLocation: 'folder',
      newFileFolderPath: 'Inbox',
      attachmentFolderPath: 'Attachments',
      newLinkFormat: 'shortest',
      useMarkdownLinks: false,
    }),
    '.obsidian/daily-notes.json': json({ folder: 'Journal', format: 'YYYY/YYYY-MM-DD' }),
    '.obsidian/templates.json': json({ folder: 'Templates' }),
  };
  const self = walk({ vault, settings: tiered }, async (walked) => {
    const { workbench } = walked;
    const { page } = workbench;
    await page.evaluate(() => {
      for (const id of ['dataview', 'templater-obsidian']) window.app.plugins.enabledPlugins.add(id);
    });
    await page.clock.setFixedTime(new Date(2026, 2, 4, 23, 50));
    await walked.chatView.ask('One');
    // What was sent stays, although each of these would now be sent otherwise.
    await page.evaluate(async () => {
      window.app.vault.setConfig('useMarkdownLinks', true);
      await window.app.vault.createFolder('Journal/2026');
      await window.app.vault.create('Journal/2026/2026-03-04.md', 'Windy.\n');
      await window.app.vault.create('Journal/2026/2026-03-05.md', 'Calm.\n');
    });
    await page.clock.setFixedTime(new Date(2026, 2, 5, 0, 10));
    await walked.chatView.ask('Two');
    await workbench.reload();
    await page.clock.setFixedTime(new Date(2026, 2, 5, 0, 20));
    const reopened = await openChatView(workbench);
    await reopened.ask('Three');
    await page.clock.setFixedTime(new Date(2026, 2, 5, 9, 0));
    await reopened.ask('Four');
  });

  it('R181@request R182@request says day, time, daily note, links, folders and plugins in the first message', () => {
    const lines = environment(self).split('\n');
    expect(lines[0]).toBe(
      'Today is Wednesday, March 4, 2026 (2026-03-04, week 10). This message was written at 23:50.',
    );
    expect(lines.slice(3, 7)).toEqual([
      "Today's daily note: Journal/2026/2026-03-04.md (not created yet)",
      'Write links as [[wikilinks]] with the shortest path.',
      'Folders: new notes in Inbox/, attachments in Attachments/, templates in Templates/',
      'Plugins that are on: Dataview, Templater, Bases',
    ]);
  });

  it('K12 keeps that message byte for byte over midnight, other settings, and a restart', () => {
    expect(firstText(self, 0)).toMatch(/^<environment>/);
    expect(firstText(self, 1)).toBe(firstText(self, 0));
    expect(firstText(self, 2)).toBe(firstText(self, 0));
    // After hours, nothing is cached, so that the map may be written again before it.
    const texts = self.sent(3).messages.flatMap((message) => message.texts);
    expect(texts).toContain(firstText(self, 0));
  });

  it('R182@request says a new day once, with its own daily note', () => {
    const texts = (index: number): string[] => self.sent(index).messages.map(({ text }) => text);
    expect(texts(1).at(-1)).toContain(
      "Today is now Thursday, March 5, 2026 (2026-03-05, week 10).\nToday's daily note: Journal/2026/2026-03-05.md\n",
    );
    expect(texts(2).join('\n').split('Today is now')).toHaveLength(2);
    for (const index of [2, 3]) expect(texts(index).at(-1)).not.toContain('Today is now');
  });
});

describe('a vault whose folders are hidden, on a phone', () => {
  const vault = {
    'Boat.md': 'Blue.\n',
    '.obsidian/app.json': json({
      userIgnoreFilters: ['Journal/', 'Templates/'],
      attachmentFolderPath: './',
      newFileLocation: 'current',
      newLinkFormat: 'relative',
      useMarkdownLinks: true,
    }),
    '.obsidian/daily-notes.json': json({ folder: 'Journal' }),
    '.obsidian/templates.json': json({ folder: 'Templates' }),
    '.obsidian/core-plugins.json': json({ 'daily-notes': true, templates: true, bases: false }),
  };
  const self = walk({ vault, settings: tiered, phone: true }, ({ chatView }) => chatView.ask('One').then(() => {}));

  it('R181@request names nothing that is hidden, and no plugin that is off', () => {
    expect(environment(self)).toContain(
      [
        'Write links as [Markdown](links.md) with the path from the note.',
        'Folders: new notes in the folder of the active note, attachments in the folder of the active note',
      ].join('\n'),
    );
    expect(environment(self)).not.toMatch(/Journal|Templates|daily note|Plugins/);
  });
});
