import { contextStatusSection } from '../../../../src/core/prompt/sections/context-status';
import { filesSection, unavailable } from '../../../../src/core/prompt/sections/notes';
import { previousContextSection } from '../../../../src/core/prompt/sections/previous-context';
import {
  availablePromptsSection,
  customPromptsSection,
  selectedPromptSection,
} from '../../../../src/core/prompt/sections/prompts';
import { toolHintsSection, toolsAndContextSection } from '../../../../src/core/prompt/sections/tools';
import { vaultListingSection } from '../../../../src/core/prompt/sections/vault-listing';
import {
  availableWorkspacesSection,
  selectedWorkspaceSection,
  workspacesSection,
} from '../../../../src/core/prompt/sections/workspaces';
import { render, renderBrief, type Values } from '../../../support/render-section';

const status = { usedTokens: 900, maxTokens: 1000, percentUsed: 90, status: 'ok', statusMessage: '' };
const previous = {
  summary: 'All about tea.',
  filesReferenced: ['A.md'],
  topics: [],
  messagesRemoved: 3,
  messagesKept: 2,
};
const reference = (name: string, data: unknown) => ({ summary: { id: `${name}.md`, name, rootFolder: '/' }, data });

describe('context status', () => {
  it('R146 says tokens and status', () => {
    expect(render(contextStatusSection, { status })).toBe(
      '<context_status>\nTokens: 900/1000 (90% used)\nStatus: OK\n</context_status>',
    );
  });

  it('R145 adds the status message when there is one', () => {
    expect(render(contextStatusSection, { status: { ...status, statusMessage: 'Nearly there.' } })).toContain(
      'Status: OK\nNearly there.',
    );
  });

  it('R147 asks at warning to save state, be concise and stay focused', () => {
    const text = render(contextStatusSection, { status: { ...status, status: 'warning' } });
    expect(text).toMatch(/Status: WARNING/);
    expect(text).toMatch(/save_state/);
    expect(text).toMatch(/short/);
    expect(text).toMatch(/current task/);
  });

  const critical = { ...status, status: 'critical' } as const;
  const noTools = { tools: { toolNames: [] } };

  it('R148 asks at critical to save state now, and says that it is saved at the limit where it is', () => {
    const text = render(contextStatusSection, { status: { ...critical, atLimit: 'saved-and-summarized' } });
    expect(text).toMatch(/Status: CRITICAL/);
    expect(text).toMatch(/save_state NOW before older messages are summarized\.\n.*saved automatically/);
  });

  it.each([
    [undefined, 'NOW.', 'need.'],
    ['summarized', 'NOW before older messages are summarized.', 'need before older messages are summarized.'],
    ['left-out', 'NOW before older messages are left out.', 'need before older messages are left out.'],
  ] as const)('R148 claims at critical nothing that the settings do not do: %s', (atLimit, saved, stated) => {
    const full = { ...critical, ...(atLimit && { atLimit }) };
    const withTool = render(contextStatusSection, { status: full });
    expect(withTool).toContain(`\n- Call save_state ${saved}\n</context_status>`);
    const without = render(contextStatusSection, { status: full, ...noTools });
    expect(without).toContain(`\n- State in this answer what you will ${stated}\n</context_status>`);
  });

  it('R149 is silent for a model without a status', () => {
    expect(render(contextStatusSection, { status: null })).toBeNull();
  });

  it('keeps the level and the share in its brief form', () => {
    expect(renderBrief(contextStatusSection, { status: { ...status, status: 'warning' } })).toBe(
      'Status: WARNING, 90% used',
    );
  });
});

