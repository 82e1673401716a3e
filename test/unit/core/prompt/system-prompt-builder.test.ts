import { SystemPromptBuilder, type SystemPromptOptions } from '../../../../src/core/prompt/system-prompt-builder';
import { everyOption, loadWorkspace, readNote } from '../../../goldens/every-option';

const unused = async (path: string): Promise<string> => {
  throw new Error(`read ${path}`);
};
const build = (options: SystemPromptOptions, read = unused, load?: typeof loadWorkspace) =>
  new SystemPromptBuilder(read, load).build(options);
const enhancement = { tools: [], prompts: [], notes: [], workspaces: [] };

describe('SystemPromptBuilder', () => {
  it('R022 is null when no section has anything to say', async () => {
    expect(await build({ skipToolsSection: true })).toBeNull();
    const nothing = {
      skipToolsSection: true,
      contextNotes: [],
      messageEnhancement: enhancement,
      customPrompt: '',
      workspaceContext: null,
      loadedWorkspaceData: null,
      vaultStructure: { rootFolders: [], rootFiles: [] },
      availableWorkspaces: [],
      availablePrompts: [],
      contextStatus: null,
      previousContext: null,
    };
    expect(await build(nothing)).toBeNull();
  });

  it('R022 joins sections with one newline', async () => {
    const prompt = await build({ skipToolsSection: true, modeText: 'A', customPrompt: 'B' });
    expect(prompt).toBe(
      'A\n<selected_prompt>\nThe user chose this prompt for the chat. Follow it:\n\nB\n</selected_prompt>',
    );
  });

  it('R023 R144 says every option in the order of a built prompt', async () => {
    const prompt = (await build(everyOption, readNote, loadWorkspace)) ?? '';
    const order = [
      '<context_status>',
      '<previous_context>',
      'You read the notes',
      '<tools_and_context>',
      '<vault_structure>',
      '<available_workspaces>',
      '<available_prompts>',
      '<files>',
      '<tool_hints>',
      '<custom_prompts>',
      '<workspaces>',
      '<selected_prompt>',
      '<selected_workspace ',
    ].map((tag) => prompt.indexOf(tag));
    expect(order).not.toContain(-1);
    expect(order).toEqual([...order].sort((a, b) => a - b));
  });

  it('R150 says what was summarized, if anything was', async () => {
    const built = async (summary: string): Promise<string | null> => {
      const counts = { messagesRemoved: 4, messagesKept: 2 };
      const previousContext = { summary, filesReferenced: [], topics: [], ...counts };
      return build({ skipToolsSection: true, previousContext });
    };
    expect(await built('The keel was laid.')).toContain('Summary: The keel was laid.');
    expect(await built('')).toBeNull();
  });

  it('R021 reads notes through its callback, all at once', async () => {
    let open = 0;
    let most = 0;
    const read = async (path: string): Promise<string> => {
      open += 1;
      most = Math.max(most, open);
      await new Promise((resolve) => setTimeout(resolve, 5));
      open -= 1;
      return `text of ${path}`;
    };
    const prompt = await build({ skipToolsSection: true, contextNotes: ['a.md', 'b.md', 'c.md'] }, read);
    expect(most).toBe(3);
    expect(prompt?.match(/text of \w\.md/g)).toEqual(['text of a.md', 'text of b.md', 'text of c.md']);
  });

  it('R167 puts a note that fails in its place among the others', async () => {
    const read = (path: string): Promise<string> =>
      path === 'b.md' ? Promise.reject(new Error('locked')) : Promise.resolve(path);
    const prompt = await build({ skipToolsSection: true, contextNotes: ['a.md', 'b.md', 'c.md'] }, read);
    expect(prompt).toMatch(
      /a\.md\n<\/note>\n<note path="b\.md">\n\[File content unavailable\]\n<\/note>\n<note path="c/,
    );
  });

  it('R168 adds mentioned notes after context notes, each path once', async () => {
    const options = {
      skipToolsSection: true,
      contextNotes: ['a.md', 'a.md'],
      messageEnhancement: {
        ...enhancement,
        notes: [
          { path: 'a.md', content: 'again' },
          { path: 'b.md', content: 'mentioned' },
          { path: 'b.md', content: 'twice' },
        ],
      },
    };
    const prompt = await build(options, async () => 'read');
    expect(prompt).toBe('<files>\n<note path="a.md">\nread\n</note>\n<note path="b.md">\nmentioned\n</note>\n</files>');
  });

  it('R174 goes on when a workspace fails to load', async () => {
    const summary = (id: string) => ({ id, name: id, rootFolder: '/' });
    const load = async (id: string) => {
      if (id === 'bad') throw new Error('broken');
      return id === 'none' ? null : { name: `Loaded ${id}` };
    };
    const workspaces = [summary('bad'), summary('none'), summary('good')];
    const prompt = await build(
      { skipToolsSection: true, messageEnhancement: { ...enhancement, workspaces } },
      unused,
      load,
    );
    expect(prompt).toContain('<workspace name="Loaded good" id="good">');
    expect(prompt).not.toMatch(/id="(bad|none)"/);
  });

  it('R265 omits the workspaces when a loader gives nothing at all', async () => {
    const load = (async () => undefined) as unknown as typeof loadWorkspace;
    const workspaces = [{ id: 'a', name: 'A', rootFolder: '/' }];
    expect(
      await build({ skipToolsSection: true, messageEnhancement: { ...enhancement, workspaces } }, unused, load),
    ).toBeNull();
  });

  it('R172 gives basic fields without a loader', async () => {
    const workspaces = [{ id: 'a.md', name: 'A', description: 'about', rootFolder: 'P' }];
    const prompt = await build({ skipToolsSection: true, messageEnhancement: { ...enhancement, workspaces } });
    expect(prompt).toContain('"description": "about"');
    expect(prompt).toContain('"rootFolder": "P"');
  });

  it('R159 K12 uses fixed ids when none are given, the same in every build', async () => {
    const first = await build({});
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await build({})).toBe(first);
    expect(first).toContain('workspaceId: "default"');
  });

  it('R160 skips the tools section on request', async () => {
    expect(await build({ skipToolsSection: true, modeText: 'M' })).toBe('M');
    expect(await build({ modeText: 'M' })).toContain('<tools_and_context>');
  });

  it('K32 gives the same prompt for the same options', async () => {
    const [first, second] = await Promise.all([
      build(everyOption, readNote, loadWorkspace),
      build(everyOption, readNote, loadWorkspace),
    ]);
    expect(first).toBe(second);
  });
});
