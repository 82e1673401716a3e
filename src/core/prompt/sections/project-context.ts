/** What the vault's own context file says, such as AGENTS.md (R195-R197). */
import { wrapContext } from '../../library/context-files';
import { projectContext } from '../facts';
import { section } from '../section';

export const projectContextSection = section({
  id: 'project-context',
  tag: 'project_context',
  zone: 'instructions',
  afterBase: true,
  flatOrder: 40,
  priority: 86,
  trim: 'tail',
  needs: { file: projectContext },
  when: ({ file }) => file !== null,
  full: ({ file }) => (file === null ? [] : [wrapContext(file.name, file.text)]),
});
