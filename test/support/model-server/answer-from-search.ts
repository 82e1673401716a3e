/** The script of `npm start -- --scripted`: searches the notes for the user's words, then quotes what it found. It also adds. */
import { proposeAddition } from './propose-addition';
import { readConversation } from './read-conversation';
import type { ModelRequest, ScriptStep } from './script';

const maxQueryWords = 6;
const commonWords = new Set(
  `a about all an and any are as at be can could did do does for from had has have how i in into is it its me my of on or
  please show tell that the their them there these they this to was we were what when where which who why will with you
  your`.split(/\s+/),
);

export function answerFromSearch(request: ModelRequest): ScriptStep {
  const addition = proposeAddition(request, ownWords);
  if (addition !== null) return addition;
  const { userText, toolResult, toolNames } = readConversation(request);
  if (toolResult !== null) return { text: answerWith(toolResult) };
  const query = queryFrom(userText ?? '');
  if (toolNames.includes('search_notes') && query !== '') {
    return {
      reasoning: 'The answer should come from the notes, so they are searched first.',
      toolCalls: [{ name: 'search_notes', arguments: { query } }],
    };
  }
  return { text: 'This is the scripted model of the workbench. It can search your notes and quote them.' };
}

/** Removes tagged text, which the user did not write. */
function ownWords(userText: string): string {
  let text = userText;
  for (let before = ''; before !== text;) {
    before = text;
    text = text.replace(/<([\w-]+)(?:\s[^<>]*)?>[^<]*<\/\1>|<[\w-]+(?:\s[^<>]*)?\/>/g, ' ');
  }
  return text;
}

/** The words of the text that carry meaning, in their order. */
export function queryFrom(userText: string): string {
  const words =
    ownWords(userText)
      .toLowerCase()
      .match(/[\p{L}\p{N}][\p{L}\p{N}'-]*/gu) ?? [];
  const meant = words.filter((word) => !commonWords.has(word));
  return [...new Set(meant.length > 0 ? meant : words)].slice(0, maxQueryWords).join(' ');
}

function answerWith(toolResult: string): string {
  const line = firstPassageLine(toolResult);
  if (line === undefined) return 'The search found **nothing** in your notes.';
  const path = notePathIn(toolResult);
  const source = path === null ? '' : `\n\nIt stands in [[${path.replace(/\.md$/, '')}]].`;
  return `Here is the first thing your notes say:\n\n> ${line}${source}`;
}

/** The first line that a note itself wrote: below the heads of a passage where there are any. */
function firstPassageLine(toolResult: string): string | undefined {
  const lines = toolResult.split('\n').map((text) => text.trim());
  const heads = lines.findIndex((text) => /^lines: \d+-\d+/.test(text));
  return lines.slice(heads + 1).find((text) => text !== '');
}

const notePathPatterns = [
  /^\[\d+\] (.+\.md)$/m,
  /path="([^"]+\.md)"/,
  /"path":\s*"([^"]+\.md)"/,
  /\[\[([^\]|#]+)/,
  /^(?:[-*>]|\d+\.)?\s*([^\s:<>|"][^:<>|"\n]*?\.md)\b/m,
];

export function notePathIn(text: string): string | null {
  for (const pattern of notePathPatterns) {
    const path = pattern.exec(text)?.[1];
    if (path !== undefined) return path;
  }
  return null;
}
