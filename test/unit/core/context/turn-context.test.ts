/** What earlier turns have sent, and how the texts around a message stay with it. */
import { Chat } from '../../../../src/core/chat/chat';
import { foldTranscript } from '../../../../src/core/chat/transcript';
import { listItems } from '../../../../src/core/context/compaction/list-items';
import { foldCompacted, foldTurnMemory, notesSentInPart } from '../../../../src/core/context/turn-context';
import { element, write } from '../../../../src/core/markup/markup';
import type { RequestPlan } from '../../../../src/core/ports/request-plan';
import { editorChanges, editorContextSection } from '../../../../src/core/prompt/sections/editor-context';
import { dayNoticeSection } from '../../../../src/core/prompt/sections/environment';
import { modeNoticeSection } from '../../../../src/core/prompt/sections/mode';
import { foldMessages } from '../../../../src/core/request/history';
import { notesIn } from '../../../../src/core/request/history-text';
import { activeEntries } from '../../../../src/core/session/branches';
import type { EditorState, EntryBody } from '../../../../src/core/session/entry';
import { targetOf } from '../../../../src/core/session/log-state';
import { SessionLog } from '../../../../src/core/session/session-log';
import { entry, user } from '../../../support/entries';
import { logPorts, roughTokenizer } from '../../../support/memory-ports';
import { render } from '../../../support/render-section';
import { chatBench, rested, until } from '../../../support/chat-bench';
import { finish, say, scriptedModel } from '../../../support/scripted-model';
import { device, hostState } from '../../../support/turn-world';

const editor = {
  activeNote: { path: 'A.md', cursor: { line: 1, character: 1 }, selectedText: '' },
  otherOpenNotes: [],
};
const zone = (changes: Partial<EntryBody & { kind: 'turn-zone' }> = {}): EntryBody => ({
  kind: 'turn-zone',
  before: [{ section: 'files', text: '<files>\nA\n</files>' }],
  after: [{ section: 'reminder', text: '<reminder>\nR\n</reminder>' }],
  mode: 'assistant',
  editor,
  ...changes,
});
const answer: EntryBody = { kind: 'assistant', parts: [{ type: 'text', text: 'Yes.' }], end: 'complete', model: 'm' };
const fold = (...bodies: EntryBody[]) => foldTurnMemory(bodies.map((body) => entry(body)));
const textsOf = (...bodies: EntryBody[]) =>
  foldMessages(bodies.map((body) => entry(body))).map(({ parts }) =>
    parts.map((part) => ('text' in part ? part.text : '')),
  );

describe('the texts around a message', () => {
  it('stand before and after the words of the user, in the order in which they were sent', () => {
    expect(textsOf(user('Hello?'), zone(), answer, user('And?'))).toEqual([
      ['# Working notes\nHere are the notes:\n\n<files>\nA\n</files>'],
      ['Ok.'],
      ['Hello?', '<reminder>\nR\n</reminder>'],
      ['Yes.'],
      ['And?'],
    ]);
  });

  it('never join an answer, but the message, where an attempt without them was cut off before', () => {
    const [alone, after] = [textsOf(user('Hello?'), zone()), textsOf(user('Hello?'), answer, zone())];
    expect(after).toEqual([...alone, ['Yes.']]);
    expect(alone.at(-1)).toContain('Hello?');
  });
});

