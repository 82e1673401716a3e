/** Reads the state around a chat: the device, the open notes, the prompt settings, and those of Obsidian. */
import { apiVersion, type App, getLanguage, MarkdownView, moment, normalizePath, Platform } from 'obsidian';
import { startOf } from '../core/base/cut';
import type { HostState } from '../core/context/chat-tools';
import type { AppSettings, ChatStart } from '../core/session/chat-start';
import type { EditorState } from '../core/session/entry';
import type { Settings } from '../core/settings/settings';
import type { VaultStack } from './stack';

/** Maximum characters of a selection in the prompt. */
const maxSelectionLength = 8000;

/** Nothing here reads the disk, because it is called while a prompt is built. */
export function readHostState(
  app: App,
  settings: () => Settings,
  { isRepository, isHidden }: Pick<VaultStack, 'isRepository' | 'isHidden'>,
): HostState {
  return {
    settings: () => {
      const { agentName, sanityChecks, additionalInstructions, brevity, contextFiles, contextFilesIn } = settings();
      return {
        interactive: true,
        ...{ agentName, sanityChecks, additionalInstructions, brevity, contextFiles, contextFilesIn },
      };
    },
    device: (at) => {
      const time = at === undefined ? new Date() : new Date(at);
      return {
        date: dateInWords(time),
        ...readChatStart(app, time, isHidden),
        operatingSystem: operatingSystem(),
        appVersion: apiVersion,
        platform: Platform.isMobile ? 'mobile' : 'desktop',
        repository: isRepository(),
      };
    },
    editor: () => editorState(app),
  };
}

let fullDate: Intl.DateTimeFormat | undefined;
let lastDate = { day: '', words: '' };

/** Formats a date once per day, because formatting takes longer than all other facts about the device. */
function dateInWords(date: Date): string {
  const day = date.toDateString();
  if (day === lastDate.day) return lastDate.words;
  fullDate ??= new Intl.DateTimeFormat(getLanguage(), { dateStyle: 'full' });
  lastDate = { day, words: fullDate.format(date) };
  return lastDate.words;
}

function operatingSystem(): string {
  if (Platform.isIosApp) return 'iOS';
  if (Platform.isAndroidApp) return 'Android';
  if (Platform.isMacOS) return 'macOS';
  if (Platform.isWin) return 'Windows';
  return 'Linux';
}

/** Treats the most recent note in the main area as active, because the chat itself has the focus. */
function editorState(app: App): EditorState {
  const leaf = app.workspace.getMostRecentLeaf(app.workspace.rootSplit);
  const view = leaf?.view;
  const active = view instanceof MarkdownView && view.file !== null ? view : null;
  const open = new Set<string>();
  app.workspace.iterateRootLeaves((other) => {
    if (other.view instanceof MarkdownView && other.view.file !== null) open.add(other.view.file.path);
  });
  if (active?.file) open.delete(active.file.path);
  const cursor = active?.editor.getCursor();
  const selection = active?.editor.getSelection() ?? '';
  const selectedText = startOf(selection, maxSelectionLength);
  return {
    activeNote:
      active?.file && cursor
        ? {
            path: active.file.path,
            cursor: { line: cursor.line + 1, character: cursor.ch + 1 },
            selectedText,
            ...(selectedText === selection ? {} : { selectedLength: selection.length }),
          }
        : null,
    otherOpenNotes: [...open].sort(),
  };
}

// What Obsidian knows about daily notes, links, and folders. No public API provides it, so each part may be
// missing in another version, and is then left out.

/** The members of Obsidian's app that its declarations leave out. */
interface PrivateApp {
  readonly vault: { getConfig?(key: string): unknown };
  readonly internalPlugins?: { getEnabledPluginById?(id: string): { readonly options?: unknown } | null };
  readonly plugins?: { readonly enabledPlugins?: { has(id: string): boolean } };
}

// The declarations name the namespace of Moment only, which cannot be called.
const parseMoment = moment as unknown as typeof moment.utc;

type Hides = (path: string) => boolean;

/**
 * Returns the day and Obsidian's settings at a time.
 * @param isHidden folders and notes that are hidden from the agent are left out
 */
export function readChatStart(app: App, at: Date, isHidden: Hides): Omit<ChatStart, 'date'> {
  const dailyNote = findDailyNote(app, at, isHidden);
  return {
    ...describeMinute(at),
    ...(dailyNote === null ? {} : { dailyNote }),
    app: readAppSettings(app, isHidden),
  };
}

// Formatted once per minute: formatting takes longer than reading all settings, and a prompt is built on each key.

type Day = Pick<ChatStart, 'isoDate' | 'week' | 'time'>;
/** A prompt needs the minute of now, and that of the last message. */
const maxMinutes = 8;
const days = new Map<number, Day>();
const names = new Map<string, string>();

