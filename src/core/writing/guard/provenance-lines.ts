/** The lines of the record of provenance: what each can say, and how it is read. */

/** What the user said of a note, or of all notes below a folder. */
export type SaidOf = 'own' | 'others';

const statements = ['own', 'others', 'unsaid'] as const;

export type Act =
  /** A chat wrote the note with untrusted text in view. */
  | { readonly op: 'mark'; readonly path: string; readonly source: string; readonly id: string }
  /** That write was undone. */
  | { readonly op: 'undo'; readonly id: string }
  | { readonly op: 'move'; readonly path: string; readonly to: string }
  /** `marks` are the marks that it ends: later ones count again. */
  | {
      readonly op: 'say';
      readonly path: string;
      readonly is: (typeof statements)[number];
      readonly marks: readonly string[];
    };

/** One line. `t` is later than that of every line that its device had read, so that causes come before effects. */
export type Line = Act & { readonly t: number; readonly w: string };

/** Characters; a longer line is damaged. */
const maxLine = 16_384;
/** Characters of the marks in a line, which also has a path. */
const maxMarks = 8_192;
/** Characters of a path, as the path guard has it. */
const maxPath = 1024;

/** Returns null for a torn or damaged line, which says nothing. */
export function readLine(text: string): Line | null {
  if (text.length > maxLine || !text.startsWith('{')) return null;
  try {
    const read = JSON.parse(text) as Read;
    const { op, t, w } = read;
    const isWhole = typeof op === 'string' && Object.hasOwn(shapes, op) && shapes[op as Act['op']](read);
    return isWhole && Number.isFinite(t) && isText(w) ? (read as unknown as Line) : null;
  } catch {
    return null;
  }
}

/**
 * Returns a line from a time that has not come as the first or the last of all: what it takes back or carries away comes
 * before all that is recorded, so that it can't undo what is recorded later, and what it marks stays marked.
 */
export function placed(line: Line, latest: number): Line {
  if (line.t <= latest) return line;
  const tightens = line.op === 'mark' || (line.op === 'say' && line.is === 'others');
  return { ...line, t: tightens ? Infinity : -Infinity };
}

type Read = Partial<Record<string, unknown>>;

const shapes: Readonly<Record<Act['op'], (read: Read) => boolean>> = {
  mark: ({ path, source, id }) => isPath(path) && isText(source) && isText(id),
  undo: ({ id }) => isText(id),
  move: ({ path, to }) => isPath(path) && isPath(to),
  say: ({ path, is, marks }) => isPath(path) && statements.some((each) => each === is) && Array.isArray(marks),
};

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isPath(value: unknown): boolean {
  return isText(value) && value.length <= maxPath;
}

/** Shares out marks over lines that are short enough to be read; without marks, there is one line. */
export function shareOut(marks: readonly string[]): string[][] {
  const lines: string[][] = [[]];
  let left = maxMarks;
  for (const mark of marks) {
    const length = JSON.stringify(mark).length + 1;
    if (length > left) {
      lines.push([]);
      left = maxMarks;
    }
    lines.at(-1)?.push(mark);
    left -= length;
  }
  return lines;
}
