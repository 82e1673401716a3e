/** Words about instruction files: notes that direct the agent only after the user allowed their text on this device. */
export const instructions = () => ({
  waits: (path: string) => `“${path}” directs Docent and waits until the user allows it on this device.`,
  waitsRemedy: 'Only the user can allow it: “Review” above the message box.',

  notice: (count: number, name: string) =>
    count === 1 ? `${name} isn’t used yet` : `${count} instruction files aren’t used yet`,
  noticeChanged: (name: string) => `${name} has changed and isn’t used`,
  noticeDetail: 'Review',
  left: (count: number) =>
    count === 1
      ? 'One file with instructions isn’t in any prompt: it waits for you.'
      : `${count} files with instructions aren’t in any prompt: they wait for you.`,
  review: 'Review',

  title: 'Instruction files',
  lead: 'These files direct Docent. Each is used only after you allow its text on this device. If you wrote them, allow all. Look closely at those that came with someone else’s vault or by a sync.',
  empty: 'No file waits.',
  more: (count: number) => `${count} more follow after these.`,
  kinds: {
    context: 'Context file',
    system: 'System prompt',
    mode: 'Template of a mode',
    prompt: 'Saved prompt',
    workspace: 'Workspace',
    skill: 'Skill',
    subagent: 'Subagent',
    background: 'Background request',
    memory: 'Memory',
  },
  isNew: 'New on this device',
  isChanged: 'Changed since you allowed it',
  changedAt: (date: string) => `Last change: ${date}`,
  fold: (count: number) => `… ${count} more characters`,
  showAll: 'Show all',
  tooLong: 'This file is too long to be used as instructions.',
  unread: 'This file can’t be read now, so it can’t be allowed.',
  allowOne: (path: string) => `Allow ${path}`,
  allowAll: 'Allow all',
  allowChosen: (count: number) => `Allow ${count} chosen`,
  allowNone: 'Allow none',
  open: (path: string) => `Open ${path}`,
});
