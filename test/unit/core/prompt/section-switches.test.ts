/** Switches of sections: by the settings and by the environment, and what they save. */
import {
  compositionKeys,
  sectionsByKey,
  sectionsOn,
  switchOf,
  switchVariables,
} from '../../../../src/core/prompt/composition-options';
import { gatherFacts } from '../../../../src/core/prompt/section';
import { sections } from '../../../../src/core/prompt/sections';
import { modelSuffixes, modeTemplate } from '../../../../src/core/prompt/sections/mode';
import { defaultSettings } from '../../../../src/core/settings/settings';
import { fakeVault } from '../../../support/fake-vault';
import { never, worldOf } from '../../../support/turn-world';

const ports = (sectionsOff: readonly string[], variables: Readonly<Record<string, string>> = {}) => ({
  settings: () => ({ ...defaultSettings, sectionsOff: [...sectionsOff] }),
  computer: { variable: (name: string) => variables[name] },
});
const isOn = (section: string, ...given: Parameters<typeof ports>): boolean => switchOf(section, ports(...given)).isOn;

it.each([
  'PREAMBLE',
  'COREMANDATES',
  'AGENTCONTEXTS',
  'AGENTSKILLS',
  'HOOKCONTEXT',
  'PRIMARYWORKFLOWS',
  'PLANNINGWORKFLOW',
  'OPERATIONALGUIDELINES',
  'SANDBOX',
  'GIT',
  'FINALREMINDER',
])('R252 DOCENT_PROMPT_%s switches its part off by 0 and false, and back on', (key) => {
  const variable = `DOCENT_PROMPT_${key}`;
  const [section = '', ...others] = sections.map(({ id }) => id).filter((id) => switchVariables(id).includes(variable));
  expect([section === '', others]).toEqual([false, []]);
  for (const value of ['0', 'false', ' FALSE ']) expect(isOn(section, [], { [variable]: value })).toBe(false);
  for (const value of ['1', 'true']) expect(isOn(section, [section], { [variable]: value })).toBe(true);
  for (const value of ['', ' ', 'yes']) {
    expect(isOn(section, [], { [variable]: value })).toBe(true);
    expect(isOn(section, [section], { [variable]: value })).toBe(false);
  }
  expect(switchOf(section, ports([], { [variable]: '0' })).variable).toBe(variable);
});

it('R252 every part of the composition has the name of its key', () => {
  for (const key of compositionKeys) for (const id of sectionsByKey[key]) expect(switchVariables(id)).not.toEqual([]);
});

it.each(sections.map(({ id }) => id))('R252 %s can be switched off, by the settings and by its own name', (id) => {
  const own = `DOCENT_PROMPT_${id.toUpperCase().replace(/-/g, '_')}`;
  const ids = (...given: Parameters<typeof ports>): string[] =>
    sectionsOn(sections, ports(...given)).map((each) => each.id);
  const others = sections.map((each) => each.id).filter((other) => other !== id);
  expect(ids([id])).toEqual(others);
  expect(ids([], { [own]: 'false' })).toEqual(others);
  expect(ids([])).toHaveLength(sections.length);
});

it('R252 R253 what is switched off is not read', async () => {
  const vault = fakeVault({ 'AGENTS.md': 'Rules.', 'Docent/memory.md': 'Tea.', 'Docent/system-extra.md': 'More.' });
  await gatherFacts(sections, worldOf(vault), never);
  expect(vault.reads).toEqual(expect.arrayContaining(['AGENTS.md', 'Docent/memory.md', 'Docent/system-extra.md']));
  vault.reads.length = 0;
  const off = sectionsOn(sections, ports(['project-context', 'user-memory', 'system-extra']));
  await gatherFacts(off, worldOf(vault), never);
  expect(vault.reads).toEqual([]);
});

it.each([{ sectionsOff: ['project-context'] }, { sectionsOn: ['mode-template', 'user-memory'] }])(
  'R252 the addition for a family of models names no file whose section is off: %j',
  async (turn) => {
    const files = { 'AGENTS.md': 'Rules.', 'Docent/memory.md': 'Tea.' };
    const world = worldOf(fakeVault(files), { modelFamily: 'reasoning', ...turn });
    const prompts = { ...world.prompts, suffixes: modelSuffixes };
    const text = await modeTemplate.gather({ ...world, prompts }, never);
    expect(text).toContain('Think before you act.');
    expect(text).not.toContain('AGENTS.md');
  },
);

it('R252 an unknown name in the settings switches nothing', () => {
  expect(sectionsOn(sections, ports(['gone', '__proto__']))).toEqual(sections);
});
