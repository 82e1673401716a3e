/** What lies at the root of the vault (R161, R162). */
import { vaultStructure } from '../facts';
import { section } from '../section';

export const vaultStructureSection = section({
  id: 'vault-structure',
  tag: 'vault_structure',
  zone: 'reference',
  flatOrder: 60,
  priority: 50,
  trim: 'tail',
  needs: { structure: vaultStructure },
  when: ({ structure }) => structure !== null && structure.rootFolders.length + structure.rootFiles.length > 0,
  full: ({ structure }) => {
    if (structure === null) return [];
    const parts = ['At the root of the vault:'];
    if (structure.rootFolders.length > 0) {
      parts.push(['Folders:', ...structure.rootFolders.map((folder) => ` - ${folder}/`)].join('\n'));
    }
    if (structure.rootFiles.length > 0) {
      parts.push(['Files:', ...structure.rootFiles.map((file) => ` - ${file}`)].join('\n'));
    }
    parts.push('list_folder shows what a folder holds; search_notes and find_notes search everywhere.');
    return [parts.join('\n\n')];
  },
});
