/** Commands of the app that come and go with the prompts. */
import { type App, type Command, Notice, type Plugin } from 'obsidian';
import { PromptRegistry } from '../../../../src/core/library/prompt-registry';
import type { OfferedPrompt } from '../../../../src/core/library/prompts';
import { describeFailure, fail, succeed } from '../../../../src/core/ports/failure';
import { openAccount } from '../../../../src/core/ports/model';
import { NoteCache } from '../../../../src/core/prompt/facts/attached-notes';
import { sections } from '../../../../src/core/prompt/sections';
import type { Mention } from '../../../../src/core/session/entry';
import { defaultSettings } from '../../../../src/core/settings/settings';
import { refuseWaiting } from '../../../../src/core/writing/guard/without-waiting';
import { words } from '../../../../src/text';
import type { ChatView } from '../../../../src/ui/chat/chat-view';
import { openPrompts, PromptCommands, type PromptsOutside, runPrompt } from '../../../../src/ui/prompts/open';
import { fakeVault } from '../../../support/fake-vault';
import { roughTokenizer } from '../../../support/memory-ports';
import { promptsPorts, promptValues } from '../../../support/prompts-ports';
import { say, scriptedModel } from '../../../support/scripted-model';
import { hostState } from '../../../support/turn-world';

jest.mock('obsidian', () => ({ ...jest.requireActual<object>('obsidian'), Notice: jest.fn() }));

const own = (file: string, name = file, folder = 'Docent'): OfferedPrompt => ({
  id: `${folder}/prompts/${file}.md`,
  name,
  description: '',
  source: 'config',
});
const builtIn: OfferedPrompt = { id: 'built-in/shorten', name: 'Shorten', description: '', source: 'static' };

function bench() {
  const commands = new Map<string, Command>();
  const log: string[] = [];
  const ran: string[] = [];
  const plugin = {
    addCommand: (command: Command) => {
      log.push(`+${command.id}`);
      commands.set(command.id, command);
      return command;
    },
    removeCommand: (id: string) => {
      log.push(`-${id}`);
      commands.delete(id);
    },
  };
  const state = { offered: [] as readonly OfferedPrompt[] };
  const promptCommands = new PromptCommands(
    plugin,
    () => state.offered,
    (prompt) => Promise.resolve(void ran.push(prompt.id)),
  );
  const show = (...offered: OfferedPrompt[]): string[] => {
    log.splice(0);
    state.offered = offered;
    promptCommands.refresh();
    return [...log];
  };
  return { commands, show, ran };
}

it('R129 there is one for each prompt, and only what changed is touched', () => {
  const { commands, show } = bench();
  expect(show(own('Plan'), builtIn)).toEqual(['+prompt-Plan', '+prompt-built-in/shorten']);
  expect(show(own('Plan'), builtIn)).toEqual([]);
  expect(show(builtIn, own('Tidy'))).toEqual(['-prompt-Plan', '+prompt-Tidy']);
  expect(commands.get('prompt-Tidy')?.name).toBe(words.prompts.run('Tidy'));
});

it('R129 a command keeps its id when the prompt gets another name, or the agent folder moves', () => {
  const { commands, show } = bench();
  show(own('Plan'));
  expect(show(own('Plan', 'Plan my week'))).toEqual(['-prompt-Plan', '+prompt-Plan']);
  expect(commands.get('prompt-Plan')?.name).toBe(words.prompts.run('Plan my week'));
  expect(show(own('Plan', 'Plan my week', 'Agent'))).toEqual([]);
});

it('R129 runs the prompt as it stands now', () => {
  const { commands, show, ran } = bench();
  show(own('Plan'));
  show(own('Plan', 'Plan', 'Agent'));
  void commands.get('prompt-Plan')?.callback?.();
  expect(ran).toEqual(['Agent/prompts/Plan.md']);
});

