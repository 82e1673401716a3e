/** Small functions of the API that need neither a vault nor a document. */
import type { Debouncer } from 'obsidian';

export * from './bytes';

export const apiVersion = '1.13.1';

export function requireApiVersion(version: string): boolean {
  const [wanted, present] = [version, apiVersion].map((text) => text.split('.').map(Number));
  for (let index = 0; index < 3; index++) {
    const difference = (present?.[index] ?? 0) - (wanted?.[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

export function getLanguage(): string {
  try {
    return globalThis.localStorage?.getItem('language') || 'en';
  } catch {
    return 'en';
  }
}

/** Unicode form and spaces as Obsidian keeps them in its tree; the separators are left alone. */
export function normalizeName(name: string): string {
  return name.replace(/\u00A0|\u202F/g, ' ').normalize('NFC');
}

export function normalizePath(path: string): string {
  const cleaned = normalizeName(path.replace(/[\\/]+/g, '/').replace(/^\/+|\/+$/g, ''));
  return cleaned === '' ? '/' : cleaned;
}

export function stripHeading(heading: string): string {
  return heading
    .replace(/[!"#$%&()*+,.:;<=>?@^`{|}~/[\]\\\r\n]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

export function stripHeadingForLink(heading: string): string {
  return heading
    .replace(/[:#|^\\\r\n]|%%|\[\[|\]\]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

export function debounce<T extends unknown[], V>(
  cb: (...args: [...T]) => V,
  timeout = 0,
  resetTimer = false,
): Debouncer<T, V> {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let latest: [...T] | null = null;

  const fire = (): V | void => {
    const args = latest;
    timer = null;
    latest = null;
    if (args) return cb(...args);
  };
  const clear = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
  const debounced = ((...args: [...T]) => {
    latest = args;
    if (timer !== null && !resetTimer) return debounced;
    clear();
    timer = setTimeout(fire, timeout);
    return debounced;
  }) as Debouncer<T, V>;

  debounced.cancel = () => {
    clear();
    latest = null;
    return debounced;
  };
  debounced.run = () => {
    if (timer === null) return;
    clear();
    return fire();
  };
  return debounced;
}
