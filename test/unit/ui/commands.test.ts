/** @jest-environment jsdom */
/** What commands do, by the ports that they are handed. */
import { type Command, Notice, type Plugin } from 'obsidian';
import type { Loading } from '../../../src/core/base/lazy';
import { fail, succeed } from '../../../src/core/ports/failure';
import { type CommandPorts, registerCommands } from '../../../src/ui/commands';

jest.mock('obsidian', () => ({ Notice: jest.fn() }));

const ready = (ports: Partial<CommandPorts>): Loading<CommandPorts> => ({
  loaded: ports as CommandPorts,
  load: () => Promise.reject(new Error('Loaded already.')),
});

/** Runs a command and waits until all that it began is over. */
async function run(id: string, ports: Partial<CommandPorts>): Promise<void> {
  const commands: Command[] = [];
  const plugin = { addCommand: (command: Command) => commands.push(command) } as unknown as Plugin;
  registerCommands(plugin, ready(ports));
  expect(commands.find((command) => command.id === id)?.checkCallback?.(false)).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 0));
}

const notices = (): unknown[] => jest.mocked(Notice).mock.calls.map(([text]) => text);

beforeEach(() => jest.mocked(Notice).mockClear());

/** Obsidian stores hotkeys by these command ids: a command whose id changes loses its hotkey. */
const ids = [
  ...[
    'open-chat',
    'new-chat',
    'show-chats',
    'open-chat-list',
    'show-usage',
    'export-chat',
    'find-in-chat',
    'previous-question',
    'next-question',
    'go-to-end',
    'show-prompt',
    'open-inspector',
    'summarise',
    'show-context',
    'stop-answer',
    'edit-last-question',
    'regenerate-answer',
    'fork-chat',
    'previous-branch',
    'next-branch',
    'apply-changes',
  ],
  ...['reject-changes', 'undo-changes', 'show-prompts', 'ask-about-selection', 'rewrite-selection'],
  ...['accept-rewrite', 'reject-rewrite', 'refine-rewrite'],
  ...[
    'write-commit-message',
    'keep-note',
    'release-note',
    'take-note',
    'distrust-note',
    'show-diagnostics',
    'create-context-file',
  ],
  ...['export-system-prompt-template', 'export-system-prompt-resolved', 'create-own-templates', 'copy-diagnostics'],
  ...['new-prompt', 'new-workspace', 'new-skill', 'new-subagent', 'create-memory', 'create-system-prompt'],
  ...['create-system-extra', 'create-system-reminder', 'create-commit-rules', 'create-compaction'],
];

it('has each command by the name that hotkeys are kept by, and in words', () => {
  const commands: Command[] = [];
  const plugin = { addCommand: (command: Command) => commands.push(command) } as unknown as Plugin;
  registerCommands(plugin, ready({}));
  expect(commands.map(({ id }) => id).sort()).toEqual([...ids].sort());
  expect(commands.filter(({ name }) => name.trim() === '')).toEqual([]);
});

describe('the command for AGENTS.md', () => {
  it.each([
    [true, []],
    [false, ['AGENTS.md already exists.']],
  ] as const)('R197 opens the file, made now: %s, and says when it was there', async (created, said) => {
    const opened: string[] = [];
    await run('create-context-file', {
      startNote: () => Promise.resolve(succeed({ path: 'AGENTS.md', isNew: created })),
      openNote: (path) => void opened.push(path),
    });
    expect(opened).toEqual(['AGENTS.md']);
    expect(notices()).toEqual(said);
  });

  it('R197 says why there is none, and opens nothing', async () => {
    const opened: string[] = [];
    await run('create-context-file', {
      startNote: () => Promise.resolve(fail({ kind: 'storage', words: 'No space.', remedy: 'Free some.' })),
      openNote: (path) => void opened.push(path),
    });
    expect(opened).toEqual([]);
    expect(notices()).toEqual(['No space. Free some.']);
  });
});

describe('the command for a commit message', () => {
  it.each([true, false])('R232 is there where a repository is: %s, and opens the window', async (offered) => {
    let opened = 0;
    const commit = { isOffered: () => offered, run: () => Promise.resolve(void (opened += 1)) };
    const commands: Command[] = [];
    const plugin = { addCommand: (command: Command) => commands.push(command) } as unknown as Plugin;
    registerCommands(plugin, ready({ prompts: { commit } as unknown as CommandPorts['prompts'] }));
    const command = commands.find(({ id }) => id === 'write-commit-message');
    expect(command?.checkCallback?.(true)).toBe(offered);
    expect(opened).toBe(0);
    command?.checkCallback?.(false);
    expect(opened).toBe(offered ? 1 : 0);
  });
});
