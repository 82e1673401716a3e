// Patches for what is staged, reviewed, applied and taken back, and for what a permission mode denies.
const changes = 'src/core/writing/chat-changes.ts';
const writes = 'src/core/writing/stage/note-writes.ts';
const entry = 'src/core/writing/apply/apply-changeset.ts';

export const writing = [
  {
    name: 'undo-takes-nothing-back',
    rows: ['R058'],
    file: 'src/core/writing/apply/undo.ts',
    find: 'outcome: await undoOperation(writer, operation)',
    replace: `outcome: { ok: true, value: { operation, path, retainedLinks: [] } }`,
  },
  {
    name: 'waiting-changes-forgotten-at-a-restart',
    rows: ['R212'],
    file: changes,
    find: 'this.restore(this.folded.pending);',
    replace: '',
  },
  {
    name: 'waiting-changes-untold',
    rows: ['R212'],
    file: 'src/core/context/turn-context.ts',
    find: 'review: ports.pendingReview?.() ?? null,',
    replace: 'review: null,',
  },
  {
    name: 'request-behind-changes-untold',
    rows: ['R213'],
    file: 'src/core/writing/chat-changes.ts',
    find: `const text = message?.text.trim() ?? '';`,
    replace: `const text = message === undefined ? '' : '';`,
  },
  {
    name: 'denied-writes-staged',
    rows: ['R079'],
    file: writes,
    find: 'isDenied(rules, asked) ? fail(denied(rules.mode(), asked)) : write();',
    replace: 'isDenied(rules, asked) && asked.to === null ? fail(denied(rules.mode(), asked)) : write();',
  },
  {
    name: 'every-tool-in-every-mode',
    rows: ['R079'],
    file: 'src/core/tools/tool.ts',
    find: '(isOffered(mode, needs) && (',
    replace: '((isOffered(mode, needs) || needs !== null) && (',
  },
  {
    name: 'plan-goes-on-by-itself',
    rows: ['R078'],
    file: 'src/core/turn/run-turn.ts',
    find: `if (results.some(({ endsTurn }) => endsTurn === true)) return { end: 'complete' };`,
    replace: '',
  },
  {
    name: 'choices-not-shown',
    rows: ['R075'],
    file: 'src/core/turn/run-tool-calls.ts',
    find: '    ...(view === undefined ? {} : { view }),\n',
    replace: '',
  },
  {
    name: 'memory-written-unasked',
    rows: ['R202'],
    file: changes,
    find: `return decision === 'allow' &&`,
    replace: `return decision !== 'deny' &&`,
  },
  {
    name: 'applied-files-no-artifacts',
    rows: ['R125'],
    file: 'src/core/goals/goal-request.ts',
    find: 'of files) {',
    replace: 'of files.slice(files.length)) {',
  },
  {
    name: 'unread-notes-edited',
    rows: ['R220'],
    file: 'src/core/writing/stage/staged-vault.ts',
    find: `byteLength(newText), call, 'must-read',`,
    replace: `byteLength(newText), call, 'may-be-unread',`,
  },
  {
    name: 'rejections-untold',
    rows: ['R058'],
    file: entry,
    find: '    describeRejections(rejected),\n',
    replace: '',
  },
  {
    name: 'kept-notes-listed',
    rows: ['R161'],
    file: 'src/core/writing/guard/fence.ts',
    find: 'if (marks === undefined) return false;\n  if (isNo(marks.properties[hiddenProperty])) return true;\n  return tags.length > 0 &&',
    replace: 'if (marks === undefined) return false;\n  return tags.length < 0 &&',
  },
  {
    name: 'kept-folders-open',
    rows: ['R161'],
    file: 'src/core/writing/guard/fence.ts',
    find: '...(rules.keptFolders ?? [])',
    replace: '',
  },
  {
    name: 'others-text-leaves-no-mark',
    rows: ['R133'],
    file: 'src/core/writing/guard/taint.ts',
    find: 'if (external !== undefined) return external.path;',
    replace: '',
  },
];
