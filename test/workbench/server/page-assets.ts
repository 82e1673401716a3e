/** The page and what it loads: index.html with the token filled in, the bundle, the theme, the fonts, the plugins. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Refusal } from './reply';

export interface PluginFiles {
  manifest: unknown;
  main: string;
  css: string;
}

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

const assetName = /^\/(?:workbench\.js|theme\.css|icons\.json|fonts\/[\w.-]+)$/;

export async function readAsset(assets: string, pathname: string): Promise<{ type: string; body: Buffer } | null> {
  if (!assetName.test(pathname)) return null;
  const body = await readFile(path.join(assets, pathname)).catch(() => null);
  return body && { type: contentTypeOf(pathname), body };
}

const tokenMeta = /<meta\s+name="workbench-token"[^>]*>/;
const reloadScript = `<script>new EventSource('/api/reload').onmessage = () => location.reload();</script>`;

export async function readPage(assets: string, token: string, liveReload: boolean): Promise<Buffer> {
  const html = await readFile(path.join(assets, 'index.html'), 'utf8').catch(() => {
    throw new Refusal(404, 'The workbench page is not built. Start it with “npm start”.');
  });
  const meta = `<meta name="workbench-token" content="${token}" />`;
  const filled = tokenMeta.test(html) ? html.replace(tokenMeta, meta) : html.replace('</head>', `${meta}</head>`);
  return Buffer.from(liveReload ? filled.replace('</head>', `${reloadScript}</head>`) : filled);
}

export async function readPlugin(folder: string): Promise<PluginFiles> {
  const read = (name: string): Promise<string> => readFile(path.join(folder, name), 'utf8');
  try {
    const [manifest, main, css] = await Promise.all([
      read('manifest.json'),
      read('main.js'),
      read('styles.css').catch(() => ''),
    ]);
    return { manifest: JSON.parse(manifest) as unknown, main, css };
  } catch (thrown) {
    throw new Refusal(404, `The plugin in ${folder} cannot be read: ${(thrown as Error).message}`);
  }
}
