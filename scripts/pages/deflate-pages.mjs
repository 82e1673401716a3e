// Deflates the longest pages of docs/ that the plugin carries; src/text/guide.ts reads them.
import { readFile } from 'node:fs/promises';
import { strToU8, zlibSync } from 'fflate';

/**
 * Characters of a page that is worth it: what it takes less in main.js is four times what it takes more in a download,
 * which is compressed as a whole.
 */
const minCharacters = 12_000;

/** A plugin of esbuild. A compressor in JavaScript gives the same bytes with every version of Node. */
export const deflatedPages = {
  name: 'deflated-pages',
  setup(builder) {
    builder.onLoad({ filter: /[\\/]docs[\\/][^\\/]+\.md$/ }, async ({ path: file }) => {
      const text = await readFile(file, 'utf8');
      if (text.length < minCharacters) return { contents: text, loader: 'text' };
      const deflated = zlibSync(strToU8(text), { level: 9 });
      return { contents: `deflated:${Buffer.from(deflated).toString('base64')}`, loader: 'text', watchFiles: [file] };
    });
  },
};
