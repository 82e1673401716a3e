/** Settings about notes: folders, hidden notes, the journal, context files. */
import { type ButtonComponent, Notice } from 'obsidian';
import { describeFailure } from '../../core/ports/failure';
import { defaultSettings } from '../../core/settings/settings';
import type { RetiredDevices } from '../../core/writing/apply/retired-devices';
import { guardNewPath } from '../../core/writing/guard/path-guard';
import { words } from '../../text';
import { chooseItem, confirmAction } from '../components/dialogs';
import { foldersOf, linesOf, type SettingRow } from './setting-row';

/** Where prompts, workspaces, and chats are stored. */
export const agentFolderRow: SettingRow = {
  group: 'files',
  keys: ['agentFolder'],
  define: () => ({
    name: words.settings.agentFolder,
    desc: words.settings.agentFolderDesc,
    control: {
      type: 'text',
      key: 'agentFolder',
      validate: (value: string) => (guardNewPath(trim(value), '').ok ? undefined : words.settings.agentFolderBad),
    },
  }),
  read: (_key, ports) => ports.settings().agentFolder,
  write: (_key, value) => ({ agentFolder: trim(String(value)) }),
  countsWhenLeft: () => true,
};

function trim(value: string): string {
  return value.trim().replace(/^\/+|\/+$/g, '');
}

/** Folders whose notes are hidden from Docent. */
export const keptFoldersRow: SettingRow = {
  group: 'privacy',
  keys: ['keptFolders'],
  define: () => ({
    name: words.keeping.folders,
    desc: words.keeping.foldersDesc,
    control: { type: 'textarea', key: 'keptFolders', rows: 2, placeholder: words.keeping.foldersExample },
  }),
  read: (_key, ports) => ports.settings().keptFolders.join('\n'),
  write: (_key, value) => ({ keptFolders: foldersOf(value) }),
};

/** Tags whose notes are hidden from Docent. */
export const keptTagsRow: SettingRow = {
  group: 'privacy',
  keys: ['keptTags'],
  define: () => ({
    name: words.keeping.tags,
    desc: words.keeping.tagsDesc,
    control: { type: 'textarea', key: 'keptTags', rows: 2, placeholder: words.keeping.tagsExample },
  }),
  read: (_key, ports) => ports.settings().keptTags.join('\n'),
  write: (_key, value) => ({ keptTags: linesOf(value, withHash) }),
};

