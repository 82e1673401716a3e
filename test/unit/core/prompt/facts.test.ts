import { fail } from '../../../../src/core/ports/failure';
import { attachedNotes, contextNotes } from '../../../../src/core/prompt/facts/attached-notes';
import { availablePrompts, availableWorkspaces } from '../../../../src/core/prompt/facts/library';
import { contextStatus } from '../../../../src/core/prompt/sections/context-status';
import { modeTemplate } from '../../../../src/core/prompt/sections/mode';
import { previousContext } from '../../../../src/core/prompt/sections/previous-context';
import { customPrompts, selectedPrompt } from '../../../../src/core/prompt/sections/prompts';
import { offeredTools } from '../../../../src/core/prompt/facts/turn-state';
import { namedSkills } from '../../../../src/core/prompt/sections/skills';
import { toolHints, toolsAndContext } from '../../../../src/core/prompt/sections/tools';
import { selectedWorkspace, workspaceReferences } from '../../../../src/core/prompt/sections/workspaces';
import type { ContextStatusInfo } from '../../../../src/core/prompt/world';
import { fakeVault } from '../../../support/fake-vault';
import { never, worldOf } from '../../../support/turn-world';

const vault = () =>
  fakeVault({
    'Now.md': '# Now\n\nTea.',
    'Empty.md': '',
    'scan.pdf': new Uint8Array([1, 2]),
    'Projects/Engine.md': 'Bolts.',
    'Projects/Sails/Main.md': 'Canvas.',
    'Docent/prompts/Tighten.md': '---\nname: Tighten this\ndescription: Cuts words\n---\nCut every needless word.\n',
    'Docent/prompts/Plain.md': 'Just text.',
    'Docent/prompts/deep/Hidden.md': 'not listed',
    'Docent/workspaces/Boat.md':
      '---\nname: Boat\ndescription: The refit\nfolder: Projects\nnotes: ["[[Engine|the engine]]"]\n---\nPrefer metric.\n',
  });
const note = (id: string) => ({ kind: 'note' as const, id, label: id });
const prompt = (id: string) => ({ kind: 'prompt' as const, id, label: id });
const workspace = (id: string) => ({ kind: 'workspace' as const, id, label: id });

it('R135 gives the skills that the message names, with their files, and leaves out what cannot be read', async () => {
  const folder = 'Docent/skills/review';
  const skill = '---\nname: review\ndescription: d\nallowed-tools: read_note\n---\nReview it.';
  const shelf = fakeVault({ [`${folder}/SKILL.md`]: skill, [`${folder}/form.md`]: 'A form.' });
  const named = (id: string) => ({ kind: 'skill' as const, id, label: id });
  const world = worldOf(shelf, { mentions: [named(`${folder}/SKILL.md`), named('Docent/skills/lost/SKILL.md')] });
  expect(await namedSkills.gather(world, never)).toEqual([
    {
      name: 'review',
      location: `${folder}/SKILL.md`,
      allowedTools: ['read_note'],
      body: 'Review it.',
      files: [`${folder}/form.md`],
    },
  ]);
});

