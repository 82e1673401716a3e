/** Reads the state around a chat: the device, the open notes, and the prompt settings. */
import { type App, apiVersion, getLanguage, MarkdownView, Platform } from 'obsidian';
import type { HostState } from '../core/context/chat-tools';
import type { EditorState } from '../core/session/entry';
import type { Settings } from '../core/settings/settings';
import { readChatStart } from './app-settings';
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
    settings: () => ({
      interactive: true,
      agentName: settings().agentName,
      sanityChecks: settings().sanityChecks,
      additionalInstructions: settings().additionalInstructions,
      brevity: settings().brevity,
      contextFiles: settings().contextFiles,
      contextFilesIn: settings().contextFilesIn,
    }),
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
  return {
    activeNote:
      active?.file && cursor
        ? {
            path: active.file.path,
            cursor: { line: cursor.line + 1, character: cursor.ch + 1 },
            selectedText: active.editor.getSelection().slice(0, maxSelectionLength),
          }
        : null,
    otherOpenNotes: [...open].sort(),
  };
}
