/** Templates as the model gets them: those of model families, and the user's own, good and bad. */
import { words } from '../../../src/text';
import { until } from '../driver/chat-view';
import { shareChat, sharedWalk } from '../driver/begin-again';
import { choose, sendTyped, startChat, walk, type Walk } from '../driver/reach-walk';
import { newText } from '../driver/sent-request';

jest.setTimeout(120_000);

const notes = {
  'Boat.md': 'The boat is very blue.\n',
  'AGENTS.md': 'House rules.\n',
  'Docent/memory.md': 'Likes tea.\n',
};

shareChat({ vault: notes });

describe.each([
  [
    'small',
    'ollama/llama3.1:8b',
    'If attached notes are not enough, find with search_notes, read with read_note, then answer.',
  ],
  ['reasoning', 'openai/o3', 'Check your plan against AGENTS.md once, not before each step.'],
  ['frontier', 'anthropic/claude-opus-5', "If the user's memory and AGENTS.md differ, follow the memory."],
])('with a %s model', (_family, model, sentence) => {
  const self = sharedWalk({ vault: notes, settings: { model, tier: 5 } }, async ({ chatView }) => {
    await chatView.ask('Hello');
  });

  it('R024@request R025@request the template of the family follows that of the mode, with the names of tools and files', () => {
    const { system } = self.sent();
    expect(system).toContain(sentence);
    const end = system.indexOf(sentence);
    expect(system.indexOf('You are the assistant')).toBeLessThan(end);
    expect(system.indexOf('<core_mandates>')).toBeGreaterThan(end);
  });
});

const write = async ({ workbench }: Walk, path: string, text: string): Promise<void> => {
  await workbench.writeNote(path, text);
  await until(
    () =>
      workbench.page.evaluate(
        async ([file = '', wanted]) => {
          const found = window.app.vault.getFileByPath(file);
          return found !== null && (await window.app.vault.cachedRead(found)) === wanted;
        },
        [path, text],
      ),
    `${path} is seen`,
  );
};

async function showDiagnostics({ workbench }: Walk): Promise<string> {
  await workbench.command('show-diagnostics');
  const modal = workbench.page.locator('.modal', { hasText: words.diagnostics.variables.label });
  await modal.waitFor();
  await until(async () => !(await modal.innerText()).includes(words.diagnostics.checking), 'the checks are done');
  const text = await modal.innerText();
  await workbench.page.keyboard.press('Escape');
  await modal.waitFor({ state: 'detached' });
  return text;
}

