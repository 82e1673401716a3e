/** What a summary drops because the chat sends it elsewhere: skills, context files, the open notes, the reminder. */
import {
  chooseCoveredEntries,
  limitsFor,
  pinnedExchanges,
} from '../../../../../src/core/context/compaction/choose-cut';
import { selectOldestToOmit } from '../../../../../src/core/context/compaction/clear-old-parts';
import { listItems } from '../../../../../src/core/context/compaction/list-items';
import { snapshotPartNames } from '../../../../../src/core/context/compaction/snapshot';
import { foldCompacted, foldTurnMemory } from '../../../../../src/core/context/turn-context';
import type { RequestPlan } from '../../../../../src/core/ports/request-plan';
import { foldLog, visibleEntries } from '../../../../../src/core/request/history';
import { formatSummary } from '../../../../../src/core/request/history-text';
import { countMessages } from '../../../../../src/core/request/plan-request';
import type { EntryBody, SessionEntry, Snapshot } from '../../../../../src/core/session/entry';
import { contextFilesIn, targetOf } from '../../../../../src/core/session/log-state';
import { answer, entry, result, toolCall, user } from '../../../../support/entries';
import { roughTokenizer } from '../../../../support/memory-ports';

const snapshot = Object.fromEntries(snapshotPartNames.map((name) => [name, `about ${name}`])) as Snapshot;
const editor = { activeNote: null, otherOpenNotes: ['A.md'] };
const skill = 'Docent/skills/boats/SKILL.md';

function zone(): EntryBody {
  const after = [{ section: 'reminder', text: '<reminder>x</reminder>' }];
  return { kind: 'turn-zone', before: [], after, mode: 'assistant', editor };
}

function activation(): EntryBody {
  return {
    kind: 'tool-result',
    callId: 's',
    name: 'activate_skill',
    text: 'skill text',
    isError: false,
    sources: [{ path: skill }],
  };
}

function withContextFile(): EntryBody {
  const additions = [{ kind: 'context-file' as const, source: 'Boats/AGENTS.md', text: 'rules' }];
  return { kind: 'tool-result', callId: 'r', name: 'read_note', text: 'note', isError: false, sources: [], additions };
}

function summary(covers: readonly SessionEntry[], skills: readonly string[]): SessionEntry {
  const numbers = { before: 100, after: 10, removed: 4, kept: 1 };
  const ids = covers.map(({ id }) => id);
  return entry({
    kind: 'summary',
    snapshot,
    covers: ids,
    by: 'model',
    trigger: 'manual',
    focus: '',
    ...numbers,
    paths: ['A.md'],
    skills,
  });
}

const older = [
  user('one'),
  zone(),
  answer(toolCall('s', 'activate_skill'), toolCall('r')),
  activation(),
  withContextFile(),
  answer('Done.'),
].map((body) => entry(body));
const newer = [entry(user('two')), entry(zone()), entry(answer('Yes.'))];
const log = [...older, ...newer, summary(older, [skill])];

it('R247 a summary is sent without the parts that say nothing', () => {
  const empty = { ...snapshot, active_constraints: 'none', artifact_trail: '' };
  const text = formatSummary(empty);
  expect(text).toContain('<overall_goal>\nabout overall_goal\n</overall_goal>');
  expect(text).not.toMatch(/active_constraints|artifact_trail|none/);
});

it('R135 skills whose text was summarised are told again from their notes, until they are brought in anew', () => {
  expect(foldCompacted([...older, ...newer]).activeSkills).toEqual([]);
  expect(foldCompacted(log).activeSkills).toEqual([skill]);
  const again = [
    ...log,
    entry(user('three')),
    entry(answer(toolCall('s2', 'activate_skill'))),
    entry({ ...activation(), callId: 's2' } as EntryBody),
  ];
  expect(foldCompacted(again).activeSkills).toEqual([]);
});

it('R193 R199 R216 context files come again, the open notes are told in full, the reminder is due', () => {
  expect(contextFilesIn(visibleEntries(log.slice(0, -1)))).toHaveLength(1);
  expect(contextFilesIn(visibleEntries(log))).toEqual([]);
  expect(foldTurnMemory(log.slice(0, -1))).toMatchObject({ editor });
  const memory = foldTurnMemory(log);
  expect(memory.editor).toBeNull();
  expect(memory.sent.has('reminder')).toBe(false);
});

it('R150 R152 R153 the record for the prompt names notes, open steps and counts', () => {
  const open = { ...snapshot, task_state: '[DONE] a\n[TODO] Ring the yard\n[IN PROGRESS] Order bolts' };
  const made = summary(older, []);
  const entries = [...older, ...newer, { ...made, snapshot: open } as SessionEntry];
  expect(foldCompacted(entries).previousContext).toMatchObject({
    filesReferenced: ['A.md'],
    topics: ['Ring the yard', 'Order bolts'],
    messagesRemoved: 4,
    messagesKept: 1,
  });
});

