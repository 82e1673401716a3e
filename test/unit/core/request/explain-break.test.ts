/** Why a request is no continuation of the one before. */
import type { RequestPlan } from '../../../../src/core/ports/request-plan';
import { describeBreak, explainBreak, tokensSentAgain } from '../../../../src/core/request/prompt-cache';
import { fakeVault } from '../../../support/fake-vault';
import { ReferenceBench } from './reference-bench';

async function twoPlans(change: (bench: ReferenceBench) => void, free: string | null = null) {
  const bench = new ReferenceBench(fakeVault({ 'A.md': '## One', 'In/B.md': '## Two' }));
  const before = (await bench.play()).plan;
  change(bench);
  return { before, after: (await bench.play({ free })).plan };
}

describe('the recorded reason', () => {
  it('R231 is none while all that was sent is sent again', async () => {
    const { before, after } = await twoPlans((bench) => bench.vault.put('In/C.md', '# C'));
    expect(explainBreak(before, after)).toBeNull();
    expect(describeBreak(null)).toBe('Nothing to read again: the provider can reuse all of the previous request.');
  });

  it('R231 names the listing and the note that broke it', async () => {
    const { before, after } = await twoPlans((bench) => bench.vault.put('In/C.md', '# C'), 'cold');
    expect(describeBreak(explainBreak(before, after))).toBe(
      '“Vault listing” changed, so the provider must read everything after it again: note created: In/C.md.',
    );
  });

  it('R231 names a section, the tools, the model and a message', async () => {
    const { before, after } = await twoPlans(() => undefined);
    const [block] = after.blocks;
    if (block === undefined) throw new Error('There is no block.');
    const other = { ...after, blocks: [{ ...block, text: 'Another.' }, ...after.blocks.slice(1)] };
    expect(explainBreak(before, other)).toEqual({ place: 'preamble', reasons: ['its text changed'] });
    expect(explainBreak(before, { ...after, modelId: 'p/other' })?.place).toBe('model');
    const tools = [{ name: 'read_note', description: '', parameters: {} }];
    expect(explainBreak(before, { ...after, tools })).toEqual({
      place: 'tools',
      reasons: ['tools added, removed, or changed: read_note'],
    });
    const messages: RequestPlan['messages'] = [{ role: 'user', parts: [{ type: 'text', text: 'Else' }] }];
    expect(explainBreak(before, { ...after, messages })?.place).toBe('conversation');
    expect(explainBreak(before, { ...after, system: 'Another.' })).toEqual({
      place: 'system',
      reasons: ['its text changed'],
    });
  });

  it('compares images by what they show, and not by their names', async () => {
    const { before } = await twoPlans(() => undefined);
    const image = { mediaType: 'image/png', width: 1, height: 1, bytes: 1, conversation: 'c1' };
    const withImage = (digest: string, name = digest): RequestPlan => ({
      ...before,
      messages: [
        {
          role: 'user',
          parts: [
            {
              type: 'image',
              name,
              label: name,
              text: name,
              missingText: name,
              olderText: name,
              tokens: 9,
              image: { ...image, digest },
            },
          ],
        },
      ] as RequestPlan['messages'],
    });
    const inText = { ...before, messages: [{ role: 'user', parts: [{ type: 'text', text: 'a' }] }] } as RequestPlan;
    expect(explainBreak(withImage('a'), withImage('a', 'A renamed one'))).toBeNull();
    expect([withImage('b', 'a'), inText].map((after) => explainBreak(withImage('a'), after)?.place)).toEqual([
      'conversation',
      'conversation',
    ]);
  });

  it('costs all of the request if the model or the tools differ, and what follows if a message does', async () => {
    const { before } = await twoPlans(() => undefined);
    const sized = { ...before, totals: { ...before.totals, all: 500 } };
    const costOf = (place: string, after: RequestPlan) => tokensSentAgain(sized, after, { place, reasons: [] });
    expect(['model', 'tools'].map((place) => costOf(place, sized))).toEqual([500, 500]);
    const said: RequestPlan['messages'] = [{ role: 'user', parts: [{ type: 'text', text: 'One word.' }] }];
    const shorter = costOf('conversation', { ...sized, messages: [...sized.messages.slice(0, -1), ...said] });
    expect(shorter).toBeGreaterThan(0);
    expect(shorter).toBeLessThan(500);
  });

  it('costs what follows the first block that differs', async () => {
    const { before } = await twoPlans(() => undefined);
    const blocks = before.blocks.map((block) => ({ ...block, tokens: 10 }));
    const sized = { ...before, blocks, totals: { ...before.totals, all: 500, tools: 40 } };
    const costWith = (place: number) => {
      const changed = blocks.map((block, index) => (index === place ? { ...block, text: 'Another.' } : block));
      return tokensSentAgain(sized, { ...sized, blocks: changed }, { place: 'preamble', reasons: [] });
    };
    expect([costWith(0), costWith(1), costWith(2)]).toEqual([460, 450, 440]);
    expect(costWith(-1)).toBe(460 - 10 * blocks.length);
  });
});
