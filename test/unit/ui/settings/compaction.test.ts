/** The settings for summaries: each shows what is stored, writes what it says, and has its default back. */
import { defaultSettings, type Settings } from '../../../../src/core/settings/settings';
import { settingRows } from '../../../../src/ui/settings/settings-tab';
import type { SettingsPorts } from '../../../../src/ui/state/ports';

function rowOf(key: keyof Settings) {
  const row = settingRows.find(({ keys }) => keys.includes(key));
  if (row === undefined) throw new Error(`No row for ${key}.`);
  const ports = (settings: Partial<Settings>) =>
    ({ settings: () => ({ ...defaultSettings, ...settings }) }) as SettingsPorts;
  return {
    read: (settings: Partial<Settings> = {}) => row.read(key, ports(settings)),
    write: (value: unknown) => row.write(key, value, ports({})),
  };
}

it('R239 older messages are summarised by themselves, or only when asked', () => {
  const row = rowOf('compaction');
  expect([row.read(), row.read({ compaction: 'manual' })]).toEqual(['automatic', 'manual']);
  expect([row.write('manual'), row.write('odd')]).toEqual([{ compaction: 'manual' }, { compaction: 'automatic' }]);
});

it('R239 K23 the share is a whole percent within bounds, or what suits the window', () => {
  const row = rowOf('compactionShare');
  expect([row.read(), row.read({ compactionShare: 60 })]).toEqual(['', '60']);
  for (const [typed, share] of [
    ['60 %', 60],
    ['20', 20],
    ['', null],
    ['19', null],
    ['96', null],
    ['x', null],
  ] as const) {
    expect([typed, row.write(typed)]).toEqual([typed, { compactionShare: share }]);
  }
});

it('R246 summaries are checked always, never, or when they are large', () => {
  const row = rowOf('compactionCheck');
  expect([row.read(), row.read({ compactionCheck: 'on' })]).toEqual(['auto', 'on']);
  expect([row.write('off'), row.write('odd')]).toEqual([{ compactionCheck: 'off' }, { compactionCheck: 'auto' }]);
});

it('R251 a state is saved first when that is switched on', () => {
  const row = rowOf('saveStateFirst');
  expect([row.read(), row.read({ saveStateFirst: true })]).toEqual([false, true]);
  expect([row.write(true), row.write(false)]).toEqual([{ saveStateFirst: true }, { saveStateFirst: false }]);
});

it('R239 K23 the cap is a whole number of tokens, or none', () => {
  const row = rowOf('compactionCap');
  expect([row.read(), row.read({ compactionCap: 24_000 })]).toEqual(['', '24000']);
  for (const [typed, cap] of [
    ['24,000', 24_000],
    ['1024', 1_024],
    ['', null],
    ['1023', null],
    ['many', null],
  ] as const) {
    expect([typed, row.write(typed)]).toEqual([typed, { compactionCap: cap }]);
  }
});

it('R250 topics are looked for when that is switched on', () => {
  const row = rowOf('compactionTopics');
  expect([row.read(), row.read({ compactionTopics: true })]).toEqual([false, true]);
  expect([row.write(true), row.write('true')]).toEqual([{ compactionTopics: true }, { compactionTopics: false }]);
});

describe('R249 the models that summarise', () => {
  const row = settingRows.find(({ keys }) => keys.includes('compactionModels.'));
  const provider = (id: string, models: string[]) => ({ id, label: id.toUpperCase(), models });
  const ports = (settings: Partial<Settings>) =>
    ({
      providers: [provider('one', ['a', 'b']), provider('two', ['c']), provider('three', ['d'])],
      settings: () => ({ ...defaultSettings, ...settings }),
    }) as unknown as SettingsPorts;
  const set = { baseUrl: '', keyName: '', models: [] };
  const settings = { providers: { one: set, two: set }, compactionModels: { 'one/a': 'two/c' } };

  it('R249 are named for a provider that is set up, or for one of its models', () => {
    const page = row?.define(ports(settings));
    const items = page !== undefined && 'items' in page ? (page.items ?? []) : [];
    const lines = items.map((item) => [
      'name' in item ? item.name : '',
      'control' in item && item.control?.type === 'dropdown' ? item.control.options : {},
    ]);
    expect(lines.map(([name]) => name)).toEqual([
      'Chats with any ONE model',
      'ONE: a',
      'ONE: b',
      'Chats with any TWO model',
    ]);
    expect(lines[0]?.[1]).toMatchObject({ '': 'Model of the chat', 'one/a': 'ONE: a', 'two/c': 'TWO: c' });
    expect(lines[1]?.[1]).not.toHaveProperty('one/a');
  });

  it('R249 are stored by key, and forgotten when the same model is chosen', () => {
    const at = ports(settings);
    expect(row?.read('compactionModels.one/a', at)).toBe('two/c');
    expect(row?.read('compactionModels.one', at)).toBe('');
    expect(row?.write('compactionModels.one', 'two/c', at)).toEqual({
      compactionModels: { 'one/a': 'two/c', one: 'two/c' },
    });
    expect(row?.write('compactionModels.one/a', '', at)).toEqual({ compactionModels: {} });
  });

  it('R249 ask for a provider first', () => {
    const page = row?.define(ports({}));
    expect(page).toMatchObject({ items: [{ name: 'Set up a provider first.' }] });
  });
});