describe('attached notes', () => {
  it.each([8_192, 200_000])(
    'R166 R168 gives pinned notes apart from mentioned notes, each once, in a window of %i',
    async (contextWindow) => {
      const world = worldOf(vault(), {
        contextWindow,
        contextNotes: ['Now.md', 'Empty.md'],
        mentions: [note('Projects/Engine.md'), note('Now.md'), prompt('Docent/prompts/Plain.md')],
      });
      expect(await contextNotes.gather(world, never)).toEqual([
        { path: 'Now.md', text: '# Now\n\nTea.' },
        { path: 'Empty.md', text: '' },
      ]);
      expect(await attachedNotes.gather(world, never)).toEqual([{ path: 'Projects/Engine.md', text: 'Bolts.' }]);
    },
  );

  it('R168 attaches one note once, however its path is spelt', async () => {
    const pinned = worldOf(vault(), { contextNotes: ['now.md'], mentions: [note('Now.md')] });
    expect(await contextNotes.gather(pinned, never)).toHaveLength(1);
    expect(await attachedNotes.gather(pinned, never)).toHaveLength(0);
    const mentioned = worldOf(vault(), { mentions: [note('now.md'), note('Now.md')] });
    expect(await attachedNotes.gather(mentioned, never)).toHaveLength(1);
  });

  it.each(['Gone.md', 'scan.pdf'])('R167 says why %s has no text', async (path) => {
    const [pinned] = await contextNotes.gather(worldOf(vault(), { contextNotes: [path] }), never);
    const [mentioned] = await attachedNotes.gather(worldOf(vault(), { mentions: [note(path)] }), never);
    for (const found of [pinned, mentioned]) {
      expect(found).toMatchObject({ path, text: null });
      expect(found?.problem).toMatch(/\w/);
    }
  });

  it.each([
    ['pinned', contextNotes, { contextNotes: ['Now.md', 'Empty.md', 'Projects/Engine.md'] }],
    ['mentioned', attachedNotes, { mentions: ['Now.md', 'Empty.md', 'Projects/Engine.md'].map(note) }],
  ])('reads the %s notes side by side', async (_name, fact, turn) => {
    let open = 0;
    let most = 0;
    const world = {
      ...worldOf(vault(), turn),
      readNote: async () => {
        most = Math.max(most, ++open);
        await new Promise((resolve) => setTimeout(resolve, 5));
        open -= 1;
        return fail({ kind: 'unreadable' as const, words: 'Locked.', remedy: 'Wait.' });
      },
    };
    const notes = await fact.gather(world, never);
    expect(most).toBe(3);
    expect(notes.map(({ problem }) => problem)).toEqual(Array(3).fill('Locked. Wait.'));
  });

  describe('that the system prompt may contain', () => {
    const rules = { 'AGENTS.md': 'Rules of the house.', 'Docent/memory.md': 'Likes tea.', 'CLAUDE.md': 'Not read.' };
    const paths = Object.keys(rules);
    const named = (path: string, text: string | undefined) =>
      text === undefined ? { path, text: null, inPrompt: true } : { path, text };
    const gather = async (turn: object = {}, settings: object = {}, files: Record<string, string> = rules) => {
      const shelf = fakeVault(files);
      const mentioned = worldOf(shelf, { mentions: paths.map(note), ...turn });
      const pinned = worldOf(shelf, { contextNotes: paths, ...turn });
      const worlds = [mentioned, pinned].map((world) => ({ ...world, settings: { ...world.settings, ...settings } }));
      return [await attachedNotes.gather(worlds[0]!, never), await contextNotes.gather(worlds[1]!, never)];
    };

    it.each<[string, object, object, readonly (string | undefined)[]]>([
      ['both', {}, {}, [undefined, undefined]],
      ['other sections are off', { sectionsOff: ['git'] }, {}, [undefined, undefined]],
      ['the section of the file is off', { sectionsOff: ['project-context'] }, {}, [rules['AGENTS.md'], undefined]],
      ['the section of the memory is off', { sectionsOff: ['git', 'user-memory'] }, {}, [undefined, 'Likes tea.']],
      ['the file waits for the first touch', {}, { contextFilesIn: 'first-touch' }, [rules['AGENTS.md'], undefined]],
    ])('R227 are sent by name alone where it does: %s', async (_what, turn, settings, [file, memory]) => {
      const expected = [named('AGENTS.md', file), named('Docent/memory.md', memory), named('CLAUDE.md', 'Not read.')];
      expect(await gather(turn, settings)).toEqual([expected, expected]);
    });

    it('R227 are sent with their text where they are too long for it', async () => {
      // A token is four characters, and 3% of the window is the maximum.
      const files = { ...rules, 'AGENTS.md': 'x'.repeat(1_200), 'Docent/memory.md': 'x'.repeat(1_204) };
      const [mentioned] = await gather({ contextWindow: 10_000 }, {}, files);
      expect(mentioned?.map(({ path, text }) => [path, text?.length])).toEqual([
        ...[
          ['AGENTS.md', undefined],
          ['Docent/memory.md', 1_204],
        ],
        ['CLAUDE.md', 9],
      ]);
    });
  });
});

