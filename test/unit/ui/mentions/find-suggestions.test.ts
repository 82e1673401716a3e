import { mentionSources } from '../../../../src/core/mentions';
import { chatCommands } from '../../../../src/core/mentions/commands';
import { nameOf } from '../../../../src/core/mentions/mention-source';
import type { Mention } from '../../../../src/core/session/entry';
import { tools } from '../../../../src/core/tools';
import { words } from '../../../../src/text';
import { findSuggestions } from '../../../../src/ui/mentions/find-suggestions';
import { mentionContext } from '../../core/mentions/mention-context';

const files = {
  'Harbour.md': '# Pontoons\nText ^p1\n',
  'Boats/Heron.md': '# Keel\n#boat\n',
  'Heron keel.md': '',
  'Boats/Whimbrel.md': '#boat\n',
  'Docent/prompts/Plan my week.md': '',
  'Docent/prompts/Plan my week and month.md': '',
  'Docent/workspaces/Boat.md': '',
};
const context = mentionContext(files, { tools, commands: chatCommands, activeNote: 'Harbour.md' });

const everything = [
  'note: Whimbrel, Heron keel, Heron, Harbour, Boat, Plan my week and month, Plan my week',
  'prompt: Plan my week, Plan my week and month',
  'workspace: Boat',
];
const named = ['workspace: Boat', 'folder: Boats/', 'note: Whimbrel, Heron, Boat', 'tag: #boat'];

/** The groups at the bar, as `source: names`; the words of an empty list; or null when none is open. */
function at(marked: string, attached: readonly Mention[] = []): string[] | string | null {
  const cursor = marked.indexOf('|');
  const found = findSuggestions(mentionSources, context, marked.replace('|', ''), cursor, attached);
  if (found === null) return null;
  if (found.groups.length === 0) return found.emptyWords;
  return found.groups.map(({ source, candidates }) => `${source.id}: ${candidates.map(nameOf).join(', ')}`);
}

