/** The settings for summaries: each shows what is stored, writes what it says, and has its default back. */
import { defaultSettings, type Settings } from '../../../../src/core/settings/settings';
import { settingRows } from '../../../../src/ui/settings/rows';
import type { SettingsPorts } from '../../../../src/ui/settings/setting-row';

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
