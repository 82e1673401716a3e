import { words } from '../../../../src/text';
import { fakeVault } from '../../../support/fake-vault';
import { askReader } from './ask-reader';

it('says how many notes it has searched while the others are being indexed', async () => {
  const files = Array.from({ length: 2_100 }, (_, n) => [`n${n}.md`, `Keel ${n}.`] as const);
  const vault = fakeVault({ ...Object.fromEntries(files), 'Zircon.md': 'A stone.' });
  const part = words.reader.searchedPart('2,000', '2,101');
  expect((await askReader(vault, 'What is a zircon?')).text).toContain(part);
  expect((await askReader(vault, 'What is a zircon?')).text).not.toContain(part);
  const other = fakeVault(Object.fromEntries(files));
  expect((await askReader(other, 'What of hafnium?')).text).toContain(words.reader.searchedPart('2,000', '2,100'));
});
