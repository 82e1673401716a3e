/** Permission modes: what the agent may do by itself (K21); the policy enforces it, the prompt only describes it. */

export const permissionModes = ['plan', 'read-only', 'review', 'auto-edit'] as const;
export type PermissionMode = (typeof permissionModes)[number];

/** The mode of a stored value; an unknown one is the strictest that still reads. */
export function permissionModeOf(value: unknown): PermissionMode {
  return permissionModes.find((mode) => mode === value) ?? 'read-only';
}