describe('R175 suggestions', () => {
  it.each<[string, string[] | string | null]>([
    ['[[|', everything],
    ['see [[her|', ['note: Heron keel, Heron']],
    ['[[boat|', named],
    ['@boat|', named],
    ['@keel|', ['note: Heron keel']],
    ['@heron ke|', ['note: Heron keel']],
    ['[[#|', ['heading: Pontoons, Keel', 'tag: #boat']],
    ['[[#boat|', ['tag: #boat']],
    ['[[Heron#|', ['heading: Keel']],
    ['[[Harbour#^|', ['block: ^p1']],
    ['[[Heron#x|', 'No heading matches.'],
    ['[[Heron#^|', 'This note has no blocks with an id.'],
    ['[[zzz|', 'No results.'],
    ['/pro|', ['command: Show prompt', 'tool: Set properties']],
    ['/search|', ['tool: Search notes']],
    ['/plan|', ['run-prompt: Plan my week, Plan my week and month', 'tool: Exit plan mode']],
    ['/zzz|', 'No command or tool matches.'],
    ['/new |', null],
    ['/mode |', ['command: Assistant, Builder, Planner, Troubleshooter, Custom']],
    ['/mode pl|', ['command: Planner']],
    ['/mode user|', ['command: Custom']],
    ['/mode zzz|', 'No results.'],
    ['/mode | of mine', null],
    ['see /mode |', null],
    ['/compact |', null],
    ['@|', everything],
    ['@month|', ['prompt: Plan my week and month', 'note: Plan my week and month']],
    ['@plan my|', ['prompt: Plan my week, Plan my week and month', 'note: Plan my week and month, Plan my week']],
    ['@week my|', null],
    ['@zzz|', 'No results.'],
    ['@zzz and|', null],
    ['#|', ['workspace: Boat']],
    ['#boat is|', null],
  ])('at %j', (marked, expected) => {
    expect(at(marked)).toEqual(expected);
  });

  it('replace the whole command by the choice', () => {
    expect(findSuggestions(mentionSources, context, '/mode pl', 8, [])?.open).toMatchObject({ from: 0, query: 'pl' });
  });

  it('offer few images below the notes, the newest ones', () => {
    const picture = new Uint8Array(3);
    const names = ['boat one.png', 'boat two.png', 'boat three.png', 'boat four.png', 'boat five.png'];
    const many = mentionContext({ 'Boat.md': '', ...Object.fromEntries(names.map((name) => [name, picture])) });
    const groups = findSuggestions(mentionSources, many, '[[boat', 6, [])?.groups ?? [];
    expect(groups.map(({ source, candidates }) => [source.id, candidates.length])).toEqual([
      ['note', 1],
      ['image', 3],
    ]);
  });

  it('do not open again over a name that is attached', () => {
    const attached: Mention[] = [{ kind: 'prompt', id: 'x', label: 'Plan my week' }];
    expect(at('@Plan my week a|')).toEqual(['prompt: Plan my week and month', 'note: Plan my week and month']);
    expect(at('@Plan my week a|', attached)).toBeNull();
  });

  it('go on past the first word of a name, whichever way its accents are written', () => {
    const accented = mentionContext({ 'U\u0308ber den Fluss.md': '', 'Café noir.md': '' });
    const found = (text: string): string[] | undefined =>
      findSuggestions(mentionSources, accented, text, text.length, [])?.candidates.map(nameOf);
    for (const typed of ['@uber', '@uber d', '@Über den F']) expect(found(typed)).toEqual(['U\u0308ber den Fluss']);
    for (const typed of ['@cafe n', '@Cafe\u0301 noir']) expect(found(typed)).toEqual(['Café noir']);
    expect(found('@uber and')).toBeUndefined();
  });

  it('say where workspaces would be when there are none', () => {
    const empty = mentionContext({}, { agentFolder: 'AI' });
    const words = (text: string) => findSuggestions(mentionSources, empty, text, text.length, [])?.emptyWords;
    expect([words('@'), words('#'), words('[[')]).toEqual([
      'No notes yet.',
      'No workspaces yet. Each is a note in AI/workspaces.',
      'No notes yet.',
    ]);
  });

  it('say that files wait where nothing is suggested because of that', () => {
    const empty = mentionContext({}, { agentFolder: 'AI' });
    const waits = (kind: string) => kind === 'workspace' || kind === 'prompt';
    const words = (text: string) =>
      findSuggestions(mentionSources, empty, text, text.length, [], waits)?.emptyWords ?? null;
    const waiting = 'None is used until you allow it: select Review above the message box.';
    expect([words('#'), words('@'), words('[[')]).toEqual([waiting, 'No notes yet.', 'No notes yet.']);
    const some = mentionContext({ 'AI/workspaces/Sea.md': '' }, { agentFolder: 'AI' });
    expect(findSuggestions(mentionSources, some, '#zz', 3, [], waits)?.emptyWords).toBe('No workspace matches.');
  });

  it('leave room for folders and tags after many notes', () => {
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`Boat ${n}.md`, '#boat\n']));
    const crowded = mentionContext({ ...many, 'Boats/x.md': '' });
    const found = findSuggestions(mentionSources, crowded, '[[boat', 6, []);
    expect(found?.groups.map(({ source, candidates }) => [source.id, candidates.length])).toEqual([
      ['note', 10],
      ['folder', 1],
      ['tag', 1],
    ]);
    expect(found?.candidates).toHaveLength(12);
  });
});

it('groups the thousands of large counts', () => {
  const { chatView, instructions, request, status } = words;
  expect([chatView.folderOf(1_234), chatView.tagOf(12_345)]).toEqual(['Folder, 1,234 notes', 'Tag, 12,345 notes']);
  expect(status.divider(1_200, 1_000)).toBe('1,200 messages summarized, 1,000 unchanged');
  expect([request.moreLines(2_000), instructions.showAll(8_020)]).toEqual([
    'Show 2,000 more lines',
    'Show 8,020 more characters',
  ]);
});
