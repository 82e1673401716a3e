/**
 * The texts that are sent around the user's message: date and place, context files, workspaces, skills, and the editor.
 */
import { rename, unlink } from 'node:fs/promises';
import path from 'node:path';
import { readRequest } from '../../support/model-server';
import { until, openPicker } from '../driver/chat-view';
import { holdTime, shareChat, sharedWalk } from '../driver/begin-again';
import { choose, expectInOrder, sectionIn, sendTyped, type Walk } from '../driver/reach-walk';
import { allText, sentRequests, type SentRequest } from '../driver/sent-request';

jest.setTimeout(90_000);

const tiered = { model: 'anthropic/scripted' };
const textOf = ({ system, messages }: SentRequest): string => [system, ...messages.map(({ text }) => text)].join('\n');
const times = (text: string, part: string): number => text.split(part).length - 1;

async function pick({ chatView, workbench }: Walk, id: string, title: string): Promise<void> {
  const item = workbench.page.locator('.menu .menu-item', { hasText: title }).first();
  const menu = workbench.page.locator('.menu');
  // A menu stays as it was opened; of a note that has just been written, it may not know yet.
  await until(async () => {
    await openPicker(chatView, id);
    if ((await item.count()) > 0) return true;
    await workbench.page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    return false;
  }, `${title} is in the menu`);
  await item.click();
  await menu.waitFor({ state: 'detached' });
}

shareChat({ vault: { 'Boat.md': 'Blue.\n' } });