/** What running a prompt with this text does, and says; null for a selection leaves no note open. */
async function runs(
  text: string | null,
  selected: string | null = null,
  hiddenNote: string | null = null,
): Promise<unknown[]> {
  const done: unknown[] = [];
  const view = {
    untilOpen: () => Promise.resolve(),
    openedChat: { send: (...given: unknown[]) => Promise.resolve(void done.push('send', ...given)) },
    addToDraft: (...given: unknown[]) => Promise.resolve(void done.push('draft', ...given)),
  };
  const open = selected === null ? {} : { activeNote: 'Now.md', title: 'Now', selection: selected };
  jest.mocked(Notice).mockClear();
  await runPrompt(own('Plan', 'Plan my week'), {
    openChatView: () => Promise.resolve(view as unknown as ChatView),
    ports: promptsPorts({
      vault: fakeVault(text === null ? {} : { 'Docent/prompts/Plan.md': text }),
      valuesFor: () => Promise.resolve({ ...promptValues, ...open }),
      hiddenNote: () => hiddenNote,
    }),
  });
  return [...done, ...jest.mocked(Notice).mock.calls.flat()];
}
const mention = { kind: 'prompt', id: 'Docent/prompts/Plan.md', label: 'Plan my week' };
const sent = ['send', '/Plan my week', [mention]];
const { notThere, notSentYet } = words.prompts;
const drafted = (reason: string) => [
  'draft',
  '/Plan my week ',
  [mention],
  notSentYet(`“Plan my week” uses ${reason}.`),
];
const noSelection = drafted('${selection}, but no text is selected');

it.each<[string, Parameters<typeof runs>, unknown[]]>([
  ['sends what wants nothing', ['Be calm.'], sent],
  [
    'waits for what it is to be about',
    ['About ${arguments}.'],
    drafted('${arguments}, but you typed nothing after its name'),
  ],
  ['asks for no words where there is a note to work on', ['${arguments} in ${activeNote}', ''], sent],
  ['sends what works on the note in front', ['On ${activeNote}', ''], sent],
  ['waits for a note', ['On ${title}'], drafted('${title}, but no note is open')],
  [
    'says that the open note is hidden',
    ['On ${title}', null, 'Private.md'],
    drafted('${title}, but Private.md is hidden from Docent'),
  ],
  [
    'says so of a selection in it',
    ['Shorten ${selection}', null, 'Private.md'],
    drafted('${selection}, but Private.md is hidden from Docent'),
  ],
  [
    'waits for a daily note',
    ['On ${dailyNote}', ''],
    drafted('${dailyNote}, but daily notes are off in Obsidian or hidden from Docent'),
  ],
  ['waits for a selection', ['Shorten ${selection}'], noSelection],
  ['waits for a selection in a note that is open', ['Shorten ${selection}', ''], noSelection],
  ['sends with what is selected', ['Shorten ${selection}', 'Some words'], sent],
  ['asks for no words beside a selection', ['${selection} ${arguments}', 'Some words'], sent],
  ['says that it is not to be had', [null], [notThere('Plan my week')]],
])('R129 running a prompt %s', async (_what, given, expected) => {
  expect(await runs(...given)).toEqual(expected);
});

it.each([
  ['waits', refuseWaiting('Docent/prompts/Plan.md')],
  [
    'is hidden',
    fail<never>({
      ...{ kind: 'refused', words: words.failures.pathHidden('Docent/prompts/Plan.md') },
      remedy: words.failures.pathHiddenRemedy,
    }),
  ],
])('says of a selection that its note %s', async (_what, refused) => {
  const vault = Object.assign(fakeVault({}), { read: () => Promise.resolve(refused) });
  const outside = { chat: { vault }, registry: new PromptRegistry(), viewOpened: () => Promise.resolve() };
  const prompts = openPrompts(
    {} as App,
    { register: () => undefined } as unknown as Plugin,
    outside as unknown as PromptsOutside,
  );
  const passage = { path: 'Docent/prompts/Plan.md', text: 'Be calm.' };
  jest.mocked(Notice).mockClear();
  await prompts.ask(passage as unknown as Parameters<typeof prompts.ask>[0]);
  expect(jest.mocked(Notice).mock.calls.flat()).toEqual([refused.ok ? '' : describeFailure(refused.failure)]);
});

