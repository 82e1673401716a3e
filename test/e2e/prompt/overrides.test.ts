/** The user's own side of the prompt in the browser, on the request that is sent and on the disk. */
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { builtInTemplates } from '../../../src/core/prompt/tiered-prompt-store';
import { sections } from '../../../src/core/prompt/sections';
import { words } from '../../../src/text';
import { type Beginning, begin, removeNote, storeSettings, turnPlugin, untilPrompt } from '../driver/begin-again';
import { bringToFront, readStoredJson, until, openPicker } from '../driver/chat-view';
import { chatView, openLook, workbench } from '../driver/open-chat';
import { readFile } from '../driver/reach';
import { lastSent, newText, sentRequests } from '../driver/sent-request';
import { openSettingsWindow } from '../driver/settings-window';
import { closeQuiet, lookInThemes, type looks } from '../driver/workbench';

jest.setTimeout(120_000);

const say = words.ownPrompt;
const vault = {
  'Now.md': 'The blue boat is on the hard.\n',
  'AGENTS.md': 'House rules.\n',
  'Docent/memory.md': 'Likes tea.\n',
};
const own = { ...vault, 'Docent/system.md': 'You are mine. ${AvailableTools}\n' };

const opening = { vault: own, desktop: true, plugins: [path.resolve('test/support/hook-plugin')] };

/** Before the tests of the enclosing block: these notes in the app of this look, which blocks share, with a plugin's hooks. */
function share(notes: Readonly<Record<string, string>>, look: (typeof looks)[number][1], hasHooks = false): void {
  beforeAll(async () => {
    await openLook(look, opening);
    await turnPlugin('tide-clock', hasHooks);
    await beginCalm({ vault: notes });
  });
}

afterAll(() => closeQuiet(workbench));

interface Stored {
  readonly sectionsOff?: readonly string[];
}

/** In the environment of before. */
async function beginCalm(beginning?: Beginning): Promise<void> {
  await setVariables({});
  await begin(beginning);
}

/** What the environment of a desktop app would hold. */
async function setVariables(variables: Readonly<Record<string, string>>): Promise<void> {
  await workbench.page.evaluate((env) => Object.assign(window, { process: { env } }), variables);
}

async function storedOff(): Promise<readonly string[]> {
  const { sectionsOff }: Stored = await readStoredJson(workbench, '.obsidian/plugins/docent/data.json');
  return sectionsOff ?? [];
}

/** Switches off the parts of these names on the page that is open, each once the one before it is stored. */
function switchOff(names: readonly string[]): Promise<void> {
  return workbench.page.evaluate(async (parts) => {
    const docent = window.app.plugins.getPlugin('docent');
    const countOff = async (): Promise<number> =>
      ((await docent?.loadData()) as { sectionsOff?: readonly string[] } | null)?.sectionsOff?.length ?? 0;
    for (const part of parts) {
      const before = await countOff();
      const rows = [...activeDocument.querySelectorAll('.setting-page .setting-item')];
      const row = rows.find((each) => each.querySelector('.setting-item-name')?.textContent === part);
      row?.querySelector<HTMLElement>('.checkbox-container')?.click();
      const end = Date.now() + 15_000;
      while ((await countOff()) === before) {
        if (Date.now() > end) throw new Error(`The switch of ${part} is not stored.`);
        await new Promise((resolve) => window.setTimeout(resolve, 10));
      }
    }
  }, names);
}

const onDisk = (file: string): Promise<string | null> =>
  readFile(path.join(workbench.vaultFolder, file), 'utf8').catch(() => null);
const system = (): string => lastSent(workbench.model).system;
/** Whether a note is in front and its editor has the focus. */
const hasFocus = (file: string): Promise<boolean> =>
  workbench.page.evaluate((wanted) => {
    const { activeEditor } = window.app.workspace;
    return activeEditor?.file?.path === wanted && activeEditor.editor?.hasFocus() === true;
  }, file);