describe('prompts', () => {
  it('R165 lists the prompt notes with their names and descriptions', async () => {
    expect(await availablePrompts.gather(worldOf(vault()), never)).toEqual([
      { id: 'Docent/prompts/Plain.md', name: 'Plain', description: '' },
      { id: 'Docent/prompts/Tighten.md', name: 'Tighten this', description: 'Cuts words' },
    ]);
  });

  it('R171 gives the text of applied prompts without their properties', async () => {
    const world = worldOf(vault(), {
      mentions: [prompt('Docent/prompts/Tighten.md'), prompt('Docent/prompts/Gone.md')],
    });
    expect(await customPrompts.gather(world, never)).toEqual([
      { name: 'Tighten this', prompt: 'Cut every needless word.' },
    ]);
  });

  it('R176 gives the text of the standing prompt, or nothing', async () => {
    const read = (path: string | null) => selectedPrompt.gather(worldOf(vault(), { selectedPrompt: path }), never);
    expect(await read('Docent/prompts/Tighten.md')).toBe('Cut every needless word.');
    expect(await read('Docent/prompts/Gone.md')).toBeNull();
    expect(await read(null)).toBeNull();
  });
});

describe('workspaces', () => {
  const boat = {
    id: 'Docent/workspaces/Boat.md',
    name: 'Boat',
    description: 'The refit',
    rootFolder: 'Projects',
  };

  it('R164 lists the workspace notes', async () => {
    expect(await availableWorkspaces.gather(worldOf(vault()), never)).toEqual([boat]);
  });

  it('R173 R177 loads scope, instructions, key notes and recent notes', async () => {
    const world = worldOf(vault(), { selectedWorkspace: boat.id });
    expect(await selectedWorkspace.gather(world, never)).toEqual({
      loaded: {
        ...boat,
        context: { name: 'Boat', description: 'The refit', instructions: 'Prefer metric.' },
        keyFiles: ['Projects/Engine.md'],
        recentFiles: ['Projects/Sails/Main.md', 'Projects/Engine.md'],
        workspaceStructure: ['Projects/Sails'],
      },
      basic: null,
    });
  });

  it('R174 loads each mentioned workspace on its own', async () => {
    const world = worldOf(vault(), { mentions: [workspace('Docent/workspaces/Gone.md'), workspace(boat.id)] });
    const found = await workspaceReferences.gather(world, never);
    expect(found.map(({ data }) => data?.name ?? null)).toEqual([null, 'Boat']);
  });

  it('is nothing when none is selected', async () => {
    expect(await selectedWorkspace.gather(worldOf(vault()), never)).toBeNull();
  });
});

