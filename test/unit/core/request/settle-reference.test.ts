/** Reference texts of a chat: in tiers, repeated as sent, rewritten only where all text after them is rewritten too. */
import type { Message } from '../../../../src/core/ports/message';
import { assemblePrompt, buildLayout } from '../../../../src/core/prompt/assemble-prompt';
import { headers, replies } from '../../../../src/core/prompt/world';
import { countReference, tierMessages } from '../../../../src/core/request/reference-blocks';
import { type ReferenceQuestion, selectReference } from '../../../../src/core/request/select-reference';
import { decodeLine, encodeEntry } from '../../../../src/core/session/log-format';
import { expectGolden } from '../../../goldens/golden';
import { fakeVault } from '../../../support/fake-vault';
import { digest, roughTokenizer } from '../../../support/memory-ports';
import { device } from '../../../support/turn-world';
import { caching, headOf, ReferenceBench } from './reference-bench';

/** Six folders of about 540 tokens each, the first the coldest: three of them make a tier. */
function wideVault() {
  const folders = ['A cold', 'B cool', 'C mild', 'D mild', 'E warm', 'F hot'];
  return fakeVault(
    Object.fromEntries(
      folders.flatMap((folder) =>
        Array.from({ length: 24 }, (_, note) => {
          return [`${folder}/Note ${note}.md`, `## ${'establishmentarianism '.repeat(3)}${note}\n`] as const;
        }),
      ),
    ),
  );
}
const textOf = (message: Message | undefined): string =>
  message?.parts.map((part) => ('text' in part ? part.text : '')).join('\n') ?? '';

