import { expectCostBelow } from 'obsidian-workbench/testing/cost';
import type { GivenSkill } from '../../../../src/core/library/skills';
import { describeFailure, fail } from '../../../../src/core/ports/failure';
import { defaultSettings } from '../../../../src/core/settings/settings';
import { words } from '../../../../src/text';
import { checkBench, formatResults, note, steps } from './check-bench';

const skill = (name: string, more = ''): string => note(`name: ${name}\ndescription: Does it.${more}`);

describe('the check of prompts', () => {
  it('R128 says which prompts are left out and why, and offers to open them', async () => {
    const bench = checkBench({
      'Docent/prompts/Good.md': note('name: Good'),
      'Docent/prompts/Bad.md': note('disabled: maybe'),
      'Docent/prompts/Web.md': note('requiredTools: fetch_page'),
      'Docent/prompts/Off.md': note('disabled: true'),
    });
    const results = await bench.run('prompts');
    expect(formatResults(results)).toEqual([
      'error: Docent/prompts/Bad.md: Its “disabled” is neither true nor false.',
      'warning: Docent/prompts/Web.md: It needs tools that aren’t available: fetch_page.',
      'note: Docent/prompts/Off.md: It is turned off by its property “disabled”.',
    ]);
    expect(steps(results)).toEqual([
      'open-note Docent/prompts/Bad.md',
      'open-note Docent/prompts/Web.md',
      'open-note Docent/prompts/Off.md',
    ]);
    expect(results.map(({ inUse }) => inUse)).toEqual([true, false, false]);
    const named = await bench.run('prompts', { selectedPrompt: 'Docent/prompts/Web.md' });
    expect(named[1]?.inUse).toBe(true);
  });

  it.each([
    ['never ends', '---\nname: Good\nText.'],
    ['cannot be parsed', '---\nname: a: b: c\n  - [\n---\nText.'],
  ])('R131 tells of a block of properties that %s', async (_what, text) => {
    const bench = checkBench({ 'Docent/prompts/Broken.md': text });
    const [result] = await bench.run('prompts');
    expect(result).toMatchObject({ level: 'warning', path: 'Docent/prompts/Broken.md', inUse: true });
    expect(result?.words).toContain('Its properties can’t be read.');
    bench.vault.put('Docent/prompts/Broken.md', note('name: Good'));
    expect(formatResults(await bench.run('prompts'))).toEqual(['ok: The prompt can be used.']);
  });

  it('R131 takes a rule at the top of a note for no properties', async () => {
    const bench = checkBench({ 'Docent/prompts/Rule.md': '---\n\nText: as it is.' });
    expect(formatResults(await bench.run('prompts'))).toEqual(['ok: The prompt can be used.']);
  });

  it('R128 tells of two prompts of one name, and of a standing prompt that is gone', async () => {
    const bench = checkBench({ 'Docent/prompts/A.md': note('name: Same'), 'Docent/prompts/B.md': note('name: same') });
    expect(formatResults(await bench.run('prompts', { selectedPrompt: 'Docent/prompts/Gone.md' }))).toEqual([
      'warning: Docent/prompts/Gone.md: The prompt for this chat was deleted, so none is used.',
      'note: Docent/prompts/B.md: Docent/prompts/A.md is also named “same”. Rename one of them to tell them apart.',
    ]);
    expect(formatResults(await checkBench({}).run('prompts'))).toEqual([
      'ok: No prompts yet. Each is a note in Docent/prompts.',
    ]);
  });
});

describe('the check of workspaces', () => {
  it('R174 tells of a folder that is gone and offers to make it, and of invalid properties', async () => {
    const bench = checkBench({
      'Docent/workspaces/Boat.md': note('folder: Projects'),
      'Docent/workspaces/Lost.md': note('folder: Nowhere/Deep'),
      'Docent/workspaces/Bad.md': note('folder: [a]'),
      'Projects/Engine.md': '',
    });
    const results = await bench.run('workspaces');
    expect(formatResults(results)).toEqual([
      'error: Docent/workspaces/Bad.md: Its “folder” is not text.',
      'warning: Docent/workspaces/Lost.md: Its folder “Nowhere/Deep” wasn’t found. Correct its property “folder”.',
    ]);
    expect(steps(results.slice(1))).toEqual(['open-note Docent/workspaces/Lost.md', 'create-folder Nowhere/Deep']);
    expect(results.every(({ inUse }) => inUse)).toBe(true);
    bench.vault.put('Docent/workspaces/Bad.md', note('folder: Projects'));
    bench.vault.put('Nowhere/Deep/A.md', '');
    expect(formatResults(await bench.run('workspaces'))).toEqual(['ok: All 3 workspaces can be used.']);
  });

  it('R174 tells when the workspace of the chat is gone', async () => {
    const results = await checkBench({}).run('workspaces', { selectedWorkspace: 'Docent/workspaces/Gone.md' });
    expect(results).toMatchObject([{ level: 'warning', inUse: true, path: 'Docent/workspaces/Gone.md' }]);
  });
});

