/** No name and no body can change the prompt around it, and each comes back character for character (rules 6.7, K11). */
import * as fc from 'fast-check';
import { formatBasic, formatWorkspaceData } from '../../src/core/library/workspaces';
import { decodeAttribute, decodeText, escapeAttribute, escapeText } from '../../src/core/markup/escapes';
import { tags } from '../../src/core/markup/tags';
import { SystemPromptBuilder, type SystemPromptOptions } from '../../src/core/prompt/system-prompt-builder';
import { drawn } from './drawn-cases';
import { hostileBody, hostileText, seed } from './hostile-text';
import { bodyOf, type ReadElement, readMarkup } from './read-markup';

interface Hostile {
  readonly mode: string;
  readonly notes: readonly { path: string; text: string | null }[];
  readonly mentioned: readonly { path: string; content: string }[];
  readonly prompts: readonly { name: string; prompt: string }[];
  readonly workspaces: readonly { id: string; name: string; instructions: string; full: boolean }[];
  readonly listed: string;
  readonly selected: string;
}

const few = { maxLength: 2 };
const hostile: fc.Arbitrary<Hostile> = fc.record({
  mode: hostileText,
  notes: fc.uniqueArray(fc.record({ path: hostileText, text: fc.option(hostileBody) }), {
    ...few,
    selector: ({ path }) => path,
  }),
  mentioned: fc.array(fc.record({ path: hostileText.map((text) => `mentioned ${text}`), content: hostileText }), few),
  prompts: fc.array(fc.record({ name: hostileText, prompt: hostileText }), few),
  workspaces: fc.array(
    fc.record({ id: hostileText, name: hostileText, instructions: hostileText, full: fc.boolean() }),
    { maxLength: 1 },
  ),
  listed: hostileText.map((text) => `listed ${text}`),
  selected: hostileText,
});

const workspaceOf = ({ id, name, instructions, full }: Hostile['workspaces'][number]) =>
  full ? { id, name, context: { name, instructions } } : { id, name, description: instructions };

function optionsOf(input: Hostile): SystemPromptOptions {
  const summary = ({ id, name }: { id: string; name: string }) => ({ id, name, rootFolder: '/' });
  const { listed } = input;
  return {
    modeText: input.mode,
    sessionId: listed,
    workspaceId: listed,
    toolAgents: [{ name: listed, description: listed, tools: [listed] }],
    vaultStructure: { rootFolders: [listed], rootFiles: [listed] },
    availableWorkspaces: [{ ...summary({ id: listed, name: listed }), description: listed }],
    availablePrompts: [{ id: listed, name: listed, description: listed }],
    contextStatus: { usedTokens: 1, maxTokens: 2, percentUsed: 50, status: 'warning', statusMessage: listed },
    previousContext: {
      summary: listed,
      filesReferenced: [listed],
      topics: [listed],
      messagesRemoved: 1,
      messagesKept: 1,
    },
    contextNotes: input.notes.map(({ path }) => path),
    messageEnhancement: {
      tools: [{ name: listed, description: listed }],
      prompts: input.prompts,
      notes: input.mentioned,
      workspaces: input.workspaces.map(summary),
    },
    customPrompt: input.selected,
    loadedWorkspaceData: input.workspaces[0] === undefined ? null : workspaceOf(input.workspaces[0]),
  };
}

function builderOf(input: Hostile): SystemPromptBuilder {
  return new SystemPromptBuilder(
    async (path) => {
      const text = input.notes.find((note) => note.path === path)?.text;
      if (text === undefined || text === null) throw new Error('unreadable');
      return text;
    },
    async (id) => {
      const found = input.workspaces.find((workspace) => workspace.id === id);
      return found === undefined ? null : workspaceOf(found);
    },
  );
}

const knownTags = new Set<string>(tags);

function all(element: ReadElement, tag: string): ReadElement[] {
  return element.children.flatMap((child) => [...(child.tag === tag ? [child] : []), ...all(child, tag)]);
}

function expectEqual(what: string, actual: unknown, expected: unknown): void {
  const [a, e] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== e) throw new Error(`${what}\n  is        ${a?.slice(0, 500)}\n  should be ${e?.slice(0, 500)}`);
}

