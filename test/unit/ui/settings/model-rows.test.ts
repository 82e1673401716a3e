/** The settings of what is known of a model and of what a chat may cost, as their controls read and write them. */
import type { ModelDescription } from '../../../../src/core/ports/model';
import { defaultSettings, type Settings } from '../../../../src/core/settings/settings';
import { words } from '../../../../src/text';
import { parseTokens } from '../../../../src/ui/settings/setting-row';
import { settingRows } from '../../../../src/ui/settings/settings-tab';
import type { SettingsPorts } from '../../../../src/ui/state/ports';

const known: ModelDescription = {
  id: 'anthropic/claude-haiku-4-5',
  label: 'claude-haiku-4-5',
  contextWindow: 200_000,
  outputLimit: 64_000,
  nativeTools: true,
  cachesPrompts: true,
  prices: { input: 1, output: 5, date: '2026-11-20', source: 'docs.example' },
};

function rowFor(key: string) {
  const row = settingRows.find(({ keys }) =>
    keys.some((own) => key === own || (own.endsWith('.') && key.startsWith(own))),
  );
  if (row === undefined) throw new Error(`No row has the control ${key}.`);
  return row;
}

function portsWith(settings: Partial<Settings>): SettingsPorts {
  const all = { ...defaultSettings, model: known.id, ...settings };
  return { settings: () => all, models: { known: () => known, described: () => known } } as unknown as SettingsPorts;
}

describe('about this model', () => {
  const row = () => rowFor('modelFacts.contextWindow');

  it('R105 what is entered holds for the model in use alone, field by field', () => {
    const before = { 'openai/gpt-5.5': { outputLimit: 9 }, [known.id]: { inputPrice: 2 } };
    const ports = portsWith({ modelFacts: before });
    expect(row().read('modelFacts.inputPrice', ports)).toBe('2');
    expect(row().read('modelFacts.contextWindow', ports)).toBe('');
    expect(row().write('modelFacts.contextWindow', '32,768', ports)).toEqual({
      modelFacts: { ...before, [known.id]: { inputPrice: 2, contextWindow: 32_768 } },
    });
    expect(row().write('modelFacts.effort', 'low', ports)).toEqual({
      modelFacts: { ...before, [known.id]: { inputPrice: 2, effort: 'low' } },
    });
  });

  it('R160 a way of calling tools is chosen for the model in use, or left to what is known', () => {
    const ports = portsWith({});
    const written = row().write('modelFacts.toolCalling', 'text', ports);
    expect(written).toEqual({ modelFacts: { [known.id]: { toolCalling: 'text' } } });
    expect(row().read('modelFacts.toolCalling', portsWith(written))).toBe('text');
    expect(row().write('modelFacts.toolCalling', '', portsWith(written))).toEqual({ modelFacts: { [known.id]: {} } });
    expect(row().write('modelFacts.toolCalling', 'by hand', ports)).toEqual({ modelFacts: { [known.id]: {} } });
  });

  it('R105 counts what was entered, for a model of which something is known and that is no built-in reader', () => {
    interface Page {
      displayValue(): string;
      visible(): boolean;
    }
    const page = (settings: Partial<Settings>, models: object = {}): Page => {
      const ports = portsWith(settings);
      return row().define({ ...ports, models: { ...ports.models, ...models } }) as unknown as Page;
    };
    const changed = { modelFacts: { [known.id]: { inputPrice: 2 } } };
    expect([page({}).displayValue(), page(changed).displayValue()]).toEqual(['', words.models.facts.changed(1)]);
    const reader = { model: defaultSettings.model };
    expect([page({}).visible(), page({}, { known: () => null }).visible(), page(reader).visible()]).toEqual([
      ...[true, false, false],
    ]);
  });

  it('R105 an empty box takes it back', () => {
    const ports = portsWith({ modelFacts: { [known.id]: { inputPrice: 2, effort: 'low' } } });
    expect(row().write('modelFacts.inputPrice', '', ports)).toEqual({ modelFacts: { [known.id]: { effort: 'low' } } });
    expect(row().write('modelFacts.effort', '', ports)).toEqual({ modelFacts: { [known.id]: { inputPrice: 2 } } });
  });

  it.each([
    ['contextWindow', '200 000', { contextWindow: 200_000 }],
    ['inputPrice', '$0,25', { inputPrice: 0.25 }],
    ['outputPrice', '1.5', { outputPrice: 1.5 }],
    ['cacheReadPrice', '0.03', { cacheReadPrice: 0.03 }],
    ['cacheWritePrice', '0,375', { cacheWritePrice: 0.375 }],
    ['outputLimit', '8,192', { outputLimit: 8_192 }],
    ['temperature', '0.7', { temperature: 0.7 }],
    ['temperature', '0', { temperature: 0 }],
  ])('reads %s as people write it: %s', (field, text, facts) => {
    expect(row().write(`modelFacts.${field}`, text, portsWith({}))).toEqual({ modelFacts: { [known.id]: facts } });
  });

  it('R105 shows what is known in the empty boxes, with its date, and refuses what cannot be', () => {
    const page = row().define(portsWith({}));
    if (!('type' in page) || page.type !== 'page') throw new Error('It is no page.');
    const items = (typeof page.items === 'function' ? [] : (page.items ?? [])) as {
      name?: string;
      desc?: string;
      control?: { key?: string; placeholder?: string; validate?: (value: string) => string | undefined };
    }[];
    expect(items[0]).toMatchObject({
      name: 'claude-haiku-4-5',
      desc: expect.stringContaining('Price as of 2026-11-20, from docs.example.'),
    });
    const boxOf = (name: string) => items.find((item) => item.name === name)?.control;
    expect(['Tool calling', 'Thinking'].map((name) => boxOf(name)?.key)).toEqual([
      'modelFacts.toolCalling',
      'modelFacts.effort',
    ]);
    expect(boxOf('Context window of this model')?.placeholder).toBe('200,000');
    expect(boxOf('Output price')?.placeholder).toBe('5');
    expect(boxOf('Cached input price')?.placeholder).toBe('Unknown');
    for (const bad of ['12', 'many', '-1'])
      expect(boxOf('Context window of this model')?.validate?.(bad)).toMatch(/^Enter a whole number from 1,024 /);
    for (const [name, least, below, most, above] of [
      ['Context window of this model', '1,024', '1,023', '100,000,000', '100,000,001'],
      ['Maximum answer length', '1', '0', '100,000,000', '100,000,001'],
      ['Input price', '0', '-1', '10000', '10000.01'],
      ['Temperature', '0', '-0.1', '2', '2.5'],
    ] as const) {
      const judged = [least, below, most, above].map((text) => boxOf(name)?.validate?.(text) === undefined);
      expect([name, ...judged]).toEqual([name, true, false, true, false]);
    }
    expect(boxOf('Input price')?.validate?.('10,000')).toBe(
      'Enter a number from 0 to 10000 without a thousands separator, or leave it empty.',
    );
    expect(boxOf('Temperature')?.validate?.('')).toBeUndefined();
  });
});