describe('the memory of a chat', () => {
  it('is empty before the first turn', () => {
    expect(fold(user('Hello?'))).toEqual({
      headMode: null,
      lastMode: null,
      noticedMode: null,
      editor: null,
      seesOpenNotes: false,
      notes: new Map(),
      sent: new Map(),
      current: false,
      daySent: null,
    });
  });

  it('K4 keeps the mode of the first turn for the head, and knows that of the last', () => {
    const memory = fold(user('1'), zone(), answer, user('2'), zone({ mode: 'planning' }), answer, user('3'));
    expect([memory.headMode, memory.lastMode, memory.current]).toEqual(['assistant', 'planning', false]);
  });

  it('R191 R216 remembers the open notes as last sent, and the last text of each section', () => {
    const memory = fold(user('1'), zone(), answer, user('2'), zone({ before: [], after: [], editor: null }));
    expect(memory.editor).toBeNull();
    expect([...memory.sent]).toEqual([
      ['files', '<files>\nA\n</files>'],
      ['reminder', '<reminder>\nR\n</reminder>'],
    ]);
    expect(memory.current).toBe(true);
    const progress = (text: string) => zone({ before: [{ section: 'goal-progress', text }], after: [] });
    const moved = fold(user('1'), progress('1 of 3'), answer, user('2'), progress('2 of 3'));
    expect(moved.sent.get('goal-progress')).toBe('2 of 3');
  });

  it('R227 R243 no longer knows a note with quotes in its name once it is sent as an outline', () => {
    const path = 'Notes/"Best" books.md';
    const attached = entry(
      zone({
        before: [{ section: 'files', text: write([element('note', { path }, 'alpha')]).text }],
        told: { [`note:${path}`]: 'print' },
      }),
    );
    const log = [entry(user('1')), attached, entry(answer)];
    expect([...foldTurnMemory(log).notes]).toEqual([[path, 'print']]);
    const [written] = notesIn(attached.kind === 'turn-zone' ? (attached.before[0]?.text ?? '') : '');
    const target = targetOf.note(attached.id, written?.path ?? '');
    const outlined = entry({ kind: 'context-forms', forms: [{ target, form: 'outline' }], by: 'window' });
    expect(foldTurnMemory([...log, outlined]).notes).toEqual(new Map());
    const [, report] = foldTranscript([...log, outlined]).filter(({ type }) => type !== 'answer');
    expect(report).toMatchObject({ type: 'relief', text: expect.stringContaining('"Best" books') as string });
    const plan = { blocks: [], totals: { all: 100, window: 1_000, reserve: 100 } } as unknown as RequestPlan;
    const choices = { contextNotes: [], sectionsOff: [] };
    const [item] = listItems({ entries: log, choices, plan, tokenizer: roughTokenizer });
    expect(item).toMatchObject({ kind: 'note', target, label: path });
  });

  it.each([
    ['whole', true],
    ['pinned', true],
    ['masked', false],
    ['outline', false],
    ['dropped', false],
  ] as const)('R227 R243 has a note that was sent, and is now sent in the form %s: %s', (form, isKnown) => {
    const attached = entry(zone({ told: { 'note:A.md': 'print', 'goal-progress': '1 of 3' } }));
    const log = [entry(user('1')), attached, entry(answer)];
    const forms = [{ target: targetOf.note(attached.id, 'A.md'), form }];
    const { notes } = foldTurnMemory([...log, entry({ kind: 'context-forms', forms, by: 'user' })]);
    expect([...notes]).toEqual(isKnown ? [['A.md', 'print']] : []);
  });

  it('K4 has the mode that is at the head once the prompt is written again', () => {
    const rebuilt: EntryBody = {
      ...{ kind: 'prompt-rebuilt', sections: [], reasons: [], model: 'm', tier: 3, automatic: true, window: null },
      ...{ mode: 'planning', headMode: 'user', head: {} },
    };
    expect(fold(user('1'), zone(), answer, rebuilt)).toMatchObject({ headMode: 'user', lastMode: 'planning' });
  });

  it('has the mode and the day that were said with a message, the day only once that is answered', () => {
    const said = (section: string, mode: 'assistant' | 'planning' = 'planning') =>
      entry(zone({ before: [{ section, text: 'x' }], after: [], mode }));
    const asked = (time: number) => entry(user('?'), { time });
    const { id: day } = dayNoticeSection;
    const moved = [asked(1), said(modeNoticeSection.id), entry(answer), asked(2), said('files', 'assistant')];
    expect(foldTurnMemory(moved)).toMatchObject({ noticedMode: 'planning', lastMode: 'assistant', daySent: null });
    const dated = [asked(3), said(day)];
    expect(foldTurnMemory(dated).daySent).toBeNull();
    const later = [...dated, entry(answer), asked(4), said('files'), entry(answer)];
    expect([foldTurnMemory([...dated, entry(answer)]).daySent, foldTurnMemory(later).daySent]).toEqual([3, 3]);
  });

  describe('of the open notes', () => {
    const both: EditorState = { ...editor, otherOpenNotes: ['B.md'] };
    const opened = (now: EditorState, known: EditorState | null) => {
      const text = render(editorContextSection, { changes: editorChanges(now, known) }) ?? '';
      return zone({ before: [{ section: 'editor-context', text }], editor: now });
    };
    const log = [user('1'), opened(editor, null), answer, user('2'), opened(both, editor), answer].map((body) =>
      entry(body),
    );
    const [first] = log;
    const drop = entry({
      kind: 'context-forms',
      forms: [{ target: targetOf.exchange(first?.id ?? ''), form: 'dropped' }],
      by: 'window',
    });

    it('R191 R193 holds as long as the model sees the message that named all of them', () => {
      expect(foldTurnMemory(log).editor).toEqual(both);
      expect(foldTurnMemory([...log, drop]).editor).toBeNull();
    });

    it('R193 begins again with the message that names all of them again', () => {
      const again = [...log, drop, entry(user('3')), entry(opened(both, null)), entry(answer)];
      expect(foldTurnMemory(again).editor).toEqual(both);
      const changed = [...again, entry(user('4')), entry(opened(editor, both))];
      expect(foldTurnMemory(changed).editor).toEqual(editor);
    });

    it('R193 ends with a message that the user deleted', () => {
      const deleted = [...log, entry({ kind: 'message-deleted', message: first?.id ?? '', deleted: true })];
      expect(foldTurnMemory(activeEntries(deleted)).editor).toBeNull();
    });
  });
});