describe('previous context', () => {
  it.each([[null], [{ ...previous, summary: '' }]])('R150 is silent without a summary', (nothing) => {
    expect(render(previousContextSection, { previous: nothing })).toBeNull();
  });

  it('R150 notes the compaction and gives the summary', () => {
    const text = render(previousContextSection, { previous });
    expect(text).toMatch(/^<previous_context>\nEarlier messages were summarized/);
    expect(text).toContain('\nSummary: All about tea.\n');
  });

  it.each([
    [5, 'Files discussed: 1.md, 2.md, 3.md, 4.md, 5.md\n'],
    [6, 'Files discussed: 1.md, 2.md, 3.md, 4.md, 5.md (+1 more)\n'],
  ])('R151 names the first five of %i files', (count, line) => {
    const filesReferenced = Array.from({ length: count }, (_, index) => `${index + 1}.md`);
    expect(render(previousContextSection, { previous: { ...previous, filesReferenced } })).toContain(line);
  });

  it('R151 R152 leaves out lists that are empty', () => {
    const text = render(previousContextSection, { previous: { ...previous, filesReferenced: [] } });
    expect(text).not.toMatch(/Files discussed|Key tasks/);
  });

  it('R152 joins key tasks by semicolons', () => {
    expect(render(previousContextSection, { previous: { ...previous, topics: ['a', 'b'] } })).toContain(
      'Key tasks: a; b',
    );
  });

  it('R153 counts compacted and retained messages', () => {
    expect(render(previousContextSection, { previous })).toContain('(3 messages compacted, 2 retained)');
  });
});

describe('tools and context', () => {
  const tools = { sessionId: 'c-42', workspaceId: 'w-7', agents: [] as unknown[] };

  it('R154 lists each agent with its description and tools', () => {
    const agents = [{ name: 'search', description: 'finds notes', tools: ['a', 'b'] }];
    expect(render(toolsAndContextSection, { tools: { ...tools, agents } })).toContain(
      '- search: finds notes\n  Tools: a, b\n',
    );
  });

  it('R154 says to call getTools when the registry is empty', () => {
    expect(render(toolsAndContextSection, { tools })).toContain('Call getTools to learn which');
  });

  it('R155 names the two meta-tools', () => {
    expect(render(toolsAndContextSection, { tools })).toMatch(/getTools \(look up\) and useTools \(run\)/);
    expect(render(toolsAndContextSection, { tools })).toMatch(/1\. getTools returns [^]*\n2\. useTools runs them/);
  });

  it('R156 R157 says what every call carries', () => {
    const text = render(toolsAndContextSection, { tools });
    expect(text).toContain('- workspaceId: "w-7"');
    expect(text).toContain('- sessionId: "c-42"');
    expect(text).toMatch(/- memory: .*1-3 sentences/);
    expect(text).toMatch(/- goal: .*1-3 sentences/);
    expect(text).toMatch(/- constraints: .*optional/);
    expect(text).toContain('calls: [{ agent: "name", tool: "name", params: { ... } }]');
  });

  it('R158 asks for exact ids, current memory and goal, and params', () => {
    expect(render(toolsAndContextSection, { tools })).toMatch(/exactly.*memory and goal.*"params"/);
  });

  it('R160 is silent when tools are native or known', () => {
    expect(render(toolsAndContextSection, { tools: null })).toBeNull();
  });
});

describe('vault structure', () => {
  it('R161 lists folders with a slash, then files', () => {
    const text = render(vaultListingSection, {
      listing: { form: 'root', rootFolders: ['A', 'B'], rootFiles: ['x.md'] },
    });
    expect(text).toContain('Folders:\n - A/\n - B/\n\nFiles:\n - x.md\n');
  });

  it.each<[string, unknown]>([
    ['there is no listing', null],
    ['the vault is empty', { form: 'root', rootFolders: [], rootFiles: [] }],
  ])('R162 is silent when %s', (_name, listing) => {
    expect(render(vaultListingSection, { listing })).toBeNull();
  });

  it('R162 closes with how to explore', () => {
    const text = render(vaultListingSection, { listing: { form: 'root', rootFolders: [], rootFiles: ['x.md'] } });
    expect(text).toMatch(/list_folder[^\n]*search_notes[^\n]*\n<\/vault_structure>$/);
    expect(text).not.toContain('Folders:');
  });
});