const badge = (): Locator => chatView.root.locator('.docent-override');
const isStandard = (): boolean => system().includes('<core_mandates>');
const notice = (text: string): Locator => workbench.page.locator('.notice').getByText(text).first();
const confirm = (): Locator => workbench.page.locator('.modal').filter({ hasText: say.overwrite });

describe('with a note that replaces Docent’s own text', () => {
  share({ ...own, 'Docent/system-extra.md': 'Sources go last.\n' }, { theme: 'dark' });

  it('R034@request R260@request R040@request R047@request sends base, permissions, AGENTS.md, system-extra.md and memory in this order', async () => {
    await beginCalm({ settings: { systemPrompt: 'default' } });
    await chatView.ask('one');
    const places = ['You are mine. - ', '<permissions>', 'House rules.', 'Sources go last.', 'Likes tea.'].map((part) =>
      system().indexOf(part),
    );
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places[0]).toBe(0);
    expect(system()).not.toMatch(/<(core_mandates|workflow|guidelines)>/);
  });

  it.each([
    [
      'R029@request R031@request R033@request a path of the settings',
      { systemPrompt: 'path', systemPromptPath: './Docent/../Docent/system.md' },
      {},
      true,
    ],
    ['R027@request off in the settings', { systemPrompt: 'off' }, {}, false],
    ['R027@request R033@request 0 in the environment', { systemPrompt: 'default' }, { DOCENT_SYSTEM_MD: '0' }, false],
    [
      'R027@request R033@request FALSE in the environment',
      { systemPrompt: 'default' },
      { DOCENT_SYSTEM_MD: ' FALSE ' },
      false,
    ],
    ['R028@request R033@request 1 in the environment', {}, { DOCENT_SYSTEM_MD: '1' }, true],
    ['R028@request R033@request true in the environment', {}, { DOCENT_SYSTEM_MD: 'True' }, true],
    ['R029@request R033@request a path in the environment', {}, { DOCENT_SYSTEM_MD: 'Docent/system.md' }, true],
    ['R030@request a home folder that is not known', {}, { DOCENT_SYSTEM_MD: '~/system.md' }, false],
  ] as const)('%s', async (_name, settings, variables, isOwn) => {
    await beginCalm({ settings });
    await setVariables(variables);
    await chatView.ask('one');
    expect([system().startsWith('You are mine.'), isStandard()]).toEqual([isOwn, !isOwn]);
  });

  it('R034@request R040@request the badge offers to append instead of replacing', async () => {
    await removeNote('Docent/system-extra.md');
    await beginCalm({ settings: { systemPrompt: 'default' } });
    await badge().getByRole('button', { name: say.appendLabel }).click();
    await badge().waitFor({ state: 'detached' });
    await chatView.ask('one');
    expect(isStandard()).toBe(true);
    expect(system()).toMatch(/<core_mandates>[\s\S]*House rules\.[\s\S]*You are mine\. - [\s\S]*Likes tea\./);
    expect(await onDisk('Docent/system.md')).toBe(own['Docent/system.md']);
  });

  it('R252@request R252@dom the environment switches a part off over the settings, and the switch says so', async () => {
    await beginCalm({ settings: { systemPrompt: 'off' } });
    await setVariables({ DOCENT_PROMPT_COREMANDATES: 'false' });
    await chatView.ask('one');
    expect(isStandard()).toBe(false);
    const settings = await openSettingsWindow(workbench);
    await settings.openPage(say.switches);
    await settings.row('Basic rules').getByText('DOCENT_PROMPT_COREMANDATES').waitFor();
  });
});

