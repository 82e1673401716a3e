/** `@`, `[[`, `/` and `#`: prompts, prompts and skills as commands, workspaces. */
import { compareText } from '../base/list-edits';
import { offeredPrompts } from '../library/prompts';
import type { Skill } from '../library/skills';
import { baseName, listWorkspaces } from '../library/user-notes';
import type { Mention } from '../session/entry';
import { allLines, findAll, type MentionCandidate, type MentionContext, type MentionSource } from './mention-source';

// `@` and `[[`: prompts that the agent follows for this message: the user's, those of MCP servers, and built-in ones.

export const promptMentions: MentionSource = {
  id: 'prompt',
  triggers: findAll,
  // What follows a sign names a part of a note.
  offer: (context, typed) =>
    typed.includes('#') ? null : { candidates: promptCandidates(context), query: typed, lines: allLines },
};

function promptCandidates({
  vault,
  agentFolder,
  prompts: registered,
  tools,
}: MentionContext): readonly MentionCandidate[] {
  const toolNames = tools.map(({ name }) => name);
  return summaryCandidates('prompt', offeredPrompts({ vault, agentFolder, registered, toolNames }));
}

/** `/`: the same prompts as commands, with the text after the name as their arguments. */
export const runPromptMentions: MentionSource = {
  id: 'run-prompt',
  triggers: ['/'],
  offer: (context, typed) => ({ candidates: promptCandidates(context), query: typed, lines: allLines }),
};

interface Summary {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
}

const made = new WeakMap<readonly Summary[], readonly MentionCandidate[]>();

/** Returns candidates for prompts or workspaces, sorted by name; ones that share a name show their file name. */
function summaryCandidates(kind: Mention['kind'], summaries: readonly Summary[]): readonly MentionCandidate[] {
  const known = made.get(summaries);
  if (known !== undefined) return known;
  const times = new Map<string, number>();
  for (const { name } of summaries) times.set(name, (times.get(name) ?? 0) + 1);
  const candidates = summaries.map(({ id, name, description = '' }): MentionCandidate => {
    const label = (times.get(name) ?? 0) > 1 ? baseName(id) : name;
    return { mention: { kind, id, label }, detail: description, keywords: description };
  });
  candidates.sort((a, b) => compareText(a.mention.label.toLowerCase(), b.mention.label.toLowerCase()));
  made.set(summaries, candidates);
  return candidates;
}

/** `#`, `@` and `[[`: the user's workspaces. */
export const workspaceMentions: MentionSource = {
  id: 'workspace',
  triggers: ['#', ...findAll],
  offer: ({ vault, agentFolder }, typed) => {
    if (typed.includes('#')) return null;
    const candidates = summaryCandidates('workspace', listWorkspaces(vault, agentFolder));
    return { candidates, query: typed, lines: allLines };
  },
};

/** `/`: the skills that the agent follows for this message. */
export const skillMentions: MentionSource = {
  id: 'skill',
  triggers: ['/'],
  offer: ({ skills }, typed) => ({ candidates: skillCandidates(skills), query: typed, lines: allLines }),
};

const madeOfSkills = new WeakMap<readonly Skill[], readonly MentionCandidate[]>();

function skillCandidates(skills: readonly Skill[]): readonly MentionCandidate[] {
  const known = madeOfSkills.get(skills);
  if (known !== undefined) return known;
  const candidates = skills.map(({ name, description, location }): MentionCandidate => ({
    mention: { kind: 'skill', id: location, label: name },
    detail: description,
    keywords: description,
  }));
  madeOfSkills.set(skills, candidates);
  return candidates;
}