describe('the check of skills', () => {
  it('R134 tells what is wrong with one, and that its block of properties is broken rather than what is missing', async () => {
    const bench = checkBench({
      'Docent/skills/fine/SKILL.md': skill('fine'),
      'Docent/skills/bare/SKILL.md': note('name: bare'),
      'Docent/skills/broken/SKILL.md': '---\nname: a: b: c\n  - [\n---\nText.',
      'Docent/skills/empty/notes.txt': '',
      'Docent/skills/loose.md': skill('loose'),
    });
    const results = await bench.run('skills');
    expect(formatResults(results)).toEqual([
      'error: Docent/skills/bare/SKILL.md: It has no description. Add a property “description” that says what it does and when to use it.',
      'error: Docent/skills/broken/SKILL.md: Its properties can’t be read. Open it and correct them.',
      'note: The folder “Docent/skills/empty” has no note SKILL.md, so it isn’t a skill.',
      'warning: Docent/skills/loose.md: A skill is a folder: move this note to Docent/skills/loose/SKILL.md.',
    ]);
    expect(results[0]?.inUse).toBe(true);
    const fine = checkBench({ 'Docent/skills/fine/SKILL.md': skill('fine') });
    expect(formatResults(await fine.run('skills'))).toEqual(['ok: The skill can be used.']);
  });

  it('R134 says which of two of one name is used, as a note where sources differ', async () => {
    const bench = checkBench({
      'Docent/skills/review/SKILL.md': skill('review'),
      'Docent/workspaces/Boat.md': note('folder: Projects'),
      'Projects/skills/review/SKILL.md': skill('review'),
    });
    expect(formatResults(await bench.run('skills', { selectedWorkspace: 'Docent/workspaces/Boat.md' }))).toEqual([
      'note: Docent/skills/review/SKILL.md: It isn’t used, because Projects/skills/review/SKILL.md has a skill with the same name “review”.',
    ]);
    expect(formatResults(await bench.run('skills'))).toEqual(['ok: The skill can be used.']);
  });

  it('R134 warns of two notes in one folder, of which one can never be used', async () => {
    const folder = 'Docent/skills/review';
    const bench = checkBench({ [`${folder}/SKILL.md`]: skill('review'), [`${folder}/skill.md`]: skill('review') });
    expect(formatResults(await bench.run('skills'))).toEqual([
      `warning: ${folder}/skill.md: It isn’t used, because ${folder}/SKILL.md has a skill with the same name “review”.`,
    ]);
  });

  it('R134 says which skills of other sources give way, and opens the note of the one that is used', async () => {
    const given = (source: 'built-in' | 'plugin', name: string) => ({
      ...{ name, source, location: `${source}/${name}`, description: 'Does it.', body: 'Text.' },
    });
    const givenSkills = () => [given('built-in', 'review'), given('built-in', 'twin'), given('plugin', 'twin')];
    const bench = checkBench({ 'Docent/skills/review/SKILL.md': skill('review') }, { givenSkills });
    const results = await bench.run('skills');
    expect(formatResults(results)).toEqual([
      'note: Docent/skills/review/SKILL.md: Your skill “review” replaces built-in/review.',
      'note: built-in/twin: It isn’t used, because plugin/twin has a skill with the same name “twin”.',
    ]);
    expect(steps(results)).toEqual(['open-note Docent/skills/review/SKILL.md']);
  });

  it('says which files a skill names and does not have, and that a limit to other programs’ tools limits nothing', async () => {
    const files = {
      'Docent/skills/review/SKILL.md': note(
        'name: review\ndescription: Reviews.\nallowed-tools: Bash(git:*) Read',
        'See references/form.md, `scripts/count.py`, not output/count.txt. [[guide one]] and https://a.example/references/x.md',
      ),
      'Docent/skills/review/references/form.md': 'Form.',
      'Docent/skills/calm/SKILL.md': note('name: calm\ndescription: Calms.\nallowed-tools: read_note Bash', 'No file.'),
    };
    expect(formatResults(await checkBench(files).run('skills'))).toEqual([
      'warning: Docent/skills/review/SKILL.md: Its text names files that its folder does not have: scripts/count.py, guide one.',
      'warning: Docent/skills/review/SKILL.md: Its “allowed-tools” names no tool of Docent (Bash(git:*), Read), so it limits nothing.',
    ]);
  });

  it('says of no file that waits for the user that it is missing: neither a note SKILL.md nor a file that a skill names', async () => {
    const files = {
      'Docent/skills/review/SKILL.md': note(
        'name: review\ndescription: Reviews.',
        'See references/form.md, assets/logo.png, and references/none.md.',
      ),
      'Docent/skills/new/references/other.md': 'Other.',
    };
    const waiting = [
      'Docent/skills/review/references/form.md',
      'Docent/skills/review/assets/logo.png',
      'Docent/skills/new/SKILL.md',
    ].map((path) => ({ path, isDeclined: false }));
    expect(formatResults(await checkBench(files, { waiting: () => waiting }).run('skills'))).toEqual([
      'warning: Docent/skills/review/SKILL.md: Its text names references/none.md, and its folder has no such file.',
    ]);
  });

  it('R134 concerns the next request only when skills can be activated', async () => {
    const files = { 'Docent/skills/bare/SKILL.md': note('name: bare') };
    const [result] = await checkBench(files, { toolNames: [] }).run('skills');
    expect(result).toMatchObject({ level: 'error', inUse: false });
  });
});

