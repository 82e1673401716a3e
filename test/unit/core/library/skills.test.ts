import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import {
  builtInSkills,
  findGiven,
  formatSkills,
  type GivenSkill,
  listSkills as listAllSkills,
  missingResources,
  skillNameOf,
  skillsOfChat,
  withBuiltIn,
} from '../../../../src/core/library/skills';
import { bodyOf } from '../../../../src/core/markdown/properties';
import { toolNames } from '../../../../src/core/markup/variables';
import { o200k } from '../prompt/composition/composed';
import { fakeVault } from '../../../support/fake-vault';

const note = (properties: Readonly<Record<string, unknown>>): string =>
  `---\n${Object.entries(properties)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
    .join('\n')}\n---\nBody.`;

const skill = (name: string, more: Readonly<Record<string, unknown>> = {}): string =>
  note({ name, description: `Does ${name}.`, ...more });

const given = (name: string, source: GivenSkill['source']): GivenSkill => ({
  name,
  description: `Given ${name}.`,
  source,
  location: `${source}/${name}`,
  body: 'Given body.',
});

/** Lists skills without those that ship, which are in every list. */
const listSkills: typeof listAllSkills = (...places) => {
  const listing = listAllSkills(...places);
  return { ...listing, skills: listing.skills.filter(({ source }) => source !== 'built-in') };
};

const oneIn = (files: Readonly<Record<string, string>>) => listSkills(fakeVault(files), 'Docent');

