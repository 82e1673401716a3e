/**
 * Markup: the only module that writes tags. It makes text visible, then escapes it, so that no body can open or close a
 * section.
 */
import { lazy } from '../base/lazy';
import { replaceVariables } from './variables';

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

export interface Element {
  readonly tag: Tag;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Content;
}

/** Instructions that the user wrote: their own tags may remain (design 5), and variables are filled in. */
export interface OwnText {
  readonly own: string;
  /** The value of each variable; all others remain as written (R038). */
  readonly values: Readonly<Record<string, Content>>;
}

/** Text and elements in order; text is escaped when it is written. */
export type Content = readonly (string | Element | OwnText)[];

export interface Written {
  readonly text: string;
  /** Characters that were made visible because XML forbids them or because a reader could not see them. */
  readonly madeVisible: number;
}

export function element(tag: Tag, attributes: Readonly<Record<string, string>>, ...children: Content): Element {
  return { tag, attributes, children };
}

/**
 * Writes content as markup. An element is on lines of its own, with one newline before and after its body, so a reader
 * recovers each body by removing those two newlines.
 */
export function write(content: Content): Written {
  let text = '';
  let madeVisible = 0;
  const add = (part: string, escape: (value: string) => string): void => {
    const visible = makeVisible(part);
    madeVisible += visible.madeVisible;
    text += escape(visible.text);
  };
  const visit = (children: Content): void => {
    for (const child of children) {
      if (typeof child === 'string') {
        add(child, escapeText);
        continue;
      }
      if ('own' in child) {
        add(child.own, (own) => writeOwn(own, child.values));
        continue;
      }
      text += `<${child.tag}`;
      for (const [name, value] of Object.entries(child.attributes)) {
        text += ` ${name}="`;
        add(value, escapeAttribute);
        text += '"';
      }
      text += '>\n';
      visit(child.children);
      text += `\n</${child.tag}>`;
    }
  };
  visit(content);
  return { text, madeVisible };
}

/** Inserts values only between tags, as they are written, and never scans them for variables (R039). */
function writeOwn(own: string, values: OwnText['values']): string {
  const found = readOwnTags(own, tags);
  const pieces = found.kind === 'kept' ? found.pieces : [{ isTag: false, text: own }];
  return pieces
    .map(({ isTag, text }) => {
      if (isTag) return text.replace(/&/g, '&amp;');
      return replaceVariables(escapeText(text), (name) => {
        const value = Object.hasOwn(values, name) ? values[name] : undefined;
        return value === undefined ? undefined : write(value).text;
      });
    })
    .join('');
}

/**
 * Escapes body text: ampersand first, then anything that could open a tag, end a CDATA section, or be normalized by a parser
 * (R180, K11).
 */
export function escapeText(text: string): string {
  return text.replace(/[&<\r]|\]\]>/g, (match) => textEntities[match] ?? match);
}

