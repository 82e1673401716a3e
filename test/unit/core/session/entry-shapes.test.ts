/** What a line of a log may contain: each form is given back as it was, and any other belongs to a newer version. */
import type { EntryBody } from '../../../../src/core/session/entry';
import { decodeLine, encodeEntry } from '../../../../src/core/session/log-format';
import { entry, result } from '../../../support/entries';
import { digest } from '../../../support/memory-ports';

type Body = Readonly<Record<string, unknown>>;

function read(body: Body) {
  return decodeLine(encodeEntry(entry(body as unknown as EntryBody), digest), digest);
}

const snapshot = Object.fromEntries(
  [
    ...['overall_goal', 'active_constraints', 'key_knowledge', 'artifact_trail', 'file_system_state'],
    ...['recent_actions', 'task_state'],
  ].map((part) => [part, 'x']),
);
const failure = { kind: 'network', words: 'w', remedy: 'r' };
const image = { digest: 'a'.repeat(64), mediaType: 'image/png', width: 1, height: 1, bytes: 1, conversation: 'c-1' };
const mention = (more: Body): Body => ({
  kind: 'user',
  text: 't',
  mentions: [{ kind: 'image', id: 'i', label: 'l', ...more }],
});
const change = {
  ...{ id: 'c', from: null, to: 'A.md', base: null, taint: null },
  edits: [{ start: 0, end: 0, text: 'x' }],
  calls: [{ id: 'k', tool: 'write', arguments: '{}' }],
};
const applied = { change: 'c', operations: ['o'], merged: false, altered: false, rewritten: [] };

/** The smallest form of each kind. */
const forms = {
  user: { kind: 'user', text: 't', mentions: [] },
  assistant: { kind: 'assistant', parts: [{ type: 'text' }], end: 'complete', model: 'm' },
  'tool-result': { ...result('k') },
  tainted: { kind: 'tainted', source: 's' },
  'hook-context': { kind: 'hook-context', additions: [], reports: [] },
  'turn-zone': { kind: 'turn-zone', before: [], after: [], mode: 'assistant', editor: null },
  'chat-began': { kind: 'chat-began', start: { date: 'd', isoDate: 'i', week: 1, time: 't', app: {} } },
  'reference-sent': { kind: 'reference-sent', head: 'h', reason: 'start', items: [] },
  'prompt-rebuilt': {
    ...{ kind: 'prompt-rebuilt', sections: [], reasons: [], model: 'm', tier: 1, mode: 'assistant' },
    ...{ headMode: 'assistant', automatic: true, window: null, head: {} },
  },
  summary: {
    ...{ kind: 'summary', snapshot, covers: [], by: 'model', trigger: 'manual', focus: '', before: 2, after: 1 },
    ...{ removed: 1, kept: 1, paths: [], skills: [] },
  },
  'summary-edited': { kind: 'summary-edited', summary: 's', snapshot },
  'summary-undone': { kind: 'summary-undone', summary: 's' },
  'summary-refused': { kind: 'summary-refused', reason: 'too-little', trigger: 'automatic' },
  'request-beside': { kind: 'request-beside', model: 'm', usage: { inputTokens: 1, outputTokens: 2 } },
  'context-forms': { kind: 'context-forms', forms: [], by: 'user' },
  failure: { kind: 'failure', failure },
  choices: { kind: 'choices', choices: {} },
  title: { kind: 'title', title: 't' },
  'chat-list': { kind: 'chat-list' },
  branch: { kind: 'branch', message: 'm' },
  'branch-chosen': { kind: 'branch-chosen', chosen: '' },
  'message-deleted': { kind: 'message-deleted', message: 'm', deleted: true },
  forked: { kind: 'forked', chat: 'c', message: 'm' },
  'log-restored': { kind: 'log-restored', lines: 1 },
  goal: { kind: 'goal', event: { type: 'paused', goal: 'g' }, origin: 'user' },
  'changes-staged': { kind: 'changes-staged', changeset: 'c', changes: [change], dropped: [] },
  'changes-settled': {
    ...{ kind: 'changes-settled', changeset: 'c', by: 'user', approved: {}, applied: [], results: [applied] },
    ...{ failed: [{ change: 'c', failure }], waiting: [], reason: '', told: '' },
  },
  'changes-undone': {
    ...{ kind: 'changes-undone', changeset: 'c', redo: false, pairs: [{ operation: 'o', by: 'p' }] },
    ...{ failed: [{ operation: 'o', failure }], told: '' },
  },
} satisfies { readonly [Kind in EntryBody['kind']]: Body };