describe('without a note that replaces Docent’s own text', () => {
  share({ ...vault, 'Docent/system-reminder.md': 'Metric units.\n' }, { theme: 'dark' });
  beforeEach(() => removeNote('Docent/system.md'));

  it('R028@dom R032@dom K8 a missing default file blocks the message, and both ways out are buttons', async () => {
    await beginCalm();
    const settings = await openSettingsWindow(workbench);
    await settings.choose(say.setting, say.settingChoices.default);
    await settings.close();
    await chatView.send('one');
    const failure = chatView.failures.filter({ hasText: 'Docent/system.md' });
    await failure.getByRole('button', { name: say.actions['create-system-prompt'] }).waitFor();
    expect(sentRequests(workbench.model)).toEqual([]);
    await failure.getByRole('button', { name: say.actions['turn-off-system-prompt'] }).click();
    await failure.getByRole('button', { name: words.chatView.sendAgain }).click();
    await until(() => sentRequests(workbench.model).length === 1, 'the message is sent');
    expect(isStandard()).toBe(true);
    expect(await onDisk('Docent/system.md')).toBeNull();
  });

  it('R032@disk R034@request R041@request R046 the file is made from Docent’s own text, used as it is edited, and shown by a badge', async () => {
    await beginCalm({ settings: { systemPrompt: 'default' } });
    await chatView.send('one');
    await chatView.failures.getByRole('button', { name: say.actions['create-system-prompt'] }).click();
    await until(async () => (await onDisk('Docent/system.md')) !== null, 'the file is made');
    expect(await onDisk('Docent/system.md')).toContain('# Basic rules');
    // Its editor takes the focus, which the next question would lose to it.
    await until(() => hasFocus('Docent/system.md'), 'the file is in the editor');
    await badge().getByText('Docent/system.md').waitFor();
    await chatView.ask('two');
    expect(system()).toContain('# Basic rules');
    expect(isStandard()).toBe(false);
    await workbench.writeNote(
      'Docent/system.md',
      'You are <b>mine</b>.\n${AvailableTools}\n${constructor} <% code %>\n',
    );
    await until(async () => {
      await chatView.ask('three');
      return system().includes('You are <b>mine</b>.\n- ');
    }, 'the edit is sent');
    expect(system()).toContain('${constructor} <% code %>');
  });

  it('R252@request R252@dom every part can be switched off with its cost beside it, and what is enforced stays enforced', async () => {
    await beginCalm();
    await chatView.ask('one');
    expect(system()).toContain('<permissions>');
    const settings = await openSettingsWindow(workbench);
    await settings.openPage(say.switches);
    const page = workbench.page.locator('.setting-page');
    await until(async () => !(await page.innerText()).includes(say.counting), 'the costs are shown');
    const rows = await page.locator('.setting-item').allInnerTexts();
    const all = sections.map(({ id }) => ({ id, name: words.sections[id]?.name ?? id }));
    for (const { name } of all) {
      expect(rows.find((text) => text.startsWith(`${name}\n`))).toMatch(/tokens now|Empty now: |Left out now: /);
    }
    const [first, ...others] = all;
    await settings
      .row(first?.name ?? '')
      .locator('.checkbox-container')
      .click();
    await until(async () => (await storedOff()).join() === first?.id, 'the switch of the first part is stored');
    await switchOff(others.map(({ name }) => name));
    const ids = all.map(({ id }) => id).join();
    await until(async () => (await storedOff()).join() === ids, 'the switch of each part is stored');
    await settings
      .row('Memory')
      .getByText(/^Off\. It would use ≈?\d+ tokens now\.$/)
      .waitFor();
    expect([...(await storedOff())].sort()).toEqual(sections.map(({ id }) => id).sort());
    await settings.close();
    await workbench.command('new-chat');
    await chatView.questions.first().waitFor({ state: 'detached' });
    await chatView.ask('two');
    expect(system()).toBe('');
    expect(lastSent(workbench.model).messages.map(({ text }) => text)).toEqual(['two']);
    await setVariables({ DOCENT_PROMPT_SANDBOX: '1', DOCENT_PROMPT_USER_MEMORY: 'true' });
    await chatView.ask('three');
    expect(system()).toMatch(/^<permissions>[\s\S]*Likes tea\.[\s\S]*$/);
  });

  it('R043@disk R044@disk R045@disk R046@disk K9 both exports are written, and another text is asked for before it is replaced', async () => {
    await beginCalm();
    const target = 'Docent/exports/system.md';
    await workbench.command('export-system-prompt-resolved');
    await notice(say.exported(target)).waitFor();
    const whole = (await onDisk(target)) ?? '';
    await chatView.ask('one');
    // The whole prompt in the order of one without a history: what a chat sends in its first messages as well.
    const mandates = /<core_mandates>[\s\S]*<\/core_mandates>/.exec(system())?.[0] ?? 'no mandates';
    const places = [mandates, '<environment>', '<vault_', '---\n\n<user_memory>'].map((part) => whole.indexOf(part));
    expect(places.every((place) => place >= 0)).toBe(true);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    await workbench.command('export-system-prompt-template');
    await confirm().getByRole('button', { name: say.cancel }).click();
    await notice(say.leftUnchanged(target)).waitFor();
    expect(await onDisk(target)).toBe(whole);
    await workbench.command('export-system-prompt-template');
    await confirm().getByRole('button', { name: say.replace }).click();
    await until(async () => (await onDisk(target))?.includes('# Basic rules') === true, 'the template is written');
    expect(await onDisk(target)).not.toContain('<core_mandates>');
    expect(await onDisk('Docent/system.md')).toBeNull();
  });

  it('R108@request R109@request K29 R263@request what the settings and the notes say is in the next request', async () => {
    await beginCalm();
    await bringToFront(workbench.page, 'Now.md');
    const settings = await openSettingsWindow(workbench);
    await settings.type(say.additional, 'British spelling.');
    await settings.choose(say.sanity, say.sanityChoices.on);
    await settings.choose(say.brevity, say.brevityChoices.normal);
    await settings.type(say.agentName, 'Ada');
    await settings.close();
    await chatView.ask('one');
    for (const part of ['British spelling.', '<sanity_checks>', 'Write full sentences', 'Ada']) {
      expect(system()).toContain(part);
    }
    expect(lastSent(workbench.model).messages.at(-1)?.text).toMatch(
      /<\/environment>\s*<editor_context>[^<]*<\/editor_context>\s*one\s*<reminder>\nMetric units\.\n<\/reminder>$/,
    );
  });

  it('R101 R102@request R103@disk R104 the user’s own mode begins as Assistant, and what is written acts on the next message', async () => {
    await beginCalm();
    const settings = await openSettingsWindow(workbench);
    await settings.openPage(say.templates);
    const page = workbench.page.locator('.setting-page');
    await page.getByRole('button', { name: say.templatesCreate }).click();
    await until(async () => (await onDisk('Docent/modes/user/tier5.md')) !== null, 'the templates are made');
    for (const tier of [1, 2, 3, 4, 5] as const) {
      const text = await onDisk(`Docent/modes/user/tier${tier}.md`);
      expect(text?.trim()).toBe(builtInTemplates.get('assistant', tier));
    }
    await settings
      .row('Level 4')
      .getByText(/^≈?[\d,]+ of 1,500 tokens$/)
      .waitFor();
    await page.getByRole('button', { name: say.useMode }).click();
    await settings.close();
    await chatView.ask('one');
    // The scripted model's window deserves size 4.
    await workbench.writeNote('Docent/modes/user/tier4.md', 'You are the tutor. <% code %> ${constructor}\n');
    await workbench.command('new-chat');
    await chatView.questions.first().waitFor({ state: 'detached' });
    await until(async () => {
      await chatView.ask('two');
      return system().includes('You are the tutor.');
    }, 'the edit is sent');
    // What looks like code is text.
    expect(system()).toContain('You are the tutor. <% code %> ${constructor}');
    await workbench.writeNote('Docent/modes/user/tier4.md', 'word '.repeat(2_000));
    await chatView.root.locator('.docent-needs-look').getByText('its budget is 1,500').waitFor();
  });

  it('R043@disk R045@disk each message writes its prompt when the environment says so, into folders that are made', async () => {
    await beginCalm();
    await setVariables({ DOCENT_WRITE_SYSTEM_MD: 'Out/deep/prompt.md' });
    await chatView.ask('one');
    await until(async () => (await onDisk('Out/deep/prompt.md')) === system(), 'the prompt is written');
    await setVariables({ DOCENT_WRITE_SYSTEM_MD: '0' });
    await workbench.writeNote('Docent/memory.md', 'Likes coffee.\n');
    await until(async () => {
      await chatView.ask('two');
      return system().includes('coffee');
    }, 'the memory is sent');
    expect(await onDisk('Out/deep/prompt.md')).toContain('Likes tea.');
  });
});

