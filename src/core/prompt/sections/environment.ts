/** The first message of a chat: day, device, vault, and Obsidian's settings; setup, not the user's words (R181-R187). */
import { describeWorkspace } from '../../library/user-notes';
import type { AppSettings, ChatStart } from '../../session/chat-start';
import { toolNames } from '../../markup/variables';
import { type Fact, section } from '../section';
import type { DeviceFacts } from '../world';

/** Where the chat takes place: day, device, vault, Obsidian's settings, and the folder in focus (R181-R185). */
interface Environment {
  readonly start: ChatStart;
  /** Whether the first message stays as it is, so that it can say the time. */
  readonly isFixed: boolean;
  readonly device: Pick<DeviceFacts, 'operatingSystem' | 'appVersion' | 'platform'>;
  readonly vaultName: string;
  /** The selected workspace's folder; null for the whole vault. */
  readonly folder: string | null;
  readonly hasTools: boolean;
  /** Whether long output is stored, and a tool can read the rest of it (R184). */
  readonly recalls: boolean;
}

export const environment: Fact<Environment> = {
  id: 'environment',
  gather: ({ vault, device, turn }) => ({
    // Fixed for the chat, so that neither midnight nor a change of settings alters what was sent (K12).
    start: turn.start ?? device,
    isFixed: turn.start !== undefined,
    device,
    vaultName: vault.name,
    folder: folderOf(
      turn.selectedWorkspace === null ? '/' : describeWorkspace(vault, turn.selectedWorkspace).rootFolder,
    ),
    hasTools: turn.toolNames.length > 0,
    recalls: turn.toolNames.includes(toolNames.recallOutput),
  }),
};

function folderOf(rootFolder: string): string | null {
  const folder = rootFolder.replace(/^\/+|\/+$/g, '');
  return folder === '' ? null : folder;
}

export const environmentSection = section({
  id: 'environment',
  tag: 'environment',
  zone: 'reference',
  share: 'lists',
  place: 'first-message',
  buildOrder: 50,
  priority: 82,
  trim: 'never',
  needs: { environment },
  when: () => true,
  full: ({ environment: around }) => [describe(around).join('\n')],
  brief: ({ environment: around }) => [describe(around).slice(0, 2).join('\n')],
});

function describe({ start, isFixed, device, vaultName, folder, hasTools, recalls }: Environment): string[] {
  const { operatingSystem, appVersion, platform } = device;
  return [
    `Today is ${formatDay(start)}.${isFixed ? ` This message was written at ${start.time}.` : ''}`,
    `Currently working in: ${folder === null ? '' : `the folder ${folder}/ of `}the vault "${vaultName}"`,
    `Operating system: ${operatingSystem}, Obsidian ${appVersion}`,
    ...(platform === 'mobile' ? ['This is a phone or tablet: you cannot use git or programs on it.'] : []),
    ...formatDailyNote(start),
    ...formatAppSettings(start.app),
    ...(recalls ? [`Long results are stored outside the vault. Read the rest with ${toolNames.recallOutput}.`] : []),
    ...(hasTools ? ['If you need a tool, call it. Never send an empty answer.'] : []),
    "This completes the setup. The user's request comes next.",
  ];
}

function formatDay({ date, isoDate, week }: ChatStart): string {
  return `${date} (${isoDate}, week ${week})`;
}

function formatDailyNote({ dailyNote }: ChatStart): string[] {
  if (dailyNote === undefined) return [];
  return [`Today's daily note: ${dailyNote.path}${dailyNote.exists ? '' : ' (not created yet)'}`];
}

const linkStyles = { wikilinks: '[[wikilinks]]', markdown: '[Markdown](links.md)' } as const;
const linkPaths = {
  shortest: 'the shortest path',
  relative: 'the path from the note',
  absolute: 'the path from the vault root',
} as const;

/** Returns a line for each of Obsidian's settings that is known. */
function formatAppSettings({
  links,
  linkPaths: paths,
  newNotes,
  attachments,
  templates,
  plugins,
}: AppSettings): string[] {
  const folders = [
    ...(newNotes === undefined ? [] : [`new notes in ${formatFolder(newNotes)}`]),
    ...(attachments === undefined ? [] : [`attachments in ${formatFolder(attachments)}`]),
    ...(templates === undefined ? [] : [`templates in ${formatFolder(templates)}`]),
  ];
  return [
    ...(links === undefined
      ? []
      : [`Write links as ${linkStyles[links]}${paths === undefined ? '' : ` with ${linkPaths[paths]}`}.`]),
    ...(folders.length === 0 ? [] : [`Folders: ${folders.join(', ')}`]),
    ...(plugins === undefined || plugins.length === 0 ? [] : [`Plugins that are on: ${plugins.join(', ')}`]),
  ];
}

/** @param setting as Obsidian writes it: `/` for the root, `./` for the folder of the note */
function formatFolder(setting: string): string {
  const folder = setting.replace(/^\.?\//, '');
  if (!setting.startsWith('./')) return folder === '' ? 'the vault root' : `${folder}/`;
  return folder === '' ? 'the folder of the active note' : `${folder}/ below the folder of the active note`;
}

/** The day, if it differs from the newest day that the chat has sent (R182, K12). */
export const dayChange: Fact<ChatStart | null> = {
  id: 'day-change',
  gather: ({ turn: { lastDay }, device }) => (lastDay === undefined || lastDay === device.isoDate ? null : device),
};

/** Sends a new day with its first message, since the day at the start of the chat is fixed (R182, K12). */
export const dayNoticeSection = section({
  id: 'day-notice',
  tag: 'environment',
  zone: 'turn',
  buildOrder: 118,
  priority: 81,
  trim: 'never',
  needs: { day: dayChange },
  when: ({ day }) => day !== null,
  full: ({ day }) => (day === null ? [] : [[`Today is now ${formatDay(day)}.`, ...formatDailyNote(day)].join('\n')]),
});
