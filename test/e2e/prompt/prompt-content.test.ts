/** The contents of a request as it is sent: the templates, the user's own notes, mentions, and what is open. */
import { builtInTemplates } from '../../../src/core/prompt/tiered-prompt-store';
import { words } from '../../../src/text';
import { begin, shareChat } from '../driver/begin-again';
import { until } from '../driver/chat-view';
import { chatView, workbench } from '../driver/open-chat';
import { sendTyped } from '../driver/reach-walk';
import { allText, lastSent, newText, sentRequests } from '../driver/sent-request';
import { openSettingsWindow } from '../driver/settings-window';
import { treeOf } from '../driver/writing-walk';
import { readRequest, type Script } from '../../support/model-server';

jest.setTimeout(60_000);

const vault = {
  'Harbour.md': '# Depths\n\nThe outer pontoon has four metres.\n\n# Fees\n\nA night costs nine crowns.\n',
  'Boats/Heron.md': 'Heron is a clinker dinghy.\n',
  'Boats/Whimbrel.md': 'Whimbrel is a sloop. #afloat\n',
  // Without this note, the first message would create the agent folder, which would appear in the listing of the vault.
  'Docent/memory.md': '',
};

shareChat({ vault });

const beginAfresh = (settings: Record<string, unknown> = {}): Promise<void> => begin({ vault, settings });

/** Writes a note as another program would and waits until the page has read and indexed it. */
async function write(notePath: string, text: string): Promise<void> {
  await workbench.writeNote(notePath, text);
  const isSeen = (): Promise<boolean> =>
    workbench.page.evaluate(
      async ([wanted, content]) => {
        const file = window.app.vault.getFileByPath(wanted);
        if (file === null || window.app.metadataCache.getFileCache(file) === null) return false;
        // The disk has the new text before the app gets the event, so only the app's own record of the file is
        // reliable.
        if (file.stat.size !== new TextEncoder().encode(content).length) return false;
        return (await window.app.vault.cachedRead(file)) === content;
      },
      [notePath, text] as const,
    );
  await until(isSeen, `the page knows of ${notePath}`);
}

/** Types with the keyboard, chooses the line of this name in the list that opens, and waits for its chip. */
async function choose(typed: string, name: string): Promise<void> {
  const before = await chatView.chips.count();
  await chatView.input.focus();
  await workbench.page.keyboard.type(typed);
  const names = chatView.suggestions.locator('.docent-popup-name');
  await names.getByText(name, { exact: true }).first().click();
  await chatView.chips.nth(before).waitFor();
}

/** Returns the text between the section's tags; undefined if the section is missing. */
function sectionIn(text: string, tag: string): string | undefined {
  return new RegExp(`<${tag}>\\n?([\\s\\S]*?)\\n?</${tag}>`).exec(text)?.[1];
}

const sentSection = (tag: string): string | undefined => sectionIn(newText(lastSent(workbench.model)), tag);
const timesIn = (text: string | undefined, part: string): number => (text ?? '').split(part).length - 1;

it('R097@request R107@request sends the template of the mode that the settings window says, and no other', async () => {
  await beginAfresh({ tier: 5 });
  const modes = ['developer', 'planning', 'debugger', 'assistant'] as const;
  const templatesIn = (text: string): readonly string[] =>
    modes.filter((one) => text.includes(builtInTemplates.serve(one, 5).text));
  for (const [index, mode] of modes.entries()) {
    const settings = await openSettingsWindow(workbench);
    await settings.choose('Mode', words.settings.modes[mode]);
    await settings.close();
    await chatView.ask(`in ${mode} mode`);
    // The first mode is at the head of the chat; a later one comes with the message, and leaves the head as it was.
    const { system, messages } = lastSent(workbench.model);
    expect(templatesIn(system)).toEqual([modes[0]]);
    const notice = sectionIn(messages.at(-1)?.text ?? '', 'mode_notice');
    expect(templatesIn(notice ?? '')).toEqual(index === 0 ? [] : [mode]);
  }
});

it('R095@request sends the template of the tier that the settings window says, and no other', async () => {
  await beginAfresh();
  const tiers = [1, 2, 3, 4, 5] as const;
  for (const tier of tiers) {
    const settings = await openSettingsWindow(workbench);
    await settings.choose('Instruction level', words.settings.tiers[tier]);
    await settings.close();
    await chatView.ask(`at tier ${tier}`);
    const { system } = lastSent(workbench.model);
    expect(tiers.filter((one) => system.includes(builtInTemplates.serve('assistant', one).text))).toEqual([tier]);
  }
});

