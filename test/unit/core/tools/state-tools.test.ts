/**
 * recall_output, load_state and load_workspace: what they return, and what they report when there is nothing to return.
 * save_state is tested with the writes of a chat.
 */
import { stateFileName } from '../../../../src/core/library/agent-folder';
import { fail } from '../../../../src/core/ports/failure';
import { loadState } from '../../../../src/core/tools/load-state';
import { loadWorkspace } from '../../../../src/core/tools/load-workspace';
import { recallOutput } from '../../../../src/core/tools/recall-output';
import type { Tool, ToolContext } from '../../../../src/core/tools/tool';
import { goalBench } from '../../../support/goals';
import { fakeVault, type FakeVault } from '../../../support/fake-vault';
import { noSubagents } from '../../../support/subagents';
import { expectCostBelow } from 'obsidian-workbench/testing/cost';

const never = new AbortController().signal;
const report = Array.from({ length: 500 }, (_, line) => `line ${line + 1}`).join('\n');

function run(tool: Tool, args: unknown, vault: FakeVault = fakeVault({}), more: Partial<ToolContext> = {}) {
  const place: ToolContext = { skillFolders: [], goals: goalBench().goals, subagents: noSubagents, ...more };
  return tool.run(tool.parameters.parse(args), vault, never, place);
}

const outputs = { tokens: 300, read: (handle: string) => (handle === 'e1' ? { text: report } : null) };

describe('recall_output', () => {
  it('R243 gives back every line of a result, page by page, each page within the cap', async () => {
    const lines: string[] = [];
    for (let next: number | undefined = 1; next !== undefined;) {
      const page = await run(recallOutput, { handle: 'e1', start_line: next }, undefined, { outputs });
      if (!page.ok) throw new Error(page.failure.words);
      const [head = '', ...rows] = page.value.text.split('\n');
      expect(page.value.text.length / 4).toBeLessThanOrEqual(outputs.tokens);
      lines.push(...rows);
      const found = /start_line (\d+)/.exec(head)?.[1];
      next = found === undefined ? undefined : Number(found);
    }
    expect(lines.join('\n')).toBe(report);
  });

  it('R243 says so when there is no such result, or none at all', async () => {
    expect(await run(recallOutput, { handle: 'x' }, undefined, { outputs })).toMatchObject({ ok: false });
    expect(await run(recallOutput, { handle: 'e1' })).toMatchObject({ ok: false, failure: { kind: 'not-found' } });
  });

  it('R243 says which lines a page holds and where to go on, and takes the handle as it stands in quotes', async () => {
    const read = async (args: object) => {
      const page = await run(recallOutput, args, undefined, { outputs });
      return page.ok ? page.value.text.split('\n') : [];
    };
    const [first = '', ...rows] = await read({ handle: ' "e1" ' });
    expect(first).toBe(`Lines 1-${rows.length} of 500 lines. Continue with start_line ${rows.length + 1}.`);
    expect(rows.slice(0, 2)).toEqual(['line 1', 'line 2']);
    expect(await read({ handle: 'e1', start_line: 499 })).toEqual([
      'Lines 499-500 of 500 lines.',
      'line 499',
      'line 500',
    ]);
  });

  it('R243 says how many lines there are when asked for one after the last', async () => {
    const page = await run(recallOutput, { handle: 'e1', start_line: 501 }, undefined, { outputs });
    expect(!page.ok && page.failure.words).toBe('“e1” has only 500 lines.');
  });

  it('R243 gives a line that is longer than a page in pieces', async () => {
    const long = 'ü'.repeat(5_000);
    const page = await run(recallOutput, { handle: 'e1' }, undefined, {
      outputs: { tokens: 300, read: () => ({ text: long }) },
    });
    expect(page).toMatchObject({ ok: true });
    if (!page.ok) return;
    expect(Buffer.byteLength(page.value.text) / 4).toBeLessThanOrEqual(300);
    // A piece is half a page.
    expect(page.value.text).toMatch(/^Lines 1-1 of 21 lines\./);
  });

  it('R243 gives a result in its frame again, with the place of the page before it', async () => {
    const frame = { tag: 'untrusted', attributes: { source: 'Page' }, lead: 'From a page.' } as const;
    const page = await run(recallOutput, { handle: 'e1', start_line: 499 }, undefined, {
      outputs: { tokens: 300, read: () => ({ text: report, frame }) },
    });
    expect(page).toEqual({
      ok: true,
      value: {
        ...{ text: 'line 499\nline 500', sources: [] },
        frame: { ...frame, lead: 'Lines 499-500 of 500 lines.' },
      },
    });
  });

  it('R243 gives a character that is longer than a piece whole', async () => {
    const rows: string[] = [];
    for (const start of [1, 2, 3, 4]) {
      const page = await run(recallOutput, { handle: 'e1', start_line: start }, undefined, {
        outputs: { tokens: 1, read: () => ({ text: 'a€b😀c' }) },
      });
      rows.push(page.ok ? (page.value.text.split('\n')[1] ?? '') : page.failure.words);
    }
    expect(rows).toEqual(['a', '€b', '😀', 'c']);
  });

  it('R243 gives pieces of a line of a million characters at the cost of its length', async () => {
    const long = { tokens: 300, read: () => ({ text: 'word '.repeat(200_000) }) };
    await expectCostBelow(500, () => run(recallOutput, { handle: 'e1' }, undefined, { outputs: long }));
  });
});

