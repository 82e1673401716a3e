/**
 * Reads the templates of the modes as they are sent, for each level, permission mode and set of tools: plain sentences,
 * no tool that is not offered, and nothing about acts that a chat cannot do (docs/decisions/0027-one-voice-in-modes.md).
 */
import { toolNames } from '../../../../src/core/markup/variables';
import { fullRecord, offersOf } from '../../../../src/core/prompt/template-record';
import { builtInTemplates } from '../../../../src/core/prompt/tiered-prompt-store';
import type { TemplateRecord } from '../../../../src/core/prompt/world';
import { type ModeId, modeIds, permissionModes, type Tier, tiers } from '../../../../src/core/settings/mode';
import { tools } from '../../../../src/core/tools';
import { offeredIn } from '../../../../src/core/tools/tool';
import { openTiktoken } from '../../../bench/baselines/tiktoken';
import { expectNoFaults } from '../../expect-no-faults';

const modes = modeIds.filter((mode) => mode !== 'user');
const searchTools: readonly string[] = [toolNames.searchNotes, toolNames.findNotes];
const maxWords = 20;
const maxLines: Partial<Record<Tier, number>> = { 1: 8, 2: 20 };
const maxTokens: Record<Tier, number> = { 1: 200, 2: 500, 3: 1000, 4: 1500, 5: 1500 };
const oracle = openTiktoken();

/** What the voice guide and the glossary replace, and constructions that it forbids. */
const phrases = [
  ...['stands?', 'stood', 'lies', 'told', 'kept', 'gone', 'anew', 'of late', 'meanwhile', 'whatever', 'by itself'],
  ...['mend(?:s|ed)?', 'heed(?:s|ed)?', 'wish(?:es)?', 'put (?:aside|away)', 'let go', 't(?:ake|ook|aken|akes) back'],
  ...['take (?:it|them) back', 'c(?:arry|arries|arried) out', 'go(?:es)? on', 'read on', 'look-ups?', 'lead nowhere'],
  ...['material', 'sub-agents?', 'orders?(?= in)', 'helpers?', 'aims?', 'is reported', 'are reported', 'in vain'],
  ...['no opening', 'up to three questions', 'no exploring'],
];
const markedPhrases = new RegExp(String.raw`\b(?:${phrases.join('|')})(?![\w-])`, 'gi');

/** Acts that a text may speak of only in a chat that can do them. */
const searching = /\bsearch|\blist notes\b/i;
const changing = /\bpropose|\bpermission\b|\bbatch|\bchange only\b|\byou (?:changed?|move|rename|delete|create)\b/i;
const asking = /\bask (?:one question|at most|the user|first|which|only)\b|, ask\b/i;

interface Place {
  readonly mode: ModeId;
  readonly record: TemplateRecord;
}

/** All tools of the level and permission mode, none, all but those that search, and those of a user who cannot answer. */
function places(): Place[] {
  return modes.flatMap((mode) =>
    tiers.flatMap((tier) =>
      permissionModes.flatMap((permissionMode) => {
        const all = offeredIn(tools, tier, permissionMode).map(({ name }) => name);
        const sets = [all, [], all.filter((name) => !searchTools.includes(name))];
        return sets.flatMap((toolNames) =>
          [true, false].map((interactive) => {
            const offered = interactive ? toolNames : toolNames.filter((name) => name !== 'ask_user');
            const offers = offersOf({ toolNames: offered });
            return { mode, record: { ...fullRecord(tier, mode), permissionMode, interactive, offers } };
          }),
        );
      }),
    ),
  );
}

const textOf = ({ mode, record }: Place): string => builtInTemplates.get(mode, record.tier, record) ?? '';

function nameOf({ mode, record }: Place): string {
  const { tier, permissionMode, interactive, offers } = record;
  return `${mode} ${tier}, ${permissionMode}, ${interactive ? '' : 'not '}interactive, ${offers.any ? '' : 'no '}tools, ${offers.search ? '' : 'no '}search`;
}

function sentencesIn(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line) => line.replace(/^- /, '').split(/(?<=[.?!])\s+/))
    .filter((sentence) => sentence.trim() !== '');
}

