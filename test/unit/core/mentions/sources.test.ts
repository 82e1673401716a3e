import { mentionSources } from '../../../../src/core/mentions';
import { commandMentions, toolMentions } from '../../../../src/core/mentions/commands';
import { folderMentions, imageMentions } from '../../../../src/core/mentions/files';
import {
  type Candidate,
  type MentionContext,
  type MentionSource,
  nameOf,
} from '../../../../src/core/mentions/mention-source';
import { formatMention, isMissing } from '../../../../src/core/mentions/mention-text';
import { noteMentions } from '../../../../src/core/mentions/note';
import { blockMentions, completedLink, headingMentions } from '../../../../src/core/mentions/note-parts';
import { promptMentions, runPromptMentions, workspaceMentions } from '../../../../src/core/mentions/prompts';
import { tagMentions } from '../../../../src/core/mentions/tag';
import { tools } from '../../../../src/core/tools';
import { words } from '../../../../src/text';
import { fakeVault } from '../../../support/fake-vault';
import { mentionContext } from './mention-context';

/** What is offered after this text: `how it stands in the message` per line, or null when the source stays silent. */
function offered(source: MentionSource, context: MentionContext, typed: string): string[] | null {
  return source.offer(context, typed)?.candidates.map(textOf) ?? null;
}

function textOf(candidate: Candidate): string {
  return 'command' in candidate ? `/${candidate.command.id}` : formatMention(candidate.mention);
}

function mentionsOf(source: MentionSource, context: MentionContext, typed: string) {
  return source.offer(context, typed)?.candidates.flatMap((one) => ('mention' in one ? one.mention : [])) ?? [];
}

describe('R175 notes', () => {
  it('are offered newest first, with their folder', () => {
    const context = mentionContext({ 'Old.md': '', 'deep/in/New.md': '', 'scan.pdf': new Uint8Array(1) });
    expect(noteMentions.offer(context, '')?.candidates).toEqual([
      { mention: { kind: 'note', id: 'deep/in/New.md', label: 'New' }, detail: 'deep/in', keywords: 'deep/in' },
      { mention: { kind: 'note', id: 'Old.md', label: 'Old' }, detail: '', keywords: '' },
    ]);
  });

  it('are the same list while the vault is unchanged, and another after a change', () => {
    const context = mentionContext({ 'A.md': '' });
    const first = noteMentions.offer(context, '')?.candidates;
    expect(noteMentions.offer(context, 'a')?.candidates).toBe(first);
    context.vault.put('B.md', '');
    expect(noteMentions.offer(context, '')?.candidates).toHaveLength(2);
  });

  it('of one name are told apart by their folders, in whatever case', () => {
    const context = mentionContext({ 'Heron.md': '', 'Boats/heron.md': '', 'Birds/Heron.md': '', 'Boats/Tern.md': '' });
    expect(offered(noteMentions, context, '')).toEqual(['[[Tern]]', '[[Birds/Heron]]', '[[Boats/heron]]', '[[Heron]]']);
    expect(noteMentions.offer(context, '')?.candidates.map(nameOf)).toEqual(['Tern', 'Heron', 'heron', 'Heron']);
  });

  it('of a large vault are prepared in slices, in the same order', () => {
    const times = Array.from({ length: 9_000 }, (_, n) => (n * 7919) % 9_001);
    const entries = times.map((modified, n) => {
      const path = `${String(n).padStart(5, '0')}.md`;
      return { path, kind: 'note' as const, size: 0, modified: modified % 500 };
    });
    const context = { ...mentionContext({}), vault: { ...fakeVault({}), files: () => entries } };
    expect(offered(noteMentions, context, '')).toEqual([]);
    let slices = 1;
    while (noteMentions.prepare?.(context, '') === true) slices += 1;
    const expected = [...entries].sort((a, b) => b.modified - a.modified || (a.path < b.path ? -1 : 1));
    expect(mentionsOf(noteMentions, context, '').map(({ id }) => id)).toEqual(expected.map(({ path }) => path));
    expect(slices).toBeGreaterThan(5);
  });

  it.each([
    ['notes', noteMentions, { notes: 5_001, images: 0 }, 5],
    ['images', imageMentions, { notes: 12_000, images: 1 }, 5],
    ['folders', folderMentions, { notes: 5_001, images: 0 }, 3],
    ['tags', tagMentions, { notes: 2_501, images: 0 }, 3],
  ] as const)('a pass over a large vault for %s does a few milliseconds of work at a time', (...row) => {
    const [, source, { notes, images }, slices] = row;
    const file = (kind: 'note' | 'attachment', path: string) => ({ path, kind, size: 0, modified: 1 });
    const entries = [
      ...Array.from({ length: notes }, (_, n) => file('note', `${String(n).padStart(5, '0')}.md`)),
      ...Array.from({ length: images }, (_, n) => file('attachment', `z${n}.png`)),
    ];
    const folders = Array.from({ length: 1_200 }, (_, n) => `F${String(n).padStart(4, '0')}`);
    const vault = { ...fakeVault({}), files: () => entries, folders: () => folders, tags: () => undefined };
    const context = { ...mentionContext({}), vault };
    let calls = 1;
    while (source.prepare?.(context, '') === true) calls += 1;
    expect(calls).toBe(slices);
  });

  it('give way to the parts of a note', () => {
    expect(offered(noteMentions, mentionContext({ 'A.md': '' }), 'A#')).toBeNull();
  });
});

