/** How to work in somebody else's vault (R050-R061). */
import { availableSkills, turnState } from '../facts';
import { offers, type TurnState } from '../facts/turn-state';
import { points } from '../lines';
import { section } from '../section';
import { toolNames } from '../tool-names';

export const coreMandatesSection = section({
  id: 'core-mandates',
  tag: 'core_mandates',
  composition: true,
  zone: 'instructions',
  flatOrder: 14,
  priority: 70,
  trim: 'never',
  needs: { state: turnState, skills: availableSkills },
  when: ({ state }) => state.tier >= 3,
  full: ({ state, skills }) => [state.tier === 3 ? briefly(state, skills.length > 0) : fully(state, skills.length > 0)],
  brief: ({ state, skills }) => [briefly(state, skills.length > 0)],
});

function fully(state: TurnState, hasSkills: boolean): string {
  const { interactive, brevity } = state;
  return points(
    'Conventions: property names and types, tag style, folders, note names and link form follow what this vault does. Study notes of the same kind first.',
    'Plugins and templates: count on Dataview, Templater, Tasks or a template only where notes here show it in use. Verify before you build on one.',
    'Style: new text takes over heading depth, list marks, callouts and date form from its surroundings.',
    'Links: wikilink or Markdown link, as this vault has it. Embeds and block ids (^id) live through every change.',
    'Remarks: a note holds its content, not comments about the edit; arguments of a call hold none either. A comment that is wanted says why.',
    'Thoroughness: fulfil the whole request. A note you create is there to stay; afterwards its links resolve and its properties parse.',
    interactive
      ? 'Scope: confirm with the user before you go beyond the request. A question how to do something is explained first.'
      : 'Scope: stay inside the request. What it merely implies stays as it is, and the report names it.',
    summaryRule(brevity),
    'Undoing: take a change back when asked, or when it was yours and caused an error; then restore the text that stood there.',
    ...situational(state, hasSkills),
  );
}

/** The lines of small windows, whose templates carry the rest. */
function briefly(state: TurnState, hasSkills: boolean): string {
  return points(
    'Follow this vault: its properties, tags, folders, links, headings and lists. Plugins and templates count only where notes show them in use.',
    'Embeds and block ids (^id) live through every change. Leave no remarks about the edit.',
    state.interactive
      ? 'Confirm before going beyond the request. Undo only when asked, or to mend your own error.'
      : 'Stay inside the request. Undo only to mend your own error.',
    ...situational(state, hasSkills),
  );
}

function summaryRule(brevity: TurnState['brevity']): string {
  return brevity === 'brief'
    ? 'After a change: the result in a line. A summary of it only when asked.'
    : 'After a change: two or three sentences on what changed and where.';
}

function situational(state: TurnState, hasSkills: boolean): (string | false)[] {
  return [
    hasSkills &&
      offers(state, toolNames.activateSkill) &&
      'Text in instructions tags comes from an activated skill: expert guidance for its task, above these defaults, below safety and the word of the user.',
    state.modernModel && state.toolNames.length > 0 && 'Before tool calls, one sentence says what you are about to do.',
    !state.interactive && 'Finish on your best judgement and ask nothing. List what you decided.',
  ];
}