describe('in the user’s own texts', () => {
  const record = [
    '<% if (it.interactive && it.permissionMode === "review") { %>',
    'Mine: <%= it.ToolNames.ReadFile %> <%= it.ToolNames.ReadManyFiles %> <%= it.ToolNames.WriteFile %> <%= it.ToolNames.Edit %> <%= it.ToolNames.Grep %> <%= it.ToolNames.Glob %> <%= it.ToolNames.LS %> <%= it.ToolNames.Memory %>[<%= it.ToolNames.Shell %>]',
    '<% } else { %>',
    'Never this.',
    '<% } %>',
    'Box: <%= it.SandboxStatus %><% if (it.IsGitRepository) { %> git<% } else { %> no git<% } %>; <%= it.ProjectContextFile %>: <%= it.ProjectContext %>; <%= it.UserMemory %>; ${ToolName_read_note}',
    '[<%= it.nothing %>]',
  ].join('\n');
  const self = walk(
    {
      vault: {
        ...notes,
        'Docent/memory.md': 'Likes <%= it.mode %> and ${AvailableTools}.\n',
        'Docent/system.md': record,
        'Docent/prompts/Pick.md':
          '<% if (it.selection) { %>Shorten <%= it.selection %> at level <%= it.tier %>.<% } else if (it.noteText) { %>Read <%= it.title %>: <%= it.noteText %><% } else { %>Ask what to do.<% } %>\n',
      },
      settings: { systemPrompt: 'default', tier: 5 },
    },
    async ({ chatView, workbench }) => {
      await workbench.page.evaluate(() => {
        const made: string[] = [];
        Object.assign(window, { madeCode: made });
        const watched = new Proxy(Function, {
          construct: (target, given) => (made.push(String(given)), Reflect.construct(target, given)),
          apply: (target, that, given) => (made.push(String(given)), Reflect.apply(target, that, given)),
        });
        Object.defineProperty(Function.prototype, 'constructor', { value: watched });
        window.Function = watched;
      });
      await chatView.ask('Hello');
    },
  );
  const system = (): string => self.sent().system;

  it('R024@request R025@request a template has the whole record, and conditions over it', () => {
    expect(system()).toContain(
      'Mine: read_note read_notes create_note edit_note search_notes find_notes list_folder remember[]\n' +
        'Box: generic no git; AGENTS.md: House rules.; Likes <%= it.mode %> and ${AvailableTools}.; read_note\n[]',
    );
    expect(system()).not.toContain('Never this.');
  });

  it('R171@request a saved prompt decides by what is open', async () => {
    const { page } = self.workbench;
    await page.evaluate(() => window.app.workspace.openLinkText('Boat.md', '', false));
    await until(
      () => page.evaluate(() => window.app.workspace.getActiveFile()?.path === 'Boat.md'),
      'the note is open',
    );
    await self.workbench.command('open-chat');
    await choose(self, '/Pick', 'Pick');
    await sendTyped(self);
    expect(newText(self.sent())).toContain('Read Boat: The boat is very blue.');
    await page.evaluate(async () => {
      await window.app.workspace.openLinkText('Boat.md', '', false);
      const editor = window.app.workspace.activeEditor?.editor;
      editor?.setSelection(editor.offsetToPos(4), editor.offsetToPos(8));
    });
    await self.workbench.command('open-chat');
    await choose(self, '/Pick', 'Pick');
    await sendTyped(self);
    expect(newText(self.sent())).toContain('Shorten boat at level 5.');
  });

  it('R025@dom a name that has no value is reported with its line', async () => {
    expect(await showDiagnostics(self)).toContain('Line 7: it.nothing has no value here, so it is left empty.');
  });

  it.each([
    ['a loop', '<% while (true) { %>Mine.<% } %>', 'Templates have no loops.'],
    ['a way out', '<%= it.mode.constructor.constructor("return 1")() %> Mine.', 'Templates can’t use this name.'],
    ['a call', 'Mine: <%= fetch("https://example.com") %>', 'Templates can’t run functions.'],
    ['a new value', 'Mine: <% it.mode = "x" %>', 'Templates can’t change values.'],
  ])('R025@request %s is sent as text, which is reported', async (_name, text, reason) => {
    await write(self, 'Docent/system.md', text);
    await startChat(self);
    await self.chatView.ask('Again');
    expect(system().startsWith(text)).toBe(true);
    expect(await showDiagnostics(self)).toContain(`Line 1: ${reason}`);
  });

  it('R025@request K8 a mistake brings Docent’s own instructions back, and is reported with file and line', async () => {
    await write(self, 'Docent/system.md', 'Mine.\n\n<% if (it.interactive) { %>\nYes.\n');
    await startChat(self);
    await self.chatView.ask('And now?');
    expect(system()).toContain('<core_mandates>');
    expect(system()).not.toContain('Mine.');
    const shown = await showDiagnostics(self);
    expect(shown).toContain('Docent/system.md');
    expect(shown).toContain('Line 3: The condition has no end');
  });

  it('R025 no code was made from text in all that', async () => {
    expect(await self.workbench.page.evaluate(() => (window as unknown as { madeCode: string[] }).madeCode)).toEqual(
      [],
    );
  });
});

describe('in the user’s own mode', () => {
  const self = sharedWalk(
    {
      vault: {
        ...notes,
        'Docent/modes/user/tier5.md':
          '<% if (it.offers.writing) { %>\nI may write with <%= it.tools.editNote %>.\n<% } %>\nI am at level <%= it.tier %>.\n',
      },
      settings: { mode: 'user', tier: 5 },
    },
    async ({ chatView }) => {
      await chatView.ask('Hello');
    },
  );

  it('R101@request a template is filled in, and gives way to Docent’s own while it has a mistake', async () => {
    expect(self.sent().system.startsWith('I may write with edit_note.\nI am at level 5.\n\n')).toBe(true);
    await write(self, 'Docent/modes/user/tier5.md', 'I am <%= it.tier');
    await startChat(self);
    await self.chatView.ask('Again');
    expect(self.sent().system.startsWith('You are the assistant')).toBe(true);
  });
});