describe('R175 headings', () => {
  const files = {
    'Boats/Heron.md': '# Heron\n## Keel\n## Keel\n## Sails: [[old]] | new\n',
    'Tern.md': '# Tern\n',
    'Front.md': '# In front\n',
  };

  it('of the note that was named, each once, in their order', () => {
    const context = mentionContext(files);
    expect(offered(headingMentions, context, 'Heron#')).toEqual([
      '[[Heron#Heron]]',
      '[[Heron#Keel]]',
      '[[Heron#Sails old new]]',
    ]);
    expect(mentionsOf(headingMentions, context, 'Heron#').at(-1)?.id).toBe('Boats/Heron.md#Sails: [[old]] | new');
    expect(headingMentions.offer(context, 'Heron#sai')?.query).toBe('sai');
  });

  it('are found from the beginning of a name', () => {
    const context = mentionContext(files);
    expect(offered(headingMentions, context, 'her#')).toHaveLength(3);
    expect(offered(headingMentions, context, 'nowhere#')).toBeNull();
  });

  it('without a note are those of the note in front, then of the newest notes', () => {
    const context = mentionContext(files, { activeNote: 'Tern.md' });
    expect(offered(headingMentions, context, '#')?.slice(0, 2)).toEqual(['[[Tern#Tern]]', '[[Front#In front]]']);
  });

  it('name the folder of a note whose name is shared', () => {
    const context = mentionContext({ ...files, 'Birds/Heron.md': '' });
    expect(offered(headingMentions, context, 'Boats/Heron#')?.[0]).toBe('[[Boats/Heron#Heron]]');
  });

  it('stay silent for blocks and for plain names', () => {
    const context = mentionContext(files);
    expect(offered(headingMentions, context, 'Heron')).toBeNull();
    expect(offered(headingMentions, context, 'Heron#^')).toBeNull();
  });
});

describe('R175 blocks', () => {
  const files = { 'Log.md': '# Log\nFirst.\n## Engine\n- Bleed the fuel ^bleeding\n\nNo id.\n\nA line ^other-1\n' };

  it('show the heading above them until the note has been read, then their text', async () => {
    const context = mentionContext(files, { activeNote: 'Log.md' });
    expect(offered(blockMentions, context, 'Log#^')).toEqual(['[[Log#^bleeding]]', '[[Log#^other-1]]']);
    expect(blockMentions.offer(context, 'Log#^')?.candidates.map(({ detail }) => detail)).toEqual(['Engine', 'Engine']);
    expect(await blockMentions.prepare?.(context, 'Log#^')).toBe(false);
    expect(await blockMentions.prepare?.(context, 'Log#^b')).toBe(false);
    expect(context.vault.reads).toEqual(['Log.md']);
    expect(blockMentions.offer(context, '#^')?.candidates.map(({ detail }) => detail)).toEqual([
      'Bleed the fuel',
      'A line',
    ]);
    expect(mentionsOf(blockMentions, context, '#^')[0]?.id).toBe('Log.md#^bleeding');
    expect(blockMentions.offer(context, 'Log#^ble')?.query).toBe('ble');
  });

  it('are read anew after a change', async () => {
    const context = mentionContext(files);
    await blockMentions.prepare?.(context, 'Log#^');
    context.vault.put('Log.md', 'Changed ^bleeding\n');
    await blockMentions.prepare?.(context, 'Log#^');
    expect(blockMentions.offer(context, 'Log#^')?.candidates.map(({ detail }) => detail)).toEqual(['Changed']);
  });

  it('stay silent for headings', () => {
    expect(offered(blockMentions, mentionContext(files), 'Log#')).toBeNull();
  });
});