describe('the check of sub-agents', () => {
  it('R137 tells of invalid ones, of two of one name, of tools that are not offered, and of one that replaces another', async () => {
    const bench = checkBench({
      'Docent/subagents/bad.md': note('name: Bad Name\ndescription: Reads.'),
      'Docent/subagents/broken.md': '---\nname: a: b: c\n  - [\n---\nText.',
      'Docent/subagents/first.md': note('name: twin\ndescription: Reads.'),
      'Docent/subagents/general.md': note('name: generalist\ndescription: Reads.\ntools: read_note shell'),
      'Docent/subagents/second.md': note('name: twin\ndescription: Reads.'),
    });
    expect(formatResults(await bench.run('subagents'))).toEqual([
      expect.stringMatching(/^error: Docent\/subagents\/bad\.md: Its name must use lowercase letters/),
      'error: Docent/subagents/broken.md: Its properties can’t be read. Open it and correct them.',
      'warning: Docent/subagents/second.md: It isn’t used, because Docent/subagents/first.md has a subagent with the same name “twin”.',
      'note: Docent/subagents/general.md: Your note replaces the built-in subagent “generalist”.',
      'warning: Docent/subagents/general.md: It can’t use these tools, because they are missing or can write: shell.',
    ]);
  });

  it('R137 names a tool that writes, which a chat has and a subagent does not', async () => {
    const files = {
      'Docent/subagents/editor.md': note('name: editor\ndescription: Edits.\ntools: edit_note read_note'),
    };
    const names = { toolNames: ['read_note', 'edit_note', 'run_subagent'], subagentToolNames: ['read_note'] };
    expect(formatResults(await checkBench(files, names).run('subagents'))).toEqual([
      'warning: Docent/subagents/editor.md: It can’t use these tools, because they are missing or can write: edit_note.',
    ]);
  });

  it('R137 counts those that can be used', async () => {
    const own = { 'Docent/subagents/own.md': note('name: own\ndescription: Reads.') };
    expect(formatResults(await checkBench(own).run('subagents'))).toEqual([
      'ok: 4 subagents can be used, 1 of them from your notes.',
    ]);
  });
});

