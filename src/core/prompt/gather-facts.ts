/** Gathers what the given sections need: each fact once, all in parallel, frozen for the turn. */
import type { Fact, FactsOf, Needs, Section } from './section';
import type { World } from './world';

/** Facts by themselves; a section looks up its own through factsFor. */
export type GatheredFacts = ReadonlyMap<Fact<unknown>, unknown>;

/**
 * @param known facts that are already at hand and need no reading
 * @throws what a fact throws, which is a defect: expected failures are part of a fact's value
 */
export async function gatherFacts(
  sections: readonly Section[],
  world: World,
  signal: AbortSignal,
  known: GatheredFacts = new Map(),
): Promise<GatheredFacts> {
  const wanted = new Set(sections.flatMap((section) => Object.values(section.needs)));
  const gathered = await Promise.all(
    [...wanted].map(async (fact): Promise<[Fact<unknown>, unknown]> => [
      fact,
      known.has(fact) ? known.get(fact) : await fact.gather(world, signal),
    ]),
  );
  return new Map(gathered);
}

/**
 * The facts of one section under the names it gave them.
 * @throws when a fact was not gathered
 */
export function factsFor(section: Section, facts: GatheredFacts): FactsOf<Needs> {
  const entries = Object.entries(section.needs).map(([name, fact]): [string, unknown] => {
    if (!facts.has(fact)) throw new Error(`Fact ${fact.id} of section ${section.id} was not gathered.`);
    return [name, facts.get(fact)];
  });
  return Object.freeze(Object.fromEntries(entries));
}
