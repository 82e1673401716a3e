/** @jest-environment jsdom */
// What Obsidian knows of daily notes, links, folders and plugins, as the prompt gets it.
import type { App } from 'obsidian';
import { closeTestApps, createTestApp } from 'obsidian-workbench/jest';
import { readChatStart } from '../../../../src/vault/host-state';
import { VaultChanges } from '../../../../src/vault/changes';
import { openStack } from '../../../../src/vault/stack';
import { ownsNothing } from '../../../support/memory-ports';

afterEach(closeTestApps);

const at = new Date(2026, 10, 22, 14, 5);
const nothingHidden = (): boolean => false;
const json = (value: unknown): string => JSON.stringify(value);

const configured = {
  'Journal/2026/11-22 Sun.md': '',
  '.obsidian/app.json': json({
    useMarkdownLinks: true,
    newLinkFormat: 'absolute',
    newFileLocation: 'folder',
    newFileFolderPath: 'Inbox/',
    attachmentFolderPath: './files',
  }),
  '.obsidian/daily-notes.json': json({ folder: ' /Journal ', format: 'YYYY/MM-DD ddd', template: 'T' }),
  '.obsidian/templates.json': json({ folder: 'Templates' }),
  '.obsidian/community-plugins.json': json(['dataview', 'obsidian-tasks-plugin', 'templater-obsidian', 'other']),
};

it('reads each setting of a vault in which all are set', async () => {
  const app = await createTestApp({ files: configured });
  expect(readChatStart(app, at, nothingHidden)).toEqual({
    isoDate: '2026-11-22',
    week: 47,
    time: '14:05',
    dailyNote: { path: 'Journal/2026/11-22 Sun.md', exists: true },
    app: {
      links: 'markdown',
      linkPaths: 'absolute',
      newNotes: 'Inbox',
      attachments: './files',
      templates: 'Templates',
      plugins: ['Dataview', 'Tasks', 'Templater', 'Bases'],
    },
  });
});

it('reads what a new vault has: its root, wikilinks, and a daily note by the usual name', async () => {
  const app = await createTestApp({});
  expect(readChatStart(app, at, nothingHidden)).toMatchObject({
    dailyNote: { path: '2026-11-22.md', exists: false },
    app: { links: 'wikilinks', linkPaths: 'shortest', newNotes: '/', attachments: '/', plugins: ['Bases'] },
  });
});

it.each([
  [
    { newFileLocation: 'current', attachmentFolderPath: './' },
    { newNotes: './', attachments: './' },
  ],
  [{ newFileLocation: 'elsewhere', newLinkFormat: 7 }, { attachments: '/' }],
  [{ useMarkdownLinks: 'yes', attachmentFolderPath: null }, { newNotes: '/' }],
])('reads %j', async (settings, expected) => {
  const app = await createTestApp({ files: { '.obsidian/app.json': json(settings) } });
  const { links: _links, linkPaths: _paths, plugins: _plugins, ...folders } = readChatStart(app, at, nothingHidden).app;
  expect(folders).toEqual(expected);
});

it('leaves out core plugins that are off', async () => {
  const off = { 'daily-notes': false, templates: false, bases: false };
  const app = await createTestApp({ files: { ...configured, '.obsidian/core-plugins.json': json(off) } });
  const { dailyNote, app: settings } = readChatStart(app, at, nothingHidden);
  expect(dailyNote).toBeUndefined();
  expect(settings).not.toHaveProperty('templates');
  expect(settings.plugins).toEqual(['Dataview', 'Tasks', 'Templater']);
});

it('follows a change of the settings at once', async () => {
  const app = await createTestApp({ files: configured });
  Object.assign(app.internalPlugins.getPluginById('daily-notes')?.instance.options ?? {}, { format: '[Day] DDD' });
  expect(readChatStart(app, at, nothingHidden).dailyNote).toEqual({ path: 'Journal/Day 326.md', exists: false });
});

it('names no folder and no daily note that is hidden from the agent', async () => {
  const app = await createTestApp({ files: configured });
  const rules = { keptFolders: ['Journal', 'Templates', 'Inbox'], keptTags: [] };
  const { isHidden } = openStack(app, new VaultChanges(app, nothingHidden), ownsNothing, () => rules);
  const { dailyNote, app: settings } = readChatStart(app, at, isHidden);
  expect(dailyNote).toBeUndefined();
  expect(Object.keys(settings).sort()).toEqual(['attachments', 'linkPaths', 'links', 'plugins']);
});

describe('in an app without these members', () => {
  const bare = { vault: { getFileByPath: () => null } };
  const broken = {
    vault: {
      ...bare.vault,
      getConfig: () => {
        throw new Error('renamed');
      },
    },
    internalPlugins: { getEnabledPluginById: () => 'daily-notes' },
    plugins: { enabledPlugins: ['dataview'] },
  };

  it.each([
    ['missing', bare],
    ['other than expected', broken],
    ['null', { ...bare, internalPlugins: null, plugins: null }],
  ])('knows the day alone when they are %s', (_case, app) => {
    expect(readChatStart(app as unknown as App, at, nothingHidden)).toEqual({
      isoDate: '2026-11-22',
      week: 47,
      time: '14:05',
      app: { plugins: [] },
    });
  });
});
