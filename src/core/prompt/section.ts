/** The Section and Fact contracts: a section says what it needs, and renders it without reading anything itself. */
import type { Measure } from '../markup/budget';
import type { Content, Tag } from '../markup/markup';
import type { Zone } from '../ports/request-plan';
import type { World } from './world';

/** One thing a prompt can tell, gathered from the world before sections render. */
export interface Fact<Value> {
  readonly id: string;
  /** Pure but for reading ports; a missing thing is null or empty, never a throw. */
  gather(world: World, signal: AbortSignal): Value | Promise<Value>;
}

export type Needs = Readonly<Record<string, Fact<unknown>>>;

export type FactsOf<N extends Needs> = {
  readonly [Name in keyof N]: N[Name] extends Fact<infer Value> ? Value : never;
};

/** A part of a reference section that changes by itself. */
export interface SectionItem {
  /** With its kind before it: `map:` a folder of the map, `file:` a note. */
  readonly key: string;
  readonly content: Content;
  /** Newest change of what it is made from, in milliseconds since the epoch. */
  readonly modified?: number;
  /** What it says of each file, by path, as far as that file alone decides it. */
  readonly lines?: Readonly<Record<string, string>>;
}

export interface Section<N extends Needs = Needs> {
  readonly id: string;
  /** Element that wraps the content; without one the content stands as plain text. */
  readonly tag?: Tag;
  /** Attributes of the wrapping element. */
  attributes?(facts: FactsOf<N>): Readonly<Record<string, string>>;
  readonly zone: Zone;
  /** Whether it counts against the budget of the composition at a tier (K26). */
  readonly composition?: boolean;
  /** Whether it follows a system prompt of the user's own, which replaces the rest of the instructions (R034, R260). */
  readonly afterBase?: boolean;
  /** Where the tiered profile puts it, when its zone does not already say so. */
  readonly tieredPlace?: 'first-message' | 'after-message';
  /** Where the flat profile puts it; without it, in the one system prompt. */
  readonly flatPlace?: 'after-message';
  /** Place in the flat profile: lower comes first. */
  readonly flatOrder: number;
  /** Higher is dropped later when space is short. */
  readonly priority: number;
  /** Where text is cut when even the brief form is too long. */
  readonly trim: 'head' | 'tail' | 'never';
  readonly needs: N;
  /** Whether the section has anything to say. */
  when(facts: FactsOf<N>): boolean;
  full(facts: FactsOf<N>): Content;
  /** A form of at most so many tokens that says what it left out; null when none is worth sending. */
  shorten?(facts: FactsOf<N>, tokens: number, measure: Measure): Content | null;
  /** The parts in which the tiered profile sends it; null to send it whole. */
  items?(facts: FactsOf<N>): readonly SectionItem[] | null;
  /** A shorter form that keeps what matters most. */
  brief?(facts: FactsOf<N>): Content;
}

/** Declares a section; erases its needs so that all sections fit in one list. */
export function section<N extends Needs>(definition: Section<N>): Section {
  return definition;
}

// Gathers what the given sections need: each fact once, all in parallel, frozen for the turn.

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
