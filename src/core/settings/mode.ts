/** Modes (the role of the agent), instruction levels, and permission modes. */

export const modeIds = ['assistant', 'developer', 'planning', 'debugger', 'user'] as const;
export type ModeId = (typeof modeIds)[number];

export const tiers = [1, 2, 3, 4, 5] as const;
export type Tier = (typeof tiers)[number];

export const permissionModes = ['plan', 'read-only', 'review', 'auto-edit'] as const;

/**
 * Permission modes: what the agent may do without asking (K21). The policy enforces them; the prompt only describes
 * them.
 */
export type PermissionMode = (typeof permissionModes)[number];

/** From strictest to most permissive. */
const byLicence: readonly PermissionMode[] = ['read-only', 'plan', 'review', 'auto-edit'];

/** Returns the stricter of two modes, so that a permission revoked during a turn ends at once (K21). */
export function stricterMode(one: PermissionMode, other: PermissionMode): PermissionMode {
  return byLicence.indexOf(one) <= byLicence.indexOf(other) ? one : other;
}

/** Returns the mode of a stored value; an unknown value becomes the strictest mode that can still read. */
export function permissionModeOf(value: unknown): PermissionMode {
  return permissionModes.find((mode) => mode === value) ?? 'read-only';
}