describe('the set-up of a chat', () => {
  const vault = { 'Boat.md': 'Blue.\n', 'AGENTS.md': 'House rules.\n', 'Docent/memory.md': 'Likes tea.\n' };
  const self = sharedWalk({ vault, settings: tiered }, async ({ chatView, workbench }) => {
    await holdTime(workbench, new Date('2026-03-04T10:00:00Z'));
    await chatView.ask('One');
    await holdTime(workbench, new Date('2026-03-05T10:00:00Z'));
    await chatView.ask('Two');
    await chatView.ask('Three');
    await holdTime(workbench, null);
  });
  const environment = (index: number): string[] =>
    (sectionIn(self.sent(index).messages[0]?.text ?? '', 'environment') ?? '').split('\n');

  it('R182@request K12 tells the day in its long form, keeps it, and tells another day once, at the end', () => {
    expect(environment(0)[0]).toMatch(/^Today is Wednesday, March 4, 2026 \(2026-03-04, week 10\)\. This message was /);
    expect(environment(2)[0]).toBe(environment(0)[0]);
    expect(self.sent(1).messages.at(-1)?.text).toMatch(/Thursday, March 5, 2026/);
    expect(times(textOf(self.sent(2)), 'Thursday, March 5, 2026')).toBe(1);
    // The time is that of the first message: nothing follows the clock.
    expect(textOf(self.sent(2)).match(/\b\d\d:\d\d\b/g)).toHaveLength(1);
  });

  it('R183@request R185@request names system, app and vault', () => {
    expect(environment(0)[1]).toBe('Currently working in: the vault "vault"');
    expect(environment(0)[2]).toMatch(/^Operating system: \w+, Obsidian \d+\.\d+\.\d+$/);
  });

  it('R184@request R187@request says where long results go, wants calls rather than silence, and ends the set-up', () => {
    expect(environment(0).slice(-3)).toEqual([
      'Long results are stored outside the vault. Read the rest with recall_output.',
      'If you need a tool, call it. Never send an empty answer.',
      "This completes the setup. The user's request comes next.",
    ]);
  });

  it('R186@request R201@request has context file and memory in the system part and the environment in the first message, each once', () => {
    const { system, messages } = self.sent(2);
    expect(messages[0]?.texts[0]).toMatch(/^<environment>/);
    for (const part of ['House rules.', 'Likes tea.']) {
      expect(system).toContain(part);
      expect(times(textOf(self.sent(2)), part)).toBe(1);
    }
    expect(system).not.toContain('<environment>');
  });

  it('R188@request begins the history with the environment, and has all that was said behind it', () => {
    const { messages } = self.sent(2);
    expectInOrder(messages.map(({ text }) => text).join('\n'), ['<environment>', 'One', 'Two', 'Three']);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
  });

  it('R189@request R190@request has what is open beside the message, and not among the instructions', () => {
    expect(self.sent(0).system).not.toContain('<editor_context>');
    expect(sectionIn(self.sent(0).messages[0]?.text ?? '', 'editor_context')).toMatch(
      /\{"activeFile":\{"path":"[^"]+","cursor":\{"line":1,"character":1\}\},"otherOpenFiles":\[\]\}/,
    );
  });
});

describe('context files with the first note', () => {
  const vault = { 'Boat.md': 'Blue.\n', 'AGENTS.md': 'House rules.\n', 'Docent/memory.md': 'Likes tea.\n' };
  const self = sharedWalk(
    {
      vault,
      settings: { ...tiered, contextFilesIn: 'first-touch' },
      scripted: [{ toolCalls: [{ name: 'read_note', arguments: { path: 'Boat.md' } }] }, { text: 'Blue.' }],
    },
    ({ chatView }) => chatView.ask('Which colour?').then(() => {}),
  );

  it('R200@request R201@request has the memory alone in the system part, and the context file with the result', () => {
    for (const { system } of [self.sent(0), self.sent(1)]) {
      expect(system).toContain('Likes tea.');
      expect(system).not.toContain('House rules.');
    }
    const [result] = self.sent(1).messages.flatMap(({ results }) => results);
    expect(result?.text).toMatch(
      /Blue\.[\s\S]*--- Context from: AGENTS\.md ---\nHouse rules\.\n--- End of Context from: AGENTS\.md ---/,
    );
  });
});

describe('the context file', () => {
  const self = sharedWalk({ vault: { 'Boat.md': 'Blue.\n' } }, async ({ workbench }) => {
    await workbench.command('create-context-file');
    await until(async () => (await workbench.readNote('AGENTS.md').catch(() => '')) !== '', 'the file is made');
  });

  it('R197@disk is started with room for conventions, commands and what is under way', async () => {
    const text = (await self.workbench.readNote('AGENTS.md')).toLowerCase();
    for (const part of [
      /^#+ .*convention/m,
      /^#+ .*(?:command|recurring|how)/m,
      /^#+ .*(?:ongoing|under way|now|current)/m,
    ])
      expect(text).toMatch(part);
  });
});

describe('a workspace', () => {
  const note = [
    '---',
    'name: The refit',
    'description: Until June',
    'folder: Boats',
    'notes: ["[[Heron]]"]',
    'workflows: ["Caulk, then paint"]',
    'preferences: Metric units',
    '---',
    'Call every boat by its name.',
  ].join('\n');
  const vault = {
    'Boats/Heron.md': 'Heron is a dinghy.\n',
    'Boats/Whimbrel.md': 'Whimbrel is a sloop.\n',
    'Docent/memory.md': '',
    'Docent/workspaces/Refit.md': note,
    'Docent/workspaces/Bare.md': 'Nothing but words.\n',
    'Docent/skills/loose.md': '---\nname: loose\ndescription: A stray note.\n---\nNo.\n',
    'Docent/skills/tides/SKILL.md': '---\nname: tides\ndescription: Reads tide tables.\n---\nLook twice.\n',
    'Docent/skills/tides/references/extra.md': '---\nname: extra\ndescription: Beside it.\n---\nNo.\n',
  };
  const self = sharedWalk({ vault, settings: { contextWindow: 32_768 } }, async (each) => {
    await pick(each, 'workspace', 'The refit');
    await choose(each, '#The', 'The refit');
    await sendTyped(each, 'Hello');
    await pick(each, 'workspace', 'Bare');
    await each.chatView.ask('And now?');
    await unlink(path.join(each.workbench.vaultFolder, 'Docent/workspaces/Bare.md'));
    await each.chatView.root.locator('.docent-gone').waitFor();
    await each.chatView.ask('And without it?');
  });

  it('R174@request R174@dom R178@request goes on with the name of a workspace whose note has gone, names the others, and says so', async () => {
    const last = self.sent(2).messages.at(-1)?.text ?? '';
    expect(last).toContain('And without it?');
    // What was sent stays as it was; the message says what holds in its place.
    expect(self.sent(2).system).toBe(self.sent(0).system);
    expect(last).toContain('This replaces any earlier version:\n<selected_workspace>');
    const basic: unknown = JSON.parse(sectionIn(last, 'selected_workspace') ?? '');
    expect(basic).toEqual({ id: 'Docent/workspaces/Bare.md', name: 'Bare' });
    expect(last).not.toContain('Nothing but words.');
    expect(sectionIn(last, 'available_workspaces')).toContain('- The refit');
    expect(sectionIn(last, 'available_workspaces')).not.toContain('- Bare');
    expect(await self.chatView.root.locator('.docent-gone').innerText()).toContain('Bare');
  });

  it('R179@request R177@request R173@request is written by one form where it is chosen and where it is named', () => {
    const { system, messages } = self.sent(0);
    const chosen = /<selected_workspace ([^>]*)>\n([\s\S]*?)\n<\/selected_workspace>/.exec(system);
    const named = /<workspace ([^>]*)>\n([\s\S]*?)\n<\/workspace>/.exec(messages.at(-1)?.text ?? '');
    expect(chosen?.[1]).toContain('name="The refit"');
    expect(chosen?.[1]).toContain('id="Docent/workspaces/Refit.md"');
    expect(chosen?.[2]).toBe(`Work in this workspace:\n\n${named?.[2]}`);
    expectInOrder(chosen?.[2] ?? '', [
      'Name: The refit',
      'Instructions:\nCall every boat by its name.',
      'Root folder: Boats',
      'Workflows:\n- Caulk, then paint',
      'Recent files:\n- ',
      'Key files:\n- Boats/Heron.md',
      'Preferences: Metric units',
    ]);
  });

  it('R177@request R164@request goes by the name of its note without one of its own, and leaves out what it lacks', () => {
    const { system, messages } = self.sent(1);
    const last = messages.at(-1)?.text ?? '';
    const chosen = /<selected_workspace ([^>]*)>\n([\s\S]*?)\n<\/selected_workspace>/.exec(last);
    expect(last).toMatch(/This replaces any earlier version:\n<selected_workspace /);
    expect(chosen?.[1]).toContain('name="Bare"');
    expect(chosen?.[2]).toContain('Instructions:\nNothing but words.');
    expect(chosen?.[2]).not.toMatch(/Workflows|Preferences|Key files|undefined|null/);
    expect(sectionIn(system, 'available_workspaces')).toMatch(
      /- Bare \(id: "Docent\/workspaces\/Bare\.md"\)\n[\s\S]*- The refit \(id: "Docent\/workspaces\/Refit\.md"\)|- The refit[\s\S]*- Bare/,
    );
  });

  it('R185@request R265@request narrows the place to the folder of the workspace, and has no workspaces where none is named', () => {
    const [first, second] = [self.sent(0), self.sent(1)].map(({ messages }) => messages);
    expect(first?.[0]?.text).toContain('Currently working in: the folder Boats/ of the vault "vault"');
    expect(first?.at(-1)?.text).toMatch(/<workspaces>/);
    expect(second?.at(-1)?.text).toContain('Currently working in: the vault "vault"');
    expect(second?.at(-1)?.text).not.toMatch(/<workspaces>/);
  });

  it('R132@request has one skill a folder, and takes no other note for one', () => {
    const skills = sectionIn(self.sent(0).system, 'available_skills') ?? '';
    expect(skills.match(/^- \*\*[\w-]+\*\*.*\n {2}Location: /gm)).toEqual([expect.stringMatching(/^- \*\*tides\*\*/)]);
  });
});

describe('a workspace whose note is moved away', () => {
  const vault = {
    'Boats/Whimbrel.md': 'Whimbrel is a sloop.\n',
    'Docent/memory.md': '',
    'Docent/workspaces/Refit.md': '---\nname: Refit\ndescription: The boat\nfolder: Boats\n---\nPrefer metric.\n',
  };
  const asked = sharedWalk({ vault, settings: { tier: 5 } }, async (one) => {
    const { workbench } = one;
    await pick(one, 'workspace', 'Refit');
    await sendTyped(one, 'What is it?');
    const folder = path.join(workbench.vaultFolder, 'Docent');
    await rename(path.join(folder, 'workspaces/Refit.md'), path.join(folder, 'Refit elsewhere.md'));
    await until(
      () => workbench.page.evaluate(() => window.app.vault.getFileByPath('Docent/workspaces/Refit.md') === null),
      'the note is gone',
    );
    await sendTyped(one, 'And now?');
  });

  it('R177@request is sent with its record while there is one', () => {
    expect(sectionIn(allText(asked.sent(0)), 'selected_workspace')).toContain('Prefer metric.');
  });

  it('R178@request is sent as its basic context in JSON once there is none, and the chat says that it is missing', async () => {
    const sections = [
      ...allText(asked.sent()).matchAll(/<selected_workspace[^>]*>\n([\s\S]*?)\n<\/selected_workspace>/g),
    ];
    expect(JSON.parse(sections.at(-1)?.[1] ?? '')).toEqual({ id: 'Docent/workspaces/Refit.md', name: 'Refit' });
    expect(await asked.chatView.root.innerText()).toContain('Refit');
  });
});

describe('the editor', () => {
  const vault = { 'Boat.md': 'Blue.\n', 'Crew.md': 'Rui steers.\n', 'Docent/memory.md': '' };
  const self = sharedWalk(
    {
      vault,
      settings: tiered,
      scripted: (request) => {
        const read = readRequest(request);
        const results = read.messages.flatMap((message) => message.results).length;
        const isResult = (read.messages.at(-1)?.results.length ?? 0) > 0;
        if (isResult && results === 1)
          return {
            text: 'Let me see. '.repeat(40),
            delayMs: 40,
            toolCalls: [{ name: 'read_note', arguments: { path: 'Crew.md' } }],
          };
        if (!isResult && results === 0) return { toolCalls: [{ name: 'read_note', arguments: { path: 'Boat.md' } }] };
        return { text: 'Understood.' };
      },
    },
    async ({ chatView, workbench }) => {
      await workbench.page.evaluate(() => window.app.workspace.openLinkText('Boat', '', false));
      await chatView.send('Who steers?');
      await until(() => sentRequests(workbench.model).length === 2, 'the first result is sent');
      await workbench.page.evaluate(() => window.app.workspace.openLinkText('Crew', '', false));
      await chatView.untilIdle();
      await chatView.ask('And now?');
    },
  );

  it('R192@request is told with a message of the user, never between a call and its result', () => {
    const requests = sentRequests(self.workbench.model);
    expect(requests).toHaveLength(4);
    expect(times(textOf(self.sent(2)), '<editor_context>')).toBe(1);
    expect(sectionIn(self.sent(0).messages.at(-1)?.text ?? '', 'editor_context')).toContain('"path":"Boat.md"');
    for (const [at, message] of self.sent(2).messages.entries()) {
      if (message.calls.length > 0) expect(self.sent(2).messages[at + 1]?.results).toHaveLength(1);
      if (message.results.length > 0) expect(message.text).not.toContain('editor_context');
    }
    expect(sectionIn(self.sent(3).messages.at(-1)?.text ?? '', 'editor_context')).toContain(
      '"activeFileChanged":{"path":"Crew.md"',
    );
  });
});

describe('a prompt that is left out', () => {
  const vault = {
    'Docent/memory.md': '',
    'Docent/prompts/Needy.md': '---\nname: Needs a web\nversion: 2\nrequiredTools: no_such_tool\n---\nFetch.\n',
    'Docent/prompts/Broken.md': '---\nname: [a\n---\nBroken.\n',
    'Docent/prompts/Fine.md': '---\nname: Fine\nversion: "3.1"\n---\nFine.\n',
  };
  const self = sharedWalk({ vault }, ({ chatView }) => chatView.ask('Hello').then(() => {}));

  it('R131@dom R128@dom is told with its reason, and the rest can be used', async () => {
    await self.workbench.command('show-diagnostics');
    const check = self.workbench.page.locator('.docent-diagnostics-modal [data-check="prompts"]');
    await check.getByText('no_such_tool').first().waitFor();
    await check.getByText('properties can’t be read').first().waitFor();
    expect(await check.innerText()).not.toContain('Fine.md');
    await self.workbench.page.keyboard.press('Escape');
    await self.workbench.command('show-prompts');
    const row = self.workbench.page.locator('.docent-prompts-modal .docent-prompt', { hasText: 'Needs a web' });
    expect(await row.innerText()).toMatch(/Tools missing[\s\S]*no_such_tool[\s\S]*Version 2/);
  });

  it('R128@request R165@request is not offered to the model', () => {
    const offered = sectionIn(self.sent().system, 'available_prompts') ?? '';
    expect(offered).toContain('- Fine (id: "Docent/prompts/Fine.md")');
    expect(offered).not.toContain('Needs a web');
  });
});

describe('a result that is longer than its share', () => {
  const lines = Array.from({ length: 900 }, (_, index) => `line ${index} of the log`);
  const handleIn = (text: string): string => /handle "([^"]+)"/.exec(text)?.[1] ?? '';
  const resultsSent = (): string[] =>
    asked.sent().messages.flatMap((message) => message.results.map((result) => result.text));
  const asked = sharedWalk(
    {
      vault: {
        'Docent/skills/log/SKILL.md': `---\nname: log\ndescription: A log.\n---\n${lines.join('\n')}`,
        'Docent/memory.md': '',
      },
      settings: { contextWindow: 16_384, contextStatus: 'never' },
      scripted: () => {
        const results = sentRequests(asked.workbench.model)
          .at(-1)
          ?.messages.flatMap((message) => message.results.map((result) => result.text));
        if (results === undefined || results.length === 0) {
          return { toolCalls: [{ name: 'activate_skill', arguments: { name: 'log' } }] };
        }
        if (results.length > 1) return { text: 'Read.' };
        return {
          toolCalls: [{ name: 'recall_output', arguments: { handle: handleIn(results[0] ?? ''), start_line: 300 } }],
        };
      },
    },
    async (one) => sendTyped(one, 'Read the log.'),
  );

  it('R243@request K35 is sent as its start and its end with the last thirty lines, and recall_output reads the rest', () => {
    const [cut = '', recalled = ''] = resultsSent();
    expect(cut).toContain('line 0 of the log');
    expect(cut).not.toContain('line 400 of the log');
    const shown = lines.filter((line) => cut.includes(`${line}\n`) || cut.endsWith(line));
    const end = Number(/line (\d+) of the log\D*$/.exec(cut)?.[1]);
    for (let line = end - 29; line <= end; line += 1) expect(shown).toContain(`line ${line} of the log`);
    expect(cut.length / 4).toBeLessThan(0.15 * 16_384 + 200);
    expect(recalled).toContain('line 320 of the log');
  });
});