describe('the check of variables', () => {
  it('R038 tells of each unknown name with the nearest known one, where it can be mended', async () => {
    const bench = checkBench({
      'Docent/prompts/A.md':
        'On ${dat} about ${activeNote}: ${selecton}, ${ToolName_read_notes}, ${ToolName_raed_note}.',
      'Docent/prompts/Code.md': 'Write `${someOtherThing}`.',
      'Docent/subagents/own.md': note('name: own\ndescription: Reads.', 'Do ${qurey} as ${systemPrompt}.'),
      'Docent/modes/user/tier3.md': 'Use ${AvailableTool}; ${search_notes_ToolName} first.',
    });
    const results = await bench.run('variables', { selectedPrompt: 'Docent/prompts/A.md' });
    const like = (name: string, nearest: string): string =>
      `\${${name}} isn’t a variable, so it is sent as plain text. Did you mean \${${nearest}}?`;
    expect(formatResults(results)).toEqual([
      `warning: Docent/prompts/A.md: ${like('dat', 'date')}`,
      `warning: Docent/prompts/A.md: ${like('selecton', 'selection')}`,
      `warning: Docent/prompts/A.md: ${like('ToolName_raed_note', 'ToolName_read_note')}`,
      'note: Docent/prompts/Code.md: ${someOtherThing} isn’t a variable, so it is sent as plain text.',
      `warning: Docent/modes/user/tier3.md: ${like('AvailableTool', 'AvailableTools')}`,
      `warning: Docent/subagents/own.md: ${like('qurey', 'query')}`,
    ]);
    expect(results.map(({ inUse }) => inUse)).toEqual([true, true, true, false, false, false]);
  });

  it('R025 names line and reason of a template that is not filled in, and each name that has no value', async () => {
    const bench = checkBench({
      'Docent/prompts/A.md':
        '---\nname: A\n---\n<% if (it.selection) { %>\n<%= it.slection %> <%= it.offers.search %>\n',
      'Docent/prompts/B.md': 'Fine: <% if (it.noteText && it.tools.readNote) { %><%= it.UserMemory %><% } %>',
      'Docent/modes/user/tier3.md': 'One.\n<% while (true) { %>Two.<% } %>',
      'Docent/modes/user/tier5.md': 'One.\n\n<% if (it.interactive) %>Two.',
      'Docent/system-extra.md': '<%= it.title %> <%= it.permisionMode %> <%= it.ToolNames.Shell %>',
    });
    const [user, all] = [{ mode: 'user', tier: 5 } as const, await bench.run('variables')];
    expect(formatResults(all)).toEqual([
      'error: Docent/prompts/A.md: Line 4: The condition has no end: add <% } %>. The template isn’t used. If Docent has its own template, that is used instead.',
      'warning: Docent/system-extra.md: Line 1: it.title has no value here, so it is left empty.',
      'warning: Docent/system-extra.md: Line 1: it.permisionMode has no value here, so it is left empty. Did you mean it.permissionMode?',
      'warning: Docent/modes/user/tier3.md: Line 2: Templates have no loops. The text is sent unchanged.',
      'error: Docent/modes/user/tier5.md: Line 3: The condition is not complete. Write it like <% if (it.interactive) { %>. The template isn’t used. If Docent has its own template, that is used instead.',
    ]);
    expect(all.map(({ inUse }) => inUse)).toEqual([false, true, true, false, false]);
    expect((await bench.run('variables', user)).at(-1)).toMatchObject({ level: 'error', inUse: true });
    expect(formatResults(await bench.run('templates', user))).toContainEqual(
      'warning: Docent/modes/user/tier5.md: It has an error, so Docent’s template is used.',
    );
  });

  it('R038 R025 passes over properties and the comment for the user, which are not sent', async () => {
    const bench = checkBench({
      'Docent/system-extra.md': '%%\n${Name} is filled in, and so is <%= it.nothing %>.\n%%\n',
      'Docent/prompts/A.md': note('name: A\ndescription: With ${what}', '%%\n${this}\n%%\n\n${that}\n<%= it.none %>'),
      'Docent/subagents/own.md': note('name: own\ndescription: Reads ${much}.', '%%\n${one}\n%%\n${query}'),
    });
    expect(formatResults(await bench.run('variables'))).toEqual([
      'warning: Docent/prompts/A.md: Line 10: it.none has no value here, so it is left empty.',
      'note: Docent/prompts/A.md: ${that} isn’t a variable, so it is sent as plain text.',
    ]);
  });

  it('R038 R025 tells of a hundred variables and a hundred names in tags of a text at most, in time', async () => {
    const each = (write: (at: number) => string): string =>
      Array.from({ length: 7_000 }, (_, at) => write(at)).join('');
    const bench = checkBench({
      'Docent/prompts/A.md': each((at) => `\${selec${at}}`),
      'Docent/prompts/B.md': each((at) => `<%=it.s${at}%>`),
    });
    await expectCostBelow(600, async () => {
      const found = await bench.run('variables');
      const ofNote = (path: string): number => found.filter((result) => result.path === path).length;
      expect([ofNote('Docent/prompts/A.md'), ofNote('Docent/prompts/B.md')]).toEqual([100, 100]);
    });
  });

  it('R038 reads only what the next request holds when asked for that', async () => {
    const bench = checkBench({ 'Docent/prompts/A.md': '${dat}', 'Docent/prompts/B.md': '${dat}' });
    const mentions = [{ kind: 'prompt' as const, id: 'Docent/prompts/B.md', label: 'B' }];
    expect(await bench.run('variables', { mentions }, 'next')).toMatchObject([
      { path: 'Docent/prompts/B.md', inUse: true },
    ]);
    expect(formatResults(await bench.run('variables', {}, 'next'))).toEqual([
      'ok: Every variable in your prompts and templates is known.',
    ]);
  });
});