describe('skills', () => {
  it('R132 are folders of their own in the agent folder, each with a SKILL.md note', () => {
    const { skills, problems } = oneIn({
      'Docent/skills/tides/SKILL.md': skill('tides'),
      'Docent/skills/bread/SKILL.md': skill('bread'),
      'Docent/skills/bread/reference.md': 'Not a skill.',
      'Docent/skills/loose.md': skill('loose'),
      'Docent/skills/deep/er/SKILL.md': skill('er'),
      'Elsewhere/skills/other/SKILL.md': skill('other'),
    });
    expect(skills.map(({ name, location }) => [name, location])).toEqual([
      ['bread', 'Docent/skills/bread/SKILL.md'],
      ['tides', 'Docent/skills/tides/SKILL.md'],
    ]);
    expect(problems).toEqual([]);
  });

  it('R132 take the optional fields of the format', () => {
    const { skills } = oneIn({
      'Docent/skills/tides/SKILL.md': skill('tides', {
        license: 'MIT',
        compatibility: 'Needs tide tables',
        metadata: { author: 'Elin', version: 2 },
        'allowed-tools': 'search_notes read_note',
        unknown: 'kept by others',
      }),
    });
    expect(skills[0]).toMatchObject({
      license: 'MIT',
      compatibility: 'Needs tide tables',
      metadata: { author: 'Elin', version: '2' },
      allowedTools: ['search_notes', 'read_note'],
      source: 'agent-folder',
    });
  });

  it('R134 hides a weaker source behind a stronger one of the same name, and says so', () => {
    const vault = fakeVault({
      'Docent/skills/a/SKILL.md': skill('a'),
      'Docent/skills/b/SKILL.md': skill('b'),
      'Boat/skills/a/SKILL.md': skill('a'),
    });
    const others = [given('a', 'plugin'), given('b', 'user'), given('c', 'plugin'), given('c', 'user')];
    const { skills, problems } = listSkills(vault, 'Docent', 'Boat', others);
    expect(skills.map(({ name, source }) => [name, source])).toEqual([
      ['a', 'workspace'],
      ['b', 'agent-folder'],
      ['c', 'user'],
    ]);
    expect(problems.map(({ kind, location }) => [kind, location])).toEqual([
      ['hidden', 'Docent/skills/a/SKILL.md'],
      ['hidden', 'user/b'],
      ['hidden', 'plugin/a'],
      ['hidden', 'plugin/c'],
    ]);
    expect(problems[0]?.words).toBe('This one isn’t used: the “a” at Boat/skills/a/SKILL.md comes first.');
  });

  it('R134 lets the strongest win whatever the order they are handed over in', () => {
    const ranked = [given('a', 'built-in'), given('a', 'plugin'), given('a', 'user')];
    for (const others of [ranked, [...ranked].reverse()]) {
      expect(listSkills(fakeVault({}), 'Docent', null, others).skills[0]?.source).toBe('user');
    }
  });

  it('R134 reads the root as the workspace folder when that is what was chosen', () => {
    const vault = fakeVault({ 'skills/a/SKILL.md': skill('a') });
    expect(listSkills(vault, 'Docent', '').skills.map(({ location }) => location)).toEqual(['skills/a/SKILL.md']);
    expect(listSkills(vault, 'Docent', null).skills).toEqual([]);
  });

  it.each([
    ['no name', note({ description: 'x' }), 'It has no name.'],
    ['a number for a name', note({ name: 12, description: 'x' }), 'quotation marks'],
    ['capitals', skill('Bad'), 'lowercase letters'],
    ['two hyphens', skill('bad--er'), 'lowercase letters'],
    ['a hyphen at the end', skill('bad-'), 'lowercase letters'],
    ['a long name', skill('x'.repeat(65)), 'longer than 64'],
    ['another name than its folder', skill('other'), 'differs from its folder “bad”'],
    ['no description', note({ name: 'bad' }), 'no description'],
    ['an empty description', note({ name: 'bad', description: '  ' }), 'no description'],
    ['a long description', note({ name: 'bad', description: 'x'.repeat(1025) }), 'longer than 1024'],
    ['a list for a description', note({ name: 'bad', description: ['x'] }), '“description” is not text'],
    ['a list for a license', skill('bad', { license: ['MIT'] }), '“license” is not text'],
    ['a long compatibility', skill('bad', { compatibility: 'x'.repeat(501) }), 'longer than 500'],
    ['text for metadata', skill('bad', { metadata: 'MIT' }), '“metadata”'],
    ['a list inside metadata', skill('bad', { metadata: { a: [1] } }), '“metadata”'],
    ['a number for tools', skill('bad', { 'allowed-tools': 3 }), '“allowed-tools” is not a list'],
    ['no properties at all', 'Only text.', 'It has no name.'],
  ])('R132 lists one with %s as invalid in plain words, and loads the rest', (_, text, reason) => {
    const { skills, problems } = oneIn({
      'Docent/skills/bad/SKILL.md': text,
      'Docent/skills/good/SKILL.md': skill('good'),
    });
    expect(skills.map(({ name }) => name)).toEqual(['good']);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ kind: 'invalid', location: 'Docent/skills/bad/SKILL.md' });
    expect(problems[0]?.words).toContain(reason);
    expect(problems[0]?.words).not.toMatch(/expected|received|undefined|zod/i);
  });

  it('R132 waits for a note that the app has not indexed', () => {
    const vault = fakeVault({ 'Docent/skills/new/SKILL.md': skill('new') });
    const unindexed = { ...bound(vault), outline: () => undefined, tags: () => undefined };
    expect(listSkills(unindexed, 'Docent').problems[0]?.words).toContain('hasn’t read its properties yet');
  });

  it('R134 checks what other plugins hand over as it checks notes', () => {
    const { skills, problems } = listSkills(fakeVault({}), 'Docent', null, [given('Bad Name', 'plugin')]);
    expect(skills).toEqual([]);
    expect(problems[0]).toMatchObject({ kind: 'invalid', location: 'plugin/Bad Name' });
  });

  it('lets a stronger note that is invalid not hide a weaker one that is sound', () => {
    const vault = fakeVault({
      'Docent/skills/a/SKILL.md': skill('a'),
      'Boat/skills/a/SKILL.md': note({ name: 'a' }),
    });
    expect(listSkills(vault, 'Docent', 'Boat').skills[0]?.location).toBe('Docent/skills/a/SKILL.md');
  });

  it('sees a note that was added later', () => {
    const vault = fakeVault({});
    expect(listSkills(vault, 'Docent').skills).toEqual([]);
    vault.put('Docent/skills/a/SKILL.md', skill('a'));
    expect(listSkills(vault, 'Docent').skills).toHaveLength(1);
  });
});

function bound(vault: ReturnType<typeof fakeVault>) {
  return {
    name: vault.name,
    files: () => vault.files(),
    folders: () => vault.folders(),
    file: (path: string) => vault.file(path),
    read: (path: string) => vault.read(path),
    outline: (path: string) => vault.outline(path),
    tags: vault.tags.bind(vault),
    backlinks: (path: string) => vault.backlinks(path),
    resolveLink: (link: string, from: string) => vault.resolveLink(link, from),
  };
}

