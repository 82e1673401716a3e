import { type Fact, factsFor, gatherFacts, section } from '../../../../src/core/prompt/section';
import { fakeVault } from '../../../support/fake-vault';
import { never, worldOf } from '../../../support/turn-world';

const parts = { zone: 'turn', buildOrder: 1, priority: 1, trim: 'never' } as const;

function counted(id: string, value: unknown = id): Fact<unknown> & { times: number } {
  const fact = { id, times: 0, gather: async () => ((fact.times += 1), value) };
  return fact;
}

describe('gathering facts', () => {
  it('gathers a fact once for all the sections that need it, and none that nobody needs', async () => {
    const shared = counted('shared');
    const idle = counted('idle');
    const a = section({ ...parts, id: 'a', needs: { one: shared }, when: () => true, full: () => [] });
    const b = section({ ...parts, id: 'b', needs: { other: shared }, when: () => true, full: () => [] });
    const facts = await gatherFacts([a, b], worldOf(), never);
    expect(shared.times).toBe(1);
    expect(idle.times).toBe(0);
    expect(factsFor(a, facts)).toEqual({ one: 'shared' });
    expect(factsFor(b, facts)).toEqual({ other: 'shared' });
  });

  it('gathers side by side', async () => {
    let open = 0;
    let most = 0;
    const slow = (id: string): Fact<unknown> => ({
      id,
      gather: async () => {
        most = Math.max(most, ++open);
        await new Promise((resolve) => setTimeout(resolve, 5));
        open -= 1;
      },
    });
    const needs = { a: slow('a'), b: slow('b'), c: slow('c') };
    await gatherFacts([section({ ...parts, id: 's', needs, when: () => true, full: () => [] })], worldOf(), never);
    expect(most).toBe(3);
  });

  it('gathers what takes time after reads have started, until it is known for the list of files', async () => {
    const order: string[] = [];
    const long: Fact<unknown> = { id: 'long', afterReads: true, gather: () => order.push('long') };
    const reading: Fact<unknown> = {
      id: 'reading',
      gather: async () => {
        for (let step = 0; step < 20; step += 1) await Promise.resolve();
        order.push('read');
      },
    };
    const only = section({ ...parts, id: 'a', needs: { long, reading }, when: () => true, full: () => [] });
    const world = worldOf(fakeVault({ 'A.md': 'One' }));
    await gatherFacts([only], world, never);
    expect(order.splice(0)).toEqual(['read', 'long']);
    await gatherFacts([only], world, never);
    expect(order.splice(0)).toEqual(['long', 'read']);
    await gatherFacts([only], worldOf(fakeVault({ 'A.md': 'One' })), never);
    expect(order).toEqual(['read', 'long']);
  });

  it('takes what is known already without gathering it', async () => {
    const fact = counted('fact');
    const only = section({ ...parts, id: 'a', needs: { fact }, when: () => true, full: () => [] });
    const facts = await gatherFacts([only], worldOf(), never, new Map([[fact, 'known']]));
    expect(fact.times).toBe(0);
    expect(factsFor(only, facts)).toEqual({ fact: 'known' });
  });

  it('freezes what a section sees and throws for a fact that is missing', async () => {
    const only = section({ ...parts, id: 'a', needs: { x: counted('x') }, when: () => true, full: () => [] });
    const facts = await gatherFacts([only], worldOf(), never);
    expect(Object.isFrozen(factsFor(only, facts))).toBe(true);
    expect(() => factsFor(only, new Map())).toThrow(/Fact x of section a/);
  });
});