it('R165@request R171@request offers a prompt note that was just added, and sends its text when it is named with @', async () => {
  await beginAfresh();
  await chatView.ask('before');
  expect(sentSection('available_prompts')).toBeUndefined();
  await write(
    'Docent/prompts/Tidy up.md',
    '---\ndescription: Makes a note <short> & plain.\n---\nCut every sentence that says nothing.\n',
  );
  await chatView.ask('after');
  expect(sentSection('available_prompts')).toContain(
    '- Tidy up (id: "Docent/prompts/Tidy up.md")\n  Makes a note <short> & plain.',
  );
  expect(newText(lastSent(workbench.model))).not.toContain('Cut every sentence');
  await choose('@tid', 'Tidy up');
  await sendTyped({ chatView });
  const applied = sentSection('custom_prompts');
  expect(applied).toMatch(/<prompt name="Tidy up">\s*Cut every sentence that says nothing\.\s*<\/prompt>/);
  expect(applied).not.toContain('description:');
  await chatView.ask('and without it');
  expect(sentSection('custom_prompts')).toBeUndefined();
});

it('R164@request R173@request offers a workspace note that was just added, and sends all of it when it is named with #', async () => {
  await beginAfresh();
  await chatView.ask('before');
  expect(sentSection('available_workspaces')).toBeUndefined();
  await write(
    'Docent/workspaces/Fleet.md',
    '---\ndescription: The two boats\nfolder: Boats\nnotes: ["[[Heron]]"]\n---\nCall every boat by its name.\n',
  );
  await chatView.ask('after');
  const offered = sentSection('available_workspaces');
  expect(offered).toContain('- Fleet (id: "Docent/workspaces/Fleet.md")');
  expect(offered).toContain('Description: The two boats\n  Root folder: Boats');
  expect(newText(lastSent(workbench.model))).not.toContain('Call every boat');
  await choose('#fle', 'Fleet');
  await sendTyped({ chatView });
  const named = sentSection('workspaces');
  expect(named).toContain('<workspace name="Fleet" id="Docent/workspaces/Fleet.md">');
  expect(named).toContain('Instructions:\nCall every boat by its name.');
  expect(named).toContain('Root folder: Boats');
  expect(named).toContain('Key files:\n- Boats/Heron.md');
  expect(named).toContain('- Boats/Whimbrel.md');
});

it('R063@request lists a skill that was just added, with its description and its place', async () => {
  await beginAfresh();
  await chatView.ask('before');
  expect(sentSection('available_skills') ?? '').not.toContain('knot-tying');
  await write(
    'Docent/skills/knot-tying/SKILL.md',
    '---\nname: knot-tying\ndescription: Explains knots step by step.\n---\nBegin with the bowline.\n',
  );
  await chatView.ask('after');
  const skills = sentSection('available_skills');
  expect(skills).toContain(
    '- **knot-tying**: Explains knots step by step.\n  Location: Docent/skills/knot-tying/SKILL.md',
  );
  expect(newText(lastSent(workbench.model))).not.toContain('Begin with the bowline');
});

it('R195@request R196@request sends AGENTS.md as it now stands on the disk, between its bounds', async () => {
  await beginAfresh();
  const file = (): string | undefined =>
    /--- Context from: AGENTS\.md ---\n([\s\S]*?)\n--- End of Context from: AGENTS\.md ---/.exec(
      lastSent(workbench.model).system,
    )?.[1];
  await chatView.ask('without one');
  expect(file()).toBeUndefined();
  await write('AGENTS.md', 'Dates are written year first.\n');
  await chatView.ask('with one');
  expect(file()).toBe('Dates are written year first.');
  await write('AGENTS.md', 'Dates are written day first.\n');
  await chatView.ask('with another');
  expect(file()).toBe('Dates are written day first.');
});

it('R190@request sends the path of the open note, the cursor and what is selected in it', async () => {
  await beginAfresh();
  await workbench.page.evaluate(async () => {
    await window.app.workspace.openLinkText('Harbour', '', false);
    window.app.workspace.activeEditor?.editor?.setSelection({ line: 2, ch: 4 }, { line: 2, ch: 17 });
  });
  await chatView.ask('what is this?');
  const editorContext = /\{.*\}/.exec(sentSection('editor_context') ?? '')?.[0] ?? '{}';
  expect(JSON.parse(editorContext)).toMatchObject({
    activeFile: { path: 'Harbour.md', cursor: { line: 3, character: 18 }, selectedText: 'outer pontoon' },
  });
});

