// Runs one part in a process of its own, so that no part warms up or slows down another: run-part.mjs MODULE VAULT [ROUNDS]
import { pathToFileURL } from 'node:url';

const [, , module, vault, rounds] = process.argv;
const { measure } = await import(pathToFileURL(module).href);
const progress = (words) => console.error(`  ${words}`);
const figures = await measure({ vault, progress, rounds: rounds === undefined ? undefined : Number(rounds) });
process.send(figures, () => process.exit());