describe('R175 folders', () => {
  it('are offered by name with the notes below them', () => {
    const context = mentionContext({
      'A/one.md': '',
      'A/B/two.md': '',
      'A/B/scan.pdf': new Uint8Array(1),
      'A B/three.md': '',
      'A-/four.md': '',
      'root.md': '',
    });
    const candidates = folderMentions.offer(context, 'a')?.candidates ?? [];
    const counts = candidates.map((one) => [textOf(one), 'mention' in one ? one.notes : null]);
    expect(Object.fromEntries(counts)).toEqual({ '[[A/]]': 2, '[[A/B/]]': 1, '[[A B/]]': 1, '[[A-/]]': 1 });
    expect(mentionsOf(folderMentions, context, 'a').map(({ id }) => id)).toContain('A/B');
  });

  it('wait until something was typed', () => {
    const context = mentionContext({ 'A/one.md': '' });
    expect(offered(folderMentions, context, '')).toBeNull();
    expect(offered(folderMentions, context, 'A#')).toBeNull();
  });
});

describe('R175 tags', () => {
  const files = {
    'A.md': 'x #Boat/refit and #boat\n',
    'B.md': '---\ntags: [boat, garden]\n---\n',
    'C.md': 'nothing\n',
  };
  const counts = (context: MentionContext) =>
    tagMentions
      .offer(context, 'b')
      ?.candidates.map((one) => ('mention' in one ? `${formatMention(one.mention)} ${one.notes}` : ''));

  it('count the notes that have them or a tag nested in them, whatever their case', () => {
    const context = mentionContext(files);
    expect(counts(context)?.map((line) => line.toLowerCase())).toEqual([
      '[[#boat]] 2',
      '[[#boat/refit]] 1',
      '[[#garden]] 1',
    ]);
  });

  it('have those of the most notes first, and then go by name', () => {
    const context = mentionContext({ 'A.md': '#oak #zinc #Ash\n', 'B.md': '#zinc\n', 'C.md': '#zinc #oak\n' });
    expect(counts(context)).toEqual(['[[#zinc]] 3', '[[#oak]] 2', '[[#Ash]] 1']);
  });

  it('follow the vault', () => {
    const context = mentionContext(files);
    counts(context);
    context.vault.put('B.md', '#garden\n');
    context.vault.remove('A.md');
    expect(counts(context)).toEqual(['[[#garden]] 1']);
  });

  it.each([
    ['', null],
    ['boa', 'boa'],
    ['#', ''],
    ['#boa', 'boa'],
    ['Note#boa', null],
    ['#^boa', null],
  ])('after %j look for %j', (typed, query) => {
    expect(tagMentions.offer(mentionContext(files), typed)?.query ?? null).toBe(query);
  });
});

describe('R175 prompts and workspaces', () => {
  const files = {
    'Docent/prompts/Tidy.md': '---\nname: Tidy up\ndescription: Makes it neat\n---\nDo.',
    'Docent/prompts/Plain.md': 'Do.',
    'Docent/prompts/deeper/No.md': '',
    'Docent/workspaces/Boat.md': '---\ndescription: The refit\n---\n',
    'Other/prompts/Elsewhere.md': '',
  };

  it('are the notes of the agent folder, with name and description', () => {
    const context = mentionContext(files);
    expect(offered(promptMentions, context, '')).toEqual(['@Plain', '@Tidy up']);
    expect(promptMentions.offer(context, '')?.candidates.at(-1)?.detail).toBe('Makes it neat');
    expect(mentionsOf(promptMentions, context, '').at(-1)).toEqual({
      kind: 'prompt',
      id: 'Docent/prompts/Tidy.md',
      label: 'Tidy up',
    });
    expect(offered(workspaceMentions, context, '')).toEqual(['#Boat']);
    expect(offered(promptMentions, mentionContext(files, { agentFolder: 'Other' }), '')).toEqual(['@Elsewhere']);
  });

  it('are offered after a slash, too, to be run', () => {
    expect(offered(runPromptMentions, mentionContext(files), '')).toEqual(
      offered(promptMentions, mentionContext(files), ''),
    );
  });

  it('of one name go by their files', () => {
    const same = '---\nname: Same\n---\n';
    const context = mentionContext({ 'Docent/prompts/A.md': same, 'Docent/prompts/B.md': same });
    expect(offered(promptMentions, context, '')).toEqual(['@A', '@B']);
  });
});

