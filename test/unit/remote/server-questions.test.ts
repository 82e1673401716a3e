/** @jest-environment node */
import type { McpQuestion, McpReply } from '../../../src/core/ports/network';
import { answerQuestion } from '../../../src/remote/server-questions';
import { expectCostBelow } from 'obsidian-workbench/testing/cost';
import { never } from './harness';

/** Asks a user who declines; returns the question as it was shown, and what was heard of it. */
async function shown(params: Record<string, unknown>) {
  const asked: McpQuestion[] = [];
  const heard: string[] = [];
  const patience = {
    extend: () => undefined,
    hold: () => {
      heard.push('held');
      return () => void heard.push('released');
    },
  };
  const ask = (question: McpQuestion): Promise<McpReply> => {
    asked.push(question);
    return Promise.resolve({ action: 'decline' });
  };
  const reply = await answerQuestion(
    params,
    { during: { ask }, patience, leftOut: () => heard.push('left out') },
    never,
  );
  return { question: asked[0], heard, reply };
}

const formOf = (properties: unknown, required: unknown = []): Record<string, unknown> => ({
  message: 'Which?',
  requestedSchema: { type: 'object', properties, required },
});

it('F34 with fields and required names without end is refused at once', async () => {
  const names = Array.from({ length: 20_000 }, (_, at) => `field${at}`);
  const form = formOf(Object.fromEntries(names.map((name) => [name, {}])), [...names].reverse());
  await expectCostBelow(400, () => shown(form));
  expect(await shown(form)).toEqual({ question: undefined, heard: ['left out'], reply: { action: 'cancel' } });
});

it('is shown with its fields as the schema describes them, and the time stops until the answer', async () => {
  const { question, heard, reply } = await shown(
    formOf(
      {
        name: { type: 'string', title: ' Name ', description: 'Yours.', minLength: 1, maxLength: 9, format: 'email' },
        count: { type: 'integer', minimum: 0, maximum: 5, default: 2 },
        sure: { type: 'boolean', default: true },
        size: { type: 'string', enum: ['s', 'l'], enumNames: ['Small'], default: 's' },
        color: { type: 'string', oneOf: [{ const: 'r', title: 'Red' }, { const: 'g' }] },
        days: { type: 'array', items: { enum: ['mo', 'tu'] }, minItems: 1, maxItems: 2, default: ['mo'] },
        tags: { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } },
      },
      ['name'],
    ),
  );
  const field = { description: '', required: false, options: [] };
  expect(question).toEqual({
    kind: 'form',
    message: 'Which?',
    fields: [
      {
        ...{ ...field, name: 'name', title: 'Name', description: 'Yours.', required: true, type: 'text' },
        ...{ least: 1, most: 9, format: 'email' },
      },
      { ...field, name: 'count', title: 'count', type: 'integer', initial: 2, least: 0, most: 5 },
      { ...field, name: 'sure', title: 'sure', type: 'boolean', initial: true },
      {
        ...{ ...field, name: 'size', title: 'size', type: 'one', initial: 's' },
        options: [
          { value: 's', label: 'Small' },
          { value: 'l', label: 'l' },
        ],
      },
      {
        ...{ ...field, name: 'color', title: 'color', type: 'one' },
        options: [
          { value: 'r', label: 'Red' },
          { value: 'g', label: 'g' },
        ],
      },
      {
        ...{ ...field, name: 'days', title: 'days', type: 'several', initial: ['mo'], least: 1, most: 2 },
        options: [
          { value: 'mo', label: 'mo' },
          { value: 'tu', label: 'tu' },
        ],
      },
      { ...field, name: 'tags', title: 'tags', type: 'several', options: [{ value: 'a', label: 'A' }] },
    ],
  });
  expect([heard, reply]).toEqual([['held', 'released'], { action: 'decline' }]);
});

it.each<[string, unknown]>([
  ['options that are records', { type: 'string', enum: ['a', { toString: 1, valueOf: 1 }] }],
  ['an option that is none', { type: 'string', enum: ['a', null] }],
  ['options without a value', { type: 'string', anyOf: [{ format: 'email' }, { format: 'uri' }] }],
  ['an option that is no record', { type: 'string', oneOf: [{ const: 'a' }, 'b'] }],
  ['several of records', { type: 'array', items: { enum: [['a']] } }],
])('F34 with %s is left out', async (_what, schema) => {
  expect(await shown(formOf({ field: schema }))).toEqual({
    ...{ question: undefined, heard: ['left out'], reply: { action: 'cancel' } },
  });
});

