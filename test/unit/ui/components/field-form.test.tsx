/** @jest-environment jsdom */
/** The form of a server's fields: what it begins with, what it sends, and when it says what is wrong. */
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { installDom } from 'obsidian-workbench/jest';
import type { McpField } from '../../../../src/core/ports/network';
import { words } from '../../../../src/text';
import { type Draft, draftOf, FieldForm, valuesOf } from '../../../../src/ui/components/field-form';

const say = words.serverSettings.fields;
const field = (type: McpField['type'], more: Partial<McpField> = {}): McpField => ({
  ...{ name: 'a', title: 'A field', description: '', required: false, type, options: [] },
  ...more,
});
const woods = [
  { value: 'oak', label: 'Oak' },
  { value: 'elm', label: 'Elm' },
];
/** What is sent of one field with this in it; null if that cannot be sent. */
const sent = (one: McpField, drafted: Draft[string]) => valuesOf([one], { a: drafted });

it('begins with what the server proposes, if it is among what it offers', () => {
  expect(draftOf([field('text', { initial: 'Keel' }), field('boolean', { name: 'b', initial: true })])).toEqual({
    ...{ a: 'Keel', b: true },
  });
  expect(draftOf([field('number', { initial: 0 })])).toEqual({ a: '0' });
  expect(draftOf([field('one', { initial: 'elm', options: woods })])).toEqual({ a: 'elm' });
  expect(draftOf([field('one', { initial: 'yew', options: woods })])).toEqual({ a: '' });
  expect(draftOf([field('several', { initial: ['yew', 'oak'], options: woods })])).toEqual({ a: ['oak'] });
});

it('sends numbers as numbers, and none that JSON cannot hold', () => {
  expect(sent(field('number'), ' 1.5 ')).toEqual({ a: 1.5 });
  expect(sent(field('integer'), '1.5')).toBeNull();
  expect(sent(field('integer'), ' 2 ')).toEqual({ a: 2 });
  expect(sent(field('integer'), 'two')).toBeNull();
  expect(sent(field('number', { least: 1, most: 2 }), '1')).toEqual({ a: 1 });
  expect(sent(field('number', { least: 1, most: 2 }), '0.9')).toBeNull();
  for (const text of ['Infinity', '-Infinity', '1e999', 'many', '1,5']) expect(sent(field('number'), text)).toBeNull();
  expect(sent(field('number', { least: 1, most: 2 }), '2')).toEqual({ a: 2 });
  expect(sent(field('number', { least: 1, most: 2 }), '2.1')).toBeNull();
});

it('leaves out what is empty, unless it is required', () => {
  for (const type of ['text', 'number', 'one'] as const) {
    expect(sent(field(type), ' ')).toEqual({});
    expect(sent(field(type, { required: true }), ' ')).toBeNull();
  }
  expect(sent(field('several'), [])).toEqual({});
  expect(sent(field('several', { required: true }), [])).toBeNull();
  expect(sent(field('several', { options: woods }), ['elm'])).toEqual({ a: ['elm'] });
  expect(sent(field('boolean'), false)).toEqual({ a: false });
});

it('counts the characters of a text as the server does', () => {
  const short = field('text', { least: 2, most: 3 });
  expect(sent(short, '😀😀😀')).toEqual({ a: '😀😀😀' });
  expect(sent(short, 'ab')).toEqual({ a: 'ab' });
  expect(sent(short, '😀')).toBeNull();
  expect(sent(short, 'four')).toBeNull();
});

it('sends a text of a format as it was checked, without the blanks around it', () => {
  expect(sent(field('text', { format: 'email' }), ' a@b.example ')).toEqual({ a: 'a@b.example' });
  expect(sent(field('text', { format: 'date' }), '2026-11-27 ')).toEqual({ a: '2026-11-27' });
  expect(sent(field('text', { format: 'uri' }), 'no address')).toBeNull();
  expect(sent(field('text', { format: 'color' }), ' red ')).toEqual({ a: ' red ' });
  expect(sent(field('text'), ' as it is ')).toEqual({ a: ' as it is ' });
});

it('takes any name that a server gives a format', () => {
  for (const format of ['constructor', 'toString', '__proto__', 'hostname', '']) {
    expect(sent(field('text', { format }), 'keel')).toEqual({ a: 'keel' });
  }
});

