/** Words of commands and of the ribbon. */

export const commands = {
  open: 'Open chat',
  newChat: 'New chat',
  inspect: 'Show the prompt',
  copyDiagnostics: 'Copy diagnostics',
  stop: 'Stop the answer',
  ribbon: 'Open Docent',
  diagnosticsCopied: 'Diagnostics copied.',
  diagnosticsNotCopied: 'The clipboard refused the diagnostics. Try again with the window in front.',
};