describe('what Docent asks of a message before it is sent', () => {
  const spent = openAccount();
  /** Opens prompts over notes, with a note in front. */
  function open(files: Record<string, string>, activeNote: string | null = null) {
    const vault = fakeVault(files);
    const editor = activeNote === null ? null : { activeNote: { path: activeNote, title: 'Now' }, selection: null };
    const failure = { kind: 'authentication', words: 'No key.', remedy: 'Enter one.' } as const;
    const chat = {
      vault,
      notes: new NoteCache(vault),
      settings: () => ({ ...defaultSettings, model: 'test/none' }),
      model: () => fail(failure),
      hostState: { ...hostState, editor: () => editor },
    };
    const registry = new PromptRegistry();
    registry.replaceSource('static', [
      { id: 'built-in/calm', name: 'Stay calm', content: 'On ${title}.', source: 'static', registeredAt: 0 },
    ]);
    const plugin = { register: () => undefined } as unknown as Plugin;
    return openPrompts({} as App, plugin, { chat, registry } as unknown as PromptsOutside);
  }

  it('fails with the reason why there is no model', async () => {
    const events: unknown[] = [];
    const { signal } = new AbortController();
    for await (const event of open({}).askOnce('Shorten.', 'rewrite', spent, signal)) events.push(event);
    expect(events).toEqual([
      { type: 'failure', failure: { kind: 'authentication', words: 'No key.', remedy: 'Enter one.' } },
    ]);
  });

  it('asks no model any more once the plugin is switched off, though the dialog that asked is still open', async () => {
    const vault = fakeVault({});
    const model = scriptedModel([[say('Half'), 'hang']]);
    const releases: (() => void)[] = [];
    const chat = {
      ...{ vault, notes: new NoteCache(vault), sections, tools: [], tokenizer: roughTokenizer, hostState },
      ...{ agentFolder: () => 'Docent', refresh: () => Promise.resolve(), hooks: { active: [] } },
      settings: () => defaultSettings,
      model: () => succeed(model),
    };
    const prompts = openPrompts(
      {} as App,
      { register: (release: () => void) => releases.push(release) } as unknown as Plugin,
      { chat, registry: new PromptRegistry() } as unknown as PromptsOutside,
    );
    const events: unknown[] = [];
    for await (const event of prompts.askOnce('Shorten.', 'commit', spent, new AbortController().signal)) {
      events.push(event);
      releases.forEach((release) => release());
    }
    expect(events).toEqual([say('Half')]);
    expect(model.signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it('knows the open note only as hidden once the vault does not list it', () => {
    expect(open({ 'Now.md': 'a' }, 'Now.md').hiddenNote()).toBeNull();
    expect(open({}, 'Now.md').hiddenNote()).toBe('Now.md');
    expect(open({}).hiddenNote()).toBeNull();
  });

  it('names the prompts that would be empty: those of the message and that of the chat, each by its name', async () => {
    const files = {
      'Docent/prompts/Plan.md': 'About ${arguments}.',
      'Docent/prompts/Note.md': 'On ${title}, ${arguments}.',
      'Docent/prompts/Calm.md': 'Be calm.',
    };
    const named = (file: string): Mention => ({ kind: 'prompt', id: `Docent/prompts/${file}.md`, label: file });
    const missing = (name: string, variable: 'arguments' | 'title') =>
      words.prompts.emptyVariable(name, variable, words.prompts.empty[variable]);
    const { findEmpty } = open(files);
    expect(await findEmpty([named('Plan'), named('Calm'), { kind: 'note', id: 'x', label: 'x' }], null)).toEqual([
      { id: 'Docent/prompts/Plan.md', reasons: missing('Plan', 'arguments') },
    ]);
    expect(await findEmpty([named('Lost')], null)).toEqual([
      { id: 'Docent/prompts/Lost.md', reasons: notThere('Lost') },
    ]);
    expect(await findEmpty([], 'Docent/prompts/Note.md')).toEqual([
      { id: 'Docent/prompts/Note.md', reasons: missing('Note', 'title') },
    ]);
    expect(await findEmpty([], 'built-in/calm')).toEqual([
      { id: 'built-in/calm', reasons: missing('Stay calm', 'title') },
    ]);
    // Nothing is ever written after the name of a chat's prompt.
    expect(await findEmpty([], 'Docent/prompts/Plan.md')).toEqual([]);
    expect(await findEmpty([], 'Docent/prompts/Lost.md')).toEqual([]);
  });
});
