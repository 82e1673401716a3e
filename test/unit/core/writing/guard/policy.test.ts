import { permissionModeOf, permissionModes } from '../../../../../src/core/settings/mode';
import type { Changeset, FileChange } from '../../../../../src/core/writing/changeset/changeset';
import { decide, decideChange, isOffered, permissionTiers, tierOf } from '../../../../../src/core/writing/guard/policy';
import { diskOf } from '../../../../support/fault-adapter';
import { changesetOf, createOf, deleteOf, editOf, moveOf } from '../../../../support/writing-bench';

const strictness = { allow: 0, ask: 1, deny: 2 } as const;
const calm = { tainted: false, canAsk: true, granted: false, outside: false };

/** Every mode and tier, in the order of the lists: a allow, k ask, d deny. */
const table: Readonly<Record<string, string>> = {
  //           R1 R2 P W1 W2 W3 D N S
  plan: 'akadddd' + 'kd',
  'read-only': 'akddddd' + 'kd',
  review: 'akkkkkk' + 'kk',
  'auto-edit': 'akaaakk' + 'kk',
};

describe('the policy', () => {
  it('R079 decides for every mode and tier, and for nothing else', () => {
    const letters = { allow: 'a', ask: 'k', deny: 'd' };
    const found = Object.fromEntries(
      permissionModes.map((mode) => [mode, permissionTiers.map((tier) => letters[decide(mode, tier, calm)]).join('')]),
    );
    expect(found).toEqual(table);
  });

  it.each([undefined, null, '', 'Safe', 'YOLO', 'Review', 'toString', '__proto__', 0, {}, ['review']])(
    'denies everything in the unknown mode %j, and everything of an unknown tier',
    (unknown) => {
      for (const tier of permissionTiers) expect(decide(unknown, tier, calm)).toBe('deny');
      for (const mode of permissionModes) expect(decide(mode, unknown, { ...calm, granted: true })).toBe('deny');
      expect(permissionModeOf(unknown)).toBe('read-only');
    },
  );

  it('6.9 is never weaker when tainted, when nobody can be asked, or without a grant', () => {
    for (const mode of permissionModes) {
      for (const tier of permissionTiers) {
        for (const canAsk of [true, false]) {
          for (const granted of [true, false]) {
            for (const tainted of [true, false]) {
              const given = strictness[decide(mode, tier, { ...calm, tainted, canAsk, granted })];
              expect(
                strictness[decide(mode, tier, { ...calm, tainted: true, canAsk, granted })],
              ).toBeGreaterThanOrEqual(given);
              expect(
                strictness[decide(mode, tier, { ...calm, tainted, canAsk: false, granted })],
              ).toBeGreaterThanOrEqual(given);
              expect(
                strictness[decide(mode, tier, { ...calm, tainted, canAsk, granted: false })],
              ).toBeGreaterThanOrEqual(given);
              if (!canAsk) expect(given).not.toBe(strictness.ask);
            }
          }
        }
      }
    }
  });

  it('6.9 lets a tainted conversation write nothing without a look, in any mode', () => {
    for (const mode of permissionModes) {
      for (const tier of permissionTiers.filter((each) => each !== 'R1')) {
        expect(decide(mode, tier, { ...calm, tainted: true, granted: true })).not.toBe('allow');
      }
    }
  });

  it('6.1 asks in Auto-edit about what the user did not name, unless they allowed that note, and is nowhere weaker', () => {
    const outside = { ...calm, outside: true };
    const writes = ['P', 'W1', 'W2', 'W3', 'D', 'S'] as const;
    expect(writes.map((tier) => decide('auto-edit', tier, outside))).toEqual(writes.map(() => 'ask'));
    expect(writes.filter((tier) => decide('auto-edit', tier, { ...outside, granted: true }) === 'allow')).toEqual([
      ...['P', 'W1', 'W2'],
    ]);
    expect(writes.map((tier) => decide('auto-edit', tier, { ...outside, canAsk: false }))).toEqual(
      writes.map(() => 'deny'),
    );
    expect(decide('plan', 'P', outside)).toBe('allow');
    for (const mode of permissionModes) {
      for (const tier of permissionTiers) {
        const given = strictness[decide(mode, tier, calm)];
        expect(strictness[decide(mode, tier, outside)]).toBeGreaterThanOrEqual(given);
      }
    }
  });

  it('remembers no grant for moves, deletions and what gives instructions', () => {
    const granted = { ...calm, granted: true };
    expect(permissionTiers.filter((tier) => decide('review', tier, granted) === 'ask')).toEqual(['W3', 'D', 'S']);
  });

  it('offers the model no tool that its mode denies', () => {
    expect(permissionTiers.filter((tier) => isOffered('read-only', tier))).toEqual(['R1', 'R2', 'N']);
    expect(permissionTiers.filter((tier) => isOffered('plan', tier))).toEqual(['R1', 'R2', 'P', 'N']);
    expect(permissionTiers.some((tier) => isOffered('what', tier))).toBe(false);
  });
});