describe('the switch of a part in the settings', () => {
  const everything = {
    ...vault,
    'Tides.md': 'High water at six.\n',
    'Docent/system-extra.md': 'Sources go last.\n',
    'Docent/system-reminder.md': 'Metric units.\n',
    'Docent/prompts/Steady.md': '---\nname: Steady hand\ndescription: Calm answers\n---\nAnswer calmly.\n',
    'Docent/workspaces/Boat.md': '---\nname: The boat\ndescription: Refit\n---\nPrefer metric.\n',
    'Docent/skills/tides/SKILL.md': '---\nname: tides\ndescription: Reads tide tables.\n---\nLook twice.\n',
  };
  const sectionSettings = {
    contextNotes: ['Tides.md'],
    contextStatus: 'always',
    additionalInstructions: 'British spelling.',
    sanityChecks: 'on',
  };
  /** A text that the section writes and no other one does. */
  const knownMarks: Readonly<Record<string, string>> = {
    'mode-template': 'You are the assistant in the user',
    preamble: 'This is an interactive chat',
    'core-mandates': '<core_mandates>',
    'active-goal': '<active_goal>',
    'sub-agents': '<sub_agents>',
    'available-skills': '<available_skills>',
    'hook-notice': '<hook_notice>',
    'primary-workflow': '<workflow>',
    guidelines: '<guidelines>',
    permissions: '<permissions>',
    'additional-instructions': '<additional_instructions>',
    'sanity-reality-check': '<sanity_checks>',
    'final-reminder': '<final_reminder>',
    'project-context': '<project_context>',
    'system-extra': 'Sources go last.',
    environment: '<environment>',
    'vault-listing': '# Vault map',
    'available-workspaces': '<available_workspaces>',
    'available-prompts': '<available_prompts>',
    'context-notes': 'High water at six.',
    'selected-prompt': '<selected_prompt>',
    'selected-workspace': '<selected_workspace',
    'user-memory': '<user_memory>',
  };
  /** Those that a message brings along by what is typed into it. */
  const typed: Readonly<Record<string, string>> = {
    files: '<files>',
    'named-skills': '<instructions name=',
    'custom-prompts': '<custom_prompts>',
    workspaces: '<workspaces>',
    'tool-hints': '<tool_hints>',
  };
  /** Sections that go with a message when they change, and stay with it. */
  const apart: Readonly<Record<string, string>> = {
    'context-status': '<context_status>',
    'editor-context': '<editor_context>',
    'goal-progress': '<goal_progress>',
    'mode-notice': '<mode_notice>',
    reminder: '<reminder>',
  };

  /** Those that speak only with what a chat here does not have: a repository, a server, a summary, a page, another day. */
  const rare = [
    'planning-workflow',
    'git',
    'mcp-servers',
    'tools-and-context',
    'active-skills',
    'previous-context',
    'url-context',
    'review-context',
    'day-notice',
  ];

  const listed = [...[knownMarks, typed, apart].flatMap((known) => Object.keys(known)), ...rare];
  /** A section that is in no list speaks in this chat, too, and is known by its tag. */
  const marks: Readonly<Record<string, string>> = {
    ...knownMarks,
    ...Object.fromEntries(
      sections
        .filter(({ id, tag }) => tag !== undefined && !listed.includes(id))
        .map(({ id, tag = '', attributes }) => [id, `<${tag}${attributes === undefined ? '>' : ' '}`]),
    ),
  };

  /** What is before the history, which begins with the first question, and what came with the newest message. */
  const textInForce = (): string => {
    const last = lastSent(workbench.model);
    const question = last.messages.findIndex(({ texts }) => texts.includes('one'));
    const reference = last.messages.slice(0, question).map(({ text }) => text);
    const opening = last.messages[question]?.texts.find((text) => text.startsWith('<environment>')) ?? '';
    return [newText(last), ...reference, opening].join('\n');
  };
  const sentOf = (known: Readonly<Record<string, string>>, text = newText(lastSent(workbench.model))): string[] =>
    Object.keys(known).filter((id) => text.includes(known[id] ?? ''));
  /** In as few lists as can be: of any two of them, each is in one of the lists without the other. */
  const listsOf = (ids: readonly string[]): string[][] => {
    const sizeOf = (bits: number): number => bits.toString(2).replaceAll('0', '').length;
    const halves = (count: number): number[] =>
      Array.from({ length: 2 ** count }, (_, bits) => bits).filter((bits) => sizeOf(bits) === count >> 1);
    let count = 2;
    while (halves(count).length < ids.length) count += 1;
    const listsWith = halves(count);
    return Array.from({ length: count }, (_, list) =>
      ids.filter((_id, index) => (((listsWith[index] ?? 0) >> list) & 1) === 1),
    );
  };
  const without = (known: Readonly<Record<string, string>>, off: readonly string[]): string[] =>
    Object.keys(known).filter((each) => !off.includes(each));
  const pick = async (id: string, title: string): Promise<void> => {
    const menu = workbench.page.locator('.menu');
    const item = menu.locator('.menu-item', { hasText: title }).first();
    // A menu stays as it was opened, and the properties of a new note are known a moment later.
    const isListed = async (): Promise<boolean> => {
      if ((await menu.count()) > 0) await workbench.page.keyboard.press('Escape');
      await openPicker(chatView, id);
      return (await item.count()) > 0;
    };
    await until(isListed, `${title} is in the menu`);
    await item.click();
    await menu.waitFor({ state: 'detached' });
  };

  share(everything, { theme: 'dark' }, true);
  beforeAll(() => untilPrompt(workbench, 'Steady'));

  it('R018@request R252@request takes that part out of the request, and no other', async () => {
    await beginCalm({ settings: sectionSettings, scripted: () => ({ text: '[GOAL] Launch the boat' }) });
    await pick('prompt', 'Steady hand');
    await pick('workspace', 'The boat');
    // The goal and the fill of the context window are sent from the second message on.
    await chatView.ask('one');
    await chatView.ask('two');
    expect(sentOf(marks, textInForce())).toEqual(Object.keys(marks));
    const tried = [marks, typed, apart].flatMap((known) => Object.keys(known));
    expect([...tried, ...rare].sort()).toEqual(sections.map(({ id }) => id).sort());
    for (const off of listsOf(Object.keys(marks))) {
      await storeSettings(workbench, { ...sectionSettings, sectionsOff: off });
      await chatView.ask('without some');
      expect({ off, sent: sentOf(marks, textInForce()) }).toEqual({ off, sent: without(marks, off) });
    }
    await storeSettings(workbench, sectionSettings);
    await chatView.ask('all again');
    expect(sentOf(marks, textInForce())).toEqual(Object.keys(marks));
  });

  it('R252@request holds for what is typed into a message', async () => {
    await beginCalm();
    const ask = async (): Promise<void> => {
      await chatView.input.focus();
      for (const [text, item] of [
        ['[[Now', 'Now'],
        ['@Steady', 'Steady hand'],
        ['#The', 'The boat'],
        ['/tid', 'tides'],
        ['/search_n', 'search_notes'],
      ] as const) {
        await workbench.page.keyboard.insertText(text);
        await chatView.root.locator('.docent-popup-item.is-selected', { hasText: item }).waitFor();
        await workbench.page.keyboard.press('Enter');
      }
      await chatView.ask(`${await chatView.input.inputValue()} please`);
    };
    await ask();
    expect(sentOf(typed)).toEqual(Object.keys(typed));
    for (const off of listsOf(Object.keys(typed))) {
      await storeSettings(workbench, { sectionsOff: off });
      await ask();
      expect({ off, sent: sentOf(typed) }).toEqual({ off, sent: without(typed, off) });
    }
  });

  it('R252@request holds for each that is sent apart, where a provider keeps what was sent', async () => {
    const settings = { ...sectionSettings, model: 'anthropic/scripted' };
    await beginCalm({ settings, scripted: () => ({ text: '[GOAL] Launch the boat\n[CHECKPOINT] List the faults' }) });
    await bringToFront(workbench.page, 'Now.md');
    const sentInNewChat = async (): Promise<string[]> => {
      await workbench.command('new-chat');
      await chatView.questions.first().waitFor({ state: 'detached' });
      await chatView.ask('one');
      await pick('mode', words.settings.modes.debugger);
      await chatView.ask('two');
      const sent = lastSent(workbench.model);
      const text = [sent.system, ...sent.messages.map((message) => message.text)].join('\n');
      return Object.keys(apart).filter((each) => text.includes(apart[each] ?? ''));
    };
    expect(await sentInNewChat()).toEqual(Object.keys(apart));
    for (const off of listsOf(Object.keys(apart))) {
      await storeSettings(workbench, { ...settings, sectionsOff: off });
      expect({ off, sent: await sentInNewChat() }).toEqual({ off, sent: without(apart, off) });
    }
  });
});

