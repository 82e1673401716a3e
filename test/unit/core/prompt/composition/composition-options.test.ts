import { turnStateValue } from '../../../../goldens/composition-values';
import {
  compositionKeys,
  compositionOptionsOf,
  renderPart,
  sectionsByKey,
  sectionsSwitchedOff,
  switchName,
  withSection,
} from '../../../../../src/core/prompt/composition-options';
import { sections } from '../../../../../src/core/prompt/sections';
import { tools } from '../../../../../src/core/tools';
import { offeredIn } from '../../../../../src/core/tools/tool';

const input = {
  state: { ...turnStateValue, modernModel: false },
  skills: [{ name: 'tides', description: 'Reads tides.', location: 'Docent/skills/tides/SKILL.md', source: 'user' }],
  subagentDirectory: '- **vault-investigator**: looks',
};

describe('withSection', () => {
  it('R018 gives nothing, and makes nothing, when its guard fails or it is switched off', () => {
    const factory = jest.fn(() => 'text');
    expect(withSection('preamble', factory)).toBe('text');
    expect(withSection('preamble', factory, false)).toBeUndefined();
    expect(withSection('preamble', factory, true, (key) => key !== 'preamble')).toBeUndefined();
    expect(withSection('sandbox', factory, true, (key) => key !== 'preamble')).toBe('text');
    expect(factory).toHaveBeenCalledTimes(2);
  });

  it('R018 renders nothing as an empty string', () => {
    expect(renderPart(undefined, () => 'x')).toBe('');
    expect(renderPart(2, (part) => `${part}!`)).toBe('2!');
  });
});

describe('composition options', () => {
  it('R019 have eleven keys, each of them for sections that there are', () => {
    expect(compositionKeys).toEqual([
      'preamble',
      'coreMandates',
      'agentContexts',
      'agentSkills',
      'hookContext',
      'primaryWorkflows',
      'planningWorkflow',
      'operationalGuidelines',
      'sandbox',
      'gitRepo',
      'finalReminder',
    ]);
    const ids = sections.map(({ id }) => id);
    expect(
      Object.values(sectionsByKey)
        .flat()
        .filter((id) => !ids.includes(id)),
    ).toEqual([]);
  });

  it('R252 have switches of their own', () => {
    expect(compositionKeys.map(switchName)).toEqual([
      'preamble',
      'coremandates',
      'agentcontexts',
      'agentskills',
      'hookcontext',
      'primaryworkflows',
      'planningworkflow',
      'operationalguidelines',
      'sandbox',
      'git',
      'finalreminder',
    ]);
    expect([...sectionsSwitchedOff((key) => key !== 'gitRepo' && key !== 'coreMandates')].sort()).toEqual([
      'core-mandates',
      'git',
    ]);
  });

  it.each(compositionKeys)('R252 leave out %s, and nothing else, when it is switched off', (key) => {
    const state = {
      ...input.state,
      permissionMode: key === 'planningWorkflow' ? ('plan' as const) : ('review' as const),
    };
    const whole = compositionOptionsOf({ ...input, state });
    const { [key]: part, ...others } = whole;
    expect([key, part !== undefined]).toEqual([key, true]);
    expect(compositionOptionsOf({ ...input, state }, (each) => each !== key)).toEqual(others);
    expect([...sectionsSwitchedOff((each) => each !== key)]).toEqual(sectionsByKey[key]);
  });

  it('R020 carry what each part is written from', () => {
    expect(compositionOptionsOf(input)).toEqual({
      preamble: { interactive: true },
      coreMandates: { interactive: true, modernModel: false, hasSkills: true },
      agentContexts: '- **vault-investigator**: looks',
      agentSkills: [{ name: 'tides', description: 'Reads tides.', location: 'Docent/skills/tides/SKILL.md' }],
      hookContext: true,
      primaryWorkflows: { interactive: true, enableVaultInvestigator: true, enableWriteTodosTool: true },
      operationalGuidelines: { interactive: true, modernModel: false, enableOutputEconomy: true },
      sandbox: 'review',
      gitRepo: { interactive: true },
      finalReminder: { readFileToolName: 'read_note' },
    });
  });

  it('R020 name the tools and the folder of Plan', () => {
    const toolNames = offeredIn(tools, 5, 'plan').map(({ name }) => name);
    const plan = compositionOptionsOf({ ...input, state: { ...input.state, permissionMode: 'plan', toolNames } });
    expect(plan.planningWorkflow?.plansDir).toBe('Docent/plans/');
    expect(plan.planningWorkflow?.planModeToolsList).toContain('read_note');
    expect(plan.planningWorkflow?.planModeToolsList).not.toContain('move_note');
  });

  it('R253 hold their guards whatever the switches say', () => {
    const nothing = compositionOptionsOf({
      state: { ...input.state, permissionMode: 'plan', repository: false, hooked: false, modernModel: true },
      skills: [],
      subagentDirectory: '',
    });
    expect(Object.keys(nothing).sort()).toEqual([
      'coreMandates',
      'operationalGuidelines',
      'planningWorkflow',
      'preamble',
      'sandbox',
    ]);
    expect(compositionOptionsOf(input).planningWorkflow).toBeUndefined();
    expect(compositionOptionsOf(input, () => false)).toEqual({});
  });
});
