/** The vault that prompt times are measured on: 20 context notes of 8 KB, 50 workspaces, 100 prompts, made in memory. */

const noteBytes = 8 * 1024;

const phrases = [
  'The seed kept its water for the whole of the winter, and the count on the second tray agrees with the first.',
  'See [[Context 3#Findings|what was found before]] & compare the values where `x < y` holds.',
  '- [ ] ask whether the store was opened on **Tuesday**, since the logger shows a step of 0.4 °C',
  'Nobody wrote down who had the key, which is the sort of thing that is only missed a year later. #store/key',
  '> “Measure twice”, it says on the lid, and somebody has measured the lid.',
  '| Tray | Seeds | Sprouted |\n| --- | ---: | ---: |\n| A | 50 | 31 |\n| B | 50 | 28 |',
];

export const contextNotes = numbered(20).map((number) => `Notes/Context ${number}.md`);
export const question = 'Which of these findings disagree with each other?';

/** Files by path, the app's own settings among them. */
export function makeScenario(): Record<string, string> {
  const notes = contextNotes.map((path, index) => [path, makeNote(index)] as const);
  const workspaces = numbered(50).map((number) => {
    const properties = [`name: Workspace ${number}`, `description: What belongs to part ${number}`, 'folder: Notes'];
    return [`Docent/workspaces/Workspace ${number}.md`, `${block(properties)}Work on part ${number}.\n`] as const;
  });
  const prompts = numbered(100).map((number) => {
    const properties = [`name: Prompt ${number}`, `description: Rewrite a passage in manner ${number}`];
    return [`Docent/prompts/Prompt ${number}.md`, `${block(properties)}Rewrite it in manner ${number}.\n`] as const;
  });
  const preferences = ['.obsidian/app.json', JSON.stringify({ userIgnoreFilters: ['Archive/'] })] as const;
  return Object.fromEntries([...notes, ...workspaces, ...prompts, preferences]);
}

function makeNote(index: number): string {
  let text = `${block([`title: Context ${index + 1}`])}# Context ${index + 1}\n\n## Findings\n\n`;
  for (let line = index; text.length < noteBytes; line += 1) text += `${phrases[line % phrases.length]}\n\n`;
  return text.slice(0, noteBytes);
}

function block(properties: readonly string[]): string {
  return `---\n${properties.join('\n')}\n---\n\n`;
}

function numbered(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