describe.each(['desktop', 'phone'] as const)('looks right: %s', (device) => {
  share(own, device === 'phone' ? { phone: true } : { theme: 'dark' });

  /** Looks at what is shown in every theme of the device, and saves a picture of each. */
  async function look(name: string, then = async (): Promise<void> => {}): Promise<void> {
    if (device === 'desktop') return lookInThemes(workbench, `overrides-${name}`, then);
    await workbench.screenshot(`overrides-${name}-phone`);
    await then();
  }

  it('R034@dom R252@dom the badge and the pages of the settings', async () => {
    await beginCalm({ settings: { systemPrompt: 'default', sectionsOff: ['git'] } });
    await badge().waitFor();
    await look('badge');
    if (device === 'phone') {
      for (const button of await badge().locator('button').all()) {
        expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44);
      }
    }
    const settings = await openSettingsWindow(workbench);
    await (await settings.reach(say.brevity)).scrollIntoViewIfNeeded();
    await look('settings');
    await settings.openPage(say.switches);
    const page = workbench.page.locator('.setting-page');
    await until(async () => !(await page.innerText()).includes(say.counting), 'the costs are shown');
    const modal = workbench.page.locator('.modal.mod-settings');
    await look('switches', async () => {
      expect(await modal.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
    });
    await settings.back();
    await settings.openPage(say.templates);
    await look('templates');
    await settings.back();
    await settings.openPage(say.notes);
    await look('notes');
  });

  if (device !== 'phone') return;

  it('R030@request R030@dom on a phone a path outside the vault is left aside, and the pane says so', async () => {
    await begin({ settings: { systemPrompt: 'path', systemPromptPath: '~/system.md' } });
    await chatView.ask('one');
    expect(isStandard()).toBe(true);
    await chatView.root.locator('.docent-needs-look').getByText('mobile devices can’t read files').waitFor();
  });
});