function describeMinute(date: Date): Day {
  return formatOnce(days, minuteOf(date), () => {
    const time = parseMoment(date).locale('en');
    return { isoDate: time.format('YYYY-MM-DD'), week: time.isoWeek(), time: time.format('HH:mm') };
  });
}

/** Returns the name of a daily note, in the language of Obsidian, as the note's is. */
function formatName(date: Date, format: string): string {
  // A format may contain seconds.
  const at = /s/i.test(format) ? date.getTime() : minuteOf(date);
  return formatOnce(names, `${at} ${format}`, () => parseMoment(date).format(format));
}

function formatOnce<Key, Value>(known: Map<Key, Value>, key: Key, format: () => Value): Value {
  const value = known.get(key) ?? format();
  if (known.size >= maxMinutes) known.clear();
  known.set(key, value);
  return value;
}

function minuteOf(date: Date): number {
  return Math.floor(date.getTime() / 60_000);
}

/** Returns null if daily notes are off or the note is hidden. */
function findDailyNote(app: App, at: Date, isHidden: Hides): NonNullable<ChatStart['dailyNote']> | null {
  const options = optionsOf(app, 'daily-notes');
  if (options === null) return null;
  const format = textIn(options, 'format') ?? 'YYYY-MM-DD';
  const name = formatName(at, format);
  const path = normalizePath(`${textIn(options, 'folder') ?? ''}/${name.replace(/\.md$/, '')}.md`);
  return isHidden(path) ? null : { path, exists: app.vault.getFileByPath(path) !== null };
}

function readAppSettings(app: App, isHidden: Hides): AppSettings {
  const markdown = settingOf(app, 'useMarkdownLinks');
  const paths = settingOf(app, 'newLinkFormat');
  const templates = textIn(optionsOf(app, 'templates') ?? {}, 'folder');
  const folders = { newNotes: newNoteFolder(app), attachments: settingOf(app, 'attachmentFolderPath'), templates };
  const shown = Object.entries(folders).flatMap(([name, value]): [string, string][] => {
    const folder = typeof value === 'string' ? tidyFolder(value) : null;
    return folder === null || isHidden(`${folder}/`) ? [] : [[name, folder]];
  });
  return {
    ...(typeof markdown === 'boolean' ? { links: markdown ? 'markdown' : 'wikilinks' } : {}),
    ...(isLinkPath(paths) ? { linkPaths: paths } : {}),
    ...Object.fromEntries(shown),
    plugins: pluginsOn(app),
  };
}

function newNoteFolder(app: App): unknown {
  const location = settingOf(app, 'newFileLocation');
  if (location === 'root') return '/';
  if (location === 'current') return './';
  return location === 'folder' ? settingOf(app, 'newFileFolderPath') : undefined;
}

function isLinkPath(value: unknown): value is NonNullable<AppSettings['linkPaths']> {
  return value === 'shortest' || value === 'relative' || value === 'absolute';
}

/** Returns the folder without slashes at its ends; `/` is the root, and `./` the folder of the note. */
function tidyFolder(folder: string): string {
  if (folder.startsWith('./')) return `./${folder.slice(2).replace(/\/+$/, '')}`;
  return normalizePath(folder === '' ? '/' : folder);
}

/** Plugins that change what a note can contain, in the order of the list. */
const namedPlugins: readonly { readonly name: string; readonly community?: string; readonly core?: string }[] = [
  { name: 'Dataview', community: 'dataview' },
  { name: 'Tasks', community: 'obsidian-tasks-plugin' },
  { name: 'Templater', community: 'templater-obsidian' },
  { name: 'Bases', core: 'bases' },
];

function pluginsOn(app: App): string[] {
  const enabled = attempt(() => privateApp(app).plugins?.enabledPlugins);
  const isOn = ({ community, core }: (typeof namedPlugins)[number]): boolean =>
    core === undefined ? attempt(() => enabled?.has(community ?? '')) === true : optionsOf(app, core) !== null;
  return namedPlugins.filter(isOn).map(({ name }) => name);
}

/** Returns the options of a core plugin, which may be empty; null if it is off, or if that is unknown. */
function optionsOf(app: App, id: string): Readonly<Record<string, unknown>> | null {
  const instance = attempt(() => privateApp(app).internalPlugins?.getEnabledPluginById?.(id));
  if (typeof instance !== 'object' || instance === null) return null;
  const options = attempt(() => instance.options);
  return typeof options === 'object' && options !== null ? { ...options } : {};
}

/** Returns undefined if the setting is unknown. */
function settingOf(app: App, key: string): unknown {
  return attempt(() => privateApp(app).vault.getConfig?.(key));
}

/** Returns undefined for what is no text, and for blank text. */
function textIn(values: Readonly<Record<string, unknown>>, key: string): string | undefined {
  const value = values[key];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

function privateApp(app: App): PrivateApp {
  return app as unknown as PrivateApp;
}

/** Returns undefined if the read throws. */
function attempt<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
