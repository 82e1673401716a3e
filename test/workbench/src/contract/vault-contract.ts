/** The behaviours of Obsidian that the emulator imitates, as cases that also run inside a real Obsidian. */
import type { ContractCase, ContractContext } from './contract-case';
import expectedObservations from './expected-observations.json';
import { fileCases } from './file-cases';
import { indexCases } from './index-cases';
import { linkCases } from './link-cases';
import { structureCases } from './structure-cases';

export type { ContractCase, ContractContext };

export const vaultContract: ContractCase[] = [...fileCases, ...structureCases, ...indexCases, ...linkCases];

/** What the calm emulator answers, by case name. */
export const expected: Record<string, unknown> = expectedObservations;

/** Runs one case in a scratch folder below `context.folder`, which is removed even if the case fails. */
export async function runCase(one: ContractCase, context: ContractContext): Promise<unknown> {
  const { vault } = context.app;
  const folder = `${context.folder}/${one.name.replace(/[^a-z0-9]+/gi, ' ').trim()}`;
  await vault.createFolder(folder);
  try {
    return await one.run({ ...context, folder });
  } finally {
    const made = vault.getFolderByPath(folder);
    if (made) await vault.delete(made, true);
  }
}

/** Runs everything in turn. A case that throws is recorded with its message. */
export async function runContract(context: ContractContext): Promise<Record<string, unknown>> {
  const observations: Record<string, unknown> = {};
  const { vault } = context.app;
  if (!vault.getFolderByPath(context.folder)) await vault.createFolder(context.folder);
  for (const one of vaultContract) {
    try {
      observations[one.name] = await runCase(one, context);
    } catch (error) {
      observations[one.name] = { failed: error instanceof Error ? error.message : String(error) };
    }
  }
  const root = vault.getFolderByPath(context.folder);
  if (root) await vault.delete(root, true);
  return observations;
}
