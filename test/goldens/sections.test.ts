/** Every section's text, as it was last agreed on, in its full and its brief form. */
import { sections } from '../../src/core/prompt/sections';
import { render, renderBrief } from '../support/render-section';
import { expectGolden } from './golden';
import { sectionValues } from './section-values';

describe('section texts', () => {
  it.each(sections.map((section) => [section.id, section] as const))('%s says what it should', (id, section) => {
    const values = sectionValues[id];
    if (values === undefined) throw new Error(`Add values for ${id} to test/goldens/section-values.ts.`);
    const full = render(section, values);
    const brief = section.brief === undefined ? '' : `\n\n--- brief ---\n${renderBrief(section, values)}`;
    expect(full).not.toBeNull();
    if (section.brief !== undefined) expect(renderBrief(section, values).length).toBeLessThan((full ?? '').length);
    expectGolden(`sections/${id}.txt`, `${full}${brief}`);
  });
});
