/** Ten chats, turn by turn, whose requests have every section in them at least once in each profile. */
import { join } from 'node:path';
import { toolNames } from '../../../src/core/markup/variables';
import type { Vault } from '../../../src/core/ports/vault';
import type { DeviceFacts, PromptSettings, TurnContext } from '../../../src/core/prompt/world';
import type { EditorState, Mention } from '../../../src/core/session/entry';
import type { ModeId, Tier } from '../../../src/core/settings/mode';
import { fakeVault, folderVault } from '../../support/fake-vault';
import { goalValue } from '../composition-values';
import { sectionValues } from '../section-values';

/** What the chat has said before: only a profile that keeps it in its history may leave it out of a request. */
export type Remembered = Pick<TurnContext, 'knownEditor' | 'headMode' | 'earlierMode' | 'reminderDue' | 'start' | 'lastDay'>;

export interface ScenarioTurn {
  readonly name: string;
  readonly turn: Partial<Omit<TurnContext, keyof Remembered>>;
  readonly remembered?: Partial<Remembered>;
}

export interface Scenario {
  readonly name: string;
  readonly tier: Tier;
  readonly vault: Vault;
  readonly device?: Partial<DeviceFacts>;
  readonly settings?: Partial<PromptSettings>;
  readonly turns: readonly ScenarioTurn[];
}

const demoVault = join(__dirname, '../../support/demo-vault');
const demo = folderVault(demoVault);
const everyTool = Object.values(toolNames);
const value = (section: string, name: string): any => sectionValues[section]?.[name];

const mention = (kind: Mention['kind'], id: string): Mention => ({ kind, id, label: id });
const everyMention: readonly Mention[] = [
  mention('note', 'Projects/Whimbrel engine.md'),
  mention('heading', 'Reading/Quotations.md#Quotations'),
  mention('block', 'Projects/Whimbrel keel bolts.md#^bolts-done'),
  mention('folder', 'Recipes'),
  mention('tag', '#boat'),
  mention('prompt', 'Docent/prompts/Tighten this.md'),
  mention('workspace', 'Docent/workspaces/Boat.md'),
  mention('tool', 'search_notes'),
];

const reading: EditorState = {
  activeNote: { path: 'Now.md', cursor: { line: 3, character: 1 }, selectedText: 'Whimbrel' },
  otherOpenNotes: ['Start here.md'],
};
const readingOn: EditorState = {
  activeNote: { path: 'Now.md', cursor: { line: 9, character: 4 }, selectedText: '' },
  otherOpenNotes: ['Start here.md'],
};

const withOwnNotes = fakeVault({
    'Now.md': '# Now\n\nThe bolts are in.\n',
    'Docent/skills/tides/SKILL.md': '---\nname: tides\ndescription: Reads tide tables.\n---\nBegin with the datum.\n',
    'Docent/subagents/proof-reader.md': '---\nname: proof-reader\ndescription: Finds slips.\n---\nRead word by word.\n',
    'Docent/prompts/Tighten.md': '---\ndescription: Cuts what says nothing.\n---\nCut every needless word.\n',
    'Docent/system-reminder.md': 'Metric units.\n',
    'Docent/system-extra.md': 'Sources go last.\n',
  });

const mode = (id: ModeId, remembered: Partial<Remembered>): ScenarioTurn => ({
  name: `in ${id} mode`,
  turn: { mode: id },
  remembered,
});

export const scenarios: readonly Scenario[] = [
  { name: 'empty-vault', tier: 5, vault: fakeVault({}), turns: [{ name: 'first turn', turn: {} }] },
  {
    name: 'demo-vault',
    tier: 5,
    vault: demo,
    turns: [
      { name: 'first turn', turn: {} },
      { name: 'on another day', turn: {}, remembered: { lastDay: '2026-11-19' } },
    ],
  },
  {
    name: 'tier-1',
    tier: 1,
    vault: demo,
    turns: [
      { name: 'first turn', turn: { toolNames: everyTool } },
      {
        name: 'nearly full',
        turn: { toolNames: everyTool, contextStatus: value('context-status', 'status') },
        remembered: { reminderDue: false },
      },
    ],
  },
  {
    name: 'tier-2',
    tier: 2,
    vault: demo,
    turns: [{ name: 'tools told in words', turn: { toolAgents: value('tools-and-context', 'tools').agents } }],
  },
  {
    name: 'tier-3-workspace',
    tier: 3,
    vault: demo,
    turns: [
      {
        name: 'first turn',
        turn: {
          toolNames: everyTool,
          selectedWorkspace: 'Docent/workspaces/Boat.md',
          selectedPrompt: 'Docent/prompts/Tighten this.md',
        },
      },
    ],
  },
  { name: 'all-mentions', tier: 5, vault: demo, turns: [{ name: 'one of each', turn: { mentions: everyMention, contextNotes: ['Now.md'] } }] },
  {
    name: 'editor',
    tier: 5,
    vault: demo,
    turns: [
      { name: 'a selection', turn: { editor: reading } },
      { name: 'the cursor has moved', turn: { editor: readingOn }, remembered: { knownEditor: reading } },
      { name: 'nothing has moved', turn: { editor: readingOn }, remembered: { knownEditor: readingOn } },
    ],
  },
  {
    name: 'own-notes',
    tier: 4,
    vault: withOwnNotes,
    settings: { additionalInstructions: 'British spelling.' },
    turns: [
      { name: 'listed', turn: { toolNames: everyTool } },
      { name: 'a skill chosen', turn: { mentions: [{ kind: 'skill', id: 'Docent/skills/tides/SKILL.md', label: 'tides' }] } },
      { name: 'a skill in use', turn: { toolNames: everyTool, activeSkills: ['Docent/skills/tides/SKILL.md'] } },
    ],
  },
  {
    name: 'mode-switch',
    tier: 5,
    vault: demo,
    turns: [
      mode('assistant', {}),
      mode('planning', { headMode: 'assistant', earlierMode: 'assistant' }),
      mode('planning', { headMode: 'assistant' }),
      mode('assistant', { headMode: 'assistant', earlierMode: 'planning' }),
    ],
  },
  {
    name: 'goal-and-plan',
    tier: 5,
    vault: demo,
    device: { repository: true },
    settings: { sanityChecks: 'on' },
    turns: [
      {
        name: 'everything at once',
        turn: {
          toolNames: everyTool,
          permissionMode: 'plan',
          goal: goalValue,
          hooked: true,
          mcpServers: value('mcp-servers', 'servers'),
          fetchedPages: value('url-context', 'pages'),
          review: value('review-context', 'review'),
        },
      },
      {
        name: 'a server, for an older model that only reads',
        turn: { modernModel: false, permissionMode: 'read-only', mcpServers: value('mcp-servers', 'servers') },
        remembered: { reminderDue: false },
      },
    ],
  },
];
