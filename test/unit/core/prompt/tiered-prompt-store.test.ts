import { builtInTemplates, TieredPromptStore } from '../../../../src/core/prompt/tiered-prompt-store';
import { type ModeId, modeIds, type Tier, tiers } from '../../../../src/core/settings/mode';
import type { Mode } from '../../../../src/core/prompt/template-record';

function storeOf(...entries: Mode[]): TieredPromptStore {
  const store = new TieredPromptStore();
  store.load(entries);
  return store;
}

describe('TieredPromptStore', () => {
  it('R009 gives undefined when there is no template', () => {
    const store = storeOf({ id: 'planning', templates: { 3: ' text \n' } });
    expect(store.get('planning', 3)).toBe('text');
    expect(store.get('planning', 2)).toBeUndefined();
    expect(store.get('assistant', 3)).toBeUndefined();
  });

  it('R008 lets a later entry replace an earlier one, tier by tier', () => {
    const store = storeOf({ id: 'user', templates: { 1: 'a', 3: 'b' } }, { id: 'user', templates: { 3: 'mine' } });
    expect([store.get('user', 1), store.get('user', 3)]).toEqual(['a', 'mine']);
  });

  it.each<[string, Mode[], ModeId, Tier, string, string]>([
    ['exactly', [{ id: 'planning', templates: { 4: 'p4', 3: 'p3' } }], 'planning', 4, 'p4', 'exact'],
    ['by the nearest tier', [{ id: 'planning', templates: { 1: 'p1', 4: 'p4' } }], 'planning', 5, 'p4', 'nearest-tier'],
    [
      'by the lower on a tie',
      [{ id: 'planning', templates: { 2: 'p2', 4: 'p4' } }],
      'planning',
      3,
      'p2',
      'nearest-tier',
    ],
    [
      'by Assistant 3 before Developer 3',
      [
        { id: 'developer', templates: { 3: 'd3' } },
        { id: 'assistant', templates: { 3: 'a3', 5: 'a5' } },
      ],
      'debugger',
      5,
      'a3',
      'assistant',
    ],
    ['by Developer 3 last', [{ id: 'developer', templates: { 3: 'd3', 1: 'd1' } }], 'debugger', 1, 'd3', 'developer'],
    ['by nothing when it is empty', [], 'assistant', 3, '', 'developer'],
  ])('R104 serves %s', (_name, entries, mode, tier, text, step) => {
    expect(storeOf(...entries).serve(mode, tier)).toMatchObject({ text, step });
  });

  it('R104 says which mode and tier the text came from', () => {
    expect(storeOf({ id: 'planning', templates: { 1: 'p1' } }).serve('planning', 5)).toMatchObject({
      mode: 'planning',
      tier: 1,
    });
  });

  it('R008 R104 finds a built-in template for every mode and tier in the mode itself', () => {
    for (const mode of modeIds) {
      for (const tier of tiers) {
        const served = builtInTemplates.serve(mode, tier);
        expect([mode, tier, served.mode, served.text.length > 100]).toEqual([mode, tier, mode, true]);
      }
    }
  });
});
