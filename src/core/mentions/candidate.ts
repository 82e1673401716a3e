/** Candidate: one line of a suggester's list, which becomes a mention or runs a command. */
import type { ChatCommand } from '../commands/command';
import type { Mention } from '../session/entry';

interface Line {
  /** A second line, such as the folder. */
  readonly detail: string;
  /** What is matched besides the name. */
  readonly keywords?: string;
}

export interface MentionCandidate extends Line {
  readonly mention: Mention;
  /** What the line shows when that is not the mention's label. */
  readonly name?: string;
  /** Notes that a folder or a tag stands for. */
  readonly notes?: number;
}

export interface CommandCandidate extends Line {
  readonly command: ChatCommand;
}

export type Candidate = MentionCandidate | CommandCandidate;

export function nameOf(candidate: Candidate): string {
  return 'command' in candidate ? candidate.command.name : (candidate.name ?? candidate.mention.label);
}

/** Tells the lines of one source apart. */
export function keyOf(candidate: Candidate): string {
  return 'command' in candidate ? candidate.command.id : candidate.mention.id;
}
