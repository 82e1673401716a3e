/** Where the chat takes place: day, device, vault, and the part of it that is worked in (R181-R185). */
import { describeWorkspace } from '../../library/user-notes';
import type { Fact } from '../section';
import type { DeviceFacts } from '../turn-data';

export interface Environment {
  readonly device: DeviceFacts;
  readonly vaultName: string;
  /** The selected workspace's folder; null for the whole vault. */
  readonly folder: string | null;
  readonly hasTools: boolean;
  /** Whether long output is kept where a tool can read the rest of it (R184). */
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
