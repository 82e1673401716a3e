/** The first message of a chat: the day, the device, and the vault; setup, not the user's words (R181-R187). */
import { describeWorkspace } from '../../library/user-notes';
import { type Fact, section } from '../section';
import type { DeviceFacts } from '../world';

/** Where the chat takes place: day, device, vault, and the folder in focus (R181-R185). */
interface Environment {
  readonly device: DeviceFacts;
  readonly vaultName: string;
  /** The selected workspace's folder; null for the whole vault. */
  readonly folder: string | null;
  readonly hasTools: boolean;
  /** Whether long output is stored, and a tool can read the rest of it (R184). */
  readonly recalls: boolean;
}

export const environment: Fact<Environment> = {
  id: 'environment',
  gather: ({ vault, device, turn: { selectedWorkspace, toolNames, days } }) => ({
    // Fixed for the chat, so that midnight changes nothing that was sent (K12).
    device: days === undefined ? device : { ...device, date: days.first },
    vaultName: vault.name,
    folder: folderOf(selectedWorkspace === null ? '/' : describeWorkspace(vault, selectedWorkspace).rootFolder),
    hasTools: toolNames.length > 0,
    recalls: toolNames.includes('recall_output'),
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

function describe({ device, vaultName, folder, hasTools, recalls }: Environment): string[] {
  const { date, operatingSystem, appVersion, platform } = device;
  return [
    `Today is ${date}.`,
    `Currently working in: ${folder === null ? '' : `the folder ${folder}/ of `}the vault “${vaultName}”`,
    `Operating system: ${operatingSystem}, Obsidian ${appVersion}`,
    ...(platform === 'mobile' ? ['This is a phone or tablet: git and programs on the device are out of reach.'] : []),
    ...(recalls ? ['Long tool output is kept outside the vault; recall_output reads the rest of it.'] : []),
    ...(hasTools ? ['When a tool is needed, call it; never answer with nothing.'] : []),
    'This completes the set-up. What the user wants comes next.',
  ];
}

/** The day, if it differs from the day of the last turn (R182, K12). */
export const dayChange: Fact<string | null> = {
  id: 'day-change',
  gather: ({ turn: { days }, device: { date } }) => (days === undefined || days.last === date ? null : date),
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
  full: ({ day }) => [`Today is now ${day ?? ''}.`],
});