const addition = (kind: string): Body => ({ ...forms['tool-result'], additions: [{ kind, source: 's', text: 't' }] });
const item = (more: Body): Body => ({
  ...forms['reference-sent'],
  items: [{ key: 'k', section: 's', tier: 'L0', text: 't', hash: 'h', stood: 0, ...more }],
});
const formOf = (form: string): Body => ({ ...forms['context-forms'], forms: [{ target: 't', form }] });
const zone = (more: Body): Body => ({ ...forms['turn-zone'], ...more });
const note = (more: Body): Body =>
  zone({ editor: { activeNote: { path: 'A.md', cursor: null, selectedText: '', ...more }, otherOpenNotes: [] } });
const app = (more: Body): Body => ({
  ...forms['chat-began'],
  start: { ...forms['chat-began'].start, app: more },
});
const goal = (event: Body, more: Body = {}): Body => ({ ...forms.goal, event: { goal: 'g', ...event }, ...more });
const created = { type: 'created', description: 'd', priority: 'high' };
const begun = { type: 'checkpoint-created', description: 'd', status: 'pending' };
const artifact = (type: string, action: string): Body =>
  goal({ type: 'artifact-recorded', artifact: { type, path: 'A.md', action } });
const staged = (more: Body): Body => ({ ...forms['changes-staged'], changes: [{ ...change, ...more }] });
const modes = ['assistant', 'developer', 'planning', 'debugger', 'user'];

const readable: readonly Body[] = [
  ...Object.values(forms),
  mention({ image }),
  ...['image/jpeg', 'image/webp'].map((mediaType) => mention({ image: { ...image, mediaType } })),
  { ...forms.user, instead: 'm' },
  { ...forms.assistant, escapes: ['a'] },
  ...['context-file', 'hook', 'resource'].map(addition),
  ...['instructions', 'untrusted'].map((tag) => ({ ...result('k'), frame: { tag, attributes: {} } })),
  { ...result('k'), shown: { head: 0, tail: 0 }, view: { kind: 'todos' } },
  { ...result('k'), steps: [{ title: 't', text: 't', isError: false }], usage: { inputTokens: 1, outputTokens: 1 } },
  ...modes.map((mode) => zone({ mode })),
  zone({ told: { a: 'b' }, before: [{ section: 's', text: 't' }] }),
  note({}),
  note({ cursor: { line: 1, character: 1 } }),
  zone({ editor: { activeNote: null, otherOpenNotes: ['A.md'] } }),
  ...['L0', 'L1', 'L2', 'L3', 'active', 'opening'].map((tier) => item({ tier })),
  item({ lines: { 'A.md': 'h' } }),
  ...[1, 2, 3, 4, 5].map((tier) => ({ ...forms['prompt-rebuilt'], tier, window: 8_000 })),
  { ...forms.summary, by: 'extraction', trigger: 'automatic', topic: 't', notices: ['n'] },
  ...['whole', 'pinned', 'outline', 'masked', 'dropped'].map(formOf),
  { ...forms['context-forms'], by: 'window' },
  { ...forms.title, by: 'model' },
  { ...forms['chat-list'], pinned: false, deleted: true },
  ...['wikilinks', 'markdown'].map((links) => app({ links })),
  ...['shortest', 'relative', 'absolute'].map((linkPaths) => app({ linkPaths })),
  app({ newNotes: '/', attachments: '/', templates: '/', plugins: ['Tasks'] }),
  ...['user', 'model-marker', 'model-tool', 'vault'].map((origin) => ({ ...forms.goal, origin, answer: 'a' })),
  ...['high', 'medium', 'low'].map((priority) => goal({ ...created, priority })),
  ...['pending', 'in-progress', 'completed'].map((status) => goal({ ...begun, status, blocker: 'b' })),
  ...['note', 'attachment', 'canvas', 'base'].map((type) => artifact(type, 'created')),
  ...['modified', 'deleted'].map((action) => artifact('note', action)),
  ...['undone', 'redone'].map((type) => goal({ type, event: 'e' })),
  staged({ edits: null, movedFrom: 'B.md', base: { hash: 'h', text: null, modified: 1 } }),
  staged({ changeset: 'd' }),
  { ...forms['changes-settled'], by: 'policy', results: [{ ...applied, found: true }] },
  { ...forms['changes-settled'], rejected: ['c'] },
];