/** Throws when the prompt does not hold exactly what was put in. */
function check(input: Hostile, prompt: string): void {
  const root = readMarkup(prompt);
  const outer = [
    'context_status',
    'previous_context',
    'tools_and_context',
    'vault_structure',
    'available_workspaces',
    'available_prompts',
    ...(input.notes.length + input.mentioned.length > 0 ? ['files'] : []),
    'tool_hints',
    ...(input.prompts.length > 0 ? ['custom_prompts'] : []),
    ...(input.workspaces.length > 0 ? ['workspaces'] : []),
    ...(input.selected === '' ? [] : ['selected_prompt']),
    ...(input.workspaces.length > 0 ? ['selected_workspace'] : []),
  ];
  expectEqual(
    'The sections',
    root.children.map(({ tag }) => tag),
    outer,
  );
  for (const child of root.children) {
    for (const inner of child.children) {
      if (!knownTags.has(inner.tag) || inner.children.length > 0) throw new Error(`A stranger: ${inner.tag}`);
    }
  }
  const firsts = input.mentioned.filter(
    ({ path }, index) => input.mentioned.findIndex((other) => other.path === path) === index,
  );
  expectEqual(
    'The notes',
    all(root, 'note').map((note) => [note.attributes, bodyOf(note)]),
    [
      ...input.notes.map(({ path, text }) => [{ path: path }, text ?? '[File content unavailable]']),
      ...firsts.map(({ path, content }) => [{ path: path }, content]),
    ],
  );
  expectEqual(
    'The prompts',
    all(root, 'prompt').map((prompt) => [prompt.attributes, bodyOf(prompt)]),
    input.prompts.map(({ name, prompt }) => [{ name: name }, prompt]),
  );
  expectEqual(
    'The workspaces',
    all(root, 'workspace').map(bodyOf),
    input.workspaces.map((workspace) => {
      const data = workspaceOf(workspace);
      return workspace.full ? formatWorkspaceData(data) : formatBasic(data);
    }),
  );
  if (input.selected !== '')
    expectEqual('The standing prompt', all(root, 'selected_prompt').map(bodyOf), [
      `The user chose this prompt for the chat. Follow it:\n\n${input.selected}`,
    ]);
  for (const tag of [
    'vault_structure',
    'available_prompts',
    'available_workspaces',
    'tool_hints',
    'previous_context',
  ]) {
    if (!all(root, tag)[0]?.text.includes(input.listed)) throw new Error(`${tag} lost what it lists.`);
  }
  if (!root.text.includes(input.mode)) throw new Error('The mode text was lost.');
}

/** What a builder does that trusts its notes, as the control: the check must catch it. */
function naive(input: Hostile): string {
  const notes = input.notes.map(({ path, text }) => `<note path="${path}">\n${text}\n</note>`);
  return [input.mode, '<files>', ...notes, '</files>'].join('\n');
}

describe('prompts over hostile names and bodies', () => {
  it('K11 R166 R171 R179 R180 have no tag but ours and give everything back', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, async (input) => {
        check(input, (await builderOf(input).build(optionsOf(input))) ?? '');
      }),
      drawn(10_000),
    );
  }, 60_000);

  it('catch a builder that does not escape', () => {
    const inputs = fc.sample(hostile, { numRuns: 500, seed }).filter(({ notes }) => notes.length > 0);
    const caught = inputs.filter((input) => {
      try {
        readMarkup(naive(input));
        return false;
      } catch {
        return true;
      }
    });
    expect(caught.length / inputs.length).toBeGreaterThan(0.7);
  });
});

describe('escaping', () => {
  it('R180 is undone by one pass, and leaves nothing that reads like a tag', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const [escaped, value] = [escapeText(text), escapeAttribute(text).text];
        expectEqual('the text', decodeText(escaped), text);
        expectEqual('the value', decodeAttribute(value), text);
        if (readMarkup(escaped).children.length > 0) throw new Error(`still a tag: ${escaped}`);
        if (/["\r\n\t]/.test(value)) throw new Error('an attribute can be ended');
      }),
      drawn(20_000),
    );
  });

  it('leaves a text alone that has neither our tags nor hidden characters', () => {
    const ordinary = fc.array(
      fc.constantFrom('a < b && c', '<td>', '</p>', '&amp;', 'R&D', '\r\n', '\u05d1\u05bc', '|'),
    );
    fc.assert(
      fc.property(ordinary, (parts) => {
        const text = parts.join(' ');
        expectEqual('the text', escapeText(text), text);
      }),
      { seed },
    );
  });
});
