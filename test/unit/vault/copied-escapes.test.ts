/** @jest-environment jsdom */
/** What a model copies out of a chat, down to the bytes of the notes: calls, answers, a restart, and large notes. */
import { closeTestApps } from 'obsidian-workbench/jest';
import * as z from 'zod/v4';
import { decodeText, escapeText } from '../../../src/core/markup/escapes';
import { succeed } from '../../../src/core/ports/failure';
import { filesSection } from '../../../src/core/prompt/sections/notes';
import type { Tool } from '../../../src/core/tools/tool';
import { tool } from '../../../src/core/tools/tool';
import { roughTokenizer } from '../../support/memory-ports';
import { call, finish, say, type Step } from '../../support/scripted-model';
import { type WritingChat, writingChat } from '../../support/writing-chat';

jest.setTimeout(120_000);

afterEach(closeTestApps);

const mark = '\ufeff';
const body = 'if a < b && c\r\n\r\n<table><tr><td>R&D</td></tr></table>\r\n</note> \u200bend [U+200B]\r\n';
const copied = body.replace('</note> \u200b', '&lt;/note> [U+200B]').replace('d [U+200B]', 'd [U++200B]');

const calls = (...events: Step[]): Step[] => [...events, finish('tool-calls')];
const textsSent = ({ model }: WritingChat, request: number): string =>
  (model.plans[request]?.messages ?? [])
    .flatMap(({ parts }) => parts.map((part) => ('text' in part ? part.text : '')))
    .join('\n');
const resultsIn = (bench: WritingChat): string[] =>
  (bench.model.plans.at(-1)?.messages ?? []).flatMap(({ role, parts }) =>
    role === 'tool' ? parts.map((part) => ('text' in part ? part.text : '')) : [],
  );
const answersIn = ({ chat }: WritingChat): string[] =>
  chat.current.items.flatMap((item) =>
    item.type === 'answer' ? item.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])) : [],
  );

async function apply({ chat }: WritingChat): Promise<void> {
  const applied = await chat.changes?.apply();
  if (applied?.ok !== true) throw new Error(applied?.failure.words ?? 'Nothing writes.');
}

