/** What is judged for a whole list at once is judged as it is for each of its files. */
import fc from 'fast-check';
import { foldPlace } from '../../../../../src/core/base/fold';
import { compareText } from '../../../../../src/core/base/list-edits';
import type { FileEntry } from '../../../../../src/core/ports/vault';
import { filterHidden, type HiddenRules, isHidden } from '../../../../../src/core/writing/guard/fence';
import { type InstructionPlace, kindFinder } from '../../../../../src/core/writing/guard/instruction-places';
import { fakeVault } from '../../../../support/fake-vault';

const names = [
  ...['Docent', 'docent', 'Do', 'private', 'Private', 'stra\u00dfe', 'STRASSE', 'Caf\u00e9', 'cafe\u0301', 'a', 'a b'],
  ...['AGENTS.md', 'agent\u017f.md', 'agents.MD', '\u200bAGENTS.md', 'Skill.md', 'memory.md', 'x.md', '\u212a.md', 'p'],
  ...['cafe\u0301.md', 'caf\u00c9.md', '.md', 's.md', 'x', 'd', 'o', 'skills', 'a.png', 'a0', 'd\u00e9', 'de\u0301'],
];
const path = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
const paths = fc.uniqueArray(path, { maxLength: 40 });

const folder = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 2 }).map((parts) => parts.join('/'));
const rules: fc.Arbitrary<HiddenRules> = fc.record({
  ownFolders: fc.array(folder, { maxLength: 2 }),
  keptFolders: fc.array(folder, { maxLength: 1 }),
  excluded: fc.array(
    fc.oneof(
      folder,
      folder.map((each) => each.slice(0, 3)),
      fc.constant('/b$/'),
    ),
    { maxLength: 2 },
  ),
  isClosed: fc.constantFrom(false, false, false, true),
});

it('hides the same notes of a list, whatever the rules and the marks', () => {
  fc.assert(
    fc.property(paths, paths, rules, (all, chosen, current) => {
      const files = [...new Set([...all, ...chosen])].sort(compareText).map((each): FileEntry => ({
        path: each,
        kind: each.endsWith('.md') ? 'note' : 'attachment',
        size: 1,
        modified: 1,
      }));
      const marked = new Set(chosen.filter((each) => each.endsWith('.md')));
      const inner = { ...fakeVault({}), files: () => files };
      const ofNote = (each: string) => ({ properties: marked.has(each) ? { docent: false } : {}, tags: [] });
      const vault = filterHidden(inner, () => current, {
        ofNote,
        *find(test) {
          yield 1;
          return new Set(files.flatMap((each) => (test(ofNote(each.path)) ? [each.path] : [])));
        },
      });
      expect(vault.files()).toEqual(files.filter((each) => !isHidden(each.path, current) && !marked.has(each.path)));
    }),
    { numRuns: 2_000 },
  );
});

const place = fc.oneof(
  fc.constantFrom(...names),
  folder.map((each) => `${each}/`),
  folder.map((each) => (each.includes('/') ? each : `/${each}`)),
);

it('takes a path for the kind of the place whose spelling it is', () => {
  fc.assert(
    fc.property(fc.array(place, { maxLength: 5 }), paths, (chosen, all) => {
      const places = chosen.map((each): InstructionPlace => ({ place: each, kind: 'context' }));
      const kindOf = kindFinder(places);
      const isAt = (each: string): boolean => {
        const own = foldPlace(each);
        const name = own.slice(own.lastIndexOf('/') + 1);
        return chosen.map(foldPlace).some((one) => {
          if (one.endsWith('/')) return own.startsWith(one);
          return one.includes('/') ? (own.includes('/') ? own : `/${own}`) === one : name === one;
        });
      };
      expect(all.filter((each) => kindOf(each) !== null)).toEqual(all.filter(isAt));
    }),
    { numRuns: 2_000 },
  );
});

it('knows a folder whose second letter is spelled as two', () => {
  const kindOf = kindFinder([{ place: 'd\u00e9/', kind: 'skill' }]);
  expect(['d\u00e9/Plan.md', 'de\u0301/Plan.md', 'D\u00c9/Plan.md'].map(kindOf)).toEqual(['skill', 'skill', 'skill']);
});
