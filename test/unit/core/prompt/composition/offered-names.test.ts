/** No text for a model names a tool that it does not have: every level, permission mode, role, and form (R143). */
import { sectionValues } from '../../../../goldens/section-values';
import { builtInSubagents, toolsFor } from '../../../../../src/core/library/subagents';
import { toolNames } from '../../../../../src/core/markup/variables';
import { write } from '../../../../../src/core/markup/markup';
import { offeredTools } from '../../../../../src/core/prompt/facts/turn-state';
import type { Section } from '../../../../../src/core/prompt/section';
import { sections } from '../../../../../src/core/prompt/sections';
import { environment } from '../../../../../src/core/prompt/sections/environment';
import { builtInTemplates } from '../../../../../src/core/prompt/tiered-prompt-store';
import { visibleEntries } from '../../../../../src/core/request/history';
import type { FormChange, SessionEntry } from '../../../../../src/core/session/entry';
import { targetOf } from '../../../../../src/core/session/log-state';
import { modeIds, permissionModes, type PermissionMode, type Tier, tiers } from '../../../../../src/core/settings/mode';
import { tools } from '../../../../../src/core/tools';
import { declare, offeredIn, type Tool } from '../../../../../src/core/tools/tool';
import { fakeVault } from '../../../../support/fake-vault';
import { roughTokenizer } from '../../../../support/memory-ports';
import type { Values } from '../../../../support/render-section';
import { never, worldOf } from '../../../../support/turn-world';
import { readSources } from '../../../read-sources';

const everyName: readonly string[] = Object.values(toolNames);
const named = new RegExp(`\\b(?:${everyName.join('|')})\\b`, 'g');

function notOffered(text: string, offered: readonly string[]): string[] {
  return [...new Set(text.match(named) ?? [])].filter((name) => !offered.includes(name));
}

interface Place {
  readonly tier: Tier;
  readonly permissionMode: PermissionMode;
  readonly offered: readonly string[];
}

const places: readonly Place[] = tiers.flatMap((tier) =>
  permissionModes.flatMap((permissionMode) => {
    const offered = offeredIn(tools, tier, permissionMode).map(({ name }) => name);
    return [
      { tier, permissionMode, offered },
      { tier, permissionMode, offered: [] },
    ];
  }),
);
const describePlace = ({ tier, permissionMode, offered }: Place): string =>
  `level ${tier}, ${permissionMode}, ${offered.length} tools`;

const status = { usedTokens: 900, maxTokens: 1_000, percentUsed: 90, statusMessage: '' };
const list = { total: 5_000, rows: [], notes: [] };
const longNotes = Array.from({ length: 12 }, (_, index) => ({
  path: `${index}.md`,
  text: 'A line of text.\n'.repeat(80),
}));

/** Values besides those of the goldens that make a section say something else. */
const further: Readonly<Record<string, readonly Values[]>> = {
  'context-status': ['ok', 'critical'].map((level) => ({ status: { ...status, status: level } })),
  'vault-listing': [
    { listing: { form: 'files', paths: ['A.md'] } },
    { listing: { form: 'folders', files: 2, isWhole: true, depth: 1, rows: [{ path: 'A', files: 2 }], rootFiles: [] } },
    { listing: { form: 'root', rootFolders: ['A'], rootFiles: [], omitted: 3 } },
  ],
  files: [
    { notes: longNotes, lists: [] },
    {
      notes: [],
      lists: [
        { ...list, kind: 'tag', id: '#tea' },
        { ...list, kind: 'folder', id: '' },
      ],
    },
  ],
  'context-notes': [{ notes: longNotes.map((note) => ({ ...note, pinned: true })) }],
};

/** What a section says of these values, in all of its forms. */
function formsOf(section: Section, values: Values): string {
  if (!section.when(values)) return '';
  const measure = { count: (text: string) => roughTokenizer.count(text) };
  const shortened = [20, 60, 150, 400, 1_500].map((tokens) => section.shorten?.(values, tokens, measure) ?? []);
  const items = (section.items?.(values) ?? []).map(({ content }) => content);
  return [section.full(values), section.brief?.(values) ?? [], ...shortened, ...items]
    .map((content) => write(content).text)
    .join('\n');
}

async function valuesFor(section: Section, { tier, permissionMode, offered }: Place): Promise<Values[]> {
  const turn = { tier, permissionMode, toolNames: offered };
  const around = await environment.gather(worldOf(fakeVault({}), turn), never);
  const [withTools, withState] = [section.needs['tools'] === offeredTools, section.needs['state'] !== undefined];
  return [sectionValues[section.id] ?? {}, ...(further[section.id] ?? [])].flatMap((values) =>
    [true, false].flatMap((interactive) =>
      [true, false].map((modernModel) => ({
        ...values,
        ...(section.id === 'environment' && { environment: around }),
        ...(withState && { state: { ...(values['state'] as object), ...turn, interactive, modernModel } }),
        ...(withTools && { tools: turn }),
      })),
    ),
  );
}