it('has a field for what may be null, as servers describe an optional one', async () => {
  const or = (...types: readonly object[]): object => ({ title: 'Note', default: null, anyOf: types });
  const { question } = await shown(
    formOf({
      note: or({ type: 'string', maxLength: 9 }, { type: 'null' }),
      count: or({ type: 'null' }, { type: 'integer' }),
      size: or({ enum: ['s', 'l'] }, { type: 'null' }),
      day: { title: 'Note', type: ['string', 'null'], maxLength: 9 },
    }),
  );
  const field = { title: 'Note', description: '', required: false, options: [] };
  const options = ['s', 'l'].map((value) => ({ value, label: value }));
  expect(question).toMatchObject({
    fields: [
      { ...field, name: 'note', type: 'text', most: 9 },
      { ...field, name: 'count', type: 'integer' },
      { ...field, name: 'size', type: 'one', options },
      { ...field, name: 'day', type: 'text', most: 9 },
    ],
  });
  const several = await shown(formOf({ id: { type: ['string', 'integer', 'null'] } }));
  expect(several.heard).toEqual(['left out']);
  const either = await shown(formOf({ id: or({ type: 'string' }, { type: 'integer' }, { type: 'null' }) }));
  expect(either.heard).toEqual(['left out']);
});

it('has the options that are numbers and truth values, and of its beginnings those alone', async () => {
  const days = { type: 'array', items: { enum: [1, 2] }, default: [1, { toString: 1 }] };
  const { question } = await shown(formOf({ days, sure: { enum: [true] } }));
  expect(question?.kind === 'form' && question.fields.map(({ options, initial }) => [options, initial])).toEqual([
    [[...'12'].map((value) => ({ value, label: value })), ['1']],
    [[{ value: 'true', label: 'true' }], undefined],
  ]);
});

it.each([
  ['http://localhost:8080/login', true],
  [`https://example.com/${'x'.repeat(4_076)}`, true],
  [`https://example.com/${'x'.repeat(4_077)}`, false],
  ['obsidian://open', false],
  ['https://user@example.com/', false],
  ['/login', false],
  [7, false],
])('a page at %s is shown or not: %s', async (url, isShown) => {
  const { question } = await shown({ mode: 'url', message: 'Open it.', url });
  expect(question).toEqual(isShown ? { kind: 'page', message: 'Open it.', url } : undefined);
});

it('without words or fields is an empty form, and longer words are cut', async () => {
  expect((await shown(formOf(undefined))).question).toEqual({ kind: 'form', message: 'Which?', fields: [] });
  const { question } = await shown({ ...formOf({}), message: 'x'.repeat(2_001) });
  expect(question?.message).toHaveLength(2_000);
  expect((await shown({ ...formOf({}), message: 7 })).question?.message).toBe('');
});

it.each<[string, (name: string) => object]>([
  ['the name of a field', (name) => ({ [name]: { type: 'string' } })],
  ['a value that can be chosen', (name) => ({ size: { enum: [name] } })],
  ['one of several values', (name) => ({ sizes: { type: 'array', items: { enum: [name] } } })],
])('is shown with %s of 200 characters and no longer one', async (_what, properties) => {
  expect((await shown(formOf(properties('x'.repeat(200))))).heard).toEqual(['held', 'released']);
  expect((await shown(formOf(properties('x'.repeat(201))))).heard).toEqual(['left out']);
});

it('is cut between characters', async () => {
  const { question } = await shown({ ...formOf({}), message: `${'a'.repeat(1_999)}🚢` });
  expect(question?.message).toBe('a'.repeat(1_999));
});

it('gets what was chosen as the server offers it', async () => {
  const form = formOf({
    size: { enum: [1, 2] },
    sure: { oneOf: [{ const: true }, { const: false }] },
    day: { anyOf: [{ enum: [7] }, { type: 'null' }] },
    days: { type: 'array', items: { enum: [1, '2', 3] } },
    text: { type: 'string' },
  });
  const content = { size: '2', sure: 'false', day: '7', days: ['1', '2'], text: '1' };
  const patience = { extend: () => undefined, hold: () => () => undefined };
  const during = { ask: () => Promise.resolve({ action: 'accept', content } as const) };
  expect(await answerQuestion(form, { during, patience, leftOut: () => undefined }, never)).toEqual({
    action: 'accept',
    content: { size: 2, sure: false, day: 7, days: [1, '2'], text: '1' },
  });
});
