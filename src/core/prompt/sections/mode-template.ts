/** Who the agent is and how it works: the template of the chat's mode at its tier. */
import { modeTemplate } from '../facts';
import { section } from '../section';

export const modeTemplateSection = section({
  id: 'mode-template',
  zone: 'instructions',
  flatOrder: 10,
  priority: 100,
  trim: 'never',
  needs: { template: modeTemplate },
  when: ({ template }) => template !== '',
  full: ({ template }) => [template],
});
