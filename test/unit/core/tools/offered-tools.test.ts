/** Which tools a level and a permission mode declare, what their declarations cost, and what these say. */
import * as z from 'zod/v4';
import { permissionModes, tiers } from '../../../../src/core/settings/mode';
import { tools } from '../../../../src/core/tools';
import { declare, offeredIn, tool } from '../../../../src/core/tools/tool';
import { o200k } from '../prompt/composition/composed';

const namesIn = (...place: Parameters<typeof offeredIn> extends [unknown, ...infer Rest] ? Rest : never) =>
  offeredIn(tools, ...place).map(({ name }) => name);

const four = ['search_notes', 'read_note', 'create_note', 'edit_note'];
const eight = [
  ...['search_notes', 'find_notes', 'read_note', 'note_outline'],
  ...['create_note', 'edit_note', 'append_to_note', 'ask_user'],
];

describe('the tools of a level', () => {
  it('are four at level 1 and eight at level 2', () => {
    expect(namesIn(1, 'review')).toEqual(four);
    expect(namesIn(1, 'auto-edit')).toEqual(four);
    expect(namesIn(2, 'review')).toEqual(eight);
    expect(namesIn(2, 'auto-edit')).toEqual(eight);
  });

  it('R079 are those that the permission mode allows, with exit_plan_mode in Plan alone', () => {
    expect(namesIn(1, 'read-only')).toEqual(['search_notes', 'read_note']);
    expect(namesIn(2, 'read-only')).toEqual(['search_notes', 'find_notes', 'read_note', 'note_outline', 'ask_user']);
    expect(namesIn(1, 'plan')).toEqual(four);
    expect(namesIn(2, 'plan')).toEqual([...eight, 'exit_plan_mode']);
    for (const mode of permissionModes) {
      expect(namesIn(5, mode).includes('exit_plan_mode')).toBe(mode === 'plan');
    }
  });

  it('are all from level 3 on', () => {
    expect(namesIn(3)).toEqual(tools.map(({ name }) => name));
    for (const mode of permissionModes) expect(namesIn(3, mode)).toEqual(namesIn(5, mode));
  });

  it.each([
    [1, 340],
    [2, 650],
    [5, 1_950],
  ] as const)('cost little: level %i at most %i tokens', (tier, most) => {
    // This one is offered only in a chat whose servers have resources.
    const usual = offeredIn(tools, tier, 'review').filter(({ name }) => name !== 'read_server_resource');
    expect(o200k.count(JSON.stringify(usual.map(declare)))).toBeLessThanOrEqual(most);
  });

  it('cost at most 2,010 tokens with the one for resources of servers', () => {
    const declared = offeredIn(tools, 5, 'review').map(declare);
    expect(o200k.count(JSON.stringify(declared))).toBeLessThanOrEqual(2_010);
  });

  it('are the same list each time, so that caches can use it as a key', () => {
    for (const tier of tiers) expect(offeredIn(tools, tier, 'review')).toBe(offeredIn(tools, tier, 'review'));
    const plain = [tool({ ...base, name: 'alone' })];
    expect(offeredIn(plain, 1, 'review')).toBe(plain);
  });
});

const base = {
  agent: 'notes',
  description: 'Counts the words of a note.',
  parameters: () =>
    z.object({
      path: z.string().min(1).describe('Path of the note, as listed.'),
      from: z.int().min(1).optional().describe('First line to count.'),
      most: z.int().min(1).max(20).optional(),
      more: z.record(z.string(), z.number()).optional(),
    }),
  effect: 'reads',
  title: () => 'Count words',
  run: () => Promise.reject(new Error('unused')),
} as const;

/** Returns what a schema says of its parameters, at any depth. */
function descriptionsIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === 'description' && typeof value === 'string' ? [value] : descriptionsIn(value),
  );
}

describe('a declaration', () => {
  it('has the bounds that say something, and arguments are still checked against the others', () => {
    const counting = tool({ ...base, name: 'count_words' });
    expect(declare(counting).parameters).toEqual({
      type: 'object',
      properties: {
        path: { description: 'Path of the note, as listed.', type: 'string' },
        from: { description: 'First line to count.', type: 'integer' },
        most: { type: 'integer', maximum: 20 },
        more: { type: 'object', additionalProperties: { type: 'number' } },
      },
      required: ['path'],
    });
    for (const wrong of [{ path: '' }, { path: 'A', from: 0 }, { path: 'A', from: 2 ** 60 }, { path: 'A', most: 21 }]) {
      expect(counting.parameters.safeParse(wrong).success).toBe(false);
    }
    for (const { parameters } of tools.map(declare)) {
      expect(JSON.stringify(parameters)).not.toMatch(/"minimum":1\b|9007199254740991|propertyNames/);
    }
  });

  it.each(tiers)('is in whole sentences at level %i, and so is what it says of each parameter', (tier) => {
    const declared = permissionModes.flatMap((mode) => offeredIn(tools, tier, mode).map(declare));
    const said = declared.flatMap(({ name, description, parameters }) => [
      [name, description] as const,
      ...descriptionsIn(parameters).map((text) => [name, text] as const),
    ]);
    // A form is no sentence.
    const isWhole = (text: string): boolean =>
      text === 'name or name=value' || (/^[A-Z"][^\n]*\.$/.test(text) && !/ {2}| [,;:]|[,;:.]\./.test(text));
    expect(said.filter(([, text]) => !isWhole(text))).toEqual([]);
  });

  it('names other tools only where they are offered beside it', () => {
    const counting = tool({ ...base, name: 'count_words', others: { read_one: 'for the text', gone: 'for nothing' } });
    const reading = tool({ ...base, name: 'read_one', fromTier: 4 });
    const saidAt = (tier: 3 | 4) => offeredIn([counting, reading], tier).map(declare)[0]?.description;
    expect(saidAt(3)).toBe('Counts the words of a note.');
    expect(saidAt(4)).toBe('Counts the words of a note. Use read_one for the text.');
    expect(declare(counting).description).toContain('Use read_one for the text, gone for nothing.');
  });

  it('is short at levels 1 and 2, with all parameters', () => {
    const brief = { description: 'Counts words.', parameters: { from: 'First line.' } };
    const counting = tool({ ...base, name: 'count_words', brief, others: { read_one: 'for the text' } });
    const [small] = offeredIn([counting, tool({ ...base, name: 'read_one' })], 2).map(declare);
    expect(small).toEqual({
      name: 'count_words',
      description: 'Counts words.',
      parameters: {
        type: 'object',
        properties: {
          path: { type: 'string' },
          from: { description: 'First line.', type: 'integer' },
          most: { type: 'integer', maximum: 20 },
          more: { type: 'object', additionalProperties: { type: 'number' } },
        },
        required: ['path'],
      },
    });
    expect(offeredIn([counting], 3).map(declare)[0]?.description).toBe(base.description);
  });

  it('builds no schema before it is declared', () => {
    const parameters = jest.fn(base.parameters);
    const [offered] = offeredIn(
      [tool({ ...base, name: 'count_words', parameters, brief: { description: 'Counts.' } })],
      1,
    );
    expect(parameters).not.toHaveBeenCalled();
    expect(offered?.parameters.safeParse({ path: 'A' }).success).toBe(true);
    expect(parameters).toHaveBeenCalledTimes(1);
  });
});
