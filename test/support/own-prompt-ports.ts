/** The user's own side of the prompt for views in tests: nothing of it is in use, and steps are written down. */
import { mayUse } from '../../src/core/own-prompt/text-files';
import type { DeviceStorage } from '../../src/core/ports/device';
import { succeed } from '../../src/core/ports/failure';
import type { SystemPromptPorts } from '../../src/ui/state/ports';

/** Allows a file outside the vault, as a user who is asked does. */
export async function allowOutside(device: DeviceStorage, path: string): Promise<void> {
  await mayUse({ kind: 'outside', path }, { device, confirmOutside: () => Promise.resolve(true) });
}

export function ownPromptPorts(done: string[] = [], changes: Partial<SystemPromptPorts> = {}): SystemPromptPorts {
  const note = (words: string): Promise<void> => Promise.resolve(void done.push(words));
  return {
    override: () => ({ place: { kind: 'off' }, fromEnvironment: false }),
    carryOut: (step) => note(step),
    sections: [],
    switchOf: () => ({ isOn: true, variable: null }),
    costs: () => Promise.resolve(succeed([])),
    templates: () => Promise.resolve([]),
    createTemplates: () => note('create templates'),
    startOwnMode: () => note('start own mode'),
    hasNote: () => false,
    noteUse: () => Promise.resolve('used'),
    openOrCreate: (name) => note(`open ${name}`),
    openNote: (path) => void done.push(`open ${path}`),
    export: (kind) => note(`export ${kind}`),
    exportsByVariable: () => false,
    ...changes,
  };
}
