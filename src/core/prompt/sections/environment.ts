/** The first message of a chat: the day, the device and the vault; set-up, not the user's words (R181-R187). */
import { environment } from '../facts';
import type { Environment } from '../facts/environment';
import { section } from '../section';

export const environmentSection = section({
  id: 'environment',
  tag: 'environment',
  zone: 'reference',
  tieredPlace: 'first-message',
  flatOrder: 50,
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