it('R243 the list says beforehand exactly what an act does to the messages', () => {
  const long = Array.from({ length: 60 }, (_, line) => `## Part ${line}\n${'words '.repeat(30)}`).join('\n');
  const entries = [
    user('Read'),
    answer(toolCall('c')),
    result('c', long),
    answer('Read.'),
    user('Next'),
    answer('Yes.'),
  ].map((body) => entry(body));
  const totals = {
    instructions: 0,
    reference: 0,
    tools: 0,
    turn: 0,
    history: 0,
    all: 0,
    reserve: 1_000,
    window: 16_000,
    exact: false,
  };
  const plan = { blocks: [], totals } as unknown as RequestPlan;
  const choices = { contextNotes: [], sectionsOff: ['git'] };
  const items = listItems({ entries, choices, plan, tokenizer: roughTokenizer });
  expect(items.map(({ kind }) => kind)).toEqual(['section', 'result', 'exchange', 'exchange']);
  const size = (all: readonly SessionEntry[]): number => countMessages(foldLog(all), roughTokenizer);
  let tried = 0;
  for (const { target, acts } of items.filter(({ kind }) => kind !== 'section')) {
    for (const { act, effect } of acts) {
      if (act === 'summarise' || act === 'unpin') continue;
      const changed = [...entries, entry({ kind: 'context-forms', forms: [{ target, form: act }], by: 'user' })];
      expect([target, act, effect]).toEqual([target, act, size(changed) - size(entries)]);
      tried += 1;
    }
  }
  // Whole, pinned, outline and dropped, but for what it is already and what the newest message cannot be.
  expect(tried).toBe(7);
});

it('R243 K28 a message in outline keeps what the user said, its calls and their pairs; pins hold for a note that came with it', () => {
  const prose = Array.from({ length: 8 }, (_, at) => `Paragraph ${at} begins so. ${'More of it. '.repeat(30)}`);
  const whole = [
    user('Read everything'),
    { ...zone(), after: [{ section: 'files', text: '<note path="A.md">\nalpha\n</note>' }] } as EntryBody,
    answer('Reading.', toolCall('c')),
    result('c', prose.join('\n\n')),
    answer(prose.join('\n\n')),
    user('Next'),
    answer('Yes.'),
  ].map((body) => entry(body));
  const [first, attached] = whole;
  const form = (target: string, to: 'outline' | 'pinned'): SessionEntry =>
    entry({ kind: 'context-forms', forms: [{ target, form: to }], by: 'user' });
  const outlined = JSON.stringify(foldLog([...whole, form(targetOf.exchange(first?.id ?? ''), 'outline')]));
  expect(outlined).toContain('Read everything');
  expect(outlined).toContain('Reading.');
  expect(outlined).toContain('Paragraph 7 begins so.');
  expect(outlined).toContain('Only the outline of this answer is shown');
  expect(outlined).toContain('recall_output');
  expect(outlined.length).toBeLessThan(JSON.stringify(foldLog(whole)).length / 2);
  const pinned = pinnedExchanges([...whole, form(targetOf.note(attached?.id ?? '', 'A.md'), 'pinned')]);
  expect([...pinned]).toEqual([first?.id]);
});

it('R218 K28 an image that the user pinned keeps its message out of summaries, and in the request', () => {
  const digest = 'a'.repeat(64);
  const image = { digest, mediaType: 'image/png', width: 10, height: 10, bytes: 10, conversation: 'c1' } as const;
  const asked: EntryBody = {
    kind: 'user',
    text: 'What is this?',
    mentions: [{ kind: 'image', id: 'Boat.png', label: 'Boat.png', image }],
  };
  const chat = [asked, answer('A boat.'), user('And?'), answer('Yes.'), user('Next'), answer('No.')].map((body) =>
    entry(body),
  );
  const [first, , second] = chat;
  const forms = [{ target: targetOf.image(first?.id ?? '', digest), form: 'pinned' as const }];
  const pinned = [...chat, entry({ kind: 'context-forms', forms, by: 'user' })];
  const cover = (entries: readonly SessionEntry[]) =>
    chooseCoveredEntries(entries, visibleEntries(entries), limitsFor(1_000, 1_000), second?.id)?.covers;
  expect(cover(chat)).toContain(first?.id);
  expect(cover(pinned)).not.toContain(first?.id);
  expect(cover(pinned)).toContain(second?.id);
  const dropped = selectOldestToOmit(pinned, visibleEntries(pinned), 1);
  expect(dropped.map(({ target }) => target)).toEqual([targetOf.exchange(second?.id ?? '')]);
});