describe('notes that cannot be read', () => {
  const unreadable = { kind: 'unreadable', words: 'Torn.', remedy: 'Wait.' } as const;

  it.each([
    ['context-files', 'AGENTS.md', true],
    ['memory', 'Docent/memory.md', true],
    ['system-prompt', 'Docent/system-extra.md', true],
    ['templates', 'Docent/modes/user/tier3.md', true],
    ['templates', 'Docent/modes/user/tier4.md', false],
    ['variables', 'Docent/prompts/Plan.md', false],
  ])('are errors of the check %s: %s, in use: %s', async (id, path, inUse) => {
    const bench = checkBench({ [path]: 'Text.' }, { readNote: () => Promise.resolve(fail(unreadable)) });
    const results = await bench.run(id, { mode: 'user', tier: 3 });
    const about = results.filter((each) => each.path === path);
    expect(about).toMatchObject([{ level: 'error', words: describeFailure(unreadable), inUse }]);
  });

  it('are told of the user’s own templates alone where they are only searched for tags', async () => {
    const files = { 'Docent/modes/user/tier3.md': 'Text.' };
    const bench = checkBench(files, { readNote: () => Promise.resolve(fail(unreadable)) });
    expect((await bench.run('system-prompt', { mode: 'user', tier: 3 })).map(({ level }) => level)).toEqual(['ok']);
  });
});

it('R174 tells of two workspaces of one name, of which both can be used', async () => {
  const bench = checkBench({
    'Docent/workspaces/A.md': note('name: Boat'),
    'Docent/workspaces/B.md': note('name: boat'),
  });
  expect(formatResults(await bench.run('workspaces'))).toEqual([
    'note: Docent/workspaces/B.md: Docent/workspaces/A.md is also named “boat”. Rename one of them to tell them apart.',
  ]);
});

it('R134 names the plugin whose skill is invalid, or is limited to tools that are not there', async () => {
  const given = (name: string, more = {}) => ({
    ...{ name, source: 'plugin', location: `plugin/${name}`, description: 'Does it.', body: 'Text.', ...more },
  });
  const skills = [given('No Name'), given('tides', { allowedTools: ['Bash'] })] as unknown as GivenSkill[];
  const results = await checkBench({}, { givenSkills: () => skills }).run('skills');
  expect(formatResults(results)).toEqual([
    `error: plugin/No Name: ${words.agentFolder.nameShape}`,
    `warning: plugin/tides: ${words.agentFolder.toolsUnknown(['Bash'])}`,
  ]);
  expect(results.map(({ inUse }) => inUse)).toEqual([true, undefined]);
});

it('R198 has no share of the window to warn of where no model is chosen', async () => {
  const long = 'A sentence that is remembered. '.repeat(40_000);
  const noModel = () => fail({ kind: 'configuration', words: 'None.', remedy: 'Choose one.' } as const);
  const files = { 'Docent/memory.md': long, 'Docent/system.md': long };
  const replaced = { ...defaultSettings, systemPrompt: 'default' } as const;
  for (const id of ['memory', 'system-prompt']) {
    const warned = async (changes = {}): Promise<boolean> =>
      (await checkBench(files, { settings: () => replaced, ...changes }).run(id)).some(
        ({ level }) => level === 'warning',
      );
    expect([id, await warned(), await warned({ model: noModel })]).toEqual([id, true, false]);
  }
});
