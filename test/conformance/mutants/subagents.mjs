// Patches for what a started sub-agent is sent, may do and leaves behind.
const run = 'src/core/turn/run-subagent.ts';
const report = 'src/core/turn/run-subagent.ts';
const inner = 'src/core/turn/background-turn.ts';
const limits = 'src/core/turn/background-turn.ts';
const prepare = 'src/core/context/prepare-chat-turn.ts';

export const subagents = [
  {
    name: 'role-not-filled-in',
    rows: ['R138'],
    file: run,
    find: 'const role = fill(task);',
    replace: 'const role = preamble.value;',
  },
  {
    name: 'task-told-twice',
    rows: ['R138'],
    file: run,
    find: `role === fill('') ? task : 'Begin.'`,
    replace: 'task',
  },
  {
    name: 'all-tools-for-sub-agents',
    rows: ['R137'],
    file: run,
    find: 'toolsFor(subagent, ports.tools)',
    replace: 'ports.tools',
  },
  {
    name: 'model-of-a-sub-agent-unheard',
    rows: ['R137'],
    file: run,
    find: 'if (found.ok) return { model: found.value, remark: null };',
    replace: 'if (found.ok) return { model, remark: null };',
  },
  {
    name: 'another-model-in-silence',
    rows: ['R137'],
    file: report,
    find: '...(remark === null ? [] : [remark]), ',
    replace: '',
  },
  {
    name: 'failure-of-a-sub-agent-untold',
    rows: ['R137'],
    file: report,
    find: 'turn.failure ?? (hasText ? undefined : noReport());',
    replace: '(hasText ? undefined : noReport());',
  },
  {
    name: 'sub-agent-without-its-own-assembly',
    rows: ['R026', 'R137'],
    file: prepare,
    find: 'customTemplate: () => Promise.resolve(base)',
    replace: 'customTemplate: () => Promise.resolve(null)',
  },
  {
    name: 'notes-of-the-chat-for-sub-agents',
    rows: ['R137'],
    file: prepare,
    find: 'contextNotes: [] };',
    replace: `contextNotes: ['Boats/Whimbrel.md'] };`,
  },
  {
    name: 'look-ups-without-end',
    rows: ['R137'],
    file: limits,
    find: 'made > limits.calls ||',
    replace: '',
  },
  {
    name: 'reading-past-the-window-share',
    rows: ['R137'],
    file: limits,
    find: 'if (size <= left) return succeed(result);',
    replace: 'return succeed(result);',
  },
  {
    name: 'tokens-of-sub-agents-uncounted',
    rows: ['R137'],
    file: inner,
    find: 'usage: addUsage(account.usage, event.usage) };',
    replace: 'usage: undefined };',
  },
  {
    name: 'report-without-end',
    rows: ['R137'],
    file: 'src/core/tools/run-subagent.ts',
    find: 'cutToTokens(outcome.value.text, resultTokens - noticeTokens)',
    replace: 'cutToTokens(outcome.value.text, 1e6)',
  },
];
