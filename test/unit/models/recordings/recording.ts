/** Answers as the services send them, made up by us in their documented shapes: event by event, with what they add. */
export interface Recording {
  /** The events, one value each. A string is sent unchanged. */
  readonly events: readonly unknown[];
  readonly expected: {
    readonly text?: string;
    readonly reasoning?: string;
    /** Name and arguments of each call. */
    readonly calls?: readonly (readonly [name: string, args: object])[];
    /** Why the answer ended; the kind of its failure for one that failed. */
    readonly end: string;
    readonly usage?: object;
  };
}

export const cases = ['text', 'calls', 'reasoning', 'length', 'refusal', 'error'] as const;
type Case = (typeof cases)[number];
/** A format that has no way to say something has no recording of it. */
export type Recordings = Readonly<Record<Exclude<Case, 'refusal'>, Recording> & { refusal: Recording | null }>;

/** What each answer with calls says: a sentence, then a search and a read. */
export const bothCalls: Recording['expected'] = {
  text: 'I look it up.',
  calls: [
    ['search_notes', { query: 'keel' }],
    ['read_note', { path: 'Boat.md' }],
  ],
  end: 'tool-calls',
};
