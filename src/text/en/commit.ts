/** Words around commit messages. */

export const commit = () => ({
  command: 'Write a commit message',
  looking: 'Looking at the repository…',
  writing: 'Writing…',
  stop: 'Stop',
  again: 'Write again',
  copy: 'Copy',
  copied: 'Copied',
  message: 'Commit message',
  staged: (files: number) => `Describes the ${files === 1 ? 'staged file' : `${files} staged files`}.`,
  unstaged: (files: number) =>
    `Nothing is staged. Describes ${files === 1 ? 'the changed file' : `all ${files} changed files`}.`,
  leftOut: (files: number) =>
    `${files === 1 ? 'One file is' : `${files} files are`} left out: kept from the agent, or more than it looks at.`,
  how: { added: 'added', changed: 'changed', deleted: 'deleted', moved: 'moved' },
  nothing: 'There is nothing to commit: no note that git knows has changed.',
  nothingRemedy: 'Change or stage something, then try again.',
  noGit: 'The git program was not found.',
  noGitRemedy: 'Install git, then start the app again.',
  gitFailed: (reason: string) => `git did not answer: ${reason}`,
  gitFailedRemedy: 'Run git status in the folder of the vault; it tells more.',
  needsModel: 'The built-in reader quotes notes and cannot write a message. Set up a model.',
  empty: 'The model wrote no message.',
  cutOff: 'The message was cut off.',
  tryAgain: 'Try again.',
});
