/** The page and what it loads: index.html with the token filled in, the bundle, the theme, the fonts, the plugins. */
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { Refusal } from './reply';

export interface PluginFiles {
  manifest: unknown;
  /** Where main.js is to be had: an address that changes with the file. */
  main: string;
  css: string;
}

/** For what is at an address that changes with it: the browser keeps it, compiled too, and asks no more. */
export const kept = { 'cache-control': 'private, max-age=31536000, immutable' };

const contentTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.svg': 'image/svg+xml',
  '.mp3': 'audio/mpeg',
  '.wav': 'audio/wav',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.pdf': 'application/pdf',
};

/** Notes and HTML files of the vault are never served as a page: they would run with the page's rights. */
export function contentTypeOf(name: string): string {
  return contentTypes[path.extname(name).toLowerCase()] ?? 'application/octet-stream';
}

const assetName = /^\/(?:workbench\.js|theme\.css|icons\.json|(?:libraries\/)?fonts\/[\w.-]+|libraries\/\w+\.js)$/;

export async function readAsset(
  assets: string | null,
  pathname: string,
): Promise<{ type: string; body: Buffer } | null> {
  if (assets === null || !assetName.test(pathname)) return null;
  const body = await readFile(path.join(assets, pathname)).catch(() => null);
  return body && { type: contentTypeOf(pathname), body };
}

const tokenMeta = /<meta\s+name="workbench-token"[^>]*>/;
const reloadScript = `<script>new EventSource('/api/reload').onmessage = () => location.reload();</script>`;

export async function readPage(assets: string | null, token: string, liveReload: boolean): Promise<Buffer> {
  const script = '/workbench.js';
  const built =
    assets &&
    (await Promise.all([
      readFile(path.join(assets, 'index.html'), 'utf8'),
      versioned(script, path.join(assets, script)),
    ]).catch(() => null));
  if (!built)
    throw new Refusal(404, 'The workbench page is not built: build it with buildPage of obsidian-workbench/build.');
  const [html, address] = built;
  const meta = `<meta name="workbench-token" content="${token}" />`;
  const filled = tokenMeta.test(html) ? html.replace(tokenMeta, meta) : html.replace('</head>', `${meta}</head>`);
  const whole = filled.replace(`"${script}"`, `"${address}"`);
  return Buffer.from(liveReload ? whole.replace('</head>', `${reloadScript}</head>`) : whole);
}

/** @param index its place among the plugins that are served */
export async function readPlugin(folder: string, index: number): Promise<PluginFiles> {
  const read = (name: string): Promise<string> => readFile(path.join(folder, name), 'utf8');
  try {
    const [manifest, main, css] = await Promise.all([
      read('manifest.json'),
      versioned(`/api/plugin-code?index=${index}`, path.join(folder, 'main.js')),
      read('styles.css').catch(() => ''),
    ]);
    return { manifest: JSON.parse(manifest) as unknown, main, css };
  } catch (thrown) {
    throw new Refusal(404, `The plugin in ${folder} cannot be read: ${(thrown as Error).message}`);
  }
}

/**
 * main.js as a script that leaves its code as a function. For the brackets around it, the engine assumes that it is
 * called soon, so that what the browser keeps of the script includes it.
 */
export async function readPluginScript(folder: string): Promise<Buffer> {
  const [manifest, main] = await Promise.all([
    readFile(path.join(folder, 'manifest.json'), 'utf8'),
    readFile(path.join(folder, 'main.js')),
  ]);
  const { id } = JSON.parse(manifest) as { id: string };
  const before = Buffer.from('window.workbenchBody = (function (require, module, exports) {');
  return Buffer.concat([before, main, Buffer.from(`\n});\n//# sourceURL=plugin:${id}\n`)]);
}

/** The address with a mark that is another one once the file has changed. */
async function versioned(address: string, file: string): Promise<string> {
  const { mtimeMs, size } = await stat(file);
  return `${address}${address.includes('?') ? '&' : '?'}v=${Math.round(mtimeMs)}-${size}`;
}
