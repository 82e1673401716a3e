/** activate_skill: adds the text of a skill to the chat (R135). */
import * as z from 'zod/v4';
import { words } from '../../text';
import { readSkill } from '../library/skills';
import { bodyOf } from '../markdown/properties';
import { cutToTokens } from '../markup/budget';
import { fail, type Outcome, succeed } from '../ports/failure';
import type { Vault } from '../ports/vault';
import { cleanPath } from './resolve-path';
import { resultTokens } from './results';
import { tool } from './tool';

/** Tokens reserved for the tags and the notice about cut text. */
const frameTokens = 100;

export const activateSkill = tool({
  name: 'activate_skill',
  agent: 'notes',
  description:
    'Loads the instructions of a listed skill. Call it once, when the skill fits the task. Follow them unless the user ' +
    'or a safety rule says otherwise.',
  parameters: () =>
    z.object({
      name: z.string(),
      location: z.string().optional().describe('Only if several skills have this name.'),
    }),
  effect: 'reads',
  fromTier: 3,
  title: ({ name }) => words.agentFolder.skillTitle(name.trim()),
  async run({ name, location }, vault, signal, { skillFolders }) {
    const wanted = name.trim();
    const found = findSkillNote(vault, skillFolders, wanted, location === undefined ? '' : cleanPath(location));
    if (!found.ok) return found;
    const path = found.value;
    const skill = readSkill(path, vault.outline(path), 'agent-folder');
    if ('kind' in skill) {
      return fail({
        kind: 'invalid-input',
        words: words.agentFolder.skillInvalid(wanted, skill.words),
        remedy: words.agentFolder.skillInvalidRemedy,
      });
    }
    const note = await vault.read(path, signal);
    if (!note.ok) return note;
    const { text, cut } = cutToTokens(bodyOf(note.value.text), resultTokens - frameTokens);
    const body = cut ? `${text}\n[Cut here: the rest of this skill does not fit.]` : text;
    const frame = { tag: 'instructions', attributes: { name: skill.name } } as const;
    return succeed({ text: body, frame, sources: [{ path }] });
  },
});

/** Finds a skill: a SKILL.md in a folder of its name below a skill folder. No other note may give instructions. */
function findSkillNote(vault: Vault, folders: readonly string[], name: string, location: string): Outcome<string> {
  const notes = vault.files().flatMap(({ kind, path }) => {
    const folder = folders.find((each) => path.startsWith(`${each}/`));
    const inside = folder === undefined || kind !== 'note' ? '' : path.slice(folder.length);
    const skill = /^\/([^/]+)\/skill\.md$/i.exec(inside)?.[1];
    return skill === undefined ? [] : [{ path, skill }];
  });
  const named = notes.filter(({ skill }) => skill === name);
  const chosen = location === '' ? named : named.filter(({ path }) => path === location);
  const [only] = chosen;
  if (only !== undefined && chosen.length === 1) return succeed(only.path);
  return fail(
    named.length > 0
      ? {
          kind: 'invalid-input',
          words: words.agentFolder.skillSeveral(name),
          remedy: words.agentFolder.skillSeveralRemedy(named.map(({ path }) => path)),
        }
      : {
          kind: 'not-found',
          words: words.agentFolder.skillMissing(name),
          remedy: words.agentFolder.skillMissingRemedy([...new Set(notes.map(({ skill }) => skill))].sort()),
        },
  );
}
