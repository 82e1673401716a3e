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

export const permissionModes = ['plan', 'read-only', 'review', 'auto-edit'] as const;

/** Permission modes: what the agent may do by itself (K21); the policy enforces it, the prompt only describes it. */
export type PermissionMode = (typeof permissionModes)[number];

/** From the one that allows least. */
const byLicence: readonly PermissionMode[] = ['read-only', 'plan', 'review', 'auto-edit'];

/** The one of two that allows less: what the user takes back while a turn runs is gone at once (K21). */
export function stricterMode(one: PermissionMode, other: PermissionMode): PermissionMode {
  return byLicence.indexOf(one) <= byLicence.indexOf(other) ? one : other;
}

/** The mode of a stored value; an unknown one is the strictest that still reads. */
export function permissionModeOf(value: unknown): PermissionMode {
  return permissionModes.find((mode) => mode === value) ?? 'read-only';
}
