/** What a chat reads of a sub-agent's turn: whose report it is, the notes behind it, then its words. */
import { words } from '../../text';
import { describeFailure, type Failure } from '../ports/failure';
import type { Source } from '../session/entry';
import type { ToolResult } from '../tools/tool';
import type { LookUp, SubagentTurn } from './run-subagent-turn';

/** Notes that are named at the head of a report. */
const mostNamed = 20;

/** @param remark what is to be said besides, such as another model than the one that was named */
export function writeReport(name: string, remark: string | null, turn: SubagentTurn): ToolResult {
  const { text, looked, steps, usage } = turn;
  const hasText = text.trim() !== '';
  const failure = turn.failure ?? (hasText ? undefined : noReport());
  const sources = sourcesOf(looked, text);
  const head =
    failure === undefined
      ? `Report of the sub-agent ${name}.`
      : `The sub-agent ${name} failed: ${describeFailure(failure)}`;
  const lines = [head, ...(remark === null ? [] : [remark]), ...opened(sources)];
  if (hasText) lines.push('', ...(failure === undefined ? [] : ['What it had written until then:']), text.trim());
  return {
    text: lines.join('\n'),
    sources,
    behind: [...new Set(looked.flatMap((each) => [...each.sources.map(({ path }) => path), ...(each.touched ?? [])]))],
    steps,
    ...(usage === undefined ? {} : { usage }),
    ...(failure === undefined ? {} : { isError: true }),
  };
}

function noReport(): Failure {
  return { kind: 'protocol', words: words.subagents.noReport, remedy: words.subagents.noReportRemedy };
}

/** Notes that were opened, then those that a search showed and the report links. */
function sourcesOf(looked: readonly LookUp[], text: string): Source[] {
  const read = looked.flatMap(({ sources, touched = [] }) => sources.filter(({ path }) => touched.includes(path)));
  const shown = looked.flatMap(({ sources }) => sources.filter(({ path }) => isLinked(path, text)));
  const paths = new Set([...read, ...shown].map(({ path }) => path));
  return [...paths].map((path) => ({ path }));
}

function isLinked(path: string, text: string): boolean {
  const whole = path.replace(/\.md$/, '');
  const name = whole.slice(whole.lastIndexOf('/') + 1);
  return [whole, name].some((target) => [']', '#', '|'].some((end) => text.includes(`[[${target}${end}`)));
}

function opened(sources: readonly Source[]): string[] {
  if (sources.length === 0) return [];
  const named = sources.slice(0, mostNamed).map(({ path }) => path);
  const more = sources.length - named.length;
  return [`Notes it rests on: ${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`];
}
