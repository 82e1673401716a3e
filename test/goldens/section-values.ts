/** For each section, facts that make it say everything it can. A new section adds its values here. */
import type { Values } from '../unit/fakes/render-section';

export const sectionValues: Readonly<Record<string, Values>> = {
  'context-status': {
    status: {
      usedTokens: 6_500,
      maxTokens: 8_192,
      percentUsed: 79,
      status: 'warning',
      statusMessage: 'The next long note may not fit.',
    },
  },
  'previous-context': {
    previous: {
      summary: 'The engine was serviced; two bolts are still missing.',
      filesReferenced: ['A.md', 'B.md', 'C.md', 'D.md', 'E.md', 'F.md', 'G.md'],
      topics: ['order bolts', 'book the yard'],
      messagesRemoved: 12,
      messagesKept: 4,
    },
  },
  'mode-template': { template: 'You read the notes & answer in <words>.' },
  'tools-and-context': {
    tools: {
      sessionId: 'c1',
      workspaceId: 'Docent/workspaces/Boat.md',
      agents: [
        { name: 'search', description: 'finds notes and passages', tools: ['search_notes', 'find_notes'] },
        { name: 'notes', description: 'reads notes', tools: ['read_note'] },
      ],
    },
  },
  'vault-structure': { structure: { rootFolders: ['Journal', 'R&D'], rootFiles: ['Now.md', 'a<b.md'] } },
  'available-workspaces': {
    workspaces: [
      { id: 'Docent/workspaces/Boat.md', name: 'Boat & sails', description: 'The refit', rootFolder: 'Projects' },
      { id: 'Docent/workspaces/Home.md', name: 'Home', rootFolder: '/' },
    ],
  },
  'available-prompts': {
    prompts: [
      { id: 'Docent/prompts/Tighten.md', name: 'Tighten <this>', description: 'Cuts & sharpens.' },
      { id: 'Docent/prompts/Plan.md', name: 'Plan', description: '' },
    ],
  },
  files: {
    notes: [
      { path: 'Now.md', text: '# Now\n\nUse a < b && c.' },
      { path: 'Empty.md', text: '' },
      { path: 'Gone.md', text: null, problem: 'There is no note at “Gone.md”.' },
      { path: 'Broken.md', text: null },
    ],
  },
  'tool-hints': {
    tools: [
      { name: 'search_notes', description: 'Searches the notes.' },
      { name: 'read_note', description: 'Reads <one> note.' },
    ],
  },
  'custom-prompts': {
    prompts: [
      { name: 'Tighten "this"', prompt: 'Cut every <needless> word.' },
      { name: 'Translate', prompt: 'Into French & back.' },
    ],
  },
  workspaces: {
    references: [
      {
        summary: { id: 'Docent/workspaces/Boat.md', name: 'Boat', rootFolder: 'Projects' },
        data: {
          name: 'Boat',
          rootFolder: 'Projects',
          context: { name: 'The boat', instructions: 'Prefer <metric> units.' },
          keyFiles: ['Projects/Engine.md'],
        },
      },
      {
        summary: { id: 'Docent/workspaces/Home.md', name: 'Home', rootFolder: '/' },
        data: { name: 'Home', description: 'All the rest', rootFolder: '/' },
      },
      { summary: { id: 'Docent/workspaces/Gone.md', name: 'Gone', rootFolder: '/' }, data: null },
    ],
  },
  'selected-prompt': { prompt: 'Answer as a <careful> editor.' },
  'selected-workspace': {
    workspace: {
      loaded: {
        id: 'Docent/workspaces/Boat.md',
        name: 'Boat',
        rootFolder: 'Projects',
        context: { name: 'The boat', purpose: 'Launch by June', instructions: 'Prefer metric units.' },
        workflows: ['Weekly review'],
        workspaceStructure: ['Projects/Sails'],
        recentFiles: ['Projects/Log.md'],
        keyFiles: ['Projects/Engine.md'],
        preferences: 'Short answers.',
        sessions: ['Bolts, 12 May'],
        states: ['Before launch'],
      },
      basic: null,
    },
  },
};
