// Makes the one style sheet that is released of src/ui/styles.css and the sheets that it imports.
import path from 'node:path';
import { build, context } from 'esbuild';
import { writeInOneStep } from './write-in-one-step.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const banner = '/* Made from src/ui/styles.css by “npm run build”: change the sheets there, not this file. */';

/** Read by people and by reviewers of the release, so it is not minified. */
const options = {
  absWorkingDir: root,
  entryPoints: ['src/ui/styles.css'],
  outfile: path.join(root, 'styles.css'),
  bundle: true,
  charset: 'utf8',
  banner: { css: banner },
  write: false,
  logLevel: 'warning',
  // The app would pass over such a line in silence.
  logOverride: { 'css-syntax-error': 'error', 'unsupported-css-property': 'error' },
};

/** The text of the sheet as the sources are now. */
export async function bundleStyles() {
  const { outputFiles } = await build(options);
  return outputFiles[0].text;
}

export async function buildStyles(outfile = options.outfile) {
  await writeInOneStep(outfile, await bundleStyles());
}

/** Builds again on every change of a source; call the result to stop. */
export async function watchStyles(outfile = options.outfile, onBuilt = () => {}) {
  const announce = {
    name: 'announce',
    setup(builder) {
      builder.onEnd(async ({ errors, outputFiles }) => {
        if (errors.length > 0) return;
        await writeInOneStep(outfile, outputFiles[0].text);
        onBuilt();
      });
    },
  };
  const watching = await context({ ...options, plugins: [announce] });
  await watching.watch();
  return () => watching.dispose();
}