describe('what the chat knows', () => {
  it('R143 offeredTools are those that the turn declares', () => {
    const world = worldOf(vault(), { toolNames: ['read_note'] });
    expect(offeredTools.gather(world, never)).toEqual({ toolNames: ['read_note'] });
  });

  it('R170 describes the hinted tools, and says which are not there', () => {
    const mentions = [
      { kind: 'tool' as const, id: 'search_notes', label: 'Search' },
      { kind: 'tool' as const, id: 'unknown_tool', label: '?' },
    ];
    expect(toolHints.gather(worldOf(vault(), { mentions }), never)).toEqual([
      { name: 'search_notes', description: 'Searches the notes.' },
      { name: 'unknown_tool', description: 'Not available in this chat. Say so if the request needs it.' },
    ]);
  });

  it('R154 R159 hands over agents and the fixed ids, or nothing for native tools', () => {
    const agents = [{ name: 'search', description: 'd', tools: ['t'] }];
    const gather = (toolAgents: typeof agents | null) =>
      toolsAndContext.gather(worldOf(vault(), { toolAgents }), never);
    expect(gather(agents)).toEqual({ sessionId: 'c1', workspaceId: 'default', agents });
    expect(gather(null)).toBeNull();
    expect(toolsAndContext.gather(worldOf(vault(), { toolAgents: [], toolNames: [] }), never)).toBeNull();
  });

  describe('R145 the status of the context window', () => {
    const status = { usedTokens: 1, maxTokens: 2, percentUsed: 50, status: 'ok' as const, statusMessage: '' };
    const gather = async (sent: string | null, now: Partial<ContextStatusInfo> | null = {}) =>
      contextStatus.gather(
        worldOf(vault(), {
          contextStatus: now && { ...status, ...now },
          ...(sent === null ? {} : { lastSent: new Map([['context-status', sent]]) }),
        }),
        never,
      );

    it('is sent as it is', async () => expect(await gather(null)).toEqual(status));
    it('is sent again once the share has moved by five points, from the full form and from the brief one', async () => {
      const full = '<context_status>\nTokens: 1/2 (50% used)\nStatus: OK\n</context_status>';
      expect(await gather(full, { percentUsed: 54 })).toBeNull();
      expect((await gather(full, { percentUsed: 55 }))?.percentUsed).toBe(55);
      expect((await gather(full, { percentUsed: 40 }))?.percentUsed).toBe(40);
      const brief = '<context_status>\nStatus: OK, 50% used\n</context_status>';
      expect(await gather(brief, { percentUsed: 54 })).toBeNull();
      expect((await gather(brief, { percentUsed: 55 }))?.percentUsed).toBe(55);
    });
    it('is sent again in a tiny window once the share has moved by fifteen points', async () => {
      const full = '<context_status>\nTokens: 1/2 (50% used)\nStatus: OK\n</context_status>';
      const gatherAt = (contextWindow: number, percentUsed: number) =>
        contextStatus.gather(
          worldOf(vault(), {
            contextWindow,
            contextStatus: { ...status, percentUsed },
            lastSent: new Map([['context-status', full]]),
          }),
          never,
        );
      expect(await gatherAt(8_192, 64)).toBeNull();
      expect((await gatherAt(8_192, 65))?.percentUsed).toBe(65);
      expect((await gatherAt(8_193, 55))?.percentUsed).toBe(55);
    });
    it('is sent again at once when the level changes', async () => {
      const sent = '<context_status>\nTokens: 1/2 (74% used)\nStatus: OK\n</context_status>';
      expect((await gather(sent, { percentUsed: 75, status: 'warning' }))?.status).toBe('warning');
    });
    it('is nothing without one', async () => expect(await gather('Status: OK', null)).toBeNull());
  });

  it('K2 the summary is in the history of a chat, and never in its system prompt', () => {
    expect(previousContext.gather(worldOf(vault()), never)).toBeNull();
  });

  it('R104 takes the template of the mode and tier', async () => {
    const at = (mode: 'assistant' | 'planning', tier: 1 | 3) =>
      modeTemplate.gather(worldOf(vault(), { mode, tier }), never);
    expect(await at('planning', 3)).toMatch(/planner/);
    expect(await at('assistant', 1)).not.toBe(await at('assistant', 3));
  });
});

it('R178 keeps what is known of a chosen workspace whose note cannot be read, or is missing', async () => {
  const path = 'Docent/workspaces/Boat.md';
  const unreadable = {
    ...worldOf(vault(), { selectedWorkspace: path }),
    readNote: () => Promise.resolve(fail<never>({ kind: 'unreadable', words: 'Locked.', remedy: '' })),
  };
  const kept = await selectedWorkspace.gather(unreadable, never);
  expect(kept).toMatchObject({ loaded: null, basic: { id: path, name: 'Boat' } });
  expect(Object.keys(kept?.basic as object)).toContain('rootFolder');
  const gone = worldOf(vault(), { selectedWorkspace: 'Docent/workspaces/Old.md' });
  expect(await selectedWorkspace.gather(gone, never)).toEqual({
    loaded: null,
    basic: { id: 'Docent/workspaces/Old.md', name: 'Old' },
  });
});
