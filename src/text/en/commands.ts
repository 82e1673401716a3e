/** Words of commands and of the ribbon. */

export const commands = () => ({
  open: 'Open chat',
  newChat: 'New chat',
  inspect: 'Show the prompt',
  copyDiagnostics: 'Copy diagnostics',
  stop: 'Stop the answer',
  startContextFile: 'Create AGENTS.md',
  ribbon: 'Open Docent',
  contextFileThere: (path: string) => `${path} is there already.`,
  noteNotCreated: (path: string, detail: string) => `“${path}” could not be made. (${detail})`,
  noteNotCreatedRemedy: 'Look for a note or folder of that name in other letters, and for room on the disk.',
  diagnosticsCopied: 'Diagnostics copied.',
  diagnosticsNotCopied: 'The clipboard refused the diagnostics. Try again with the window in front.',
});