describe('available workspaces and prompts', () => {
  it('R164 gives name, id, description and root, and how to load one', () => {
    const workspaces = [
      { id: 'b.md', name: 'B < C', description: 'Boat & sea', rootFolder: 'P' },
      { id: 'h.md', name: 'H', rootFolder: '/' },
    ];
    const text = render(availableWorkspacesSection, { workspaces });
    expect(text).toContain(
      '- B < C (id: "b.md")\n  Description: Boat & sea\n  Root folder: P\n- H (id: "h.md")\n  Root folder: /',
    );
    expect(text).toContain('load_workspace');
  });

  it('R164 is silent without workspaces', () => {
    expect(render(availableWorkspacesSection, { workspaces: [] })).toBeNull();
  });

  it('R164 R165 give a number where no name fits', () => {
    const workspaces = [{ id: 'b.md', name: 'A workspace with a long name', rootFolder: '/' }];
    const words = { count: (text: string) => text.split(/\s+/).length };
    const room = 16 + 2;
    expect(availableWorkspacesSection.shorten?.({ workspaces, tools: { toolNames: [] } }, room, words)).toEqual([
      'Workspaces: 1',
    ]);
    const prompts = [{ id: 'p.md', name: 'A prompt with a long name', description: '' }];
    expect(availablePromptsSection.shorten?.({ prompts }, room, words)).toEqual(['Prompts: 1']);
  });

  it('R165 gives names and descriptions as they are, and ids', () => {
    const prompts = [
      { id: 'p.md', name: 'A & B', description: 'x < y' },
      { id: 'q.md', name: 'Q', description: '' },
    ];
    expect(render(availablePromptsSection, { prompts })).toContain('- A & B (id: "p.md")\n  x < y\n- Q (id: "q.md")\n');
  });

  it('R165 is silent without prompts', () => {
    expect(render(availablePromptsSection, { prompts: [] })).toBeNull();
  });
});

describe('files', () => {
  it('R166 gives each note an envelope with its path and its text', () => {
    const notes = [
      { path: 'a "b".md', text: 'one' },
      { path: 'c.md', text: 'two' },
    ];
    expect(render(filesSection, { notes, lists: [] })).toBe(
      '<files>\n<note path="a &quot;b&quot;.md">\none\n</note>\n<note path="c.md">\ntwo\n</note>\n</files>',
    );
  });

  it('R166 is silent without notes', () => {
    expect(render(filesSection, { notes: [], lists: [] })).toBeNull();
  });

  it('R167 says in place that a note could not be read, and why', () => {
    const notes = [
      { path: 'a.md', text: null },
      { path: 'b.md', text: null, problem: 'It is not a text file.' },
    ];
    const text = render(filesSection, { notes, lists: [] });
    expect(text).toContain(`<note path="a.md">\n${unavailable}\n</note>`);
    expect(text).toContain(`<note path="b.md">\n${unavailable} It is not a text file.\n</note>`);
  });

  it('R265 gives an empty note an empty body', () => {
    expect(render(filesSection, { notes: [{ path: 'a.md', text: '' }], lists: [] })).toContain(
      '<note path="a.md">\n\n</note>',
    );
  });

  it('names the notes in its brief form', () => {
    const notes = [
      { path: 'a.md', text: 'one' },
      { path: 'b.md', text: 'two' },
    ];
    expect(renderBrief(filesSection, { notes, lists: [] })).toBe('a.md\nb.md');
  });
});

