/** @jest-environment node */
import { readError } from '../../../../src/models/http/read-error';

it.each([429, 503, '400'])('takes the code %s in a stream for the status that it lacks', (code) => {
  expect(readError({ error: { code, message: 'No.' } })).toMatchObject({ status: Number(code), message: 'No.' });
});

it.each([1301, '1113', 600])('takes the code %s, by which a provider numbers its own errors, for no status', (code) => {
  const error = readError({ error: { code, message: 'Unsafe content.' } });
  expect(error).toMatchObject({ code: String(code), message: 'Unsafe content.' });
  expect(error).not.toHaveProperty('status');
});

it('takes the status of the response, whatever the code says', () => {
  expect(readError({ statusCode: 400, responseBody: '{"error":{"code":1301}}' }).status).toBe(400);
});

it('reads an error in a list, as Google’s endpoint for chat completions has it', () => {
  const error = { code: 429, message: 'Slow down.', status: 'RESOURCE_EXHAUSTED', details: [{ retryDelay: '7s' }] };
  const responseBody = JSON.stringify([{ error }]);
  expect(readError({ statusCode: 429, responseBody })).toMatchObject({
    message: 'Slow down.',
    waitMilliseconds: 7_000,
  });
  for (const other of ['[]', '[1]', '[{"error":{"message":"a"}},{"error":{"message":"b"}}]']) {
    expect(readError({ statusCode: 400, responseBody: other }).message).toBe('');
  }
});

it('cuts a long message between characters', () => {
  const message = `${'x'.repeat(399)}😀 and more`;
  expect(readError({ error: { code: 400, message } }).message).toBe(`${'x'.repeat(399)}…`);
});

it.each([
  ['overloaded_error', 529],
  ['timeout_error', 504],
  ['api_error', 500],
  ['server_error', 500],
  ['internal_server_error', 500],
  ['service_unavailable_error', 503],
  ['server_is_overloaded', 503],
  ['rate_limit_error', 429],
  ['rate_limit_exceeded', 429],
  ['insufficient_quota', 429],
  ['authentication_error', 401],
  ['invalid_api_key', 401],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['model_not_found', 404],
  ['request_too_large', 413],
  ['context_length_exceeded', 400],
  ['exceed_context_size_error', 400],
  ['invalid_request_error', 400],
  ['billing_error', 402],
  ['what_else', undefined],
])('takes “%s” in a stream for the status %s', (type, status) => {
  expect(readError({ error: { type, message: 'No.' } }).status).toBe(status);
  expect(readError({ status: 418, error: { type } }).status).toBe(418);
});

it('says which fields a server refused', () => {
  const detail = [{ loc: ['body', 'tools', 0], msg: 'too long' }, { loc: ['body'], msg: 'no' }, { msg: 'lost' }, 7];
  const said = 'body.tools.0: too long; body: no';
  expect(readError({ statusCode: 422, data: { detail } }).message).toBe(said);
  expect(readError({ statusCode: 422, responseBody: JSON.stringify({ message: { detail } }) }).message).toBe(said);
  expect(readError({ statusCode: 422, data: { detail: [{ msg: 'lost' }], code: 'x' } }).message).toBe('');
});

it('says what the provider behind a gateway said', () => {
  const said = (raw: unknown) =>
    readError({ error: { message: 'Provider returned error', code: 400, metadata: { raw } } });
  const inner = { error: { message: 'prompt is too long: 207791 tokens > 200000 maximum' } };
  expect(said(JSON.stringify(inner))).toMatchObject({
    message: 'Provider returned error: prompt is too long: 207791 tokens > 200000 maximum',
    status: 400,
  });
  expect(said('Busy.\nTry later.').message).toBe('Provider returned error: Busy. Try later.');
  expect([said(''), said(7), said({}), said('{}')].map(({ message }) => message)).toEqual([
    ...Array.from({ length: 3 }, () => 'Provider returned error'),
    'Provider returned error: {}',
  ]);
});

it('reads how long to wait, which quota is exhausted, and how much the model holds', () => {
  const details = (...all: readonly object[]): unknown => readError({ error: { message: 'No.', details: all } });
  expect(details({ retryDelay: '1.5s' })).toMatchObject({ waitMilliseconds: 1_500 });
  expect(details({ retryDelay: 'soon' })).not.toHaveProperty('waitMilliseconds');
  expect(details({ violations: [{ quotaId: 'RequestsPerDay' }] })).toMatchObject({ isDaily: true });
  expect(details({ violations: [{ quotaId: 'RequestsPerMinute' }, 7] })).not.toHaveProperty('isDaily');
  expect(readError({ error: { message: 'No.', n_ctx: 4_096 } })).toMatchObject({ contextWindow: 4_096 });
  expect(readError({ error: { message: 'No.', n_ctx: 0 } })).not.toHaveProperty('contextWindow');
});

it.each([
  ['Rate limit reached for gpt-4o on tokens per min (TPM). Please try again in 644ms.', 644],
  ['Limit 7000, Used 0, Requested 12903. Please try again in 50.597142857s. Visit the page.', 50_598],
  ['Please try again in 1m0.36s. Need more tokens?', 60_360],
  ['Please try again in 1h2m3s', 3_723_000],
  ['Requests have been limited. Please retry after 6 seconds.', 6_000],
  ['Try again in 1 minute, 30 seconds.', 90_000],
  ['Retry in 500 milliseconds', 500],
  ['Please try again later.', undefined],
  ['Please try again in a moment, within 20s.', undefined],
])('reads how long to wait from “%s”', (message, wait) => {
  expect(readError({ error: { message } }).waitMilliseconds).toBe(wait);
});

it('takes the wait in the details before the one in the message', () => {
  const error = { message: 'Please retry in 20s.', details: [{ retryDelay: '1.5s' }] };
  expect(readError({ error }).waitMilliseconds).toBe(1_500);
});

it('takes the words of the provider before those of a library, which are for programmers', () => {
  const thrown = (more: object): Error => Object.assign(new Error('fetch failed'), more);
  expect(readError(thrown({})).message).toBe('');
  expect(readError(thrown({ statusCode: 500 })).message).toBe('fetch failed');
  expect(readError(thrown({ statusCode: 500, data: { error: 'Full.' } })).message).toBe('Full.');
  expect(readError({ headers: 1, responseHeaders: { 'Retry-After': '3', other: 4 } }).headers).toEqual({
    'retry-after': '3',
  });
});

it('cuts a message after 400 characters', () => {
  const messageOf = (length: number): string => readError({ message: 'a'.repeat(length) }).message;
  expect([messageOf(400), messageOf(401)]).toEqual(['a'.repeat(400), `${'a'.repeat(400)}…`]);
});