describe('load_state', () => {
  it('R251 loads by name, lists what there is, and never another note', async () => {
    const vault = fakeVault({ 'Docent/states/Boat.md': '---\nx: 1\n---\nOrder bolts.', 'Boat.md': 'secret' });
    const place = { agentFolder: 'Docent' };
    expect(await run(loadState, { name: 'boat' }, vault, place)).toMatchObject({
      ok: true,
      value: { text: 'Order bolts.' },
    });
    expect(await run(loadState, {}, vault, place)).toMatchObject({ ok: true, value: { text: 'Boat' } });
    expect(await run(loadState, { name: 'Boat.md' }, vault, place)).toMatchObject({ ok: false });
    expect(await run(loadState, {}, fakeVault({}), place)).toMatchObject({ ok: false });
  });

  it('R251 loads by the name that a state was saved under, of which its file lacks some characters', async () => {
    const names = ['Refit: phase 1/2', 'What next?', 'C# [draft]', '船'.repeat(200), `${'a'.repeat(79)}. b`];
    const vault = fakeVault(
      Object.fromEntries(names.map((name) => [`Docent/states/${stateFileName(name)}.md`, `State of ${name}`])),
    );
    for (const name of names) {
      expect(await run(loadState, { name }, vault, { agentFolder: 'Docent' })).toMatchObject({
        ok: true,
        value: { text: `State of ${name}` },
      });
    }
  });

  it('R251 says of a very long one that it is cut, and where the rest is', async () => {
    const vault = fakeVault({ 'Docent/states/Long.md': `${'Order bolts. '.repeat(3_000)}Next: ring the yard.` });
    const loaded = await run(loadState, { name: 'Long' }, vault, { agentFolder: 'Docent' });
    const text = loaded.ok ? loaded.value.text : '';
    expect(text).toMatch(/bolts\. .*\n\[Cut here: read_note returns all of Docent\/states\/Long\.md\.\]$/);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(32_000);
  });

  it('R251 lists the newest first, takes a path too, and names what there is when there is no such state', async () => {
    const vault = fakeVault({
      'Docent/states/Boat.md': 'Order bolts.',
      'Docent/states/Apron.md': 'Sew.',
      'Docent/states/scan.png': new Uint8Array(1),
    });
    vault.put('Docent/states/Cake.md', 'Bake.');
    const place = { agentFolder: 'Docent' };
    const load = (args: object) => run(loadState, args, vault, place);
    const listed = await load({ name: ' ' });
    expect(listed).toMatchObject({ ok: true, value: { sources: [] } });
    expect(listed.ok && listed.value.text.split('\n')[0]).toBe('Cake');
    expect(listed.ok && [...(listed.value.named ?? [])].sort()).toEqual([
      'Docent/states/Apron.md',
      'Docent/states/Boat.md',
      'Docent/states/Cake.md',
    ]);
    const path = 'Docent/states/Apron.md';
    expect(await load({ name: path })).toMatchObject({ value: { text: 'Sew.', sources: [{ path }], touched: [path] } });
    const missing = await load({ name: 'Tent' });
    expect(missing).toMatchObject({ ok: false, failure: { kind: 'not-found' } });
    expect(missing.ok ? '' : missing.failure.words + missing.failure.remedy).toMatch(/Tent.*Boat/s);
  });
});

