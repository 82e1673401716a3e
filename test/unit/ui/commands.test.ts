/** @jest-environment jsdom */
/** What commands do, by the ports that they are handed. */
import { type Command, Notice, type Plugin } from 'obsidian';
import type { Loading } from '../../../src/core/base/lazy';
import { fail, succeed } from '../../../src/core/ports/failure';
import { words } from '../../../src/text';
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

describe('what each command does, and when it is there', () => {
  let done: string[];
  /** Answers every call by nothing and notes it, with the values that it gives; the others are as they are given. */
  function noting<Given extends object>(name: string, given: Given = {} as Given): Given {
    return new Proxy(given, {
      get(target, key) {
        if (key === 'then') return undefined;
        if (key in target) return (target as Record<string | symbol, unknown>)[key];
        return (...values: unknown[]) => void done.push(`${name}.${String(key)}(${values.map(shown).join(', ')})`);
      },
    });
  }
  const shown = (value: unknown): string => (typeof value === 'object' ? 'it' : JSON.stringify(value));
  const view = (more: object = {}) => noting('view', { chatId: 'c1', review: null, messages: null, ...more });
  const portsWith = (more: object = {}): CommandPorts =>
    noting('ports', { findView: () => null, prompts: {}, ...more }) as unknown as CommandPorts;

  /** Whether it is there, and what it did if it was. */
  async function outcome(id: string, ports: CommandPorts): Promise<readonly string[] | null> {
    done = [];
    const commands: Command[] = [];
    const plugin = { addCommand: (command: Command) => commands.push(command) } as unknown as Plugin;
    registerCommands(plugin, ready(ports));
    const check = commands.find((command) => command.id === id)?.checkCallback;
    const isThere = check?.(true);
    expect(done).toEqual([]);
    expect(check?.(false)).toBe(isThere);
    await new Promise((resolve) => setTimeout(resolve, 0));
    return isThere === true ? done : null;
  }

  it.each([
    ['open-chat', 'view.readyComposer()'],
    ['new-chat', 'view.newChat()'],
    ['show-chats', 'view.showChats()'],
    ['show-prompt', 'view.inspect()'],
  ])('%s opens the chat view first', async (id, act) => {
    const opening = { openChatView: () => Promise.resolve(view()) };
    expect(await outcome(id, portsWith(opening))).toEqual([act]);
  });

  it.each([
    ['find-in-chat', 'view.find()'],
    ['previous-question', 'view.goToQuestion(-1)'],
    ['next-question', 'view.goToQuestion(1)'],
    ['go-to-end', 'view.goToEnd()'],
    ['summarise', 'view.summarise()'],
    ['show-context', 'view.showContext()'],
    ['stop-answer', 'view.stop()'],
  ])('%s is there while a chat view is open', async (id, act) => {
    expect(await outcome(id, portsWith({ findView: () => view() }))).toEqual([act]);
    expect(await outcome(id, portsWith())).toBeNull();
  });

  it.each([
    ['edit-last-question', 'acts.startEdit("u")'],
    ['regenerate-answer', 'acts.answerAgain("u")'],
    ['fork-chat', 'acts.fork("u")'],
    ['previous-branch', 'acts.showVersionOfLast(-1)'],
    ['next-branch', 'acts.showVersionOfLast(1)'],
  ])('%s is there while the chat has a message', async (id, act) => {
    const withLast = (lastMessage: object | null) =>
      portsWith({ findView: () => view({ messages: noting('acts', { lastMessage }) }) });
    expect(await outcome(id, withLast({ id: 'u' }))).toEqual([act]);
    expect(await outcome(id, withLast(null))).toBeNull();
    expect(await outcome(id, portsWith({ findView: () => view() }))).toBeNull();
    expect(await outcome(id, portsWith())).toBeNull();
  });

  it.each([
    ['apply-changes', 'canApply', true, false, 'review.apply()'],
    ['reject-changes', 'canReject', true, false, 'review.rejectAll("")'],
    ['undo-changes', 'undoable', {}, null, 'review.undoLast()'],
  ])('%s is there while the review allows it', async (id, name, allows, forbids, act) => {
    const withReview = (value: unknown) =>
      portsWith({ findView: () => view({ review: noting('review', { [name]: value }) }) });
    expect(await outcome(id, withReview(allows))).toEqual([act]);
    expect(await outcome(id, withReview(forbids))).toBeNull();
    expect(await outcome(id, portsWith({ findView: () => view() }))).toBeNull();
    expect(await outcome(id, portsWith())).toBeNull();
  });

  it('exports the open chat where notes are written', async () => {
    const noteActs = { export: (chat: string) => void done.push(`export ${chat}`) };
    const open = { findView: () => view() };
    expect(await outcome('export-chat', portsWith({ noteActs, ...open }))).toEqual(['export c1']);
    expect(await outcome('export-chat', portsWith({ noteActs: undefined, ...open }))).toBeNull();
    expect(await outcome('export-chat', portsWith({ noteActs }))).toBeNull();
    expect(await outcome('export-chat', portsWith({ noteActs, findView: () => view({ chatId: null }) }))).toBeNull();
  });

  it('asks about what is selected, and rewrites it or a whole note', async () => {
    const withPassage = (passage: object | null) =>
      portsWith({ prompts: noting('prompts', { passage: () => passage }) });
    expect(await outcome('ask-about-selection', withPassage({}))).toEqual(['prompts.ask(it)']);
    expect(await outcome('ask-about-selection', withPassage(null))).toBeNull();
    expect(await outcome('rewrite-selection', withPassage({}))).toEqual(['prompts.rewrite(it)']);
    expect(await outcome('rewrite-selection', withPassage(null))).toEqual(['prompts.rewrite(it)']);
    expect(await outcome('show-prompts', withPassage(null))).toEqual(['prompts.show()']);
  });

  it('ends or refines a rewrite while one is shown', async () => {
    const rewrite = (step: string) => noting('rewrite', { step, isRefining: { value: false } });
    const withRewrite = (rewriting: object | null) => portsWith({ prompts: { rewriting: () => rewriting } });
    expect(await outcome('accept-rewrite', withRewrite(rewrite('done')))).toEqual(['rewrite.accept()']);
    expect(await outcome('reject-rewrite', withRewrite(rewrite('done')))).toEqual(['rewrite.reject()']);
    for (const step of ['done', 'running']) {
      const shownOne = rewrite(step);
      expect(await outcome('refine-rewrite', withRewrite(shownOne))).toEqual([]);
      expect(shownOne.isRefining.value).toBe(step === 'done');
    }
    for (const id of ['accept-rewrite', 'reject-rewrite', 'refine-rewrite'])
      expect(await outcome(id, withRewrite(null))).toBeNull();
  });

  it.each([
    ['open-chat-list', 'ports.openChatList()'],
    ['show-usage', 'ports.openUsage()'],
    ['open-inspector', 'ports.openInspector()'],
    ['show-diagnostics', 'ports.showDiagnostics()'],
    ['create-system-prompt', 'own.openOrCreate("system.md")'],
    ['export-system-prompt-template', 'own.export("template")'],
    ['export-system-prompt-resolved', 'own.export("resolved")'],
    ['create-own-templates', 'own.createTemplates()'],
  ])('%s is always there', async (id, act) => {
    expect(await outcome(id, portsWith({ ownPrompt: noting('own') }))).toEqual([act]);
  });

  it.each([
    ['new-prompt', 'prompt'],
    ['new-workspace', 'workspace'],
    ['new-skill', 'skill'],
    ['new-subagent', 'subagent'],
    ['create-context-file', 'context-file'],
    ['create-memory', 'memory'],
    ['create-system-extra', 'system-extra'],
    ['create-system-reminder', 'system-reminder'],
    ['create-commit-rules', 'commit'],
    ['create-compaction', 'compaction'],
  ])('%s makes the note of its kind', async (id, kind) => {
    const startNote = (given: string) => {
      done.push(given);
      return Promise.resolve(succeed({ path: `${kind}.md`, isNew: true }));
    };
    expect(await outcome(id, portsWith({ startNote }))).toEqual([kind, `ports.openNote("${kind}.md")`]);
    expect(notices()).toEqual([]);
  });

  it('copies the diagnostics, and says whether the clipboard took them', async () => {
    const ports = portsWith({ diagnostics: () => 'all of it' });
    const writeText = jest.fn((_text: string) => Promise.resolve());
    Object.assign(globalThis, { activeWindow: { navigator: { clipboard: { writeText } } } });
    expect(await outcome('copy-diagnostics', ports)).toEqual([]);
    expect(writeText).toHaveBeenCalledWith('all of it');
    writeText.mockRejectedValueOnce(new Error('Denied.'));
    await outcome('copy-diagnostics', ports);
    expect(notices()).toEqual([words.commands.diagnosticsCopied, words.commands.diagnosticsNotCopied]);
  });

  it('waits for Docent, except a command that would have to know its state', async () => {
    done = [];
    const commands: Command[] = [];
    const plugin = { addCommand: (command: Command) => commands.push(command) } as unknown as Plugin;
    const load = () => Promise.resolve(portsWith());
    registerCommands(plugin, { loaded: null, load });
    const check = (id: string, checking: boolean): unknown =>
      commands.find((command) => command.id === id)?.checkCallback?.(checking);
    expect([check('show-usage', true), check('stop-answer', true), check('stop-answer', false)]).toEqual([
      ...[true, false, false],
    ]);
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(done).toEqual([]);
    expect(check('show-usage', false)).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(done).toEqual(['ports.openUsage()']);
  });
});
