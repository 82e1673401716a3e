import { namedOutputLimit, omitRefusedOptions, refusedHints } from '../../../../src/models/formats/request-options';

function refuse(id: string, asked: number, most: number) {
  const said = `max_tokens is too large: ${asked}. This model supports at most ${most} completion tokens.`;
  const failure = { kind: 'protocol', words: said, remedy: '' } as const;
  return omitRefusedOptions({ id, chat: 'one' }, ['limit'], { failure, retry: 'never' }, { outputLimit: asked });
}

it('learns a smaller output limit after a first one was refused too', () => {
  const id = 'test/smaller';
  expect(refuse(id, 128_000, 65_536)).toBe('limit');
  expect(namedOutputLimit(id)).toBe(65_536);
  expect(refusedHints(id).has('limit')).toBe(false);
  expect(refuse(id, 65_536, 8_192)).toBe('limit');
  expect(namedOutputLimit(id)).toBe(8_192);
});

it('does not follow a server that names ever smaller limits', () => {
  const id = 'test/endless';
  const learned = Array.from({ length: 10 }, (_, index) => refuse(id, 1_000 - index, 999 - index));
  expect(learned.filter((option) => option === 'limit')).toHaveLength(4);
  expect(namedOutputLimit(id)).toBe(996);
});

it('learns no limit that is not less than what was asked for', () => {
  expect(refuse('test/same', 1_000, 1_000)).toBeNull();
  expect(namedOutputLimit('test/same')).toBeUndefined();
});
