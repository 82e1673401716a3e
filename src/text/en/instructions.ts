/** Words about instruction files: notes that direct the agent only after the user allowed their text on this device. */
import { grouped } from './count';

export function instructions() {
  return {
    waits: (path: string) => `“${path}” isn’t used until the user allows it on this device.`,
    waitsRemedy: 'Only the user can allow it: “Review” above the message box.',
    chosenWaits: 'To use it, allow it on this device: select Review above the message box.',
    noneWaits: 'None is waiting for you to allow it.',
    notOffered: (folder: string) => `Only notes in the folder “${folder}” can be used here.`,

    notice: (count: number, name: string) =>
      count === 1 ? `${name} isn’t used yet` : `${count} instruction files aren’t used yet`,
    noticeChanged: (name: string) => `${name} has changed and isn’t used`,
    review: 'Review',
    waiting: (names: string, more: number) =>
      `Not used until you allow them: ${names}${more > 0 ? `, and ${more} more` : ''}`,
    declined: (names: string, more: number) =>
      `Never used, as you chose: ${names}${more > 0 ? `, and ${more} more` : ''}`,
    allowed: (names: string, more: number) => `Allowed on this device: ${names}${more > 0 ? `, and ${more} more` : ''}`,

    settingsFile: 'Text in Docent’s settings',
    title: 'Instruction files',
    lead: 'These files give Docent instructions. Each is used only after you allow its text on this device. If you wrote them, allow all. Check those that came with someone else’s vault or by sync.',
    more: (count: number) => `${count} more ${count === 1 ? 'appears' : 'appear'} once you have decided on these.`,
    kinds: {
      context: 'Context file',
      'base-prompt': 'System prompt',
      mode: 'Mode template',
      prompt: 'Saved prompt',
      workspace: 'Workspace',
      skill: 'Skill',
      subagent: 'Subagent',
      background: 'Instructions for summaries or commit messages',
      memory: 'Memory',
    },
    isNew: 'New on this device',
    isChanged: 'Changed since you allowed it',
    isDeclined: 'You chose never to use it',
    changedAt: (date: string) => `Last changed: ${date}`,
    showAll: (more: number) => (more > 0 ? `Show ${grouped(more)} more characters` : 'Show all'),
    tooLong: 'This file is too long for instructions. Shorten it to use it.',
    unread: 'Couldn’t read this file, so it can’t be allowed.',
    allow: 'Allow',
    allowOne: (path: string) => `Allow ${path}`,
    never: 'Never use',
    neverOne: (path: string) => `Never use ${path}`,
    allowAll: 'Allow all',
    notNow: 'Not now',

    desc: (allowed: number, waiting: number) =>
      `Files that give Docent instructions, such as AGENTS.md, prompts, and skills, are used only after you allow them on this device.${
        allowed + waiting === 0 ? '' : ` Allowed: ${allowed}. Waiting: ${waiting}.`
      }`,
    show: 'Show files',
    used: 'Allowed on this device',
    none: 'No instruction files found.',
    unused: 'Changed or missing, so it isn’t used now',
    withdraw: 'Stop allowing',
    withdrawOne: (path: string) => `Stop allowing ${path}`,
  };
}