describe('load_workspace', () => {
  const files = {
    'Docent/workspaces/Room.md': '---\nname: Reading room\nfolder: Books\nnotes: ["[[Shelf]]"]\n---\nBe quiet.\n',
    'Docent/workspaces/Boat.md': 'Keep her dry.\n',
    'Books/Dune.md': 'Sand.\n',
    'Shelf.md': 'Oak.\n',
  };
  const place = { agentFolder: 'Docent' };

  it('R164 gives instructions, key notes and newest notes, by name or path in whatever case', async () => {
    for (const id of ['Docent/workspaces/Room.md', ' reading ROOM ', 'docent/WORKSPACES/room.md']) {
      const loaded = await run(loadWorkspace, { id }, fakeVault(files), place);
      expect(loaded).toMatchObject({
        ok: true,
        value: {
          text: expect.stringMatching(/^Name: Reading room\n\nInstructions:\nBe quiet\.\s+Root folder: Books\n/),
          sources: [{ path: 'Docent/workspaces/Room.md' }],
          touched: ['Docent/workspaces/Room.md'],
          named: ['Shelf.md', 'Books/Dune.md'],
        },
      });
    }
  });

  it('R164 tells those apart whose paths differ only in case, and finds a name in another Unicode form', async () => {
    const more = { 'Docent/workspaces/boat.md': 'Paint her.\n', 'Docent/workspaces/Cafe\u0301.md': 'Sit.\n' };
    const vault = fakeVault({ ...files, ...more });
    for (const [id, path] of [
      ['Docent/workspaces/boat.md', 'Docent/workspaces/boat.md'],
      ['boat', 'Docent/workspaces/boat.md'],
      ['Docent/workspaces/Boat.md', 'Docent/workspaces/Boat.md'],
      ['Caf\u00e9', 'Docent/workspaces/Cafe\u0301.md'],
    ] as const)
      expect(await run(loadWorkspace, { id }, vault, place)).toMatchObject({
        ok: true,
        value: { sources: [{ path }] },
      });
  });

  it('R164 says which there are when none has the name, and when the note of one cannot be read', async () => {
    const missing = (vault: FakeVault, id: string) => run(loadWorkspace, { id }, vault, place);
    expect(await missing(fakeVault(files), ' Kitchen ')).toEqual({
      ok: false,
      failure: {
        kind: 'not-found',
        words: 'The workspace “Kitchen” was not found.',
        remedy: 'Use one of: Boat, Reading room.',
      },
    });
    expect(await missing(fakeVault({}), 'Room')).toMatchObject({ failure: { remedy: 'Continue without one.' } });
    const unreadable = fakeVault(files);
    unreadable.read = () => Promise.resolve(fail({ kind: 'not-found', words: '', remedy: '' }));
    expect(await missing(unreadable, 'Boat')).toMatchObject({ ok: false, failure: { kind: 'not-found' } });
  });

  it('R164 cuts a very long one to the budget of a result', async () => {
    const long = { 'Docent/workspaces/Long.md': 'Keep her dry. '.repeat(5_000) };
    const loaded = await run(loadWorkspace, { id: 'Long' }, fakeVault(long), place);
    expect(loaded.ok && loaded.value.text.length).toBeGreaterThan(20_000);
    expect(loaded.ok && Buffer.byteLength(loaded.value.text)).toBeLessThanOrEqual(32_000);
    expect(loaded.ok && loaded.value.text).toMatch(
      /\n\[Cut here: read_note returns all of Docent\/workspaces\/Long\.md\.\]$/,
    );
  });
});