describe('the tier of a change', () => {
  const places = {
    plans: 'Docent/plans/',
    instructions: ['Docent/skills/', 'Docent/prompts/', 'Docent/memory.md', 'AGENTS.md', 'Docent/system.md'],
  };
  const disk = diskOf({ 'A.md': 'one\ntwo\nthree\n', 'AGENTS.md': 'x', 'Docent/skills/a/SKILL.md': 'x' });
  const tier = (change: FileChange, all: Changeset = changesetOf(change)) => tierOf(change, all, places);

  it('R079 tells plans, new notes, edits, rewrites, moves, deletions and instructions apart', () => {
    expect(tier(createOf('Docent/plans/Trip.md', 'x'))).toBe('P');
    expect(tier(createOf('Docent/plans/Trip.canvas', '{}'))).toBe('W1');
    expect(tier(createOf('N.md', 'x'))).toBe('W1');
    expect(tier(editOf(disk, 'A.md', 'one\ntwo\n3\n'))).toBe('W2');
    expect(tier(editOf(disk, 'A.md', 'all is new'))).toBe('W3');
    expect(tier(moveOf(disk, 'A.md', 'B.md'))).toBe('W3');
    expect(tier(deleteOf(disk, 'A.md'))).toBe('D');
    for (const path of ['Docent/skills/b/SKILL.md', 'docent/PROMPTS/x.md', 'Docent/memory.md', 'a/b/agents.md']) {
      expect(tier(createOf(path, 'x'))).toBe('S');
    }
    expect(tier(moveOf(disk, 'A.md', 'Docent/skills/A.md'))).toBe('S');
    expect(tier(deleteOf(disk, 'AGENTS.md'))).toBe('S');
    expect(tier(moveOf(disk, 'A.md', 'Docent/plans/A.md'))).toBe('W3');
  });

  it('counts every change as one to ask for when a turn touches more than five files', () => {
    const many = Array.from({ length: 6 }, (_, index) => createOf(`n${index}.md`, 'x'));
    expect(tier(many[0] as FileChange, changesetOf(...many))).toBe('W3');
    expect(tier(many[0] as FileChange, changesetOf(...many.slice(1)))).toBe('W1');
  });

  it('asks in Auto-edit for new active content, large removals and what was made while tainted', () => {
    const decideIt = (change: FileChange) => decideChange('auto-edit', change, changesetOf(change), places, calm);
    expect(decideIt(editOf(disk, 'A.md', 'one\ntwo\nthree\nfour\n'))).toBe('allow');
    expect(decideIt(editOf(disk, 'A.md', 'one\ntwo\nthree\n<% x %>\n'))).toBe('ask');
    expect(decideIt(editOf(disk, 'A.md', 'one\nthree\n'))).toBe('allow');
    expect(decideIt(editOf(disk, 'A.md', 'one\n'))).toBe('ask');
    expect(decideIt(createOf('N.md', '![](https://x.org/a.png)'))).toBe('ask');
    expect(decideIt({ ...createOf('N.md', 'x'), taint: 'x.org' })).toBe('ask');
    const silent = { ...calm, canAsk: false };
    const change = createOf('N.md', '<% x %>');
    expect(decideChange('auto-edit', change, changesetOf(change), places, silent)).toBe('deny');
    expect(decideChange('plan', createOf('N.md', 'x'), changesetOf(), places, calm)).toBe('deny');
  });
});
