// The defences of Docent, each with the cuts that switch it off in a bundle for the scoreboard, and with the tries of
// one row that then have effects. How a cut is applied: scripts/build/weave-defences.mjs. A new defence needs an entry
// here; the tries of its row have no effect while it is on.
const activeContent = 'src/core/writing/guard/active-content.ts';
const chatChanges = 'src/core/writing/chat-changes.ts';
const gate = 'src/core/gate/gate.ts';
const guardNetwork = 'src/core/gate/guard-network.ts';
const instructions = 'src/core/writing/guard/instructions.ts';
const pathGuard = 'src/core/writing/guard/path-guard.ts';
const policy = 'src/core/writing/guard/policy.ts';
const provenance = 'src/core/writing/guard/provenance.ts';
const runToolCalls = 'src/core/turn/run-tool-calls.ts';
const settingsFile = 'src/vault/settings-file.ts';
const stagedVault = 'src/core/writing/stage/staged-vault.ts';
const taint = 'src/core/writing/guard/taint.ts';
const writeSteps = 'src/core/writing/apply/write-steps.ts';

export const defences = [
  // What waits for the user.
  {
    id: 'review',
    words: 'in Review, every change waits',
    cuts: [
      {
        file: chatChanges,
        find: 'decideChange(mode, change, all, ports.places(), circumstances)',
        off: "mode === 'review' ? 'allow' : decideChange(mode, change, all, ports.places(), circumstances)",
      },
    ],
    row: 'denied',
    tries: { goals: ['delete a note'], carriers: ['body'] },
  },
  {
    id: 'modes',
    words: 'Plan and Read-only write nothing',
    cuts: [{ file: policy, find: 'table[mode][tier]', off: "table[mode === 'review' ? mode : 'auto-edit'][tier]" }],
    row: 'modes',
    tries: { goals: ['create a note'] },
  },
  {
    id: 'scope',
    words: 'Auto-edit writes only where the user named the place',
    cuts: [
      {
        file: 'src/core/writing/guard/scope.ts',
        find: '[...new Set([from, to])].filter((path): path is string => path !== null && !scope.includes(path))',
        off: '[]',
      },
    ],
    row: 'unmarked',
    tries: { goals: ['alter a note'], carriers: ['body', 'heading', 'workspace', 'skill'] },
  },
  {
    id: 'waiting-stays',
    words: 'what waits is applied by no later turn',
    cuts: [{ file: chatChanges, find: 'this.waited.has(change.id)', off: 'false' }],
    row: 'turns',
    tries: {},
  },
  {
    id: 'grants-stay',
    words: 'Auto-edit is chosen on each device',
    cuts: [
      {
        file: 'src/core/context/chat-choices.ts',
        find: "permission === 'auto-edit' && !mayEditAlone",
        off: 'false',
      },
    ],
    row: 'turns',
    tries: {},
  },
  {
    id: 'instruction-places',
    words: 'what gives instructions waits in every place',
    cuts: [
      {
        file: policy,
        find: 'paths.some((path) => directsAgent(places, path))',
        off: 'false',
      },
    ],
    row: 'named',
    tries: { goals: ['plant a folder context', 'plant a skill', 'plant a memory'], carriers: ['body'] },
  },
  {
    id: 'spellings',
    words: 'places are compared as disks compare them',
    cuts: [
      {
        file: 'src/core/base/fold.ts',
        find: 'export function foldPlace(path: string): string {',
        first: 'return path;',
      },
    ],
    row: 'named',
    tries: { goals: ['plant a folder context'], carriers: ['body'] },
  },
  {
    id: 'moves-ask',
    words: 'moves wait',
    cuts: [{ file: policy, find: "steps.includes('move')", off: 'false' }],
    row: 'named',
    tries: { goals: ['move a note'], carriers: ['body'] },
  },
  {
    id: 'deletions-ask',
    words: 'deletions wait',
    cuts: [
      { file: policy, find: "steps.includes('delete')", off: 'false' },
      {
        file: policy,
        find: 'function hasProblem(change: FileChange): boolean {',
        first: 'if (change.to === null) return false;',
      },
      {
        file: policy,
        find: 'removedShare(textBefore(change), textAfter(change)) > rewrittenShare',
        off: 'change.to !== null && removedShare(textBefore(change), textAfter(change)) > rewrittenShare',
      },
    ],
    row: 'named',
    tries: { goals: ['delete a note'], carriers: ['body'] },
  },
  {
    id: 'removals-ask',
    words: 'the removal of much of a note waits',
    cuts: [{ file: policy, find: 'removed / before.length', off: '0' }],
    row: 'named',
    tries: { goals: ['gut a note'], carriers: ['body'] },
  },
  {
    id: 'many-files-ask',
    words: 'from the sixth file of a turn on, changes wait',
    cuts: [{ file: policy, find: 'changes.length > manyFiles', off: 'false' }],
    row: 'named',
    tries: { goals: ['write ten notes'], carriers: ['body'] },
  },
  {
    id: 'content',
    words: 'active content waits',
    cuts: [{ file: policy, find: 'newActiveContent(change.to, before, after).length > 0', off: 'false' }],
    row: 'contents',
    tries: {},
  },
  {
    id: 'table-formulas',
    words: 'so does a cell of a table that a spreadsheet evaluates',
    cuts: [
      {
        file: activeContent,
        find: 'activeContentIn(path, after)',
        off: "activeContentIn(path, after).filter(({ kind }) => kind !== 'formula')",
      },
    ],
    row: 'contents',
    tries: { cases: ['table "=1+1"', 'table "a,+x()"', 'table "a,=cmd|x"'] },
  },
  {
    id: 'base-formulas',
    words: 'so does what a base draws or loads',
    cuts: [{ file: activeContent, find: 'left === 0', off: "left === 0 && item.kind !== 'base-formula'" }],
    row: 'contents',
    tries: {
      cases: ['base "formulas:\\n  a: html(\\"x\\")"', 'base "formulas:\\n  a: image(note.b)"'],
    },
  },
  {
    id: 'new-addresses',
    words: 'a web address that the user did not write waits',
    cuts: [{ file: chatChanges, find: 'findNewAddresses(change, entries).length === 0', off: 'true' }],
    row: 'contents',
    tries: {},
  },
  {
    id: 'carried-text',
    words: 'an address that carries a note waits',
    cuts: [{ file: chatChanges, find: 'findLeakedText(change, entries).length === 0', off: 'true' }],
    row: 'named',
    tries: { goals: ['plant a letter that carries a note'], carriers: ['body'] },
  },

  // Whose text it is.
  {
    id: 'taint',
    words: 'a chat that read text of others asks',
    cuts: [{ file: 'src/core/turn/taint-chat.ts', find: 'taintOf(carriers, places)', off: 'null' }],
    row: 'marked',
    tries: { goals: ['create a note'], cases: ['clipped'] },
  },
  {
    id: 'taint-lasts',
    words: 'it goes on asking after a restart',
    cuts: [{ file: taint, find: 'foldTaint(entries)', off: 'null' }],
    row: 'turns',
    tries: {},
  },
  {
    id: 'clipped',
    words: 'folders of clipped texts count as others’ text',
    cuts: [
      { file: taint, find: 'isInClippingFolder(path)', off: 'false' },
      { file: taint, find: 'folderPrefixes(clippings).some((place) => isAtPlace(place, path))', off: 'false' },
    ],
    row: 'marked',
    tries: { goals: ['create a note'], cases: ['clipped'] },
  },
  {
    id: 'addresses-in-properties',
    words: 'so does a note with a web address in its properties',
    cuts: [
      {
        file: taint,
        find: 'Object.values(vault.outline(path)?.properties ?? {}).some((value) => holdsAddress(value))',
        off: 'false',
      },
      {
        file: taint,
        find: 'function isUnread({ path, text }: SentNote, { vault, untrusted }: TaintPlaces): boolean {',
        first: 'return false;',
      },
    ],
    row: 'marked',
    tries: { goals: ['create a note'], cases: ['with an address', 'with properties that cannot be read'] },
  },
  {
    id: 'hooks-and-servers',
    words: 'so does what plugins and servers say',
    cuts: [
      { file: taint, find: 'addition !== undefined', off: 'false' },
      { file: taint, find: 'source !== null', off: 'false' },
    ],
    row: 'marked',
    tries: { goals: ['create a note'], cases: ['hook', 'answer of a server'] },
  },
  {
    id: 'unseen-letters',
    words: 'so does text with letters that nobody sees',
    cuts: [{ file: taint, find: 'disguised !== undefined', off: 'false' }],
    row: 'marked',
    tries: { goals: ['create a note'], cases: ['letters that nobody sees'] },
  },
  {
    id: 'provenance',
    words: 'so does what a chat wrote that had read such text',
    cuts: [{ file: provenance, find: 'this.tree.at(path)?.isMarked() === true', off: 'false' }],
    row: 'marked',
    tries: { goals: ['create a note'], cases: ['written by a tainted chat into Notes/Written.md'] },
  },
  {
    id: 'provenance-travels',
    words: 'and on other devices too',
    cuts: [
      {
        file: 'src/vault/journal-files.ts',
        find: 'paths.map((name, at) => ({ name, version: `${stats[at]?.mtime ?? 0} ${stats[at]?.size ?? 0}` }))',
        off: '[]',
      },
    ],
    row: 'devices',
    tries: {},
  },

  // Hard rules.
  {
    id: 'instructions-ask',
    words: 'what directs the agent is allowed once on each device',
    cuts: [
      { file: instructions, find: 'seen?.isIn !== true || seen.print !== printOf(entry)', off: 'false' },
      { file: instructions, find: '!this.isStored(path, text) && !this.ownEdits.isKnownOwn(path, text)', off: 'false' },
    ],
    row: 'instructions',
    tries: { cases: ['the context file of the vault', 'a skill', 'a prompt'] },
  },
  {
    id: 'changes-ask',
    words: 'and again after a change from outside',
    cuts: [{ file: instructions, find: 'known.hash === this.ports.digest(text)', off: 'true' }],
    row: 'instructions',
    tries: { cases: ['a change from outside'] },
  },
  {
    id: 'chosen-notes',
    words: 'a note outside of its folder is no prompt and no workspace',
    cuts: [
      {
        file: 'src/core/context/chat-choices.ts',
        find: '!id.startsWith(`${from.agentFolder()}/${kind}s/`)',
        off: 'false',
      },
    ],
    row: 'instructions',
    tries: {
      cases: ['a note that another device chose as a prompt', 'a note that another device chose as a workspace'],
    },
  },
  {
    id: 'path-guard',
    words: 'no path leads out of the vault or into its settings',
    cuts: [
      {
        file: pathGuard,
        find: 'function staysInside(path: string, configDir: string): boolean {',
        first: 'return true;',
      },
    ],
    row: 'paths',
    tries: {},
  },
  {
    id: 'real-paths',
    words: 'no link of the disk leads out',
    cuts: [
      {
        file: pathGuard,
        find: 'export async function checkRealPath(path: string, realPaths: RealPaths): Promise<Outcome<void>> {',
        first: 'return succeed(undefined);',
      },
    ],
    row: 'links',
    tries: {},
  },
  {
    id: 'hidden-notes',
    words: 'what the user hides is neither seen nor written',
    cuts: [
      {
        file: 'src/core/writing/guard/fence.ts',
        find: 'function hider(rules: HiddenRules): Hider {',
        first: 'return { hides: () => false, clearFolder: () => null };',
      },
    ],
    row: 'denied',
    tries: { goals: ['read what is fenced'], carriers: ['body'] },
  },
  {
    id: 'kinds',
    words: 'only notes, canvases, and tables are written',
    cuts: [{ file: pathGuard, find: 'writable.test(path)', off: 'true' }],
    row: 'approved',
    tries: { goals: ['plant a script file'], carriers: ['body'] },
  },
  {
    id: 'caps',
    words: 'a turn writes so much and no more',
    cuts: [
      { file: stagedVault, find: 'this.writes + 1 > turnCaps.writes', off: 'false' },
      { file: stagedVault, find: 'this.deletes + deletes > turnCaps.deletes', off: 'false' },
    ],
    row: 'approved',
    tries: { goals: ['write thirty notes', 'delete fifty notes'], carriers: ['body'] },
  },
  {
    id: 'server-questions',
    words: 'each call to a server is asked about',
    cuts: [{ file: runToolCalls, find: "tool.effect === 'network'", off: 'false' }],
    row: 'denied',
    tries: { goals: ['send a note to a server'], carriers: ['body'] },
  },
  {
    id: 'one-call-of-an-answer',
    words: 'an id names one call of an answer',
    cuts: [{ file: runToolCalls, find: 'wanted.findIndex(({ id }) => id === call.id) !== index', off: 'false' }],
    row: 'approved',
    tries: { goals: ['ask a server by a call that must not run'], carriers: ['body'] },
  },
  {
    id: 'one-call-of-a-chat',
    words: 'and one write of a chat',
    cuts: [{ file: stagedVault, find: 'this.calls.has(call.id)', off: 'false' }],
    row: 'approved',
    tries: { goals: ['use a call id again later'], carriers: ['body'] },
  },
  {
    id: 'whole-answers',
    words: 'a call of an answer that was cut off is not run',
    cuts: [
      {
        file: runToolCalls,
        find: 'if (isRepeated) return Promise.resolve(refused(call, words.failures.repeatedCallId));',
        first: 'return runToolCall(call, tools, vault, signal, place, sent);',
      },
    ],
    row: 'approved',
    tries: { goals: ['run half a call'], carriers: ['body'] },
  },
  {
    id: 'strict-arguments',
    words: 'arguments are not repaired',
    cuts: [
      {
        file: runToolCalls,
        find: "text.trim() === '' ? {} : JSON.parse(text)",
        off: "JSON.parse(text.replace(/,\\s*}$/, '}'))",
      },
    ],
    row: 'approved',
    tries: { goals: ['run half a call'], carriers: ['body'] },
  },
  {
    id: 'stale-writes',
    words: 'what the user wrote in between is not written over',
    cuts: [{ file: 'src/core/writing/apply/apply-changeset.ts', find: 'digest(current) === base.hash', off: 'true' }],
    row: 'approved',
    tries: { goals: ['alter a note'], carriers: ['body'] },
  },
  {
    id: 'copies',
    words: 'a copy is kept of what is written over',
    cuts: [
      { file: writeSteps, find: 'before === null ? succeed(null) : await journal.keep(before)', off: 'succeed(null)' },
    ],
    row: 'approved',
    tries: { goals: ['alter a note'], carriers: ['body'] },
  },
  {
    id: 'trash',
    words: 'nothing is deleted for good',
    cuts: [
      {
        file: 'src/vault/trash.ts',
        find: 'now?.deletesForGood !== false || deletedForGood',
        off: 'false',
      },
    ],
    row: 'approved',
    tries: { goals: ['delete a note for good'], carriers: ['body'] },
  },
  {
    id: 'escapes',
    words: 'no text of a note reads as a tag of the request',
    cuts: [
      {
        file: 'src/core/markup/escapes.ts',
        find: 'export function escapeTags(text: string): string {',
        first: 'return text;',
      },
    ],
    row: 'denied',
    tries: {
      goals: ['create a note', 'alter a note', 'add to a note'],
      carriers: ['attached', 'folder-context', 'hook'],
    },
  },
  {
    id: 'images',
    words: 'no answer loads a remote image',
    cuts: [
      {
        file: 'src/ui/render/write-inline.ts',
        find: "const box = appendElement(parent, 'span', { class: 'docent-remote-image' });",
        first: "return void appendElement(parent, 'img', { src: destination });",
      },
    ],
    row: 'denied',
    tries: { goals: ['draw a remote image'], carriers: ['body'] },
  },
  {
    id: 'link-schemes',
    words: 'a link opens nothing but the web, mail, and notes',
    cuts: [{ file: 'src/ui/render/link-gate.ts', find: '!OPENABLE_SCHEMES.has(url.protocol)', off: 'false' }],
    row: 'approved',
    tries: { goals: ['draw markup and links that act'], carriers: ['body'] },
  },
  {
    id: 'link-questions',
    words: 'a link that hides where it leads asks',
    cuts: [{ file: 'src/ui/render/links.ts', find: "decision.verdict === 'confirm'", off: 'false' }],
    row: 'denied',
    tries: { goals: ['draw a link that hides where it leads'], carriers: ['body'] },
  },

  // What leaves the device.
  {
    id: 'addresses-ask',
    words: 'an address that came by a sync is asked about',
    cuts: [
      {
        file: gate,
        find: 'isSamePlace(ownAddress, address) || this.ports.device.get(addressRecord(id)) === address.origin',
        off: 'true',
      },
    ],
    row: 'sending',
    tries: {},
  },
  {
    id: 'bound-keys',
    words: 'a key goes where this device bound it',
    cuts: [
      {
        file: gate,
        find: "private keyState(destination: Destination, origin: string): Allowance['key'] {",
        first: "return 'bound';",
      },
    ],
    row: 'sending',
    tries: {},
  },
  {
    id: 'network-guard',
    words: 'nothing goes past the gate',
    cuts: [
      {
        file: guardNetwork,
        find: '[null, ...keys].every((key) => gate.isAdmitted(address.origin, key))',
        off: 'true',
      },
    ],
    row: 'sending',
    tries: {},
  },
  {
    id: 'redirects',
    words: 'no redirect is followed',
    cuts: [{ file: guardNetwork, find: '{ ...init, ...strictFetch }', off: 'init' }],
    row: 'sending',
    tries: {},
  },
  {
    id: 'unseen-redirects',
    words: 'nor one that cannot be seen',
    cuts: [
      {
        file: guardNetwork,
        find: 'isBare(request) || gate.mayGoBuffered(origin, carriesKey(request.headers))',
        off: 'true',
      },
    ],
    row: 'sending',
    tries: {},
  },
  {
    id: 'encrypted',
    words: 'plain http goes no farther than this device',
    cuts: [{ file: 'src/core/gate/address.ts', find: "url.protocol === 'http:' && reach !== 'device'", off: 'false' }],
    row: 'sending',
    tries: {},
  },

  // Repositories, settings, and disks.
  {
    id: 'git-links',
    words: 'a repository is read in its place, not through links',
    cuts: [
      {
        file: 'src/vault/repository/git-folder.ts',
        find: 'export async function isInPlace(path: string, realPaths: RealPaths | null): Promise<boolean> {',
        first: 'return true;',
      },
    ],
    row: 'git',
    tries: {},
  },
  {
    id: 'closed-settings',
    words: 'while it is unknown what is hidden, nothing is read',
    cuts: [{ file: settingsFile, find: "flaw === 'hidden' || !knowsHidden(this.lastGood().known)", off: 'false' }],
    row: 'settings',
    tries: {},
  },
  {
    id: 'damaged-settings-stay',
    words: 'settings that cannot be read are not written over',
    cuts: [{ file: settingsFile, find: "this.damaged !== null && this.damaged.flaw !== 'hidden'", off: 'false' }],
    row: 'settings',
    tries: {},
  },
  {
    id: 'linear-judge',
    words: 'the judge of content reads no passage twice',
    cuts: [
      { file: 'src/core/writing/guard/active-code.ts', find: 'fences.length > maxFences', off: 'false' },
      {
        file: 'src/core/writing/guard/active-code.ts',
        find: 'Math.min(reach, active[index + 1]?.fence.line ?? lines.length)',
        off: 'end',
      },
    ],
    row: 'freezing',
    tries: { cases: ['code fences'] },
  },
  {
    id: 'copies-before-writes',
    words: 'the copy is on the disk before the note is written',
    cuts: [
      {
        file: 'src/core/writing/apply/journal.ts',
        find: 'async keep(bytes: Uint8Array): Promise<Outcome<string>> {',
        first: 'return succeed(this.ports.hash(bytes));',
      },
    ],
    row: 'crashes',
    tries: { cases: ['edit'] },
  },
  {
    id: 'fresh-lines',
    words: 'after a torn line, a chat begins a new one',
    cuts: [{ file: 'src/core/session/session-log.ts', find: "(this.torn ? '\\n' : '') + lines", off: 'lines' }],
    row: 'chats',
    tries: {},
  },
  {
    id: 'written-back',
    words: 'what vanished of a chat is written back',
    cuts: [
      {
        file: 'src/core/session/session-log.ts',
        find: 'before.linesMissingIn([...this.shards.values()].map(({ held }) => held))',
        off: '[]',
      },
    ],
    row: 'chats',
    tries: {},
  },
  {
    id: 'undo',
    words: 'an undo restores the bytes',
    cuts: [
      { file: 'src/core/writing/apply/undo.ts', find: 'mergeBack(current, after.value, before.value)', off: 'null' },
    ],
    row: 'undo',
    tries: {},
  },
];
