/** Permission modes: what the agent may do by itself (K21); the policy enforces it, the prompt only describes it. */

export const permissionModes = ['plan', 'read-only', 'review', 'auto-edit'] as const;
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