describe('R143 names of tools', () => {
  it.each(places.map((place) => [describePlace(place), place] as const))('in sections: %s', async (_name, place) => {
    for (const section of sections) {
      // Both say what the turn gives them: the tools that it offers, and those that the user named.
      if (['tools-and-context', 'tool-hints', 'system-extra'].includes(section.id)) continue;
      const texts = (await valuesFor(section, place)).map((values) => formsOf(section, values)).join('\n');
      expect([section.id, notOffered(texts, place.offered)]).toEqual([section.id, []]);
    }
  });

  it('in the templates of all modes and levels', () => {
    for (const mode of modeIds) {
      for (const tier of tiers) {
        const offered = offeredIn(tools, tier, 'read-only').map(({ name }) => name);
        expect(notOffered(builtInTemplates.serve(mode, tier, null).text, offered)).toEqual([]);
      }
    }
  });

  it('in declarations: level, permission mode, sub-agent', () => {
    const sets: readonly (readonly Tool[])[] = [
      tools,
      ...builtInSubagents.map((subagent) => toolsFor(subagent, tools)),
      ...tools.map((each) => [each]),
    ];
    for (const set of sets) {
      for (const { tier, permissionMode } of places) {
        const declared = offeredIn(set, tier, permissionMode).map(declare);
        const names = declared.map(({ name }) => name);
        for (const { name, ...rest } of declared)
          expect([name, notOffered(JSON.stringify(rest), names)]).toEqual([name, []]);
      }
    }
  });

  it('in what replaces results and notes: the tool that gives them back, or the same call', () => {
    for (const tier of tiers) {
      const offered = offeredIn(tools, tier, 'read-only').map(({ name }) => name);
      for (const form of ['masked', 'outline', 'dropped', 'whole'] as const) {
        const seen = JSON.stringify(visibleEntries(logAt(tier, form)).filter(({ kind }) => kind !== 'prompt-rebuilt'));
        expect(notOffered(seen, offered)).toEqual([]);
        expect(seen).toMatch(
          tier < 3
            ? /\. Call the tool again for the part you need \(result \\\\?"r\d+\\\\?"\)\.\]/
            : /\. Call recall_output with handle/,
        );
      }
    }
  });

  it('stand alone in the code, so that each text takes them from what is offered', () => {
    const sources = readSources('src');
    const alone = new RegExp(`(['"\`])(?:${everyName.join('|')})\\1`, 'g');
    const spelled = new RegExp(`\\b(?:${everyName.filter((name) => name.includes('_')).join('|')})\\b`);
    const code = sources.files.filter((path) => /\.tsx?$/.test(path));
    expect(code.length).toBeGreaterThan(300);
    const spelling = code.flatMap((path) =>
      (spelled.test(sources.textOf(path)) ? sources.codeOf(path) : '')
        .split('\n')
        .filter((line) => spelled.test(line.replace(alone, '')))
        .map((line) => `${path}: ${line.trim()}`),
    );
    expect(spelling).toEqual([]);
  });
});

function logAt(tier: Tier, form: 'masked' | 'outline' | 'dropped' | 'whole'): SessionEntry[] {
  const text = 'A line of the result.\n'.repeat(200);
  const head = (id: string) => ({ id, time: 0, session: 's' });
  const forms: FormChange[] = [
    { target: targetOf.result('r1'), form },
    { target: targetOf.note('z1', 'A.md'), form: form === 'masked' ? 'dropped' : form },
  ];
  const note = `<files>\n<note path="A.md">\n${text}\n</note>\n</files>`;
  return [
    { ...head('p1'), kind: 'prompt-rebuilt', tier },
    { ...head('u1'), kind: 'user', text: 'Read it.', mentions: [] },
    { ...head('z1'), kind: 'turn-zone', before: [{ section: 'files', text: note }], after: [], mode: 'assistant' },
    {
      ...head('a1'),
      kind: 'assistant',
      parts: [{ type: 'tool-call', id: 'c1', name: 'read_note', argumentsText: '{}' }],
    },
    {
      ...{ ...head('r1'), kind: 'tool-result', callId: 'c1', name: 'read_note', text, isError: false, sources: [] },
      shown: { head: 400, tail: 400 },
    },
    { ...head('f1'), kind: 'context-forms', forms, by: 'user' },
  ] as unknown as SessionEntry[];
}
