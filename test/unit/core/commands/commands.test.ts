import { chatCommands } from '../../../../src/core/commands';
import type { ChatActions } from '../../../../src/core/commands/command';

it('R084 has commands with names of their own, each of which does one thing', () => {
  const done: string[] = [];
  const actions = new Proxy({} as ChatActions, { get: (_, name) => () => void done.push(String(name)) });
  expect(chatCommands.map(({ id }) => id)).toEqual(['new', 'stop', 'retry', 'prompt', 'settings', 'help', 'bug']);
  for (const command of chatCommands) {
    command.run(actions);
    expect(command.name).toMatch(/^[A-Z]/);
    expect(command.description).toMatch(/\.$/);
  }
  expect(done).toEqual(['newChat', 'stop', 'resend', 'showPrompt', 'openSettings', 'showHelp', 'copyDiagnostics']);
});
