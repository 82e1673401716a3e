// Applies a mutant, one change to the text of one file before it is compiled:
//   {id, file, append} adds code at the end, {id, file, find, replace} replaces a text that occurs there exactly once
const path = require('node:path');
const { weaveFile } = require('../mutation/switch.cjs');

const root = path.resolve(__dirname, '../..');

/** Returns the changed text; throws unless the text to replace occurs exactly once. */
function applyMutant(mutant, text) {
  if (mutant.append !== undefined) return `${text}\n${mutant.append}\n`;
  const parts = text.split(mutant.find);
  if (parts.length !== 2) {
    throw new Error(`${mutant.id}: its text stands ${parts.length - 1} times in ${mutant.file}, not once.`);
  }
  return parts.join(mutant.replace);
}

let chosen = null;

/** Puts another mutant in place; null for none. */
function chooseMutant(mutant) {
  chosen = mutant;
}

/** Returns the text to compile. */
function mutate(text, file) {
  return chosen !== null && file === path.join(root, chosen.file) ? applyMutant(chosen, text) : weaveFile(text, file);
}

module.exports = { applyMutant, chooseMutant, mutate };