function withHash(line: string): string {
  const tag = line.replace(/^#+|\/+$/g, '').trim();
  return tag === '' ? '' : `#${tag}`;
}

/** Folders of web clippings, whose text is untrusted. */
export const clippingFoldersRow: SettingRow = {
  group: 'privacy',
  keys: ['clippingFolders'],
  define: () => ({
    name: words.keeping.clippings,
    desc: words.keeping.clippingsDesc,
    control: { type: 'textarea', key: 'clippingFolders', rows: 2 },
  }),
  read: (_key, ports) => ports.settings().clippingFolders.join('\n'),
  write: (_key, value) => ({ clippingFolders: foldersOf(value) }),
};

const say = words.keeping;

/** What the user said of notes and folders, which the menus of both record; here it is taken back. */
export const provenanceRow: SettingRow = {
  group: 'privacy',
  keys: [],
  define: ({ app, provenance }) => {
    const described = (): string => {
      const said = provenance?.said ?? [];
      const trusted = said.filter(({ is }) => is === 'own').length;
      return say.saidDesc(trusted, said.length - trusted);
    };
    return {
      name: say.said,
      desc: described(),
      render: (setting) => {
        let button: ButtonComponent | null = null;
        const show = (): void => {
          setting.setDesc(described());
          button?.setDisabled((provenance?.said ?? []).length === 0);
        };
        const choose = async (): Promise<void> => {
          await provenance?.refresh();
          const items = (provenance?.said ?? []).map(({ path, is }) => ({ id: path, text: say.saidItem[is](path) }));
          const path = await chooseItem(app, items, say.saidChange);
          if (path !== null) provenance?.say(path, null);
          show();
        };
        setting.addButton((added) => (button = added.setButtonText(say.saidChange).onClick(choose)));
        show();
        void provenance?.refresh().then(show);
      },
    };
  },
  read: () => undefined,
  write: () => ({}),
};

/** How full the undo journal is, and its limits of age and size. */
export const journalRow: SettingRow = {
  group: 'files',
  keys: [],
  define: ({ app, journal }) => ({
    name: say.journal,
    desc: words.diagnostics.writes.usage(journal?.usage() ?? null),
    render: (setting) => {
      const show = async (): Promise<void> => {
        const pruned = await journal?.prune();
        if (pruned?.ok === true) setting.setDesc(words.diagnostics.writes.usage(pruned.value));
        if (pruned?.ok === false) new Notice(describeFailure(pruned.failure));
        const retired = await journal?.retired(false);
        if (retired?.ok === true && retired.value.devices > 0) offer(retired.value);
      };
      let isOffered = false;
      const offer = (retired: RetiredDevices): void => {
        if (isOffered) return;
        isOffered = true;
        setting.addButton((button) =>
          button.setButtonText(say.removeRetired(retired.devices)).onClick(async () => {
            if (!(await confirmAction(app, say.removeRetiredQuestion(retired)))) return;
            const removed = await journal?.retired(true);
            if (removed?.ok === false) return void new Notice(describeFailure(removed.failure));
            button.buttonEl.remove();
            isOffered = false;
            await show();
          }),
        );
      };
      setting.addButton((button) => button.setButtonText(say.prune).onClick(show));
      // Changes were written since it was measured last. A setting is itself a thenable, which no promise may resolve to.
      void journal?.measure().then((usage) => void setting.setDesc(words.diagnostics.writes.usage(usage)));
    },
  }),
  read: () => undefined,
  write: () => ({}),
};

/** Names of the notes that contain the vault's conventions (R195). */
export const contextFilesRow: SettingRow = {
  group: 'files',
  keys: ['contextFiles'],
  define: () => ({
    name: words.ownPrompt.contextFiles,
    desc: words.ownPrompt.contextFilesDesc,
    control: {
      type: 'textarea',
      key: 'contextFiles',
      rows: 2,
      validate: (value: string) =>
        namesIn(value).some((name) => /[/\\]/.test(name)) ? words.ownPrompt.contextFilesBad : undefined,
    },
  }),
  read: (_key, ports) => ports.settings().contextFiles.join('\n'),
  write: (_key, value) => {
    const names = namesIn(String(value));
    return { contextFiles: names.length === 0 ? [...defaultSettings.contextFiles] : names };
  },
};

function namesIn(text: string): string[] {
  return [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '');
}

/** Which files that direct Docent are allowed on this device. */
export const instructionFilesRow: SettingRow = {
  group: 'privacy',
  keys: [],
  define: ({ instructions }) => {
    const described = (): string => {
      const { files } = instructions ?? {};
      const waiting = files?.waiting().filter(({ isDeclined }) => !isDeclined) ?? [];
      return words.instructions.desc(files?.allowed().length ?? 0, waiting.length);
    };
    return {
      name: words.instructions.title,
      desc: described(),
      render: (setting) => {
        const shown = described();
        void instructions?.files.refresh().then(() => {
          if (described() !== shown) setting.setDesc(described());
        });
        setting.addButton((button) =>
          button.setButtonText(words.instructions.show).onClick(() => instructions?.review(true)),
        );
      },
    };
  },
  read: () => undefined,
  write: () => ({}),
};

const choices = ['prompt', 'first-touch'] as const;

/**
 * Whether the vault's own context file is part of every prompt, or is added with the first note that is read (R200).
 */
export const contextFilesInRow: SettingRow = {
  group: 'files',
  keys: ['contextFilesIn'],
  define: () => ({
    name: words.settings.contextFilesIn,
    desc: words.settings.contextFilesInDesc,
    control: { type: 'dropdown', key: 'contextFilesIn', options: { ...words.settings.contextFilesInChoices } },
  }),
  read: (_key, ports) => ports.settings().contextFilesIn,
  write: (_key, value) => ({ contextFilesIn: choices.find((choice) => choice === value) ?? 'prompt' }),
};