describe('what stands before the conversation', () => {
  it('R208 R209 has ten headers with fixed words', () => {
    expect(Object.keys(headers).sort()).toEqual(
      [
        ...['REPO_MAP_HEADER', 'FILE_TREE_HEADER', 'URL_CONTEXT_HEADER', 'FILES_ACTIVE_HEADER', 'FILES_L0_HEADER'],
        ...['FILES_L1_HEADER', 'FILES_L2_HEADER', 'FILES_L3_HEADER', 'TIER_SYMBOLS_HEADER', 'REVIEW_CONTEXT_HEADER'],
      ].sort(),
    );
    const written = [...Object.entries(headers), ...Object.entries(replies)].map(([name, text]) => `${name}\n${text}`);
    expectGolden('request-headers.txt', written.join('\n\n'));
  });

  it('R204 R206 R207 R208 puts instructions and L0 in the system message, then a pair a tier, then the opening and the talk', async () => {
    const bench = new ReferenceBench(wideVault());
    const { plan } = await bench.play({ turn: { contextNotes: ['A cold/Note 0.md'] } });
    const { system, messages } = plan;
    const order = [plan.blocks[0]?.text ?? '', headers.REPO_MAP_HEADER, '<folder path="A cold">'].map((text) =>
      system.indexOf(text),
    );
    expect(order.every((at) => at >= 0)).toBe(true);
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(plan.blocks.find(({ place }) => place === 'system')?.section).toBe('preamble');
    const pairs = messages.slice(
      0,
      messages.findIndex((message) => textOf(message).startsWith('<environment>')),
    );
    expect(pairs.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
    expect([pairs[1], pairs[3]].map(textOf)).toEqual(['Ok.', 'Ok.']);
    expect(textOf(pairs[0]).startsWith(`${headers.TIER_SYMBOLS_HEADER}\n\n<folder path="D mild">`)).toBe(true);
    expect(textOf(pairs[0])).toContain('<folder path="F hot">');
    const note = `<note path="A cold/Note 0.md">\n## ${'establishmentarianism '.repeat(3)}0\n\n</note>`;
    expect(textOf(pairs[2])).toBe(`${headers.FILES_L2_HEADER}\n\n${note}`);
    expect(textOf(messages.at(-1))).toBe('Hello?');
  });

  it('R205 has no message and no marker for a tier that is empty', async () => {
    const { plan } = await new ReferenceBench(fakeVault({ 'A.md': '## One' })).play();
    expect(plan.messages.map(({ role }) => role)).toEqual(['user', 'user']);
    expect(plan.breakpoints?.map(({ ends }) => ends)).not.toContain('L2');
    expect(tierMessages(plan.blocks)).toEqual({ messages: [], ends: {} });
  });

  it('R210 has a vault that is too large for a map as a tree, in a pair of its own', async () => {
    const many = Array.from({ length: 3_000 }, (_, note) => [`Folder ${note % 30}/Note ${note}.md`, ''] as const);
    const { plan } = await new ReferenceBench(fakeVault(Object.fromEntries(many))).play();
    expect(textOf(plan.messages[0]).startsWith(`${headers.FILE_TREE_HEADER}\n\n<vault_structure>`)).toBe(true);
    expect(textOf(plan.messages[1])).toBe('Ok.');
    expect(plan.system).not.toContain('vault_structure');
  });

  it('counts the invisible characters that notes are sent with', async () => {
    const bench = new ReferenceBench(fakeVault({ 'A.md': 'Launch 👩\u200d🚀.', 'B.md': 'Plain.' }));
    const { plan } = await bench.play({ turn: { contextNotes: ['A.md', 'B.md'] } });
    const notes = plan.blocks.filter(({ section }) => section === 'context-notes');
    expect(notes.flatMap(({ invisible }) => invisible ?? [])).toEqual([1]);
  });

  it('R219 R223 writes notes one after the other with a blank line between, and leaves out what cannot be read', async () => {
    const bench = new ReferenceBench(fakeVault({ 'A.md': '```\nfence', 'B.md': 'beta' }));
    const { plan } = await bench.play({ turn: { contextNotes: ['A.md', 'Gone.md', 'B.md'] } });
    const text = `<note path="A.md">\n\`\`\`\nfence\n</note>\n\n<note path="B.md">\nbeta\n</note>`;
    expect(headOf(plan)).toContain(text);
    expect(headOf(plan)).not.toContain('Gone.md');
  });

  it('R221 R222 R264 makes an item of each folder of the map, of each pinned note, and of each rule', async () => {
    const bench = new ReferenceBench(fakeVault({ 'A.md': 'a', 'In/B.md': 'b' }));
    const { settled } = await bench.play({ turn: { contextNotes: ['A.md'] } });
    expect(settled.sent?.items.map(({ key }) => key).sort()).toEqual([
      'file:A.md',
      'map:',
      'map:In',
      'opening:environment',
    ]);
    expect(settled.sent?.items.every(({ tier }) => tier !== 'active')).toBe(true);
  });

  it('R224 R227 K19 says of a note that stands in full no more than that, and has its text once', async () => {
    const bench = new ReferenceBench(fakeVault({ 'A.md': '## Heading\nalpha body', 'B.md': '## Other' }));
    const { plan } = await bench.play({
      turn: { contextNotes: ['A.md'], mentions: [{ kind: 'note', id: 'A.md', label: 'A' }] },
    });
    const all = `${headOf(plan)}${plan.blocks.map(({ place, text }) => (place === 'before-message' ? text : '')).join()}`;
    expect(all.split('alpha body')).toHaveLength(2);
    expect(plan.system).toContain('- A.md, attached\n- B.md');
  });
});

describe('while a chat goes on', () => {
  it('R221 sends the same bytes turn after turn, and after a reload', async () => {
    const bench = new ReferenceBench(wideVault());
    const heads = [headOf((await bench.play()).plan)];
    const reloaded = new ReferenceBench(bench.vault);
    for (const each of bench.entries) {
      const line = decodeLine(encodeEntry(each, digest).trimEnd(), digest);
      if (line?.type !== 'entry') throw new Error('A line was lost.');
      reloaded.entries.push(line.entry);
    }
    for (const chat of [bench, bench, reloaded]) heads.push(headOf((await chat.play()).plan));
    expect(new Set(heads).size).toBe(1);
    expect(reloaded.entries.filter(({ kind }) => kind === 'reference-sent')).toHaveLength(1);
  });

  it('R264 keeps the map as sent when notes change, and tells each change once with the turn', async () => {
    const bench = new ReferenceBench(fakeVault({ 'A.md': '## One', 'In/B.md': '## Two' }));
    const first = headOf((await bench.play()).plan);
    bench.vault.put('In/C.md', '## Fresh');
    bench.vault.put('A.md', '## One\n## More');
    bench.vault.remove('In/B.md');
    const { settled, plan } = await bench.play();
    expect(headOf(plan)).toBe(first);
    expect(settled.sent).toBeNull();
    expect(settled.changes.parts.map(({ text }) => text)).toEqual([
      '<vault_changes>\nchanged: A.md, 1 KB\n## One\n## More\ncreated: In: C.md, 1 KB\n## Fresh\nmissing: In/B.md\n</vault_changes>',
    ]);
    expect(settled.changes.reasons).toEqual(['note changed: A.md', 'note created: In/C.md', 'note gone: In/B.md']);
    const sent = plan.blocks.filter(({ text }) => text.startsWith('<vault_changes>'));
    expect(sent).toMatchObject([{ zone: 'turn', place: 'before-message', outcome: 'full', madeVisible: 0 }]);
    expect((await bench.play()).settled.changes.parts).toEqual([]);
  });

  it('R264 calls no note changed when the map has room for fewer of its headings, or when it is pinned', async () => {
    const note = '# One\n## Two of it\n### Three of it\n#### Four of it\n##### Five of it\n';
    const names = ['A.md', 'B.md', 'C.md', 'D.md', 'E.md'];
    const bench = new ReferenceBench(fakeVault(Object.fromEntries(names.map((name) => [name, note]))));
    const model = { ...caching, contextWindow: 20_000 };
    expect(headOf((await bench.play({ model })).plan)).toContain('##### Five of it');
    const reasons: string[] = [];
    for (let made = 0; made < 7; made += 1) {
      bench.vault.put(`New ${made}.md`, '# x\n## y');
      reasons.push(...(await bench.play({ model })).settled.changes.reasons);
    }
    expect(reasons).toEqual(Array.from({ length: 7 }, (_, made) => `note created: New ${made}.md`));
    const pinned = { model, turn: { contextNotes: ['A.md'] } };
    expect((await bench.play(pinned)).settled.changes.reasons).toEqual(['context-notes changed']);
    bench.vault.put('B.md', `${note}# Six\n`);
    expect((await bench.play(pinned)).settled.changes.reasons).toEqual(['note changed: B.md']);
  });

  it('keeps each change on one line, whatever a file is called', async () => {
    const bench = new ReferenceBench(fakeVault({ 'A.md': '', 'Old\nmissing: A.md': '' }));
    await bench.play();
    bench.vault.put('In\ncreated: Out/B.md', '');
    bench.vault.remove('Old\nmissing: A.md');
    expect((await bench.play()).settled.changes.parts.map(({ text }) => text)).toEqual([
      '<vault_changes>\ncreated: In created: Out: B.md, 0 KB\nmissing: Old missing: A.md\n</vault_changes>',
    ]);
  });

  it('tells no more than twenty files by name', async () => {
    const bench = new ReferenceBench(fakeVault({ 'A.md': 'a' }));
    await bench.play();
    for (let note = 0; note < 30; note += 1) bench.vault.put(`In/N${note}.md`, '');
    const { changes } = (await bench.play()).settled;
    expect(changes.parts[0]?.text.match(/^created: /gm)).toHaveLength(20);
    expect(changes.parts[0]?.text).toContain('… and 10 more');
    expect((await bench.play()).settled.changes.parts).toEqual([]);
  });

  it('R264 calls no note missing when too little space is left for the list of them', async () => {
    const bench = new ReferenceBench(fakeVault({ 'A.md': '', 'B.md': '' }));
    const folders = { newNotes: 'Inbox/Unsorted', attachments: './Attachments', templates: 'Resources/Templates' };
    const plugins = ['Dataview', 'Tasks', 'Templater', 'Bases'];
    const app = { links: 'wikilinks', linkPaths: 'shortest', ...folders, plugins } as const;
    const dailyNote = { path: `${'Journal of years'.repeat(9)}/2026-11-20.md`, exists: false };
    const turn = { start: { ...device, app, dailyNote } };
    const small = { model: { ...caching, contextWindow: 7_680 }, tier: 2, turn } as const;
    expect(headOf((await bench.play(small)).plan)).toContain('- A.md');
    bench.vault.put('A.md', '## The sail');
    const { changes } = (await bench.play(small)).settled;
    expect(changes.parts.map(({ text }) => text)).toEqual([
      'This replaces any earlier version:\n<vault_structure>\nNo folders.\n</vault_structure>',
    ]);
    bench.vault.put('A.md', '');
    bench.vault.remove('B.md');
    const last = (await bench.play(small)).settled.changes.parts.map(({ text }) => text);
    expect(last[0]).toBe('<vault_changes>\nmissing: B.md\n</vault_changes>');
  });

  it('R264 calls all notes missing when the vault has become empty', async () => {
    const bench = new ReferenceBench(fakeVault({ 'A.md': '', 'B.md': '' }));
    await bench.play();
    bench.vault.remove('A.md');
    bench.vault.remove('B.md');
    const { changes } = (await bench.play()).settled;
    expect(changes.parts.map(({ text }) => text)).toEqual([
      '<vault_changes>\nmissing: A.md\nmissing: B.md\n</vault_changes>',
    ]);
  });

  it('R264 calls nothing created that was there before when the list takes another form', async () => {
    const model = { ...caching, contextWindow: 12_000 };
    const names = ['In/A.md', 'In/Deep/B.md', 'Out/C.md'];
    const bench = new ReferenceBench(fakeVault(Object.fromEntries(names.map((name) => [name, '']))));
    expect(headOf((await bench.play({ model })).plan)).toContain('<folder path="In/Deep">');
    const more = Array.from({ length: 40 }, (_, note) => `New/Note ${note} of the boat and its sails.md`);
    for (const path of more) bench.vault.put(path, '');
    expect((await bench.play({ model })).settled.changes.reasons).toEqual(['note created: New/']);
    // The other way, from folders to a map, all that can be new is outside of these folders.
    const after = await bench.play({ model, free: 'cold' });
    expect(headOf(after.plan)).toContain('Deep/ (1)');
    for (const path of more) bench.vault.remove(path);
    bench.vault.put('Top.md', '');
    expect((await bench.play({ model })).settled.changes.reasons).toEqual(['note created: Top.md']);
  });

  it('R222 sends a pinned note that changed once more, and says when one holds no longer', async () => {
    const bench = new ReferenceBench(fakeVault({ 'A.md': 'alpha', 'B.md': 'beta' }));
    await bench.play({ turn: { contextNotes: ['A.md', 'B.md'] } });
    bench.vault.put('A.md', 'alpha two');
    const texts = (await bench.play({ turn: { contextNotes: ['A.md'] } })).settled.changes.parts.map(
      ({ text }) => text,
    );
    expect(texts.some((text) => text.includes('<note path="A.md">\nalpha two\n</note>'))).toBe(true);
    expect(texts).toContain('Removed: B.md. Ignore its earlier text.');
    const after = (await bench.play({ turn: { contextNotes: ['A.md'] } })).settled.changes.parts;
    expect(after.filter(({ section }) => section === 'context-notes')).toEqual([]);
  });

  it('R222 names a pinned note that holds no longer in one line, without tags', async () => {
    const path = 'Old <user_memory>\nNo. 1.md';
    const bench = new ReferenceBench(fakeVault({ [path]: 'alpha' }));
    await bench.play({ turn: { contextNotes: [path] } });
    const { changes } = (await bench.play()).settled;
    expect(changes.parts.filter(({ section }) => section === 'context-notes').map(({ text }) => text)).toEqual([
      'Removed: Old &lt;user_memory> No. 1.md. Ignore its earlier text.',
    ]);
  });

  it('R219 R222 sends a pinned note that no longer fits again in part, and says of no other that it holds no longer', async () => {
    const line = (word: string, count: number): string => `${word} of the boat and its sails.\n`.repeat(count);
    const bench = new ReferenceBench(fakeVault({ 'A.md': line('alpha', 120), 'B.md': line('beta', 20) }));
    const turn = { contextNotes: ['A.md', 'B.md'], contextWindow: 8_192 };
    const model = { ...caching, contextWindow: 8_192 };
    await bench.play({ turn, model });
    bench.vault.put('B.md', line('beta', 230));
    const { changes } = (await bench.play({ turn, model })).settled;
    const texts = changes.parts.filter(({ section }) => section === 'context-notes').map(({ text }) => text);
    expect(texts).toHaveLength(1);
    expect(texts[0]).toContain('<note path="B.md">');
    expect(texts[0]).toContain('more characters');
    expect(texts[0]).not.toContain('alpha');
    const after = (await bench.play({ turn, model })).settled.changes.parts;
    expect(after.filter(({ section }) => section === 'context-notes')).toEqual([]);
  });

  it('R221 writes it anew, on the record, where all behind it is written anew: another model, other instructions, a rest', async () => {
    const bench = new ReferenceBench(fakeVault({ 'A.md': '## One', 'In/B.md': '## Two' }));
    await bench.play();
    bench.vault.put('A.md', '## Changed');
    expect((await bench.play()).settled.sent).toBeNull();
    const cold = await bench.play({ free: 'cold' });
    expect(cold.settled.sent?.reason).toBe('cold');
    expect(cold.settled.changes.parts).toEqual([]);
    expect(headOf(cold.plan)).toContain('## Changed');
    // Changed text goes after unchanged text.
    expect(cold.settled.sent?.items.find(({ key }) => key === 'map:')?.tier).toBe('active');
    const other = await bench.play({ model: { ...caching, id: 'anthropic/other' } });
    expect(other.settled.sent?.reason).toBe('head');
    expect((await bench.play({ model: { ...caching, id: 'anthropic/other' }, free: 'cold' })).settled.sent).toBeNull();
  });

  it('R226 counts in the active part what changed, and lets it stand before the rest again once it stood still', async () => {
    const bench = new ReferenceBench(fakeVault({ 'A.md': '## One', 'In/B.md': '## Two' }));
    await bench.play();
    bench.vault.put('A.md', '## Changed');
    await bench.play({ free: 'cold' });
    for (let turn = 0; turn < 3; turn += 1) await bench.play();
    const { settled } = await bench.play({ free: 'compaction' });
    expect(settled.sent?.items.find(({ key }) => key === 'map:')?.tier).toBe('L3');
  });
});

describe('a selection for the same blocks', () => {
  const prompt = assemblePrompt({
    ...{ sections: [], facts: new Map(), tokenizer: roughTokenizer },
    layout: { ...buildLayout, fit: () => [] },
  });
  const block = { section: 'notes', zone: 'reference', place: 'system', outcome: 'full', madeVisible: 0 } as const;
  const tokenizer = { count: () => 2, exact: true };
  const question = (): ReferenceQuestion => ({
    prompt: { ...prompt, blocks: [{ ...block, text: 'A note.', tokens: 2 }] },
    ...{ model: caching, tools: 'tools', tokenizer, kept: null, free: null },
  });

  it('is the same object while the question is the same', () => {
    const first = question();
    const selected = selectReference(first);
    expect(selectReference({ ...first, prompt: { ...first.prompt } })).toBe(selected);
    expect(selectReference(question())).not.toBe(selected);
  });

  it.each<[string, Partial<ReferenceQuestion>]>([
    ['model', { model: { ...caching } }],
    ['tools', { tools: 'others' }],
    ['tokenizer', { tokenizer: { count: () => 1, exact: true } }],
    [
      'texts that were sent',
      { kept: { kind: 'reference-sent', head: 'x', reason: 'start', items: [], turns: 1, told: new Map() } },
    ],
    ['reason why it costs nothing', { free: 'cold' }],
    ['order', { promotes: true }],
    ['system prompt', { prompt: { ...question().prompt, system: 'Another.' } }],
  ])('is made again for another %s', (_name, other) => {
    const first = question();
    const selected = selectReference(first);
    const next = { ...first, ...other };
    const again = { ...next, prompt: { ...next.prompt, blocks: first.prompt.blocks } };
    expect(selectReference(again)).not.toBe(selected);
  });

  it('asks for no count that was not asked for before, so that it is made once', () => {
    const asked = new Set<string>();
    const counter = { exact: true, count: (text: string) => (asked.add(text), text.length) };
    const item = (key: string) => ({ key, text: `Text of ${key}`, madeVisible: 0, modified: 1 });
    const items = ['map:', 'map:In/', 'tree:', 'file:A.md', 'file:In/B.md'].map(item);
    const blocks = [
      { ...block, text: 'All of it.', tokens: 2, items },
      { ...block, text: 'A rule.', tokens: 2 },
      { ...block, place: 'first-message', text: 'The first.', tokens: 2 } as const,
    ];
    countReference(blocks, counter);
    const before = new Set(asked);
    const selected = selectReference({
      ...question(),
      ...{ prompt: { ...prompt, blocks }, tokenizer: counter, model: { ...caching, cachesPrompts: false } },
    });
    expect(selected.blocks.length).toBeGreaterThan(items.length);
    expect([...asked].filter((text) => !before.has(text))).toEqual([]);
  });

  it('counts again what was estimated', () => {
    const counts = { each: 9, exact: false };
    const estimating = {
      count: () => counts.each,
      get exact() {
        return counts.exact;
      },
    };
    const first = { ...question(), tokenizer: estimating };
    const tokens = () => selectReference(first).blocks.map((each) => each.tokens);
    expect(new Set(tokens())).toEqual(new Set([9]));
    Object.assign(counts, { each: 4, exact: true });
    expect(new Set(tokens())).toEqual(new Set([4]));
  });
});
