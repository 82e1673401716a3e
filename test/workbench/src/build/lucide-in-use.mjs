// Lucide for the page of the workbench: icons whose ids occur in sources are part of the script, and all others are
// fetched when the first of them is needed. All icons weigh 500 KB, which each page would parse for fifty of them.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { icons } from 'lucide';

const allIcons = JSON.stringify(icons);

/** The name of the asset that `lucideInUse` fetches, and its content. */
export const iconsAsset = { name: 'icons.json', content: allIcons };

/** A plugin of esbuild that replaces the package; icons whose ids occur below these folders are bundled. */
export const lucideInUse = (folders) => ({
  name: 'lucide-in-use',
  setup(build) {
    build.onResolve({ filter: /^lucide$/ }, () => ({ path: 'lucide', namespace: 'lucide-in-use' }));
    build.onLoad({ filter: /.*/, namespace: 'lucide-in-use' }, async () => ({ contents: await moduleText(folders) }));
  },
});

async function moduleText(folders) {
  const ids = await idsInSources(folders);
  const names = Object.keys(icons);
  const used = Object.fromEntries(names.filter((name) => ids.has(comparable(name))).map((name) => [name, icons[name]]));
  return `
    let rest = null;
    function fetchRest() {
      const request = new XMLHttpRequest();
      // Icons are drawn at once in the app, so the answer is waited for.
      request.open('GET', '/${iconsAsset.name}', false);
      request.send();
      return JSON.parse(request.responseText);
    }
    export const icons = ${JSON.stringify(used)};
    for (const name of ${JSON.stringify(names.filter((name) => !Object.hasOwn(used, name)))})
      Object.defineProperty(icons, name, { enumerable: true, get: () => (rest ??= fetchRest())[name] });
  `;
}

/** Returns every quoted text in the sources that might be the id of an icon. */
async function idsInSources(folders) {
  const lists = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(folder, { recursive: true });
      return names.filter((name) => /\.[cm]?[jt]sx?$/.test(name)).map((name) => path.join(folder, name));
    }),
  );
  const texts = await Promise.all(lists.flat().map((file) => readFile(file, 'utf8')));
  const quoted = texts.flatMap((text) =>
    Array.from(text.matchAll(/['"](?:lucide-)?([a-z][a-z0-9-]*)['"]/g), ([, id]) => id),
  );
  return new Set(quoted.map(comparable));
}

/** Returns the same text for `CircleX` and `circle-x`. */
function comparable(name) {
  return name.replaceAll('-', '').toLowerCase();
}
