/** What the app waits for when it starts: no schema is made and no long text put together while modules load. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lazy, lazyLoad } from '../../src/core/base/lazy';

const asked: string[] = [];

jest.mock('zod/v4', () => {
  const real = jest.requireActual<Record<string, unknown>>('zod/v4');
  return new Proxy(real, {
    get: (target, name: string) => {
      if (typeof target[name] === 'function') asked.push(name);
      return target[name];
    },
  });
});

const areas = new Set<string>();

jest.mock('../../src/text', () => {
  const real = jest.requireActual<{ readonly words: object }>('../../src/text');
  const words = new Proxy(real.words, {
    get: (target, name: string) => {
      areas.add(name);
      return (target as Record<string, unknown>)[name];
    },
  });
  return { ...real, words };
});

const lists = [
  '../../src/core/chat/chat',
  '../../src/core/mentions/commands',
  '../../src/core/diagnostics/checks/index',
  '../../src/core/hooks/hooks',
  '../../src/core/mentions/index',
  '../../src/core/chat/open-chats',
  '../../src/core/prompt/modes/index',
  '../../src/core/prompt/sections/index',
  '../../src/core/settings/settings',
  '../../src/core/tools/index',
];

describe('loading the modules', () => {
  it.each(lists)('makes no schema for %s', (path) => {
    asked.length = 0;
    jest.requireActual(path);
    expect(asked).toEqual([]);
  });

  it('makes the schema of a tool when it is asked for, and once', () => {
    const { tools } = jest.requireActual<typeof import('../../src/core/tools')>('../../src/core/tools');
    asked.length = 0;
    const schemas = tools.map(({ parameters }) => parameters);
    expect(asked.filter((name) => name === 'object').length).toBeGreaterThanOrEqual(tools.length);
    asked.length = 0;
    expect(tools.map(({ parameters }) => parameters)).toEqual(schemas);
    expect(asked).toEqual([]);
  });
});

describe('words', () => {
  it('are put together only of the areas that a start needs', () => {
    areas.clear();
    jest.requireActual('../../src/main');
    expect([...areas]).toEqual([]);
    const { registerCommands } = jest.requireActual<typeof import('../../src/ui/commands')>('../../src/ui/commands');
    const names: string[] = [];
    const plugin = { addCommand: ({ name }: { readonly name: string }) => names.push(name) };
    registerCommands(
      plugin as never,
      lazyLoad(() => Promise.reject(new Error('not yet'))),
    );
    expect(names).toContain('Open chat');
    expect([...areas]).toEqual(['commandNames']);
  });

  it('are in functions that the engine passes over, which it does with no arrow function', () => {
    const { en } = jest.requireActual<typeof import('../../src/text/en')>('../../src/text/en');
    const folder = join(__dirname, '../../src/text/en');
    const text = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
    const declared = text.flatMap((each) => [...each.matchAll(/^export function (\w+)/gm)].map(([, name]) => name));
    expect(Object.keys(en).filter((area) => !declared.includes(area))).toEqual([]);
  });
});

describe('lazy', () => {
  it('makes the value on the first call alone, also when there is none', () => {
    const make = jest.fn(() => undefined);
    const value = lazy(make);
    expect(make).not.toHaveBeenCalled();
    expect([value(), value()]).toEqual([undefined, undefined]);
    expect(make).toHaveBeenCalledTimes(1);
  });

  it('tries again after a failure', () => {
    let tries = 0;
    const value = lazy(() => {
      tries += 1;
      if (tries === 1) throw new Error('not yet');
      return tries;
    });
    expect(() => value()).toThrow('not yet');
    expect(value()).toBe(2);
  });
});

describe('lazyLoad', () => {
  it('fetches once, also when several wait, and says what is there', async () => {
    const fetch = jest.fn(() => Promise.resolve('here'));
    const loading = lazyLoad(fetch);
    expect([loading.loaded, fetch.mock.calls.length]).toEqual([null, 0]);
    expect(await Promise.all([loading.load(), loading.load()])).toEqual(['here', 'here']);
    expect([loading.loaded, fetch.mock.calls.length]).toEqual(['here', 1]);
  });

  it('fetches anew after a failure', async () => {
    const fetch = jest.fn(() => Promise.resolve('here')).mockRejectedValueOnce(new Error('not yet'));
    const loading = lazyLoad(fetch);
    await expect(loading.load()).rejects.toThrow('not yet');
    expect(loading.loaded).toBeNull();
    expect(await loading.load()).toBe('here');
  });
});
