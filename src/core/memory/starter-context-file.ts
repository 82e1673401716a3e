/** The context file that a user starts from: conventions, commands and ongoing tasks, to be filled in (R197). */
import text from './starter-context-file.md';

export const starterContextFile = { path: 'AGENTS.md', text } as const;