describe('the drawn form', () => {
  let root: HTMLElement;
  let draft: Draft;
  const fields = [
    field('several', { name: 's', required: true, options: woods }),
    field('text', { name: 't', required: true, most: 3 }),
  ];
  const draw = (isChecked: boolean): void =>
    void act(() =>
      render(
        <FieldForm fields={fields} draft={draft} isChecked={isChecked} onChange={(next) => (draft = next)} />,
        root,
      ),
    );
  const problems = (): string[] =>
    [...root.querySelectorAll('.docent-field-problem')].map(({ textContent }) => textContent);

  beforeEach(() => {
    installDom(window);
    root = document.body.appendChild(document.createElement('div'));
    draft = draftOf(fields);
  });
  afterEach(() => {
    act(() => render(null, root));
    root.remove();
  });

  it('says nothing of what is still empty before it was checked', () => {
    draw(false);
    expect(problems()).toEqual(['', '']);
    draw(true);
    expect(problems()).toEqual([say.choices(1, Infinity), say.missing]);
  });

  it('says at once what is wrong with what was typed', () => {
    draw(false);
    const box = root.querySelector<HTMLInputElement>('input[type=text]')!;
    box.value = 'four';
    act(() => void box.dispatchEvent(new InputEvent('input', { bubbles: true })));
    draw(false);
    expect(problems()).toEqual(['', say.length(-Infinity, 3)]);
    expect(box.getAttribute('aria-invalid')).toBe('true');
  });

  it('keeps what was chosen as other values are', () => {
    draw(false);
    for (const box of root.querySelectorAll<HTMLInputElement>('input[type=checkbox]')) {
      act(() => box.click());
      draw(false);
    }
    expect(draft).toEqual({ s: ['oak', 'elm'], t: '' });
    act(() => root.querySelector<HTMLInputElement>('input[type=checkbox]')?.click());
    expect(draft).toEqual({ s: ['elm'], t: '' });
  });

  /** Draws one field, and returns its drawn parts. */
  function drawOne(one: McpField, drafted: Draft[string], isChecked = false): HTMLElement {
    const draw = (): void =>
      void act(() =>
        render(<FieldForm fields={[one]} draft={{ a: drafted }} isChecked={isChecked} onChange={changed} />, root),
      );
    draw();
    return root.querySelector<HTMLElement>('.docent-field')!;
  }
  const changed = (next: Draft): void => void (draft = next);

  it('marks what may be left out, and explains what the server explains', () => {
    const title = (one: McpField): string =>
      drawOne(one, '').querySelector('.docent-field-title')?.textContent.trim() ?? '';
    expect(title(field('text'))).toBe(`A field ${say.optional}`);
    expect(root.querySelector('.docent-field-description')).toBeNull();
    expect(title(field('text', { required: true, description: 'Of wood.' }))).toBe('A field');
    expect(root.querySelector('.docent-field-description')?.textContent).toBe('Of wood.');
  });

  it('offers no choice only where none has to be made, or none was made yet', () => {
    const options = (required: boolean, drafted: string): string[] =>
      [...drawOne(field('one', { required, options: woods }), drafted).querySelectorAll('option')].map(
        ({ textContent }) => textContent,
      );
    expect(options(false, 'oak')).toEqual([say.choose, 'Oak', 'Elm']);
    expect(options(true, '')).toEqual([say.choose, 'Oak', 'Elm']);
    expect(options(true, 'oak')).toEqual(['Oak', 'Elm']);
    const select = root.querySelector('select')!;
    expect(select.value).toBe('oak');
    select.value = 'elm';
    act(() => void select.dispatchEvent(new Event('change', { bubbles: true })));
    expect(draft).toEqual({ a: 'elm' });
  });

  it('is named and described for those who cannot see it', () => {
    const named = (one: McpField, drafted: Draft[string], isChecked = false): unknown => {
      const drawn = drawOne(one, drafted, isChecked);
      const label = drawn.querySelector('label')!;
      const control = drawn.querySelector(`[id="${label.htmlFor}"]`)!;
      const problem = control.getAttribute('aria-describedby');
      return [
        control.tagName,
        control.getAttribute('aria-invalid'),
        problem === drawn.querySelector('.docent-field-problem')?.id,
        control.getAttribute('aria-labelledby') === label.id,
        control.getAttribute('inputmode'),
      ];
    };
    expect(named(field('text'), '')).toEqual(['INPUT', 'false', true, false, 'text']);
    expect(named(field('number', { required: true }), '', true)).toEqual(['INPUT', 'true', true, false, 'decimal']);
    expect(named(field('integer'), 'x')).toEqual(['INPUT', 'true', true, false, 'decimal']);
    expect(named(field('one', { required: true, options: woods }), '', true)).toEqual([
      ...['SELECT', 'true', true, false, null],
    ]);
    expect(named(field('several', { options: woods }), [])).toEqual(['DIV', 'false', true, true, null]);
    expect(named(field('boolean'), true)).toEqual(['INPUT', null, false, false, null]);
  });

  it('says which numbers, texts and choices it takes', () => {
    const problem = (one: McpField, drafted: Draft[string]): string =>
      drawOne(one, drafted).querySelector('.docent-field-problem')?.textContent ?? '';
    expect(problem(field('number'), 'x')).toBe(say.number);
    expect(problem(field('integer'), '1.5')).toBe(say.whole);
    expect(problem(field('integer', { least: 2 }), '1')).toBe(say.range(2, Infinity));
    expect(problem(field('text', { format: 'email' }), 'x')).toBe(say.format('email'));
    expect(problem(field('several', { most: 1, options: woods }), ['oak', 'elm'])).toBe(say.choices(1, 1));
    expect(problem(field('several', { least: 2, options: woods }), ['oak'])).toBe(say.choices(2, Infinity));
    expect(problem(field('several', { least: 2, most: 2, options: woods }), ['oak', 'elm'])).toBe('');
    expect(problem(field('one', { required: true, options: woods }), 'oak')).toBe('');
  });

  it('has a check box that is on or off', () => {
    const box = (drafted: boolean): HTMLInputElement => drawOne(field('boolean'), drafted).querySelector('input')!;
    expect([box(false).checked, box(true).checked]).toEqual([false, true]);
    act(() => box(false).click());
    expect(draft).toEqual({ a: true });
  });
});
