/** More contents of a request: other modes and tiers in the middle of a chat, every trigger, and the editor. */
import { builtInTemplates } from '../../../src/core/prompt/tiered-prompt-store';
import { type ModeId, modeIds, type Tier } from '../../../src/core/settings/mode';
import { words } from '../../../src/text';
import { begin, shareChat } from '../driver/begin-again';
import { until } from '../driver/chat-view';
import { chatView, workbench } from '../driver/open-chat';
import { choose as chooseLine, sendTyped } from '../driver/reach-walk';
import { allText, lastSent, newMessages, type SentRequest } from '../driver/sent-request';
import { openSettingsWindow } from '../driver/settings-window';

jest.setTimeout(60_000);

const vault = {
  'Harbour.md': '# Depths\n\nThe outer pontoon has four metres. ^outer\n\n# Fees\n\nA night costs nine crowns.\n',
  'Boats/Heron.md': 'Heron is a clinker dinghy.\n',
  'Boats/Whimbrel.md': 'Whimbrel is a sloop. #afloat\n',
  'Docent/memory.md': '',
  'Docent/prompts/Tidy up.md': '---\ndescription: Makes a note short.\n---\nCut every sentence that says nothing.\n',
  'Docent/workspaces/Fleet.md': '---\ndescription: The two boats\nfolder: Boats\n---\nCall every boat by its name.\n',
};
/** A model with a wide window, whose provider keeps the head of a request. */
const caching = { model: 'anthropic/scripted' };

shareChat({ vault });

const beginAfresh = (settings: Record<string, unknown> = {}): Promise<void> => begin({ vault, settings });

const choose = (typed: string, name: string): Promise<void> => chooseLine({ workbench, chatView }, typed, name);

async function chooseSetting(row: string, label: string): Promise<void> {
  const settings = await openSettingsWindow(workbench);
  await settings.choose(row, label);
  await settings.close();
}

async function select(from: number, to: number): Promise<void> {
  await workbench.page.evaluate(
    async ([start, end]) => {
      await window.app.workspace.openLinkText('Harbour', '', false);
      window.app.workspace.activeEditor?.editor?.setSelection({ line: 2, ch: start }, { line: 2, ch: end });
    },
    [from, to] as const,
  );
}

const sent = (): SentRequest => lastSent(workbench.model);
const newest = (): string =>
  newMessages(sent())
    .map(({ text }) => text)
    .join('\n');
const template = (mode: ModeId, tier: Tier): string => builtInTemplates.serve(mode, tier).text;

function sectionIn(text: string, tag: string): string | undefined {
  return new RegExp(`<${tag}>\\n?([\\s\\S]*?)\\n?</${tag}>`).exec(text)?.[1];
}

/** Where each part begins in the text, which must hold all of them. */
function places(text: string, ...parts: readonly string[]): number[] {
  const found = parts.map((part) => text.indexOf(part));
  expect(parts.filter((_, index) => found[index] === -1)).toEqual([]);
  return found;
}

const ascending = (numbers: readonly number[]): number[] => [...numbers].sort((a, b) => a - b);

it('R107@request K4 tells of another mode beside the message, once, and leaves the head as it was', async () => {
  await beginAfresh({ ...caching, tier: 5 });
  await chatView.ask('as assistant');
  const first = sent();
  expect(first.system).toContain(template('assistant', 5));

  await chooseSetting('Mode', words.settings.modes.planning);
  await chatView.ask('as planner');
  const second = sent();
  expect(second.system).toBe(first.system);
  expect(second.tools).toEqual(first.tools);
  expect(second.messages.slice(0, first.messages.length)).toEqual(first.messages);
  const notice = sectionIn(newest(), 'mode_notice');
  expect(notice).toContain('from Assistant to Planner.');
  expect(notice).toContain(template('planning', 5));
  const [at = -1, question = -1] = places(newest(), '<mode_notice>', 'as planner');
  expect(at).toBeLessThan(question);

  await chatView.ask('still as planner');
  expect(sent().system).toBe(first.system);
  expect(newest()).not.toContain('<mode_notice>');

  await chooseSetting('Mode', words.settings.modes.assistant);
  await chatView.ask('as assistant again');
  const back = sectionIn(newest(), 'mode_notice') ?? '';
  expect(back).toContain('from Planner to Assistant.');
  expect(back).not.toContain(template('assistant', 5));
  expect(sent().system).toBe(first.system);
});

it('R094@request R095@request K3 sends the template of another tier from the next message on, and keeps what was said', async () => {
  await beginAfresh({ ...caching, tier: 5 });
  await chatView.ask('in full');
  const first = sent();
  await chooseSetting('Instruction level', words.settings.tiers[2]);
  await chatView.ask('in short');
  const { system, messages } = sent();
  expect(first.system).toContain(template('assistant', 5));
  expect(system).toContain(template('assistant', 2));
  expect(system).not.toContain(template('assistant', 5));
  expect(system.length).toBeLessThan(first.system.length);
  // The lists of the vault have another share at this size, so they are written again with the instructions.
  const spoken = messages.filter(({ texts }) => texts.some((text) => text === 'in full' || text === 'in short'));
  expect(spoken).toHaveLength(2);
  const [question] = spoken;
  expect(question && messages[messages.indexOf(question) + 1]?.role).toBe('assistant');
});

