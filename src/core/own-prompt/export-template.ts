/** Writes the base prompt as a note that can stand in its place: headings for our tags, variables for names (R043, R046). */
import { words } from '../../text';
import type { Content } from '../markup/markup';
import { toolNames } from '../markup/variables';
import { sectionsByKey } from '../prompt/composition-options';
import type { ProvidedPrompt } from '../prompt/provide-prompt';
import { factsFor, type Section } from '../prompt/section';
import { modeTemplateSection } from '../prompt/sections/mode';

/** What stands for a section whose text is a variable, by its id. */
const variables = new Map<string, string>([
  ...sectionsByKey.agentSkills.map((id): [string, string] => [id, '${AgentSkills}']),
  ...sectionsByKey.agentContexts.map((id): [string, string] => [id, '${SubAgents}']),
]);

/** All that a base of the user's own would replace; such a base comes back as it is written. */
export function exportTemplate({ sections, facts }: Pick<ProvidedPrompt, 'sections' | 'facts'>): string {
  const base = sections.filter(({ zone, afterBase }) => zone === 'instructions' && afterBase !== true);
  const parts = base.map((section) => {
    const own = factsFor(section, facts);
    const variable = variables.get(section.id);
    if (!section.when(own)) return variable ?? '';
    const text = variable ?? plainText(section.full(own));
    return section === modeTemplateSection ? text : `# ${headingOf(section)}\n\n${text}`;
  });
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function headingOf({ id }: Section): string {
  return words.sections[id]?.name ?? id;
}

/** Without markup. Names of tools become variables in our own texts, which a user's text has as it wants them. */
function plainText(content: Content): string {
  return content
    .map((part) => {
      if (typeof part === 'string') return withVariables(part);
      return 'own' in part ? part.own : plainText(part.children);
    })
    .join('');
}

/** Names of one word, such as `remember`, cannot be told from the word itself. */
const names = Object.values<string>(toolNames).filter((name) => name.includes('_'));
const named = new RegExp(`\\b(?:${names.join('|')})\\b`, 'g');

function withVariables(text: string): string {
  return text.replace(named, (name) => `\${ToolName_${name}}`);
}
