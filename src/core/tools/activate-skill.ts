/** activate_skill: adds the text of a skill to the chat (R135). */
import * as z from 'zod/v4';
import { words } from '../../text';
import { below } from '../base/list-edits';
import { filesOfSkill, findGiven, type GivenSkill, readSkill, type SkillText, writeSkill } from '../library/skills';
import { bodyOf } from '../markdown/properties';
import { fail, type Outcome, succeed } from '../ports/failure';
import type { Vault } from '../ports/vault';
import type { ResultFrame } from '../session/entry';
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
  async run({ name, location }, vault, signal, { skillFolders, givenSkills = [], toolNames = [] }) {
    const wanted = name.trim();
    const asked = location === undefined ? '' : cleanPath(location);
    const place = { toolNames, tokens: resultTokens - frameTokens };
    const found = findSkillNote(vault, skillFolders, wanted, asked, givenSkills);
    const path = found.ok ? found.value : '';
    const skill = readSkill(path, vault.outline(path), 'agent-folder');
    // A note that cannot be used takes the place of no skill: the list offers the one without a note.
    const isFree = found.ok ? 'kind' in skill : found.failure.kind === 'not-found';
    const given = isFree ? findGiven(givenSkills, wanted, asked) : undefined;
    if (given !== undefined) {
      const attributes = { name: given.name, source: given.location };
      return succeed({ ...framed(writeSkill(given, given.body, { ...place, files: [] }), attributes), sources: [] });
    }
    if (!found.ok) return found;
    if ('kind' in skill) {
      return fail({
        kind: 'invalid-input',
        words: words.agentFolder.skillInvalid(wanted, skill.words),
        remedy: words.agentFolder.skillInvalidRemedy,
      });
    }
    const note = await vault.read(path, signal);
    if (!note.ok) return note;
    const files = filesOfSkill(vault, path);
    const written = writeSkill(skill, bodyOf(note.value.text), { ...place, files });
    return succeed({ ...framed(written, { name: skill.name }), sources: [{ path }] });
  },
});

function framed({ text, lead }: SkillText, attributes: ResultFrame['attributes']) {
  return { text, frame: { tag: 'instructions', attributes, ...(lead === '' ? {} : { lead }) } as const };
}

/** Finds a skill: a SKILL.md in a folder of its name below a skill folder. No other note may give instructions. */
function findSkillNote(
  vault: Vault,
  folders: readonly string[],
  name: string,
  location: string,
  given: readonly GivenSkill[],
): Outcome<string> {
  const files = vault.files();
  const inside = [...new Set(folders)]
    .sort()
    .flatMap((folder) =>
      below(files, `${folder}/`).map(({ kind, path }) => ({ kind, path, inner: path.slice(folder.length) })),
    );
  const notes = inside.flatMap(({ kind, path, inner }) => {
    const skill = kind === 'note' ? /^\/([^/]+)\/skill\.md$/i.exec(inner)?.[1] : undefined;
    return skill === undefined ? [] : [{ path, skill }];
  });
  const named = notes.filter(({ skill }) => skill === name);
  const usable = named.filter(({ path }) => !('kind' in readSkill(path, vault.outline(path), 'agent-folder')));
  const offered = usable.length === 0 ? named : usable;
  const chosen = location === '' ? offered : named.filter(({ path }) => path === location);
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
          remedy: words.agentFolder.skillMissingRemedy(
            [...new Set([...notes.map(({ skill }) => skill), ...given.map((skill) => skill.name)])].sort(),
          ),
        },
  );
}