describe('what a chat may cost', () => {
  const row = () => rowFor('spendingLimit');

  it.each(['spendingLimit', 'spendingNotice'] as const)('R231 is an amount in dollars or nothing: %s', (key) => {
    expect(row().write(key, '0.50', portsWith({}))).toEqual({ [key]: 0.5 });
    expect(row().write(key, '$2', portsWith({}))).toEqual({ [key]: 2 });
    expect(row().write(key, '', portsWith({}))).toEqual({ [key]: null });
    expect(row().read(key, portsWith({ [key]: 2 }))).toBe('2');
    expect(row().read(key, portsWith({}))).toBe('');
  });

  it.each([
    ['0,5', 0.5],
    ['1,5', 1.5],
    ['12,50', 12.5],
    ['0,125', 0.125],
    ['0.500', 0.5],
    ['1.125', 1.125],
    ['1000', 1_000],
    ['1 000', 1_000],
    ['1\u00a0000,5', 1_000.5],
    ['1’000', 1_000],
    ['1,000.50', 1_000.5],
    ['1.000,50', 1_000.5],
    ['1,000,000', undefined],
    ['100,000.5', 100_000.5],
    ['999999', 999_999],
    ['999999.5', undefined],
    ['1234,567', 1_234.567],
    // A thousand or one, by the country.
    ['1,000', undefined],
    ['1.000', undefined],
    ['1,500', undefined],
    ['1,125', undefined],
    ['1,000,5', undefined],
    ['1,00,000', undefined],
    ['1 5', undefined],
    ['1.2.3', undefined],
    ['-1', undefined],
    ['much', undefined],
  ])('reads %s as an amount of %s, or refuses it with words', (typed, amount) => {
    const shown = row().define(portsWith({}));
    const items = 'items' in shown && Array.isArray(shown.items) ? (shown.items as readonly unknown[]) : [];
    const [box] = items as { control?: { validate?: (value: string) => string | undefined } }[];
    expect(box?.control?.validate?.(typed)).toBe(amount === undefined ? words.spending.settings.bad : undefined);
    expect(row().write('spendingLimit', typed, portsWith({}))).toEqual({ spendingLimit: amount ?? null });
  });
});

it.each([
  ['128,000', 128_000],
  ['128.000', 128_000],
  ['128 000', 128_000],
  ['1_048_576', 1_048_576],
  ['1,048,576', 1_048_576],
  ['1024', 1_024],
  ['999999999', 999_999_999],
  ['1023', undefined],
  ['1000000000', undefined],
  ['1024,5', undefined],
  ['20000.5', undefined],
  ['1,048.576', undefined],
  ['12 80', undefined],
  [' ', null],
])('reads %s as %s tokens', (typed, tokens) => {
  expect(parseTokens(typed, 1_024)).toBe(tokens);
});
