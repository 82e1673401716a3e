/** The Section and Fact contracts: a section declares what it needs, and renders it without reading anything itself. */
import { nextEventLoopTurn } from '../base/async';
import type { Measure } from '../markup/budget';
import type { Content } from '../markup/markup';
import type { Tag } from '../markup/tags';
import type { Zone } from '../ports/request-plan';
import type { FileEntry } from '../ports/vault';
import type { World } from './world';

/** One piece of information for a prompt, gathered from the world before sections render. */
export interface Fact<Value> {
  readonly id: string;
  /**
   * True for a fact that reads no notes, and takes time until it is known for the vault's list of files: it is gathered
   * once the reads of other facts have started.
   */
  readonly afterReads?: boolean;
  /** Reads ports and has no other effects. A missing thing is null or empty; never throws for it. */
  gather(world: World, signal: AbortSignal): Value | Promise<Value>;
}

export type Needs = Readonly<Record<string, Fact<unknown>>>;

export type FactsOf<N extends Needs> = {
  readonly [Name in keyof N]: N[Name] extends Fact<infer Value> ? Value : never;
};

/** An item of a reference section that changes independently. */
export interface SectionItem {
  /** Prefixed with its kind: `map:` a folder of the map, `file:` a note. */
  readonly key: string;
  readonly content: Content;
  /** Newest change of its sources, in milliseconds since the epoch. */
  readonly modified?: number;
  /** The part of the item that depends on one file alone, by path. */
  readonly lines?: Readonly<Record<string, string>>;
  /** Returns what that part would be in the item's other forms, while the file is the same. */
  readonly otherLines?: () => Readonly<Record<string, readonly string[]>>;
}

export interface Section<N extends Needs = Needs> {
  readonly id: string;
  /** Element that wraps the content; without one, the content is plain text. */
  readonly tag?: Tag;
  /** Attributes of the wrapping element. */
  attributes?(facts: FactsOf<N>): Readonly<Record<string, string>>;
  readonly zone: Zone;
  /**
   * The tokens that it shares with others: those of the user's own instructions, or of lists of what there is. Those of
   * its zone if absent.
   */
  readonly share?: 'own' | 'lists';
  /** Whether it counts toward the budget of the composition at a tier (K26). */
  readonly composition?: boolean;
  /** Whether it follows the user's own system prompt, which replaces the other instructions (R034, R260). */
  readonly afterBase?: boolean;
  /** Where a request has it, if not determined by its zone. */
  readonly place?: 'first-message' | 'after-message';
  /** Whether it is sent only if its text differs from the one that was sent last. */
  readonly onChange?: boolean;
  /** Position in a prompt without a history, lowest first. */
  readonly buildOrder: number;
  /** Sections with a higher priority are dropped later if tokens are short. */
  readonly priority: number;
  /** Where text is truncated if even the brief form is too long. */
  readonly trim: 'head' | 'tail' | 'never';
  readonly needs: N;
  /** Whether the section has text. */
  when(facts: FactsOf<N>): boolean;
  full(facts: FactsOf<N>): Content;
  /** Returns a form of at most this many tokens that says what it omits; null if none is worth sending. */
  shorten?(facts: FactsOf<N>, tokens: number, measure: Measure): Content | null;
  /** Returns the items in which a chat sends it; null to send it whole. */
  items?(facts: FactsOf<N>): readonly SectionItem[] | null;
  /** Returns the items in which a chat sends what `shorten` returns for the same tokens; null to send it whole. */
  shortenItems?(facts: FactsOf<N>, tokens: number, measure: Measure): readonly SectionItem[] | null;
  /** Returns a shorter form that keeps the most important content. */
  brief?(facts: FactsOf<N>): Content;
}

/** Declares a section; erases its needs so that all sections fit in one list. */
export function section<N extends Needs>(definition: Section<N>): Section {
  return definition;
}

/** Values by fact; a section reads its own through factsFor. */
export type GatheredFacts = ReadonlyMap<Fact<unknown>, unknown>;

/** The lists of files for which what takes time is known. */
const listsKnown = new WeakSet<readonly FileEntry[]>();

/**
 * Gathers what the sections need: each fact once, all in parallel, frozen for the turn.
 * @param known facts that are already available and are not gathered
 * @throws what a fact throws, which is a defect: expected failures are part of a fact's value
 */
export async function gatherFacts(
  sections: readonly Section[],
  world: World,
  signal: AbortSignal,
  known: GatheredFacts = new Map(),
): Promise<GatheredFacts> {
  const wanted = new Set(sections.flatMap((section) => Object.values(section.needs)));
  const files = world.vault.files();
  const waits = !listsKnown.has(files);
  listsKnown.add(files);
  const gather = async (fact: Fact<unknown>): Promise<[Fact<unknown>, unknown]> => {
    if (known.has(fact)) return [fact, known.get(fact)];
    if (waits && fact.afterReads === true) await nextEventLoopTurn();
    return [fact, await fact.gather(world, signal)];
  };
  return new Map(await Promise.all([...wanted].map(gather)));
}

/**
 * Returns the facts of one section under the names it gave them.
 * @throws if a fact was not gathered
 */
export function factsFor(section: Section, facts: GatheredFacts): FactsOf<Needs> {
  const own: Record<string, unknown> = {};
  for (const [name, fact] of Object.entries(section.needs)) {
    if (!facts.has(fact)) throw new Error(`Fact ${fact.id} of section ${section.id} was not gathered.`);
    own[name] = facts.get(fact);
  }
  return Object.freeze(own);
}
