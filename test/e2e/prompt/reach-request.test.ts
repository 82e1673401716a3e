/**
 * The shape of a request: the contents of its tiers, the marks for the prompt cache, and that nothing is in it twice.
 */
import { sections } from '../../../src/core/prompt/sections';
import { readLog } from '../driver/chat-view';
import { expectInOrder, sectionIn, sendTyped, walk, type Walk } from '../driver/reach-walk';

jest.setTimeout(90_000);

const tiered = { model: 'anthropic/scripted' };
const headings = (name: string): string =>
  [0, 1, 2].map((part) => `## ${name} ${part}: establishmentarianism of the harbour`).join('\n');
const folder = (name: string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`${name}/${name} ${at}.md`, headings(name)]));

/** Texts at whose end the provider is asked to keep the request. */
function marksIn({ workbench }: Walk, index: number): { text: string; mark: unknown }[] {
  const found: { text: string; mark: unknown }[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('cache_control' in value)
      found.push({ text: 'text' in value ? String(value.text) : '', mark: value.cache_control });
    Object.values(value).forEach(visit);
  };
  const bodies = (workbench.model?.requests ?? []).filter(({ method }) => method === 'POST').map(({ body }) => body);
  visit(bodies.at(index));
  return found;
}

describe('in tiers', () => {
  const vault = {
    ...folder('Boats'),
    ...folder('Sails'),
    'Heron.md': '# Heron\n\nHeron is a clinker dinghy. [[Boats 1]] #afloat\n',
    'Say "ahoy" & go.md': 'a & b <c>\n',
    'Empty.md': '',
    'Docent/memory.md': '',
  };
  const self = walk(
    { vault, settings: { ...tiered, contextNotes: ['Boats/Boats 0.md', 'Gone.md', 'Sails/Sails 1.md'] } },
    async (each) => {
      const { chatView, workbench } = each;
      for (const name of ['Heron', 'Say', 'Empty']) {
        await chatView.mention(name);
        await workbench.page.keyboard.type('and ');
      }
      await sendTyped(each, 'Hello');
      for (const text of ['Two', 'Three']) await chatView.ask(text);
      await chatView.mention('Heron');
      await sendTyped(each, 'Again');
      await workbench.writeNote('Sails/Fresh.md', '# Fresh\n');
      await workbench.page.waitForFunction(() => {
        const file = window.app.vault.getFileByPath('Sails/Fresh.md');
        return file !== null && window.app.metadataCache.getFileCache(file) !== null;
      });
      await chatView.ask('What is new?');
    },
  );
  const system = (index = 0): string => self.sent(index).system;
  const everything = (index: number): string =>
    [system(index), ...self.sent(index).messages.map(({ text }) => text)].join('\n');
  const times = (text: string, part: string): number => text.split(part).length - 1;

  it('R206@request R208@request R209@request has instructions, the map under its legend and the pinned notes in one system message', () => {
    const legend =
      '\n\n# Vault map\nEvery file, by folder. After a note: its size, ←how many notes link to it, →how many it links to, #tags. If there is room: which notes, and {properties}. Below it: its headings.\nThe map shows where things are, not what they say. Read a note before you state, quote or change what is in it.\n\n<folder path="/">\n';
    expect(times(system(), legend)).toBe(1);
    expectInOrder(system(), [
      'You are the assistant',
      '<permissions>',
      '# Vault map',
      '<folder path="Boats">',
      '<folder path="Sails">',
      '# Reference notes (stable)\nThese notes are included for reference:\n\n<note path="Boats/Boats 0.md">',
    ]);
  });

  it('R219@request R223@request writes notes one after the other in an envelope, a blank line between, without what cannot be read', () => {
    expect(system()).toContain(
      `<note path="Boats/Boats 0.md">\n${headings('Boats')}\n</note>\n\n<note path="Sails/Sails 1.md">\n${headings('Sails')}\n</note>`,
    );
    expect(everything(0)).not.toContain('Gone.md');
  });

  it('R264@request tells of each note its links, tags and headings, by folder', () => {
    expect(system()).toContain('\n- Heron.md, 1 KB →1: Boats 1 #afloat\n');
    expect(system()).toContain(
      `<folder path="Boats">\n- Boats 0.md, attached\n- Boats 1.md, 1 KB ←1\n${headings('Boats')}\n`,
    );
  });

  it('R214@request R208@request puts attached notes before the words of the user, with a reply of their own', () => {
    const { messages } = self.sent(0);
    const at = messages.findIndex(({ text }) =>
      text.includes('# Working notes\nHere are the notes:\n\n<files>\n<note path="Heron.md">'),
    );
    expect(at).toBe(0);
    expect(messages[at + 1]).toMatchObject({ role: 'assistant', text: 'Ok.' });
    expect(messages[at + 2]?.text).toContain('Hello');
  });

  it('R180@request R265@request escapes what could be taken for a tag, in text and in names, and gives an empty note an empty body', () => {
    const files = sectionIn(everything(0), 'files') ?? '';
    expect(files).toContain('<note path="Say &quot;ahoy&quot; & go.md">\na & b <c>\n');
    expect(files).toMatch(/<note path="Empty\.md">\n+<\/note>/);
  });

  it('R204@request R181@request has system, environment, working notes, what is open, the words and the reminder in this order', () => {
    const { messages } = self.sent(0);
    expectInOrder(messages.map(({ text }) => text).join('\n'), [
      '<environment>',
      '# Working notes',
      'Ok.',
      '<editor_context>',
      'Hello',
      '<reminder>',
    ]);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  it('R205@request has no message for a tier that is empty', () => {
    for (const header of [
      '# Reference notes\n',
      '# Reference notes (continued)',
      '# Reference notes (newer)',
      '# Vault map (continued)',
      '# Changes under review',
    ]) {
      expect(everything(0)).not.toContain(header);
    }
  });

  it('R227@request R224@request has the text of each note once, and only its name in the map', () => {
    for (const index of [0, 1, 2, 3, 4]) {
      expect(times(everything(index), 'Heron is a clinker dinghy.')).toBe(1);
      expect(times(everything(index), '<note path="Boats/Boats 0.md">')).toBe(1);
      expect(times(system(index), '- Boats 0.md, attached\n')).toBe(1);
    }
  });

  it('R221@request R225@request sends what was sent again, byte for byte, and each message once', () => {
    for (const index of [1, 2, 3, 4]) {
      const [before, now] = [self.sent(index - 1), self.sent(index)];
      expect(now.system).toBe(before.system);
      expect(now.messages.slice(0, before.messages.length)).toEqual(before.messages);
    }
    const said = self
      .sent(4)
      .messages.flatMap(({ texts }) => texts.filter((text) => /^(?:Two|Three|What is new\?)$/.test(text)));
    expect(said).toEqual(['Two', 'Three', 'What is new?']);
  });

  it('R222@request R226@request R163@request tells of a new note beside the message, and leaves its tier as it was', () => {
    expect(self.sent(4).messages.at(-1)?.text).toContain('created: Sails: Fresh.md');
    expect(system(4)).not.toContain('Fresh.md');
  });

  it('R221@disk R222@disk keeps an item for each folder of the map and each pinned note, with its tier', async () => {
    const [sent] = (await readLog(self.workbench)).filter(({ k }) => k === 'reference-sent');
    const items = sent?.b['items'] as { key: string; tier: string }[];
    expect(items.map(({ key }) => key).sort()).toEqual(
      expect.arrayContaining([
        'file:Boats/Boats 0.md',
        'file:Sails/Sails 1.md',
        'map:',
        'map:Boats',
        'map:Docent',
        'map:Sails',
      ]),
    );
    for (const { key, tier } of items)
      expect([key, tier]).toEqual([key, key.startsWith('opening:') ? 'opening' : 'L0']);
  });

  it('R228@request R229@request R230@request marks at most four places, the head and the newest message among them, each on text', () => {
    for (const index of [0, 4]) {
      const marks = marksIn(self, index);
      expect(marks.length).toBeGreaterThanOrEqual(2);
      expect(marks.length).toBeLessThanOrEqual(4);
      for (const { text, mark } of marks) expect([text.trim() !== '', mark]).toEqual([true, { type: 'ephemeral' }]);
      expect(marks[0]?.text).toBe(system(index));
    }
  });
});

describe('without any part', () => {
  const self = walk(
    {
      vault: { 'Boat.md': 'Blue.\n', 'Docent/memory.md': '' },
      settings: { ...tiered, sectionsOff: sections.map(({ id }) => id) },
    },
    ({ chatView }) => chatView.ask('Hello').then(() => {}),
  );

  it('R230@request marks nothing where the beginning is shorter than a provider keeps', () => {
    expect(self.sent().messages.map(({ text }) => text)).toEqual(['Hello']);
    // What is offered as tools counts as well: without text in front, there is no place for a mark but the message.
    expect(marksIn(self, 0).filter(({ text }) => text !== 'Hello')).toEqual([]);
  });
});

describe('of a vault that is too large for a map', () => {
  const many = (count: number, name: (at: number) => string, text = ''): Record<string, string> =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [name(at), text]));

  describe('as a list', () => {
    const self = walk(
      {
        vault: { ...many(450, (at) => `F/Note ${at}.md`, '# A\n\n## B\n\n## C\n'), 'Docent/memory.md': '' },
        settings: { ...tiered, contextWindow: 200_000 },
      },
      ({ chatView }) => chatView.ask('Hello').then(() => {}),
    );
    it('R194@request is complete, flat and sorted', () => {
      const text = [self.sent().system, ...self.sent().messages.map(({ text: each }) => each)].join('\n');
      const listed = (sectionIn(text, 'vault_structure') ?? '').split('\n');
      expect(listed[0]).toMatch(/^# File Tree \(45\d files\)$/);
      const notes = listed.filter((line) => /^F\/Note \d+\.md$/.test(line));
      expect(notes).toHaveLength(450);
      expect(notes).toEqual([...notes].sort());
      expect(listed.filter((line) => /^\s|^- /.test(line))).toEqual([]);
    });
  });

  describe('as folders, and as its root', () => {
    const files = {
      ...many(300, (at) => `Folder ${at % 3}/Note ${at}.md`, '# A\n'),
      'Top.md': 'x\n',
      'Docent/memory.md': '',
    };
    const self = walk({ vault: files, settings: { ...tiered, contextWindow: 40_000 } }, ({ chatView }) =>
      chatView.ask('Hello').then(() => {}),
    );
    it('R185@request R210@request R162@request is a tree with counts, in a pair of its own, and says how to look further', () => {
      const { messages, system } = self.sent();
      const at = messages.findIndex(({ text }) => text.includes('# Vault files\n'));
      expect(messages[at]?.text).toMatch(/\nFolder 0\/ \(100\)\nFolder 1\/ \(100\)\nFolder 2\/ \(100\)\n/);
      expect(messages[at]?.text).toMatch(
        /list_folder shows what is in a folder; search_notes and find_notes search everywhere\./,
      );
      expect(messages[at + 1]).toMatchObject({ role: 'assistant', text: 'Ok.' });
      expect(system).not.toContain('<vault_structure>');
    });
  });

  describe('at its root alone', () => {
    const files = {
      ...many(160, (at) => `A long name of folder number ${at}/Note.md`),
      'Top.md': 'x\n',
      'Docent/memory.md': '',
    };
    const self = walk({ vault: files, settings: { contextWindow: 8_192 } }, ({ chatView }) =>
      chatView.ask('Hello').then(() => {}),
    );
    it('R161@request R162@request lists folders with a slash, then files, cut to its room, and says how to look further', () => {
      const sentText = [self.sent().system, ...self.sent().messages.map(({ text: each }) => each)].join('\n');
      const text = sectionIn(sentText, 'vault_structure') ?? '';
      expect(text).toMatch(/^At the root of the vault:\n\nFolders:\n - A long name/);
      // A window of this size has no list_folder.
      expect(text).toMatch(/\n… and \d+ more\.\n\nsearch_notes and find_notes search everywhere\.$/);
    });
  });
});
