// Runs one part in a process of its own, so that no part warms up or slows down another: run-part.mjs MODULE VAULT
import { pathToFileURL } from 'node:url';

const [, , module, vault] = process.argv;
const { measure } = await import(pathToFileURL(module).href);
const figures = await measure({ vault, progress: (words) => console.error(`  ${words}`) });
process.send(figures, () => process.exit());