describe('R084 R175 commands and tools', () => {
  it('are offered with what is typed for them', () => {
    const command = { id: 'new', name: 'New chat', description: 'Starts.', run: () => {} };
    const context = mentionContext({}, { tools, commands: [command] });
    expect(offered(commandMentions, context, '')).toEqual(['/new']);
    expect(offered(toolMentions, context, '')).toContain('/search_notes');
    const search = toolMentions.offer(context, '')?.candidates.find((one) => textOf(one) === '/search_notes');
    expect(search && nameOf(search)).toBe('Search notes');
    expect(search?.detail).toMatch(/^Finds [^.]+\.$/);
    expect(toolMentions.offer(context, '')?.candidates).toBe(toolMentions.offer(context, 'x')?.candidates);
  });
});

it('R175 has sources for the four triggers, and words for each', () => {
  expect(new Set(mentionSources.flatMap(({ triggers }) => triggers))).toEqual(new Set(['[[', '/', '@', '#']));
  for (const { id } of mentionSources) {
    expect(words.chatView.suggestionGroups[id]).toMatch(/\w/);
    expect(words.chatView.noSuggestions[id]).toMatch(/\.$/);
    expect(words.chatView.nothingToSuggest[id]('Docent')).toMatch(/\.$/);
  }
});

it('offers each resource of a server after something was typed, with the address that is read', () => {
  const source = mentionSources.find(({ id }) => id === 'resource');
  const context = { resources: [{ server: 'a', name: 'Tides', uri: 'demo://tides' }] } as unknown as MentionContext;
  expect(source?.offer(context, '')).toBeNull();
  const [candidate] = source?.offer(context, 'ti')?.candidates ?? [];
  expect(candidate).toMatchObject({ mention: { kind: 'resource', id: 'a demo://tides', label: 'Tides' }, detail: 'a' });
});

it('tells resources of one name apart by their addresses, without brackets', () => {
  const source = mentionSources.find(({ id }) => id === 'resource');
  const named = (name: string, uri: string) => ({ server: 'a', name, uri });
  const resources = [named('Tides', 'demo://1'), named('Tides', 'demo://2'), named('[Log]', 'demo://3')];
  const candidates = source?.offer({ resources } as unknown as MentionContext, 't')?.candidates ?? [];
  expect(candidates.map((each) => ('mention' in each ? each.mention.label : ''))).toEqual([
    ...['Tides (demo://1)', 'Tides (demo://2)', 'Log'],
  ]);
});

it('R135 offers the skills of a chat after a slash, each by its name and with what it is for', () => {
  const skills = [{ name: 'tides', description: 'Reads tables.', source: 'plugin', location: 'plugin/tides' }] as const;
  const source = mentionSources.find(({ id }) => id === 'skill');
  const context = mentionContext({}, { skills });
  expect(source?.triggers).toEqual(['/']);
  expect(source?.offer(context, 'ti')?.candidates).toEqual([
    {
      mention: { kind: 'skill', id: 'plugin/tides', label: 'tides' },
      detail: 'Reads tables.',
      keywords: 'Reads tables.',
    },
  ]);
  expect(source?.offer(context, 't')?.candidates).toBe(source?.offer(context, 'ti')?.candidates);
  expect(isMissing({ kind: 'skill', id: 'plugin/tides', label: 'tides' }, context)).toBe(false);
  expect(isMissing({ kind: 'skill', id: 'plugin/gone', label: 'gone' }, context)).toBe(true);
});

