/** The tags of prompts, and how to find what would read as one of them. */
import { lazy } from '../base/lazy';

/** Every tag that a prompt may contain. Names never come from paths or from text (K11). */
export const tags = [
  'context_status',
  'previous_context',
  'state_snapshot',
  'overall_goal',
  'active_constraints',
  'key_knowledge',
  'artifact_trail',
  'file_system_state',
  'recent_actions',
  'task_state',
  'core_mandates',
  'active_goal',
  'goal_progress',
  'sub_agents',
  'sub_agent',
  'available_skills',
  'active_skills',
  'instructions',
  'mcp_servers',
  'mcp_server',
  'hook_notice',
  'hook_context',
  'workflow',
  'guidelines',
  'permissions',
  'git',
  'additional_instructions',
  'sanity_checks',
  'final_reminder',
  'project_context',
  'user_memory',
  'environment',
  'mode_notice',
  'reminder',
  'tools_and_context',
  'vault_structure',
  'vault_map',
  'vault_changes',
  'available_workspaces',
  'available_prompts',
  'files',
  'note',
  'folder',
  'tag',
  'tool_hints',
  'custom_prompts',
  'prompt',
  'workspaces',
  'workspace',
  'selected_prompt',
  'selected_workspace',
  'url_context',
  'page',
  'review_context',
  'review_result',
  'editor_context',
  'image',
  'untrusted',
] as const;
export type Tag = (typeof tags)[number];

/** Characters that may come between `<` and the name of a tag: blanks, line ends, `/`, invisible ones. */
const maxGap = 8;

const names: ReadonlySet<string> = new Set(tags);
const maxNameLength = Math.max(...tags.map((tag) => tag.length));

/**
 * Returns where the name of a tag ends, if the text after an opening `<` reads as one of ours; otherwise -1. Names are
 * compared by NFKC, case folding and lookalikes, without invisible characters.
 * @param from the offset after the `<`
 */
export function endOfTagName(text: string, from: number): number {
  let at = from;
  for (let gap = 0; gap <= maxGap && at < text.length; gap += 1) {
    const end = endOfName(text, at);
    if (end !== -1) return end;
    const code = text.codePointAt(at) ?? 0;
    if (code === lessThan || code === greaterThan || kindOf(code).isName) return -1;
    at += widthOf(code);
  }
  return -1;
}

const lessThan = 0x3c;
const greaterThan = 0x3e;

function endOfName(text: string, from: number): number {
  let name = '';
  let end = -1;
  for (let at = from; at < text.length;) {
    const code = text.codePointAt(at) ?? 0;
    const { folded, isInvisible } = kindOf(code);
    if (folded === '' && (!isInvisible || at === from)) break;
    at += widthOf(code);
    if (isInvisible) continue;
    name += folded;
    if (name.length > maxNameLength) return -1;
    end = at;
  }
  return names.has(name) ? end : -1;
}

function widthOf(code: number): number {
  return code > 0xffff ? 2 : 1;
}

interface CharacterKind {
  /** The characters of a name that it reads as; empty if it ends a name. */
  readonly folded: string;
  /** Whether it is itself a letter, a digit or `_`. */
  readonly isName: boolean;
  readonly isInvisible: boolean;
}

const asciiKinds = lazy(() => Array.from({ length: 0x80 }, (_, code) => findKind(code)));
const otherKinds = new Map<number, CharacterKind>();
/** Kinds cached for characters beyond ASCII; a text seldom has more. */
const maxKinds = 4_096;

function kindOf(code: number): CharacterKind {
  const known = code < 0x80 ? asciiKinds()[code] : otherKinds.get(code);
  if (known !== undefined) return known;
  const kind = findKind(code);
  if (otherKinds.size >= maxKinds) otherKinds.clear();
  otherKinds.set(code, kind);
  return kind;
}

/** Made once they are needed: the engine takes most of a millisecond for the sets of characters. */
const patterns = lazy(() => ({
  nameCharacters: /^[\p{L}\p{N}_]+$/u,
  invisibleCharacter: /^[\p{Default_Ignorable_Code_Point}\p{Cf}]$/u,
}));

function findKind(code: number): CharacterKind {
  const { nameCharacters, invisibleCharacter } = patterns();
  const character = String.fromCodePoint(code);
  const isInvisible = invisibleCharacter.test(character);
  const plain = [...character.normalize('NFKC')].map((each) => {
    const likeness = lookalikes().get(each) ?? each.toLowerCase();
    return lookalikes().get(likeness) ?? likeness;
  });
  const folded = plain.join('');
  return {
    folded: !isInvisible && nameCharacters.test(folded) ? folded : '',
    isName: nameCharacters.test(character),
    isInvisible,
  };
}

/** Characters that look like a letter of a name: those of other scripts, small capitals, and digits. */
const lookalikes = lazy(() => {
  const rows: readonly (readonly [letter: string, lookalikes: string])[] = [
    ['a', '\u0410\u0430\u0391\u03b1\u0251\u1d00'],
    ['b', '\u0412\u0432\u0392\u03b2\u042c\u044c\u0299'],
    ['c', '\u0421\u0441\u03f2\u217d\u1d04\u03f9'],
    ['d', '\u0501\u056a\u1d05'],
    ['e', '\u0415\u0435\u0395\u03b5\u0401\u0451\u0454\u0404\u1d07\u212e'],
    ['f', '\u03dd\ua730'],
    ['g', '\u0261\u0581\u0262'],
    ['h', '\u041d\u043d\u0397\u04bb\u0570\u029c'],
    ['i', '\u0406\u0456\u0399\u03b9\u0131\u0130\u026a'],
    ['j', '\u0408\u0458\u03f3\u1d0a\u0575\u037f'],
    ['k', '\u041a\u043a\u039a\u03ba\u1d0b'],
    ['l', '\u029f1\u217c\u01c0\u04c0\u04cf'],
    ['m', '\u041c\u043c\u039c\u1d0d'],
    ['n', '\u039d\u03b7\u0578\u057c\u0274\u043f'],
    ['o', '\u041e\u043e\u039f\u03bf\u0585\u1d0f\u03c30'],
    ['p', '\u0420\u0440\u03a1\u03c1\u1d18'],
    ['q', '\u051b\u0566'],
    ['r', '\u0433\u1d26\u0280'],
    ['s', '\u0405\u0455\ua731'],
    ['t', '\u0422\u0442\u03a4\u03c4\u1d1b'],
    ['u', '\u03c5\u057d\u1d1c\u0446'],
    ['v', '\u03bd\u0475\u1d20\u0474'],
    ['w', '\u051d\u0461\u03c9\u1d21\u051c'],
    ['x', '\u0425\u0445\u03a7\u03c7'],
    ['y', '\u0423\u0443\u03a5\u04af\u03b3\u028f\u04ae'],
    ['z', '\u0396\u1d22'],
    ['ss', '\u00df'],
    ['_', '\u203f\u2040\u2054'],
  ];
  return new Map(rows.flatMap(([letter, alike]) => [...alike].map((each): [string, string] => [each, letter])));
});
