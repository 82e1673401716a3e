/** useSettled: whether what is asked has been on the screen long enough to be answered (rules 6.2). */
import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Milliseconds for which nothing can be answered once it can be seen: no key or tap meant for something else allows it. */
const notBefore = 500;

/**
 * @param element stands in the window whose time counts
 * @param key changes with what is asked
 */
export function useSettled(element: RefObject<HTMLElement | null>, key: string | null): boolean {
  const [settled, setSettled] = useState<string | null>(null);
  useEffect(() => {
    setSettled(null);
    const window = element.current?.win;
    if (key === null || window === undefined) return;
    const timer = window.setTimeout(() => setSettled(key), notBefore);
    return () => window.clearTimeout(timer);
  }, [key]);
  return key !== null && settled === key;
}
