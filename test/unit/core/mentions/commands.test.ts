import { chatCommands } from '../../../../src/core/mentions/commands';
import { type ChatActions, commandIn } from '../../../../src/core/mentions/mention-source';

it('R084 has commands with names of their own, each of which does one thing', () => {
  const done: string[] = [];
  const actions = new Proxy({} as ChatActions, { get: (_, name) => () => void done.push(String(name)) });
  expect(chatCommands.map(({ id }) => id)).toEqual([
    'new',
    'stop',
    'retry',
    'prompt',
    'mode',
    'compact',
    'context',
    'settings',
    'help',
    'bug',
  ]);
  for (const command of chatCommands) {
    command.run(actions);
    expect(command.name).toMatch(/^[A-Z]/);
    expect(command.description).toMatch(/\.$/);
  }
  expect(done).toEqual([
    'newChat',
    'stop',
    'resend',
    'showPrompt',
    'report',
    'summarise',
    'showContext',
    'openSettings',
    'showHelp',
    'copyDiagnostics',
  ]);
});

it('R240 R084 takes words behind a command that can have them, and leaves every other line a message', () => {
  const asked = commandIn(' /compact  keep the bolts\nand the sails ', chatCommands);
  expect([asked?.command.id, asked?.rest]).toEqual(['compact', 'keep the bolts\nand the sails']);
  expect(commandIn('/compact', chatCommands)?.rest).toBe('');
  for (const line of ['compact', '/compacted', '/new chat', 'say /compact', '/']) {
    expect([line, commandIn(line, chatCommands)]).toEqual([line, null]);
  }
});

it('R101 changes the mode by its id or its name, and says which there are for any other word', () => {
  const done: unknown[] = [];
  const actions = {
    choose: (...given: unknown[]) => void done.push(given),
    report: (said: string) => void done.push(said),
  } as unknown as ChatActions;
  for (const line of ['/mode user', '/mode Planner', '/mode wizard', '/mode']) {
    const asked = commandIn(line, chatCommands);
    asked?.command.run(actions, asked.rest);
  }
  expect(done).toEqual([
    [{ mode: 'user' }, 'The mode of this chat is now Custom.'],
    [{ mode: 'planning' }, 'The mode of this chat is now Planner.'],
    'The mode “wizard” doesn’t exist. Type one of Assistant, Builder, Planner, Troubleshooter, Custom after /mode.',
    'No mode given. Type one of Assistant, Builder, Planner, Troubleshooter, Custom after /mode.',
  ]);
});

it('offers the modes after /mode, each of which is chosen at once', () => {
  const done: unknown[] = [];
  const actions = { choose: (...given: unknown[]) => void done.push(given) } as unknown as ChatActions;
  const choices = chatCommands.find(({ id }) => id === 'mode')?.choices ?? [];
  expect(choices.map(({ name }) => name)).toEqual(['Assistant', 'Builder', 'Planner', 'Troubleshooter', 'Custom']);
  expect(choices[0]?.description).toBe('For questions of any kind and help with writing.');
  choices[2]?.run(actions);
  expect(done).toEqual([[{ mode: 'planning' }, 'The mode of this chat is now Planner.']]);
});
