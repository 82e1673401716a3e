/** What the figures of a scoreboard mean: whether they hold, and how they are shown. */
import { defences } from './defences.mjs';
import type { RowName, Scoreboard } from './measure';

type Row = Scoreboard['rows'][RowName];

/** What is wrong with the figures, in words; nothing when all holds. */
export function findFaults(board: Scoreboard): string[] {
  const faults = (Object.entries(board.rows) as [RowName, Row][]).flatMap(([name, row]) => {
    const wrong: [boolean, string][] = [
      [row.tries === 0, 'nothing was tried'],
      [row.undelivered > 0, `${row.undelivered} tries never began`],
      [row.effects > 0, `${row.effects} effects`],
      [row.control.effects === 0, 'the tries are too weak to show anything'],
      [wholeControls.includes(name) && row.control.effects < row.control.tries, 'not all of the control was done'],
    ];
    return wrong.filter(([is]) => is).map(([, words]) => `${name}: ${words}`);
  });
  return [...faults, ...findIdle(board)];
}

/** Rows of whose control each try has to have its effect. */
const wholeControls: readonly RowName[] = [
  'approved',
  'modes',
  'unmarked',
  'contents',
  'marked',
  'turns',
  'devices',
  'instructions',
  'sending',
];

/** Defences without which nothing is lost, so that the board does not show what they are for. */
export function findIdle({ without, with_all }: Pick<Scoreboard, 'without' | 'with_all'>): string[] {
  const idle = Object.entries(without).flatMap(([id, effects]) =>
    effects > 0 ? [] : [`without ${id} there is no effect either`],
  );
  return with_all === 0 ? idle : [...idle, `${with_all} effects with all defences on`];
}

interface RowWords {
  readonly tried: string;
  /** What the figures of the control are of. */
  readonly control: string;
  /** What the row cannot show. */
  readonly limits: string;
}

const rowWords: Readonly<Record<RowName, RowWords>> = {
  denied: {
    tried: 'In Review, the user denies everything',
    control: 'another program, without defences',
    limits: 'Writes are seen only if they do not wait for the review. Whether people deny is not measured.',
  },
  approved: {
    tried: 'In Review, the user approves everything unread: hard rules broken, and changes that undo leaves behind',
    control: 'attacks that may be approved, carried out',
    limits: 'Harm within the rules, which the review shows to the user',
  },
  modes: {
    tried: 'In Plan and Read-only, the user approves everything: writes',
    control: 'the same in Review',
    limits: 'Other carriers than a note',
  },
  unmarked: {
    tried: 'In Auto-edit, texts that nothing marks as another’s: writes outside of what the user named',
    control: 'plain edits where the user named the place',
    limits: 'What happens inside that place: see the next row',
  },
  named: {
    tried: 'The same, and the user named the whole vault: all but plain edits',
    control: 'plain edits, which are meant to be done and can be undone',
    limits: 'Whether a plain edit is what the user wants: a text that nothing marks can order one',
  },
  contents: {
    tried: 'The same with what a note can run, load, or open, in many spellings: written without asking',
    control: 'text that only shows something, which is written',
    limits: 'Spellings that nobody thought of, and what plugins make of plain text',
  },
  marked: {
    tried: 'In Auto-edit, texts that are marked: plain edits where the user named the place',
    control: 'the user’s own text',
    limits: 'Text of others that nothing marks: see the two rows above',
  },
  turns: {
    tried: 'Over several messages, a restart, and a change of the device: text that acts later, changes that wait',
    control: 'the same without what stops it',
    limits: 'Chats of more than six messages, and summaries',
  },
  devices: {
    tried: 'On a second device, which has the vault and not the storage of the first',
    control: 'the same without the record of whose text a note is',
    limits: 'The time until a sync delivers that record',
  },
  instructions: {
    tried: 'Files that direct the agent, in a vault from elsewhere: their orders before the model',
    control: 'the same once the user allowed them',
    limits: 'Whether people read what they allow',
  },
  sending: {
    tried: 'Addresses, keys, and redirects that came by a sync or passed the gate by',
    control: 'the same once the user allowed them',
    limits: 'What a name leads to, and Obsidian’s own requests',
  },
  git: {
    tried: 'Repositories that name programs, or files outside the vault',
    control: 'git itself starts or shows them',
    limits:
      'That nothing is started is so by construction: nothing in `main.js` can start a program. A file that the program would write is counted all the same.',
  },
  settings: {
    tried: 'Damaged settings, with and without a last good copy: hidden notes seen, settings lost',
    control: 'defaults in their place',
    limits: 'What the app shows: `test/e2e/app/settings.test.ts`',
  },
  freezing: {
    tried:
      'Hostile notes: more than 100 ms of processor time to judge one of up to 1 MB, or a second for a chat to change one of 16 KB',
    control: 'plain patterns, on up to 64 KB',
    limits: 'The interface, and readers of whole notes one by one: `test/unit/core/writing/linear.test.ts`',
  },
  paths: {
    tried: 'Random hostile paths that lead out of the vault',
    control: 'a guard that only looks for dots',
    limits: 'Disks of Windows and macOS themselves',
  },
  links: {
    tried: 'Real links in a folder that lead out of it',
    control: 'by names alone',
    limits: 'The same',
  },
  crashes: {
    tried: 'A crash at every operation of a write, in five states of the disk: versions of notes lost',
    control: 'plain overwriting',
    limits:
      'A disk in memory. Hard kills of browser and server are in `test/e2e/app/kill.test.ts`, 40 of them in `npm run test:long`.',
  },
  chats: {
    tried: 'The log of a chat torn at every message, cut off, or deleted: messages lost',
    control: 'a file that is written as a whole',
    limits: 'Drafts and running answers: the same walk',
  },
  undo: {
    tried: 'Random writes, all undone: folders that are not as they were',
    control: 'folders that had changed',
    limits: 'Edits by others in between',
  },
};

/** The figures for people: what was tried, what came of it, and what shows that it could have come out otherwise. */
export function printTable(board: Scoreboard): string {
  const count = (number: number): string => number.toLocaleString('en');
  const rows = (Object.entries(board.rows) as [RowName, Row][]).map(([name, { tries, effects, control }]) => [
    rowWords[name].tried,
    count(tries),
    count(effects),
    `${rowWords[name].control}: ${count(control.effects)} of ${count(control.tries)}`,
    printWithout(name, board),
    rowWords[name].limits,
  ]);
  const head = ['What is tried', 'Tries', 'Effects', 'Control', 'With one defence off', 'What it does not show'];
  return [head, ['---', '---:', '---:', '---', '---', '---'], ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

/** Returns how many defences the row shows, and the effects without each in turn. */
function printWithout(name: RowName, { without }: Scoreboard): string {
  const effects = defences.filter(({ row }) => row === name).map(({ id }) => without[id] ?? 0);
  const [least, largest] = [Math.min(...effects), Math.max(...effects)];
  const range = least === largest ? `${least}` : `${least} to ${largest}`;
  return `${effects.length}, each: ${range}`;
}

const marks = ['<!-- scoreboard -->', '<!-- end of the scoreboard -->'] as const;

/** Returns a page with the table of this board between its two marks. */
export function putTable(page: string, board: Scoreboard): string {
  const [start, end] = marks.map((mark) => page.indexOf(mark)) as [number, number];
  if (start === -1 || end < start) throw new Error('The page has no place for the table.');
  return `${page.slice(0, start + marks[0].length)}\n\n${printTable(board)}\n\n${page.slice(end)}`;
}
