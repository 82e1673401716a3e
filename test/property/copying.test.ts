/**
 * What a model copies from what it was sent gives the note's own bytes back, through every tool that writes; and what it
 * writes itself stays as it is.
 */
import * as fc from 'fast-check';
import { escapeText, SentEscapes } from '../../src/core/markup/escapes';
import type { ToolCallPart } from '../../src/core/ports/message';
import type { RequestPlan } from '../../src/core/ports/request-plan';
import { filesSection } from '../../src/core/prompt/sections/notes';
import { foldMessages } from '../../src/core/request/history';
import type { EntryBody } from '../../src/core/session/entry';
import { tools } from '../../src/core/tools';
import { bodyOfRead } from '../../src/core/tools/read-text';
import { runToolCall } from '../../src/core/turn/run-tool-calls';
import { noteWritesOf } from '../../src/core/writing/stage/note-writes';
import { answer, entry, toolCall, user } from '../support/entries';
import { expectSame } from 'obsidian-workbench/testing/expect-same';
import { goalBench } from '../support/goals';
import { render } from '../support/render-section';
import { stagedBench } from '../support/staged-bench';
import { noSubagents } from '../support/subagents';
import { hostileText, seed } from './hostile-text';

/** `MARKUP_CASES=20000` runs all of them. */
const numRuns = Number(process.env['MARKUP_CASES'] ?? 2_000);
jest.setTimeout(600_000);

const never = new AbortController().signal;
const { goals } = goalBench();

/** Any character that a file can hold. */
const character = fc.oneof(
  fc.integer({ min: 0x1, max: 0x7f }),
  fc.integer({ min: 0x80, max: 0x24ff }),
  fc.integer({ min: 0x2500, max: 0xd7ff }),
  fc.integer({ min: 0xe000, max: 0xffff }),
  fc.integer({ min: 0x1_0000, max: 0x10_ffff }),
);
const scripts = fc.array(character, { maxLength: 16 }).map((codes) => String.fromCodePoint(...codes));
const noteText = fc
  .array(fc.oneof({ weight: 2, arbitrary: hostileText }, scripts), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join('').replace(/[\0\ud800-\udfff]/gu, '') || 'x');

function planOf(...bodies: readonly EntryBody[]): Pick<RequestPlan, 'system' | 'messages' | 'tools'> {
  return { system: '', messages: foldMessages(bodies.map((body) => entry(body))), tools: [] };
}

function sentTexts({ messages }: Pick<RequestPlan, 'messages'>): string[] {
  return messages.flatMap(({ parts }) => parts.map((part) => ('text' in part ? part.text : '')));
}

/** A vault with the note, a request that shows it in both ways, and the tools of a chat over it. */
async function chatWith(text: string) {
  const { staged, reading } = stagedBench({ 'Note.md': text, 'Same.md': text, 'Other.md': 'Other.\n' });
  const writesFor = noteWritesOf(staged, {
    ...{ mode: () => 'review', canAsk: true, isTainted: () => false, appliesAtOnce: () => false },
    ...{ places: { plans: 'Docent/plans/', instructions: [] }, settled: () => Promise.resolve() },
  });
  const sent = new SentEscapes();
  let count = 0;
  const call = (name: string, args: object) => {
    const part: ToolCallPart = { type: 'tool-call', id: `k${(count += 1)}`, name, argumentsText: JSON.stringify(args) };
    const place = { skillFolders: [], goals, subagents: noSubagents, writesFor, reading };
    return runToolCall(part, tools, staged, never, place, sent);
  };
  const read = await call('read_note', { path: 'Note.md' });
  const files = render(filesSection, { notes: [{ path: 'Note.md', text }], lists: [] }) ?? '';
  const plan = planOf(
    user('What now?'),
    { kind: 'turn-zone', before: [{ section: 'files', text: files }], after: [], mode: 'assistant', editor: null },
    answer(toolCall('k1')),
    { kind: 'tool-result', callId: 'k1', name: 'read_note', text: read.text, isError: false, sources: [] },
  );
  sent.addRequest(plan);
  const texts = sentTexts(plan);
  const attached = texts.find((each) => each.includes('<note path=')) ?? '';
  const result = texts.at(-1) ?? '';
  await reading.read('Other.md');
  await reading.read('Same.md');
  const shown = bodyOfRead(read.text);
  return { staged, call, attached: between(attached), shown, result: bodyOfRead(result) };
}

function between(text: string): string {
  return /<note path="Note\.md">\n([^]*)\n<\/note>/.exec(text)?.[1] ?? '';
}

async function textOf(staged: Awaited<ReturnType<typeof chatWith>>['staged'], path: string): Promise<string> {
  const note = await staged.read(path);
  return note.ok ? note.value.text : note.failure.kind;
}

/**
 * What the same writes make of the texts themselves.
 * @param shown the text as `read_note` gives it, whose last line may lack its end
 */
async function writtenAsIs(text: string, shown: string): Promise<string[]> {
  const { staged, reading, call } = stagedBench({ 'Note.md': text, 'Same.md': text, 'Other.md': 'Other.\n' });
  for (const path of ['Note.md', 'Same.md', 'Other.md']) await reading.read(path);
  await staged.create('Copy.md', text, call());
  await staged.append('Other.md', shown, call());
  await staged.edit('Same.md', text, `${shown}!`, call());
  await staged.setProperties('Note.md', [['copied', shown]], call());
  return Promise.all(written.map((path) => textOf(staged, path)));
}

const written = ['Copy.md', 'Other.md', 'Same.md', 'Note.md'];

describe('a copy of what was sent', () => {
  it('gives the bytes of the note back through create, append, edit and set_properties', async () => {
    await fc.assert(
      fc.asyncProperty(noteText, async (text) => {
        const { staged, call, attached, shown, result } = await chatWith(text);
        expectSame(attached, escapeText(text));
        expectSame(text.slice(0, shown.length), shown);
        await call('create_note', { path: 'Copy.md', text: attached });
        await call('append_to_note', { path: 'Other.md', text: result });
        await call('edit_note', { path: 'Same.md', oldText: attached, newText: `${result}!` });
        await call('set_properties', { path: 'Note.md', properties: { copied: result } });
        expectSame(await textOf(staged, 'Copy.md'), text);
        expectSame(await Promise.all(written.map((path) => textOf(staged, path))), await writtenAsIs(text, shown));
      }),
      { numRuns, seed },
    );
  });

  it('of untrusted text loses the marks of its lines', () => {
    fc.assert(
      fc.property(noteText, (text) => {
        const plan = planOf(user('q'), answer(toolCall('k1')), {
          ...{ kind: 'tool-result', callId: 'k1', name: 'a_look', text, isError: false, sources: [] },
          frame: { tag: 'untrusted', attributes: { source: 'a' }, lead: 'Answer.' },
        });
        const sent = new SentEscapes();
        sent.addRequest(plan);
        const body = /<untrusted source="a">\n([^]*)\n<\/untrusted>$/.exec(sentTexts(plan).at(-1) ?? '')?.[1] ?? '';
        expectSame(sent.decode(body), text);
      }),
      { numRuns, seed },
    );
  });

  it('decodes nothing that was not sent, however it reads', () => {
    fc.assert(
      fc.property(noteText, (text) => {
        const sent = new SentEscapes();
        sent.addRequest(planOf(user('<b>R&D</b> &amp; `a < b`')));
        expectSame(sent.decode(text), text);
        expectSame(sent.used([text]), []);
      }),
      { numRuns, seed },
    );
  });
});
