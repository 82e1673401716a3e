/** The registry as it lives: who hears of a change, and how notes and servers come and go. */
import { PromptRegistry, type RegistryChange, registerNotes } from '../../../../src/core/library/prompt-registry';
import { findUnknown, promptNames } from '../../../../src/core/markup/variables';
import { builtInPrompts } from '../../../../src/core/prompt/built-in';
import { tools } from '../../../../src/core/tools';
import { fakeVault } from '../../../support/fake-vault';

const note = (properties: string, body = 'Do it.'): string => `---\n${properties}\n---\n${body}\n`;
const never = new AbortController().signal;

function watched(): { registry: PromptRegistry; changes: RegistryChange[] } {
  const registry = new PromptRegistry();
  const changes: RegistryChange[] = [];
  registry.subscribe((change) => changes.push(change));
  return { registry, changes };
}

it('R129 tells what was added, changed and removed, and nothing when nothing was', () => {
  const { registry, changes } = watched();
  const prompt = { id: 'a', name: 'A', content: 'one', source: 'static', registeredAt: 1 } as const;
  registry.register(prompt);
  registry.register({ ...prompt, registeredAt: 2 });
  registry.register({ ...prompt, content: 'two' });
  expect(registry.unregister('b')).toBe(false);
  registry.unregister('a');
  expect(changes).toEqual([
    { added: ['a'], changed: [], removed: [] },
    { added: [], changed: ['a'], removed: [] },
    { added: [], changed: [], removed: ['a'] },
  ]);
});

it('R129 stops telling those who let go, and lists the same list until something changes', () => {
  const registry = new PromptRegistry();
  let notifications = 0;
  const release = registry.subscribe(() => (notifications += 1));
  registry.replaceSource('static', builtInPrompts);
  release();
  const list = registry.list();
  expect(registry.list()).toBe(list);
  registry.replaceSource('static', []);
  expect([notifications, registry.list()]).toEqual([1, []]);
  expect(registry.list()).not.toBe(list);
});

it('R130 a server that connects and disconnects is one change each, and leaves the others alone', () => {
  const { registry, changes } = watched();
  registry.replaceSource('static', builtInPrompts);
  const fromServer = { name: 'Triage', content: 'Sort.', source: 'mcp', tags: ['mail'], registeredAt: 5 } as const;
  registry.register({ ...fromServer, id: 'triage', serverName: 'mail' });
  registry.register({ ...fromServer, id: 'triage', serverName: 'issues' });
  expect(registry.getByTag('mail').map(({ id }) => id)).toEqual(['issues/triage', 'mail/triage']);
  registry.clearMcpPrompts('mail');
  expect(changes.at(-1)).toEqual({ added: [], changed: [], removed: ['mail/triage'] });
  expect(registry.getBySource('mcp').map(({ id }) => id)).toEqual(['issues/triage']);
  registry.clearMcpPrompts('mail');
  expect(changes).toHaveLength(4);
  expect(registry.getBySource('static')).toHaveLength(builtInPrompts.length);
});

it('R130 the prompts of a server change at once, and take over no other prompt', () => {
  const { registry, changes } = watched();
  const listed = (id: string) => ({ id, name: id, content: 'Sort.', source: 'mcp', registeredAt: 5 }) as const;
  registry.register({ ...listed('mail/own'), source: 'static' });
  registry.register({ ...listed('triage?days=2'), serverName: 'mail', isFilled: true });
  const all = Array.from({ length: 300 }, (_, number) => ({ ...listed(`p${number}`), serverName: 'mail' }));
  registry.replaceMcpPrompts('mail', [{ ...listed('own'), serverName: 'mail' }, ...all]);
  expect(changes).toHaveLength(3);
  expect(changes.at(-1)?.added).toHaveLength(300);
  expect(registry.get('mail/own')?.source).toBe('static');
  registry.replaceMcpPrompts('mail', all.slice(1));
  expect(changes.slice(3)).toEqual([{ added: [], changed: [], removed: ['mail/p0'] }]);
  expect(registry.has('mail/triage?days=2')).toBe(true);
});

describe('the notes of the user', () => {
  const vault = fakeVault({
    'Docent/prompts/Plan.md': note(
      'name: Plan\ndescription: Weekly\ntags: a, b\nrequiredTools: [read_note]\nversion: 2',
    ),
    'Docent/prompts/Plain.md': 'Just text.',
    'Docent/prompts/Off.md': note('disabled: true'),
    'Docent/prompts/Broken.md': note('disabled: perhaps'),
  });
  const read = (path: string, signal: AbortSignal) => vault.read(path, signal);

  it('R129 R131 stand in the registry with their texts, and leave it with their notes', async () => {
    const { registry, changes } = watched();
    registry.replaceSource('static', builtInPrompts);
    await registerNotes(registry, vault, 'Docent', read, never);
    expect(registry.getBySource('config')).toMatchObject([
      { id: 'Docent/prompts/Plain.md', name: 'Plain', content: 'Just text.' },
      {
        name: 'Plan',
        content: 'Do it.',
        description: 'Weekly',
        tags: ['a', 'b'],
        requiredTools: ['read_note'],
        version: '2',
      },
    ]);
    vault.put('Docent/prompts/Plain.md', 'Other text.');
    vault.remove('Docent/prompts/Plan.md');
    await registerNotes(registry, vault, 'Docent', read, never);
    expect(changes.at(-1)).toEqual({
      added: [],
      changed: ['Docent/prompts/Plain.md'],
      removed: ['Docent/prompts/Plan.md'],
    });
    expect(registry.getBySource('static')).toHaveLength(builtInPrompts.length);
  });

  it('R129 are left as they were when a newer look has begun', async () => {
    const registry = new PromptRegistry();
    const abort = new AbortController();
    const reading = registerNotes(registry, vault, 'Docent', read, abort.signal);
    abort.abort();
    await reading;
    expect(registry.list()).toEqual([]);
  });
});

describe('the built-in prompts', () => {
  const names = tools.map(({ name }) => name);

  it.each(builtInPrompts.map((prompt) => [prompt.id, prompt] as const))(
    'R129 %s can be used as it is',
    (_id, prompt) => {
      expect(prompt.source).toBe('static');
      expect([prompt.name, prompt.description ?? '', prompt.content].every((text) => text.length > 3)).toBe(true);
      expect(findUnknown(prompt.content, promptNames(names))).toEqual([]);
      expect((prompt.requiredTools ?? []).filter((tool) => !names.includes(tool))).toEqual([]);
      expect(prompt.id).toMatch(/^built-in\/[a-z-]+$/);
    },
  );

  it('R129 have names of their own', () => {
    expect(new Set(builtInPrompts.map(({ name }) => name)).size).toBe(builtInPrompts.length);
  });
});
