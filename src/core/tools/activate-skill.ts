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
    if (!found.ok) {
      const given = found.failure.kind === 'not-found' ? findGiven(givenSkills, wanted, asked) : undefined;
      if (given === undefined) return found;
      const attributes = { name: given.name, source: given.location };
      return succeed({ ...framed(writeSkill(given, given.body, { ...place, files: [] }), attributes), sources: [] });
    }
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
    const files = filesOfSkill(vault, path);
    const written = writeSkill(skill, bodyOf(note.value.text), { ...place, files });
    return succeed({ ...framed(written, { name: skill.name }), sources: [{ path }] });
  },
});

function framed({ text, lead }: SkillText, attributes: ResultFrame['attributes']) {
  return { text, frame: { tag: 'instructions', attributes, ...(lead === '' ? {} : { lead }) } as const };
}

/**
 * Finds a skill as the list of skills has it: a SKILL.md in a folder of its name below a skill folder, the last of which
 * comes first. One that is invalid replaces no skill without a note. No other note may give instructions.
 */
function findSkillNote(
  vault: Vault,
  folders: readonly string[],
  name: string,
  location: string,
  given: readonly GivenSkill[],
): Outcome<string> {
  const files = vault.files();
  const inside = [...new Set(folders)]
    .reverse()
    .flatMap((folder) =>
      below(files, `${folder}/`).map(({ kind, path }) => ({ kind, path, inner: path.slice(folder.length) })),
    );
  const notes = inside.flatMap(({ kind, path, inner }) => {
    const skill = kind === 'note' ? /^\/([^/]+)\/skill\.md$/i.exec(inner)?.[1] : undefined;
    return skill === undefined ? [] : [{ path, skill }];
  });
  const named = notes.filter(({ skill }) => skill === name);
  const isValid = ({ path }: { readonly path: string }): boolean =>
    !('kind' in readSkill(path, vault.outline(path), 'agent-folder'));
  const isAsked = ({ path }: { readonly path: string }): boolean =>
    location === '' ? findGiven(given, name) === undefined : location === path;
  const used = named.find(isValid) ?? named.find(isAsked);
  if (used !== undefined && (location === '' || location === used.path)) return succeed(used.path);
  return fail(
    used !== undefined
      ? {
          kind: 'invalid-input',
          words: words.agentFolder.skillElsewhere(name),
          remedy: words.agentFolder.skillElsewhereRemedy(used.path),
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