it('R168@request sends each mentioned note, heading, folder and tag once', async () => {
  await beginAfresh();
  await choose('[[hero', 'Heron');
  await workbench.page.keyboard.type('and ');
  await choose('[[Harbour#fee', 'Fees');
  await sendTyped({ chatView });
  const notes = sentSection('files');
  expect(timesIn(notes, '<note ')).toBe(2);
  expect(notes).toMatch(/<note path="Boats\/Heron\.md">\s*Heron is a clinker dinghy\.\s*<\/note>/);
  expect(notes).toMatch(/<note path="Harbour\.md" heading="Fees">\s*# Fees\s+A night costs nine crowns\.\s*<\/note>/);
  expect(notes).not.toContain('four metres');

  await choose('[[Boats', 'Boats/');
  await workbench.page.keyboard.type('and ');
  await choose('[[#aflo', '#afloat');
  await workbench.page.keyboard.type('and ');
  await choose('[[hero', 'Heron');
  await sendTyped({ chatView });
  const lists = sentSection('files');
  expect(timesIn(lists, '<folder path="Boats">')).toBe(1);
  expect(timesIn(lists, '<tag name="#afloat">')).toBe(1);
  expect(timesIn(lists, '<note path="Boats/Heron.md">')).toBe(1);
  expect(timesIn(lists, '<note path="Boats/Whimbrel.md">')).toBe(1);
  const tagged = /<tag name="#afloat">([\s\S]*?)<\/tag>/.exec(lists ?? '')?.[1];
  expect(tagged).toContain('- Boats/Whimbrel.md');
  expect(tagged).not.toContain('Heron');
});

it('R170@request asks to prefer the tool that was named with /', async () => {
  await beginAfresh();
  await choose('/search_no', 'Search notes');
  await workbench.page.keyboard.type('where is Heron?');
  await sendTyped({ chatView });
  const hints = sentSection('tool_hints');
  expect(hints).toMatch(/Tool: search_notes\nDescription: \S+/);
  expect(timesIn(hints, 'Tool: ')).toBe(1);
  await chatView.ask('and without it');
  expect(sentSection('tool_hints')).toBeUndefined();
});

it('R198@request sends the memory note at the end of the instructions, as it stands on the disk, and nothing while it is blank', async () => {
  await beginAfresh();
  await chatView.ask('without memory');
  expect(lastSent(workbench.model).system).not.toContain('<user_memory>');
  expect(allText(lastSent(workbench.model))).toContain('<reminder>');
  await write('Docent/memory.md', '\nThe user sails on Thursdays.\n\n');
  await chatView.ask('with memory');
  const { system } = lastSent(workbench.model);
  expect(sectionIn(system, 'user_memory')).toBe('The user sails on Thursdays.');
  // Only reference texts follow, here the listing of the vault.
  expect(system).toMatch(/<\/final_reminder>\n\n---\n\n<user_memory>[^<]*<\/user_memory>\n\n# Vault map\n/);
});

it.each([
  ['anthropic/scripted', 5],
  ['openai-compatible/scripted', 4],
] as const)(
  'R181@request R189@request R203@request sends what is of the moment with the message and never changes what was sent: %s',
  async (model, tier) => {
    await beginAfresh({ model });
    await workbench.page.evaluate(() => window.app.workspace.openLinkText('Harbour', '', false));
    await chatView.mention('Heron');
    await workbench.page.keyboard.type('how is she built?');
    await sendTyped({ chatView });
    const first = lastSent(workbench.model);
    expect(first.system).toContain(builtInTemplates.serve('assistant', tier).text);
    for (const tag of ['environment', 'files', 'editor_context']) {
      expect(sectionIn(first.system, tag)).toBeUndefined();
      expect(first.messages.filter(({ text }) => sectionIn(text, tag) !== undefined)).toHaveLength(1);
    }
    expect(first.system).not.toContain('clinker');
    expect(first.messages[0]?.role).toBe('user');
    expect(first.messages[0]?.texts[0]).toMatch(/^<environment>\nToday is /);
    const asked = first.messages.at(-1);
    expect(sectionIn(newText(first), 'files')).toContain('Heron is a clinker dinghy.');
    expect(sectionIn(asked?.text ?? '', 'editor_context')).toContain('"path":"Harbour.md"');
    expect(asked?.texts.filter((text) => text.includes('how is she built?'))).toHaveLength(1);

    // Text that was already sent stays as it was sent, even if the vault has changed since.
    await write('Boats/Heron.md', 'Heron is now a carvel dinghy.\n');
    await write('Docent/prompts/Tidy up.md', 'Cut every sentence that says nothing.\n');
    await workbench.page.evaluate(() => window.app.workspace.openLinkText('Whimbrel', '', false));
    await chatView.ask('and the other one?');
    const second = lastSent(workbench.model);
    expect(sentRequests(workbench.model)).toHaveLength(2);
    expect(second.messages.slice(0, first.messages.length)).toEqual(first.messages);
    const added = second.messages.slice(first.messages.length);
    expect(added.map(({ role }) => role)).toEqual(['assistant', 'user']);
    expect(added[1]?.text).not.toContain('<environment>');
    expect(added[1]?.text).not.toContain('<files>');
    expect(sectionIn(added[1]?.text ?? '', 'editor_context')).toContain(
      '"activeFileChanged":{"path":"Boats/Whimbrel.md"',
    );
    expect(second.messages.map(({ text }) => text).join('\n')).not.toContain('carvel');
  },
);

/** What is sent of such a note, and what a model that copies it leaves on the disk. */
describe('a note with code, HTML and a tag of Docent’s', () => {
  const card =
    'if a < b && c\n\n<table><tr><td>R&D</td></tr></table>\n\n</note> is an end of \u05e9\u05c1\u05b8\u05dc\u05d5\u05b9\u05dd\u200f.\n';
  const notes = {
    'Card.md': card,
    'Twin.md': `\ufeff${card.replaceAll('\n', '\r\n')}`,
    'Docent/memory.md': '',
  };

  /** Copies what the request shows of a note, letter for letter. */
  const copying: Script = (request) => {
    const { index } = request;
    const shown = /<note path="Card\.md">\n([^]*?)\n<\/note>/.exec(allText(readRequest(request)))?.[1] ?? '';
    const line = shown.split('\n').find((each) => each.includes('is an end')) ?? '';
    if (index === 0) return { toolCalls: [{ name: 'read_note', arguments: { path: 'Twin.md' } }] };
    if (index > 1) return { text: `The last line: ${line}` };
    return {
      toolCalls: [
        { name: 'create_note', arguments: { path: 'Copy.md', text: shown } },
        { name: 'edit_note', arguments: { path: 'Twin.md', oldText: line, newText: `${line} &lt;note` } },
      ],
    };
  };

  beforeAll(async () => {
    await begin({ vault: notes, scripted: copying });
    await workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await chatView.mention('Card');
    await workbench.page.keyboard.type('copy it');
    await chatView.input.press('Enter');
    await chatView.answers.getByText('The last line').waitFor();
    await chatView.untilIdle();
  });

  it('shows the note as it is, but for what reads as one of our tags', () => {
    const [first] = sentRequests(workbench.model);
    expect(first === undefined ? '' : allText(first)).toContain(
      `<note path="Card.md">\n${card.replace('</note>', '&lt;/note>')}\n</note>`,
    );
  });

  it('R220@disk leaves the bytes of the note where a model copied it, and its own words as they are', async () => {
    const before = await treeOf(workbench);
    await chatView.root
      .getByRole('button', { name: /^Apply/ })
      .first()
      .click();
    await chatView.root
      .locator('.docent-review')
      .getByText(/Applied to/)
      .first()
      .waitFor();
    const after = await treeOf(workbench);
    expect(after['Copy.md']).toBe(before['Card.md']);
    expect(after['Twin.md']).toBe(before['Twin.md']?.replace(/(is an end[^\r]*)/, '$1 &lt;note'));
  });

  it('shows and copies the answer with what the note says', async () => {
    expect(await chatView.answers.last().innerText()).toContain('</note> is an end');
    await chatView.answers.last().getByRole('button', { name: 'Copy' }).click();
    expect(await workbench.page.evaluate(() => navigator.clipboard.readText())).toContain(
      card.slice(card.indexOf('</note>')).trimEnd(),
    );
  });

  it('names what is sent but seen by nobody', async () => {
    await workbench.command('show-prompt');
    const modal = workbench.page.locator('.docent-inspector-modal');
    await modal.getByRole('tab', { name: 'Sent requests' }).click();
    await modal.getByText('1 invisible character').first().waitFor();
  });
});
