import { type GivenSkill, listSkills } from '../../../../src/core/library/skills';
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
    expect(problems[0]?.words).toBe('“a” is hidden by the one at Boat/skills/a/SKILL.md.');
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
    const unindexed = { ...bound(vault), outline: () => undefined };
    expect(listSkills(unindexed, 'Docent').problems[0]?.words).toContain('has not read its properties yet');
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
    backlinks: (path: string) => vault.backlinks(path),
    resolveLink: (link: string, from: string) => vault.resolveLink(link, from),
  };
}