describe('R175 a link that is written in full', () => {
  const text = '# Keel and: rudder\n\nOak. ^a1\n\n## Steps\n\n# Sail\n\n## Steps\n';
  const context = mentionContext({ 'Boats/Heron.md': text, 'Boats/heron.png': new Uint8Array(1) });
  const idOf = (before: string, after: string): string | undefined => {
    const [start = '', rest = ''] = after.split('|cursor|');
    return completedLink(() => context, before, start + rest, start.length)?.id;
  };

  it.each([
    ['typed to its end', 'see [[Heron]', 'see [[Heron]]|cursor|', 'Boats/Heron.md'],
    ['pasted', 'see  now', 'see [[Boats/Heron]]|cursor| now', 'Boats/Heron.md'],
    ['pasted over other text', 'whatever there was', '[[Heron]]|cursor|', 'Boats/Heron.md'],
    [
      'to a heading',
      '[[Heron#keel and rudder]',
      '[[Heron#keel and rudder]]|cursor|',
      'Boats/Heron.md#Keel and: rudder',
    ],
    ['to a heading below another', '[[Heron#sail#steps]', '[[Heron#sail#steps]]|cursor|', 'Boats/Heron.md#sail#steps'],
    ['to a block', '[[Heron#^a1]', '[[Heron#^a1]]|cursor|', 'Boats/Heron.md#^a1'],
    ['after brackets', '[[[[Heron]', '[[[[Heron]]|cursor|', 'Boats/Heron.md'],
    ['with another text to show', '[[Heron|her]', '[[Heron|her]]|cursor|', 'Boats/Heron.md'],
    ['with a text to show that is empty', '[[Heron|]', '[[Heron|]]|cursor|', 'Boats/Heron.md'],
    ['that embeds', '![[Heron|her # 2 | 3]', '![[Heron|her # 2 | 3]]|cursor|', 'Boats/Heron.md'],
    [
      'to a heading with another text to show',
      '[[Heron#keel and rudder|her]',
      '[[Heron#keel and rudder|her]]|cursor|',
      'Boats/Heron.md#Keel and: rudder',
    ],
    ['to a block with another text to show', '[[Heron#^a1|her]', '[[Heron#^a1|her]]|cursor|', 'Boats/Heron.md#^a1'],
  ])('attaches a link %s', (_name, before, after, id) => {
    expect(idOf(before, after)).toBe(id);
  });

  it.each([
    ['at the end of a longer text that was pasted', '', 'A text of others: [[Heron]]|cursor|'],
    ['after which something was deleted', '[[Heron]] now', '[[Heron]]|cursor|'],
    ['that was there before the cursor came', '[[Heron]]', '[[Heron]]|cursor|'],
    ['to no note', '[[Tern]', '[[Tern]]|cursor|'],
    ['to no heading of the note', '[[Heron#Mast]', '[[Heron#Mast]]|cursor|'],
    ['to no heading below another', '[[Heron#Steps#Sail]', '[[Heron#Steps#Sail]]|cursor|'],
    ['to no block of the note', '[[Heron#^b2]', '[[Heron#^b2]]|cursor|'],
    ['to a file that is no note', '[[heron.png]', '[[heron.png]]|cursor|'],
    ['with another text to show, to no note', '[[Tern|her]', '[[Tern|her]]|cursor|'],
    ['with another text to show, to no heading', '[[Heron#Mast|her]', '[[Heron#Mast|her]]|cursor|'],
    ['with another text to show alone', '[[|her]', '[[|her]]|cursor|'],
    ['to a heading of no note', '[[#Keel]', '[[#Keel]]|cursor|'],
    ['over two lines', '[[Her\non]', '[[Her\non]]|cursor|'],
  ])('attaches none %s', (_name, before, after) => {
    expect(idOf(before, after)).toBeUndefined();
  });

  it('has the form in which it was written', () => {
    const linked = completedLink(() => context, '', '[[boats/heron#KEEL AND RUDDER]]', 31);
    expect(linked && formatMention(linked)).toBe('[[boats/heron#KEEL AND RUDDER]]');
    const shown = completedLink(() => context, '', '[[boats/heron|her]]', 19);
    expect(shown && formatMention(shown)).toBe('[[boats/heron|her]]');
  });
});
