/** Skills in the user's home folder: read only where the user allows it, on this device, and used after the vault's. */
import { HomeSkills, joinSkills } from '../../../../src/core/library/home-skills';
import { listSkills } from '../../../../src/core/library/skills';
import { fail, succeed } from '../../../../src/core/ports/failure';
import { fakeVault } from '../../../support/fake-vault';
import { fakeClock, memoryDevice } from '../../../support/memory-ports';

const skill = (name: string, more = ''): string =>
  `---\nname: ${name}\ndescription: Does ${name}.\n${more}---\n\nBe ${name}.\n`;

/** Properties as `name: value` lines. */
function parse(text: string): unknown {
  if (text.includes('[broken')) throw new Error('No YAML.');
  return Object.fromEntries(text.split('\n').flatMap((line) => (line.includes(': ') ? [line.split(': ')] : [])));
}

function home(files: Record<string, string>, folder: string | null = '/home/ada') {
  const reads: string[] = [];
  const computer = {
    home: folder,
    folders: (path: string) =>
      Promise.resolve(
        Object.keys(files).flatMap((file) => (file.startsWith(`${path}/`) ? [file.split('/').at(-2) ?? ''] : [])),
      ),
    read: (path: string) => {
      reads.push(path);
      const text = files[path];
      return Promise.resolve(
        text === undefined ? fail<string>({ kind: 'not-found', words: 'None.', remedy: '' }) : succeed(text),
      );
    },
  };
  const clock = fakeClock();
  const device = memoryDevice();
  return { reads, clock, device, skills: new HomeSkills({ computer, device, clock, parse }) };
}

const root = '/home/ada/.agents/skills';
const files = {
  [`${root}/calm/SKILL.md`]: skill('calm', 'allowed-tools: read_note search_notes\n'),
  [`${root}/Bad Name/SKILL.md`]: skill('Bad Name'),
  [`${root}/broken/SKILL.md`]: '---\n[broken\n---\nText.',
};

it('R134 reads nothing before the user allows it, and nothing again once it is taken back', async () => {
  const { reads, skills } = home(files);
  await skills.refresh();
  expect([skills.isOffered, skills.isAllowed, skills.skills, reads]).toEqual([true, false, [], []]);
  let changes = 0;
  const release = skills.subscribe(() => (changes += 1));
  await skills.allow(true);
  expect(skills.skills.find(({ name }) => name === 'calm')).toEqual({
    name: 'calm',
    description: 'Does calm.',
    allowedTools: ['read_note', 'search_notes'],
    body: 'Be calm.',
    source: 'user',
    location: '~/.agents/skills/calm',
  });
  await skills.allow(false);
  expect(skills.skills).toEqual([]);
  release();
  expect(changes).toBe(2);
});

it('R134 puts them after those of plugins and before those of the vault, and says what is wrong with one', async () => {
  const { skills } = home(files);
  await skills.allow(true);
  const plugin = [
    { ...skills.skills[0], source: 'plugin', location: 'plugin/calm' },
  ] as unknown as typeof skills.skills;
  const given = joinSkills(
    () => plugin,
    () => skills.skills,
  );
  expect(given()).toBe(given());
  const listed = listSkills(fakeVault({}), 'Docent', null, given());
  expect(listed.skills.filter(({ source }) => source !== 'built-in')).toMatchObject([
    { location: '~/.agents/skills/calm' },
  ]);
  expect(listed.problems.map(({ kind, location }) => [kind, location])).toEqual([
    ['invalid', '~/.agents/skills/Bad Name'],
    ['invalid', '~/.agents/skills/broken'],
    ['hidden', 'plugin/calm'],
  ]);
  const vault = fakeVault({ 'Docent/skills/calm/SKILL.md': skill('calm') });
  expect(listSkills(vault, 'Docent', null, given()).skills[0]?.source).toBe('agent-folder');
});

it('reads at most a hundred of them', async () => {
  const many = Array.from({ length: 103 }, (_, at) => [`${root}/s${at}/SKILL.md`, skill(`s${at}`)] as const);
  const { reads, skills } = home(Object.fromEntries(many));
  await skills.allow(true);
  expect([reads.length, skills.skills.length]).toEqual([100, 100]);
});

it('reads again after ten seconds, and keeps the list while nothing differs', async () => {
  const { reads, clock, skills } = home({ [`${root}/calm/SKILL.md`]: skill('calm') });
  await skills.allow(true);
  const before = skills.skills;
  await skills.refresh();
  expect(reads).toHaveLength(1);
  clock.advance(10_000);
  await skills.refresh();
  expect([reads.length, skills.skills === before]).toEqual([2, true]);
});

it('offers nothing where no home folder is known', async () => {
  const { skills } = home(files, null);
  await skills.allow(true);
  expect([skills.isOffered, skills.isAllowed, skills.skills]).toEqual([false, false, []]);
});