describe('the day of a chat', () => {
  afterEach(() => jest.restoreAllMocks());

  it('R182 is sent again once the message that had it is no longer sent', async () => {
    const turn = [say('Fine.'), finish()];
    const bench = Object.assign(chatBench(), { model: scriptedModel([turn, turn, turn, turn, turn]) });
    const start = bench.clock.now();
    const dayAt = (time = bench.clock.now()) => 20 + Math.floor((time - start) / 86_400_000);
    jest
      .spyOn(hostState, 'device')
      .mockImplementation((time?: number) => ({ ...device, isoDate: `2026-11-${dayAt(time)}` }));
    const log = await SessionLog.open('c1', logPorts(bench.store, { clock: bench.clock }));
    if (!log.ok) throw new Error(log.failure.words);
    const chat = await Chat.open(log.value, bench.allPorts());
    const sendsDay = async (text: string): Promise<boolean> => {
      await chat.send(text, []);
      await until(chat, rested);
      return JSON.stringify(bench.model.plans.at(-1)?.messages.at(-1)).includes('Today is now');
    };
    expect(await sendsDay('one')).toBe(false);
    bench.clock.advance(86_400_000);
    expect([await sendsDay('two'), await sendsDay('three')]).toEqual([true, false]);
    const [, two] = chat.current.items.filter(({ type }) => type === 'user');
    const { record } = chat as unknown as { record(body: EntryBody): Promise<unknown> };
    const forms = [{ target: targetOf.exchange(two?.id ?? ''), form: 'dropped' as const }];
    await record({ kind: 'context-forms', forms, by: 'window' });
    expect([await sendsDay('four'), await sendsDay('five')]).toEqual([true, false]);
  });

  it('R182 is sent once for each change, also after the clock was set back', async () => {
    const turn = [say('Fine.'), finish()];
    const bench = Object.assign(chatBench(), { model: scriptedModel([turn, turn, turn, turn, turn]) });
    let isoDate = '2026-11-20';
    jest.spyOn(hostState, 'device').mockImplementation((time?: number) => ({
      ...device,
      isoDate: time === undefined ? isoDate : (days.get(time) ?? ''),
    }));
    const days = new Map<number, string>();
    const log = await SessionLog.open('c1', logPorts(bench.store, { clock: bench.clock }));
    if (!log.ok) throw new Error(log.failure.words);
    const chat = await Chat.open(log.value, bench.allPorts());
    const sent: boolean[] = [];
    for (const day of ['20', '19', '19', '20', '20']) {
      isoDate = `2026-11-${day}`;
      bench.clock.advance(60_000);
      days.set(bench.clock.now(), isoDate);
      await chat.send('Hello.', []);
      await until(chat, rested);
      sent.push(JSON.stringify(bench.model.plans.at(-1)?.messages.at(-1)).includes('Today is now'));
    }
    expect(sent).toEqual([false, true, false, true, false]);
  });
});

it('knows which notes were sent in part, by what is remembered of them', () => {
  const told = { 'note:A.md': 'part 1', 'note:B.md': 'cut 2', 'note:C.md': '3', 'goal-progress': 'part 4' };
  expect(notesSentInPart({ told })).toEqual({ 'A.md': 'outline', 'B.md': 'shortened' });
  expect(notesSentInPart({})).toEqual({});
});

it('has nothing in place of a history of which nothing was summarised', () => {
  expect(foldCompacted([entry(user('1')), entry(answer)])).toEqual({ previousContext: null, activeSkills: [] });
});