it.each(readable.map((body) => [String(body['kind']), body]))('reads a stored %s: %j', (_kind, body) => {
  expect(read(body)).toMatchObject({ type: 'entry', entry: body });
});

const unreadable: readonly Body[] = [
  mention({ image: { ...image, digest: 'a'.repeat(63) } }),
  mention({ image: { ...image, mediaType: 'image/svg+xml' } }),
  ...['width', 'height', 'bytes'].flatMap((side) =>
    [0, 1.5].map((size) => mention({ image: { ...image, [side]: size } })),
  ),
  mention({ image: { ...image, conversation: '../c' } }),
  addition('file'),
  { ...result('k'), frame: { tag: 'note', attributes: {} } },
  { ...result('k'), shown: { head: -1, tail: 0 } },
  { ...result('k'), shown: { head: 0, tail: -1 } },
  zone({ mode: 'poet' }),
  zone({ editor: undefined }),
  note({ cursor: { line: 1 } }),
  item({ tier: 'L4' }),
  { ...forms['prompt-rebuilt'], tier: 6 },
  { ...forms['prompt-rebuilt'], tier: 0 },
  { ...forms.summary, by: 'user' },
  { ...forms.summary, snapshot: { overall_goal: 'x' } },
  { ...forms['summary-refused'], trigger: 'other' },
  formOf('half'),
  { ...forms['context-forms'], by: 'model' },
  { ...forms.title, by: 'user' },
  app({ links: 'html' }),
  app({ linkPaths: 'longest' }),
  { ...forms.goal, origin: 'server' },
  goal({ type: 'later' }),
  goal({ type: 'constructor' }),
  goal({ ...created, priority: 'none' }),
  goal({ ...begun, status: 'late' }),
  artifact('folder', 'created'),
  artifact('note', 'renamed'),
  { ...forms['changes-staged'], changeset: '' },
  { ...forms['changes-settled'], changeset: '' },
  { ...forms['changes-undone'], changeset: '' },
  { ...forms['changes-settled'], by: 'model' },
  staged({ id: '' }),
  staged({ edits: [{ start: -1, end: 0, text: '' }] }),
  staged({ edits: [{ start: 0, end: -1, text: '' }] }),
];

it.each(unreadable.map((body) => [String(body['kind']), body]))('knows no such %s: %j', (_kind, body) => {
  expect(read(body)).toEqual({ type: 'unknown' });
});

it('reads each field that every entry has, at its least', () => {
  const least = entry({ kind: 'title', title: '' }, { id: 'i', conversation: 'c', lamport: 0, time: -1 });
  const placed = { ...least, turn: 'q', branch: 'b' };
  for (const each of [least, placed])
    expect(decodeLine(encodeEntry(each, digest), digest)).toMatchObject({ type: 'entry', entry: each });
  for (const spoiled of [{ id: '' }, { conversation: '' }, { lamport: -1 }])
    expect(decodeLine(encodeEntry({ ...least, ...spoiled }, digest), digest)).toEqual({ type: 'unknown' });
});