/** One sentence for each fault in a text. */
function faultsIn(text: string, { tier, permissionMode, interactive, offers, tools: names }: TemplateRecord): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const absent = Object.entries<string>(names).filter(([key]) => !offers[key as keyof typeof names]);
  const mayChange = offers.writing && permissionMode !== 'plan' && permissionMode !== 'read-only';
  const forbidden = [
    [offers.search, searching, 'speaks of a search'],
    [mayChange, changing, 'speaks of changes'],
    [interactive, asking, 'asks'],
  ] as const;
  return [
    ...sentencesIn(text)
      .filter((sentence) => sentence.split(/\s+/).length > maxWords)
      .map((sentence) => `more than ${maxWords} words: ${sentence}`),
    ...(text.match(markedPhrases) ?? []).map((phrase) => `write another word for “${phrase}”`),
    ...absent.filter(([, name]) => new RegExp(`\\b${name}\\b`).test(text)).map(([, name]) => `names ${name}`),
    ...forbidden.flatMap(([can, words, fault]) =>
      can ? [] : lines.filter((line) => words.test(line)).map((line) => `${fault}: ${line}`),
    ),
    ...(lines.length > (maxLines[tier] ?? Infinity) ? [`has ${lines.length} lines`] : []),
    ...(oracle.count(text) > maxTokens[tier] ? ['is over its budget'] : []),
    ...(/[^\x20-\x7e\n]/.test(text) ? ['has a character beyond ASCII'] : []),
    ...(/^- *$|^ |\n\n\n|\S {2}\S|undefined/m.test(text) ? ['has a gap'] : []),
  ];
}

it('R143 R258 no template of a mode names what is not offered, or is long, or breaks a rule of the voice', () => {
  const all = places();
  expect(all.length).toBe(4 * 5 * 4 * 3 * 2);
  const found = new Map<string, string>();
  for (const place of all) {
    for (const fault of faultsIn(textOf(place), place.record)) found.set(`${place.mode}: ${fault}`, nameOf(place));
  }
  expectNoFaults([...found].map(([fault, place]) => `${fault} (${place})`));
});

it('R258 fills at least 60 % of each budget from level 2 on, and keeps the Assistant of level 5 near 900 tokens', () => {
  for (const mode of modes) {
    for (const tier of tiers.filter((each) => each > 1)) {
      const tokens = oracle.count(builtInTemplates.get(mode, tier) ?? '');
      expect([mode, tier, tokens >= 0.6 * maxTokens[tier]]).toEqual([mode, tier, true]);
    }
  }
  expect(oracle.count(builtInTemplates.get('assistant', 5) ?? '')).toBeLessThanOrEqual(910);
});

it('each template states once what is a question, what is a request, and what to assume', () => {
  for (const mode of modes) {
    for (const tier of tiers) {
      const text = builtInTemplates.get(mode, tier) ?? '';
      expect([mode, tier, (text.match(/\bask one question with choices through ask_user\b/g) ?? []).length]).toEqual([
        mode,
        tier,
        tier > 1 ? 1 : 0,
      ]);
      expect([mode, tier, /propose/.test(text), /assume/i.test(text) || /likelier/.test(text) || tier === 1]).toEqual([
        mode,
        tier,
        true,
        true,
      ]);
    }
  }
});

it.each([
  ['Search for the note.', { offers: offersOf({ toolNames: [] }) }, 'speaks of a search'],
  ['Propose the whole change.', { permissionMode: 'read-only' }, 'speaks of changes'],
  ['If two notes fit, ask one question.', { interactive: false }, 'asks'],
  ['Use read_note.', { offers: offersOf({ toolNames: [] }) }, 'names read_note'],
  [`Read ${'one '.repeat(20)}note.`, {}, 'more than 20 words'],
  ['A look-up is reported.', {}, 'write another word'],
] as const)('is checked: %s', (text, other, fault) => {
  expect(faultsIn(text, { ...fullRecord(3, 'assistant'), ...other }).join('\n')).toContain(fault);
});