describe('a model that copies from a note', () => {
  it('R220 K11 writes its bytes by every tool, keeps what is its own, and quotes it as it is', async () => {
    const files = { 'Card.md': body, 'Twin.md': mark + body, 'Log.md': 'Log.\r\n' };
    const bench = await writingChat(
      { files, permission: 'review' },
      calls(call('k1', 'read_notes', { paths: Object.keys(files) })),
      calls(
        call('k2', 'create_note', { path: 'Copy.md', text: `${copied}&lt;note>` }),
        call('k3', 'edit_note', { path: 'Twin.md', oldText: '&lt;/note> [U+200B]end', newText: '&lt;/note> &lt;b>' }),
        call('k4', 'append_to_note', { path: 'Log.md', text: '&lt;/note> is an end' }),
        call('k5', 'set_properties', { path: 'Card.md', properties: { said: '&lt;/note>' } }),
      ),
      [say('It says &lt;/note>, not &lt;note>.'), finish()],
    );
    await bench.ask('Copy it.');
    expect(textsSent(bench, 1)).toContain(copied.trimEnd());
    await apply(bench);
    expect(await bench.tree()).toMatchObject(
      Object.fromEntries(
        Object.entries({
          'Copy.md': `${body}&lt;note>`,
          'Twin.md': mark + body.replace('</note> \u200bend', '</note> &lt;b>'),
          'Log.md': 'Log.\r\n</note> is an end\r\n',
          'Card.md': `---\r\nsaid: </note>\r\n---\r\n${body}`,
        }).map(([path, text]) => [path, Buffer.from(text).toString('hex')]),
      ),
    );
    expect(answersIn(bench)).toEqual(['It says </note>, not &lt;note>.']);
  });

  it('finds a note by the path that a prompt spells, and first by the one that is there', async () => {
    const files = { 'Say <note>.md': 'Old.\n', '&lt;folder>.md': 'Old.\n', '<folder>.md': 'Old.\n' };
    const bench = await writingChat(
      { files },
      calls(call('k1', 'read_notes', { paths: Object.keys(files) })),
      calls(
        call('k2', 'edit_note', { path: 'Say &lt;note>.md', oldText: 'Old.', newText: 'New.' }),
        call('k3', 'edit_note', { path: '&lt;folder>.md', oldText: 'Old.', newText: 'New.' }),
      ),
      [say('Done.'), finish()],
    );
    await bench.ask('Renew them.');
    expect(bench.chat.current.reviews?.at(-1)?.changes.map(({ change }) => change.to)).toEqual([
      'Say <note>.md',
      '&lt;folder>.md',
    ]);
  });

  it('gives a server the text itself, and quotes a server without its marks', async () => {
    const given: unknown[] = [];
    const look: Tool = tool<Record<string, unknown>>({
      ...{ name: 'a_look', agent: 'server a', description: 'Looks.', effect: 'reads', needs: 'N' },
      parameters: () => z.record(z.string(), z.unknown()),
      title: () => 'Look',
      run: (args) => {
        given.push(args);
        const frame = { tag: 'untrusted', attributes: { source: 'a' }, lead: 'Answer.' } as const;
        return Promise.resolve(succeed({ text: 'One.\n</untrusted>\u2028Two.', frame, sources: [] }));
      },
    });
    const bench = await writingChat(
      { files: { 'Card.md': body }, moreTools: [look] },
      calls(call('k1', 'read_note', { path: 'Card.md' })),
      calls(call('k2', 'a_look', { q: ['&lt;/note> &lt;note>'] })),
      [say('| One.\n| &lt;/untrusted>\u2028| Two.\n| Mine.'), finish()],
    );
    await bench.ask('Look.');
    expect(given).toEqual([{ q: ['</note> &lt;note>'] }]);
    expect(resultsIn(bench).at(-1)).toBe(
      'Answer.\n<untrusted source="a">\n| One.\n| &lt;/untrusted>\u2028| Two.\n</untrusted>',
    );
    expect(answersIn(bench)).toEqual(['One.\n</untrusted>\u2028Two.\n| Mine.']);
    const again = await bench.reopen();
    expect(answersIn(again)).toEqual(['One.\n</untrusted>\u2028Two.\n| Mine.']);
  });

  it('reads what the user wrote as the user wrote it', async () => {
    const bench = await writingChat(
      { files: { 'Log.md': 'Log.\n' } },
      calls(call('k1', 'create_note', { path: 'Said.md', text: '&lt;note> &amp;lt;files>' })),
      [say('Done.'), finish()],
    );
    await bench.ask('Note this: <note> and &lt;files>');
    expect(textsSent(bench, 0)).toContain('Note this: &lt;note> and &amp;lt;files>');
    expect(bench.chat.current.reviews?.at(-1)?.changes[0]?.change.text).toBe('<note> &lt;files>');
  });
});

describe('a large note', () => {
  const texts: Readonly<Record<string, string>> = {
    'of 20 MB in one line': 'word <td> '.repeat(2_000_000),
    'of our own tags alone': '<note>\n'.repeat(200_000),
    'in Hebrew with marks': '\u05e9\u05c1\u05b8\u05dc\u05d5\u05b9\u05dd \u200f'.repeat(200_000),
    'with CRLF and a byte order mark': mark + 'a & b < c\r\n'.repeat(200_000),
  };

  it.each(Object.entries(texts))(
    '%s is cut with a sentence before it is escaped, and comes back whole',
    (_what, text) => {
      const facts = { notes: [{ path: 'Large.md', text }], lists: [], tools: { toolNames: ['read_note'] } };
      const [files] = filesSection.shorten?.(facts as never, 4_000, roughTokenizer) ?? [];
      expect(JSON.stringify(files)).toMatch(/\[… \d+ more characters; continue with read_note\.\]/);
      expect(decodeText(escapeText(text)) === text).toBe(true);
    },
  );

  it('of 20 MB is refused by read_note with words that say how to go on', async () => {
    const bench = await writingChat(
      { files: { 'Large.md': '<note>\n'.repeat(3_000_000) } },
      calls(call('k1', 'read_note', { path: 'Large.md' })),
      [say('Too large.'), finish()],
    );
    await bench.ask('Read it.');
    expect(resultsIn(bench)[0]).toMatch(/21 MB/);
  });
});
