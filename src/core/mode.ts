/** Mode and tier: who the agent is, and how much prompt its window can bear. */

export const modeIds = ['assistant', 'developer', 'planning', 'debugger', 'user'] as const;
export type ModeId = (typeof modeIds)[number];

export const tiers = [1, 2, 3, 4, 5] as const;
export type Tier = (typeof tiers)[number];

export interface Mode {
  readonly id: ModeId;
  /** Templates by tier; a missing tier is served by the nearest one of the same mode (R104). */
  readonly templates: Readonly<Partial<Record<Tier, string>>>;
}