it.each([
  ['a small window', { contextWindow: 32_768 }],
  ['a large window with cache marks', caching],
] as const)(
  'R168@request R170@request R171@request R173@request puts what was named with each of the four triggers into its section: %s',
  async (_name, settings) => {
    await beginAfresh(settings);
    await choose('[[hero', 'Heron');
    await choose('#fle', 'Fleet');
    await choose('@tid', 'Tidy up');
    await choose('/search_no', 'Search notes');
    await workbench.page.keyboard.type('what now?');
    await sendTyped({ chatView });
    const text = newest();
    expect(sectionIn(text, 'files')).toMatch(/<note path="Boats\/Heron\.md">\s*Heron is a clinker dinghy\./);
    expect(sectionIn(text, 'workspaces')).toContain('Call every boat by its name.');
    expect(sectionIn(text, 'custom_prompts')).toContain('Cut every sentence that says nothing.');
    expect(sectionIn(text, 'tool_hints')).toContain('Tool: search_notes');
    const found = places(text, '<files>', '<workspaces>', '<custom_prompts>', '<tool_hints>', 'what now?');
    expect(found).toEqual(ascending(found));
    expect(allText(sent()).split('Heron is a clinker dinghy.')).toHaveLength(2);
    expect(sent().system).not.toContain('clinker');
    // The next request has it once again, where it was.
    const before = sent();
    await chatView.ask('and now?');
    expect(sent().messages.slice(0, before.messages.length)).toEqual(before.messages);
    expect(allText(sent()).split('Heron is a clinker dinghy.')).toHaveLength(2);
  },
);

it('R168@request sends a heading, a block, a folder and a tag, each as what it is and nothing beside it', async () => {
  await beginAfresh(caching);
  await choose('[[Harbour#fee', 'Fees');
  await choose('[[Harbour#^out', '^outer');
  await choose('[[Boats', 'Boats/');
  await choose('[[#aflo', '#afloat');
  await sendTyped({ chatView });
  const files = sectionIn(newest(), 'files') ?? '';
  expect(files).toMatch(/<note path="Harbour\.md" heading="Fees">\s*# Fees\s+A night costs nine crowns\.\s*<\/note>/);
  expect(files).toMatch(/<note path="Harbour\.md" block="\^outer">\s*The outer pontoon has four metres\.[^<]*<\/note>/);
  expect(files).not.toContain('# Depths');
  expect(/<folder path="Boats">([\s\S]*?)<\/folder>/.exec(files)?.[1]).toContain('- Boats/Heron.md');
  const tagged = /<tag name="#afloat">([\s\S]*?)<\/tag>/.exec(files)?.[1];
  expect(tagged).toContain('- Boats/Whimbrel.md');
  expect(tagged).not.toContain('Heron');
});

it('R190@request R191@request R193 sends what is selected in the editor, then only what is selected anew, then nothing', async () => {
  await beginAfresh(caching);
  await select(4, 17);
  await chatView.ask('what is this?');
  expect(sectionIn(newest(), 'editor_context')).toContain('"selectedText":"outer pontoon"');
  await select(22, 33);
  await chatView.ask('and this?');
  const changes = sectionIn(newest(), 'editor_context') ?? '';
  expect(changes).toContain('"selectionChanged":{"path":"Harbour.md","selectedText":"four metres"}');
  expect(changes).not.toContain('activeFile"');
  await chatView.ask('and still?');
  expect(newest()).not.toContain('<editor_context>');
});

it('R062@request tells of the sub-agents that a tool can start, and never sends what their notes say', async () => {
  const note = '---\nname: proof-reader\ndescription: Finds slips of the pen.\n---\nRead word by word.\n';
  await begin({ vault: { ...vault, 'Docent/subagents/proof-reader.md': note }, settings: caching });
  await chatView.ask('who can help?');
  const section = sectionIn(sent().system, 'sub_agents');
  expect(sent().tools).toContain('run_subagent');
  expect(section).toContain('- **proof-reader**: Finds slips of the pen.');
  expect(section).toContain('- **vault-investigator**: ');
  expect(allText(sent())).not.toContain('Read word by word.');
});

it('R110@dom shows in the settings window what each mode is for', async () => {
  await beginAfresh();
  const settings = await openSettingsWindow(workbench);
  const description = settings.row('Mode').locator('.setting-item-description');
  await until(async () => (await description.innerText()).includes('Planner'), 'the guidance is shown');
  const lines = (await description.innerText()).split('\n').filter((line) => line.trim() !== '');
  expect(lines).toEqual(modeIds.map((id) => `${words.settings.modes[id]}: ${words.settings.modeGuidance[id]}`));
  await workbench.screenshot('mode-guidance');
});
