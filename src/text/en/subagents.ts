/** Words of sub-agents: titles of their calls, their steps, and why one cannot run. Problems are read by models as well. */

export const subagents = () => ({
  title: (name: string, task: string) => (task === '' ? `Ask ${name}` : `Ask ${name}: ${task}`),
  steps: (count: number) => (count === 1 ? '1 step of the sub-agent' : `${count} steps of the sub-agent`),
  missing: (name: string) => `There is no sub-agent “${name}”.`,
  missingRemedy: (names: readonly string[]) => `Sub-agents there are: ${names.join(', ')}.`,
  noText: (name: string) => `The note of the sub-agent “${name}” has no text.`,
  noTextRemedy: 'Tell the user, and go on without it.',
  noReport: 'It ended without a report.',
  noReportRemedy: 'Go on without it, or give it a smaller task.',
  lookUpsUsed: 'All look-ups of this run are used.',
  lookUpsUsedRemedy: 'Write the report now, with what you have.',
});