describe('skills that ship', () => {
  const folder = path.resolve('src/core/library/built-in-skills');
  const notes = readdirSync(folder).map((name) => ({
    name,
    text: readFileSync(path.join(folder, name, 'SKILL.md'), 'utf8'),
  }));

  it('are at least three, in the list as their notes have them', () => {
    expect(notes.length).toBeGreaterThanOrEqual(3);
    const fromNotes = notes.map(({ name, text }) => {
      const properties = parse(/^---\n([^]*?)\n---\n/.exec(text)?.[1] ?? '') as Record<string, unknown>;
      expect(properties['name']).toBe(name);
      return { ...properties, source: 'built-in', location: `built-in/${name}`, body: bodyOf(text) };
    });
    expect(builtInSkills).toEqual(fromNotes);
    for (const { body } of builtInSkills) expect(body).toMatch(/^# [^]*\n## Report\n/);
  });

  it('are listed in every vault, and give way to a skill of the same name in the vault', () => {
    expect(listAllSkills(fakeVault({}), 'Docent')).toEqual({ skills: builtInSkills, problems: [] });
    const own = 'Docent/skills/repair-links/SKILL.md';
    const { skills } = listAllSkills(fakeVault({ [own]: skill('repair-links') }), 'Docent');
    expect(skills.map(({ location }) => location)).toEqual([
      'built-in/literature-note',
      'built-in/meeting-minutes',
      own,
    ]);
  });

  it('are weaker than those that are given, of which only valid ones are used', () => {
    const [user, plugin] = [given('tides', 'user'), given('bread', 'plugin')];
    expect(withBuiltIn([user, given('No Name', 'plugin'), plugin])).toEqual([...builtInSkills, plugin, user]);
    expect(withBuiltIn()).toEqual(builtInSkills);
  });

  it('take at most 80 tokens in the list, and no path', () => {
    const list = formatSkills(builtInSkills);
    expect(o200k.count(list)).toBeLessThanOrEqual(80);
    expect(list).not.toContain('Location');
  });

  it('are in sentences of at most 20 words, and name no tool, since any may be missing', () => {
    const sentences = builtInSkills.flatMap(({ body }) => body.split(/\n|(?<=[.:?!]) /));
    expect(sentences.filter((sentence) => sentence.split(/\s+/).length > 21)).toEqual([]);
    const named = new RegExp(`\\b(?:${Object.values(toolNames).join('|')})\\b`);
    expect(builtInSkills.filter(({ body }) => named.test(body))).toEqual([]);
  });
});

it('are found by name, the last one of a name unless a place is named, and called by their folder or label', () => {
  const skills = [given('a', 'plugin'), given('a', 'user'), given('b', 'plugin')];
  expect(findGiven(skills, 'a')).toBe(skills[1]);
  expect(findGiven(skills, 'a', 'plugin/a')).toBe(skills[0]);
  expect(findGiven(skills, 'b')).toBe(skills[2]);
  expect([findGiven(skills, 'a', 'plugin/b'), findGiven(skills, 'c')]).toEqual([undefined, undefined]);
  const places = ['Docent/skills/tides/SKILL.md', 'tides/skill.md', 'built-in/tides', 'plugin/of/tides', 'tides'];
  expect(places.map(skillNameOf)).toEqual(places.map(() => 'tides'));
});

it('of a chat are others as soon as others are handed over', () => {
  const vault = fakeVault({ 'Docent/skills/a/SKILL.md': skill('a') });
  const [plugin, user] = [[given('b', 'plugin')], [given('c', 'user')]];
  const own = (from?: readonly GivenSkill[]): string[] =>
    skillsOfChat(vault, 'Docent', null, from)
      .skills.filter(({ source }) => source !== 'built-in')
      .map(({ name }) => name);
  expect([own(), own(plugin), own(user), own(plugin), own()]).toEqual([
    ...[['a'], ['a', 'b'], ['a', 'c'], ['a', 'b'], ['a']],
  ]);
});

it.each([
  ['See references/a.md, ./scripts/b.py and assets/c/d.png.', ['references/a.md', './scripts/b.py', 'assets/c/d.png']],
  ['Run scripts/dir/, scripts/dir// or scripts/e...', ['scripts/dir', 'scripts/e']],
  ['In references/ or scripts//x or ./assets/, and output/references/a.md', []],
  ['references/a%20b.md and references/100%', ['references/a b.md', 'references/100%']],
  ['references/a.md, references/a.md, references/known.md, references/known', ['references/a.md']],
])('the text “%s” names these files that are missing: %j', (text, missing) => {
  const known = { file: (path: string) => (path === 'Docent/skills/x/references/known.md' ? {} : undefined) };
  expect(missingResources(known, 'Docent/skills/x/SKILL.md', text)).toEqual(missing);
});