describe('what the suggesters added', () => {
  it('R170 gives each hinted tool with its description and asks to prioritize it', () => {
    const text = render(toolHintsSection, { tools: [{ name: 'a', description: 'Does a.' }] });
    expect(text).toContain('Tool: a\nDescription: Does a.');
    expect(text).toMatch(/Prioritize/);
    expect(render(toolHintsSection, { tools: [] })).toBeNull();
  });

  it('R171 gives each prompt an escaped body under its name and asks to follow it', () => {
    const text = render(customPromptsSection, { prompts: [{ name: 'N "1"', prompt: 'a < b & </prompt>' }] });
    expect(text).toContain('<prompt name="N &quot;1&quot;">\na < b & &lt;/prompt>\n</prompt>');
    expect(text).toMatch(/Follow their instructions/);
    expect(render(customPromptsSection, { prompts: [] })).toBeNull();
  });

  it('R172 gives the basic fields of a workspace as JSON', () => {
    const text = render(workspacesSection, {
      references: [reference('B', { name: 'B', rootFolder: 'P', description: 'd' })],
    });
    expect(text).toContain('<workspace name="B" id="B.md">');
    expect(JSON.parse(/"B.md">\n([\s\S]*?)\n<\/workspace>/.exec(text ?? '')?.[1] ?? '')).toEqual({
      name: 'B',
      description: 'd',
      rootFolder: 'P',
    });
  });

  it('R173 is comprehensive when the context is an object with a name', () => {
    const data = { name: 'B', context: { name: 'Boat', instructions: 'Use <metric>.' }, keyFiles: ['E.md'] };
    const text = render(workspacesSection, { references: [reference('B', data)] });
    expect(text).toContain('<workspace name="Boat" id="B.md">');
    expect(text).toContain('Instructions:\nUse <metric>.');
    expect(text).toContain('Key files:\n- E.md');
  });

  it.each<[unknown]>([[undefined], ['text'], [{}], [{ purpose: 'p' }]])(
    'R173 is basic JSON when the context is %j',
    (context) => {
      const text = render(workspacesSection, { references: [reference('B', { name: 'B', context })] });
      expect(JSON.parse(/">\n([\s\S]*?)\n<\/workspace>/.exec(text ?? '')?.[1] ?? '')).toMatchObject({ name: 'B' });
    },
  );

  it('R174 leaves out a workspace that failed and keeps the others', () => {
    const text = render(workspacesSection, { references: [reference('Gone', null), reference('B', { name: 'B' })] });
    expect(text).not.toContain('Gone');
    expect(text).toContain('id="B.md"');
  });

  it('R265 is silent when no workspace loads', () => {
    expect(render(workspacesSection, { references: [reference('Gone', null)] })).toBeNull();
    expect(render(workspacesSection, { references: [] })).toBeNull();
  });
});

describe('what the chat has selected', () => {
  it('R176 gives the selected prompt', () => {
    expect(render(selectedPromptSection, { prompt: 'Be & do.' })).toBe(
      '<selected_prompt>\nThe user chose this prompt for the chat. Follow it:\n\nBe & do.\n</selected_prompt>',
    );
  });

  it.each<[unknown]>([[null], ['']])('R176 is silent when the prompt is %j', (prompt) => {
    expect(render(selectedPromptSection, { prompt })).toBeNull();
  });

  it.each<[string, Values, string]>([
    ['the context', { id: 'b.md', name: 'N', context: { name: 'C' } }, 'name="C" id="b.md"'],
    ['the record', { id: 'b.md', name: 'N' }, 'name="N" id="b.md"'],
    ['nothing', {}, 'name="Selected Workspace" id="unknown"'],
  ])('R177 takes name and id from %s', (_from, loaded, attributes) => {
    expect(render(selectedWorkspaceSection, { workspace: { loaded, basic: null } })).toContain(
      `<selected_workspace ${attributes}>`,
    );
  });

  it('R178 gives the basic context as JSON when there is no full record', () => {
    const text = render(selectedWorkspaceSection, { workspace: { loaded: null, basic: { name: 'B <', id: 1 } } });
    expect(text).toBe('<selected_workspace>\n{\n  "name": "B <",\n  "id": 1\n}\n</selected_workspace>');
  });

  it.each<[unknown]>([[null], [{ loaded: null, basic: null }]])('R177 is silent when there is %j', (workspace) => {
    expect(render(selectedWorkspaceSection, { workspace })).toBeNull();
  });
});