/** Escapes attribute values: as text, and also anything that could end the value or be normalized to a space. */
export function escapeAttribute(value: string): string {
  return value.replace(/[&<"\t\r\n]|\]\]>/g, (match) => attributeEntities[match] ?? match);
}

/** Opens or closes one of these tags, in any spelling. */
const appendedTag = lazy(() => /<(?=[^\p{L}\p{N}_<>]{0,8}(?:hook_context|project_context)(?![\p{L}\p{N}_]))/giu);

/**
 * Escapes the tags of appended context in text that is otherwise sent unescaped, such as a note that a tool read, so
 * that the text cannot imitate them (R142).
 */
export function escapeAppendedTags(text: string): string {
  return text.replace(appendedTag(), '&lt;');
}

/** Returns a tool result as the tool returned it, without appended context. */
export function removeAppendedTags(text: string): string {
  return text.split(/\n\n<(?:hook|project)_context[ >]/, 1)[0] ?? '';
}

const textEntities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '\r': '&#13;',
  ']]>': ']]&gt;',
};

const attributeEntities: Readonly<Record<string, string>> = {
  ...textEntities,
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
};

/**
 * What XML 1.0 forbids (control characters, lone surrogates, non-characters) and what hides text from a reader (bidi
 * controls, zero width marks, fillers, the tag block). Joiners and variation selectors stay: scripts and emoji need
 * them.
 */
const hidden = new RegExp(
  '[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u115f\\u1160' +
    '\\u180e\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\\ufffe\\uffff' +
    '\\ud800-\\udfff\\u{e0000}-\\u{e007f}]|\\u034f|\\u17b4|\\u17b5',
  'gu',
);

/** A fast check that matches every text with a hidden character: anything outside the common visible ranges. */
const maybeHidden = new RegExp(
  '[^\\t\\n\\r -~\\u00a0-\\u00ac\\u00ae-\\u02ff\\u0370-\\u061b\\u0904-\\u10ff\\u1e00-\\u200a\\u2010-\\u2029\\u2030-\\u205f' +
    '\\u2070-\\u3163\\u3165-\\ud7ff]',
);

/** Replaces each invisible or forbidden character with its code point in brackets, such as `[U+200B]`. */
export function makeVisible(text: string): Written {
  if (!maybeHidden.test(text)) return { text, madeVisible: 0 };
  let madeVisible = 0;
  const visible = text.replace(hidden, (character) => {
    madeVisible += 1;
    return `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;
  });
  return { text: visible, madeVisible };
}

/**
 * Returns a tag-like name for a path: no `.md`, other characters as `_`, collapsed and trimmed (R169). A label only:
 * two paths may share it, so it never identifies a note.
 */
export function normalizePathToXmlTag(path: string): string {
  return path
    .replace(/\.md$/i, '')
    .replace(/[^a-zA-Z0-9_]/g, '_')
    .replace(/_+/g, '_')
    .replace(/^_|_$/g, '');
}

/** A piece of a text: exactly one tag, or the text between tags. */
export interface MarkupPiece {
  readonly isTag: boolean;
  readonly text: string;
}

export type OwnTags =
  /** The text contains no tags. */
  | { readonly kind: 'none' }
  | { readonly kind: 'kept'; readonly pieces: readonly MarkupPiece[] }
  /** The whole text must be escaped. */
  | { readonly kind: 'escaped'; readonly reason: 'malformed' | 'reserved'; readonly tag: string };

/** Tags, and anything that begins like one. */
const candidate = /<\/?[A-Za-z_][^<>]*>?/g;
const openingTag = /^<([A-Za-z_][\w.-]*)((?:\s+[A-Za-z_][\w.-]*="[^"<>]*"|\s+[A-Za-z_][\w.-]*='[^'<>]*')*)\s*(\/?)>$/;
const closingTag = /^<\/([A-Za-z_][\w.-]*)\s*>$/;
const attributeName = /([A-Za-z_][\w.-]*)=(?:"[^"]*"|'[^']*')/g;

/**
 * Finds the tags that the user wrote in instructions. They stay tags only if they form a well-formed fragment that uses
 * none of Docent's tags (design 5).
 * @param reserved names that only Docent's own sections may use
 */
export function readOwnTags(text: string, reserved: readonly string[]): OwnTags {
  const pieces: MarkupPiece[] = [];
  const open: string[] = [];
  let broken: string | null = null;
  let end = 0;
  for (const match of text.matchAll(candidate)) {
    const tag = match[0];
    const parsed = parseTag(tag);
    if (parsed === null) {
      broken ??= tag;
      continue;
    }
    const { name, kind } = parsed;
    if (reserved.includes(name.toLowerCase())) return { kind: 'escaped', reason: 'reserved', tag: name };
    if (kind === 'opening') open.push(name);
    const isSound = kind === 'closing' ? open.pop() === name : !repeatsAttribute(parsed.attributes);
    if (!isSound) broken ??= tag;
    pieces.push({ isTag: false, text: text.slice(end, match.index) }, { isTag: true, text: tag });
    end = match.index + tag.length;
  }
  if (pieces.length === 0) return { kind: 'none' };
  const left = open.at(-1);
  if (broken !== null || left !== undefined) {
    return { kind: 'escaped', reason: 'malformed', tag: broken ?? `<${left ?? ''}>` };
  }
  return { kind: 'kept', pieces: [...pieces, { isTag: false, text: text.slice(end) }] };
}

interface ParsedTag {
  readonly name: string;
  readonly kind: 'opening' | 'closing' | 'empty';
  readonly attributes: string;
}

/** Returns null for text that only begins like a tag. */
function parseTag(tag: string): ParsedTag | null {
  const [, name, attributes = '', slash] = openingTag.exec(tag) ?? [];
  if (name !== undefined) return { name, kind: slash === '/' ? 'empty' : 'opening', attributes };
  const closed = closingTag.exec(tag)?.[1];
  return closed === undefined ? null : { name: closed, kind: 'closing', attributes: '' };
}

function repeatsAttribute(attributes: string): boolean {
  const names = Array.from(attributes.matchAll(attributeName), ([, name]) => name);
  return new Set(names).size < names.length;
}

/** Prefixes each line that is not empty with `| `; anything that a reader may treat as a line ending counts as one. */
export function markLines(text: string): string {
  return text.replace(/^(?=.)/gm, '| ');
}

/** Whether all lines after the first are marked, as in the response of a server. */
function isMarked(text: string): boolean {
  const [, ...rest] = text.split('\n');
  return rest.length > 0 && rest.every((line) => line.startsWith('| ') || line.trim() === '');
}

/**
 * Returns the last characters of a text. In marked text it starts at the start of a line, so that no line loses its
 * mark.
 */
export function endOf(text: string, characters: number): string {
  const end = characters <= 0 ? '' : text.slice(-characters);
  return isMarked(text) ? end.slice(end.indexOf('\n') + 1 || end.length) : end;
}

/**
 * Marks text from outside the vault line by line, so that it always reads as quoted (K11).
 * @param source where the text comes from, such as an address or a server's name
 */
export function untrusted(source: string, text: string): Element {
  return element('untrusted', { source }, markLines(text));
}
