/** Lets untrusted HTML into the page only through DOMPurify. */
import createPurifier, { type DOMPurify } from 'dompurify';

const purifiers = new WeakMap<object, DOMPurify>();

function getPurifier(): DOMPurify {
  const realm = window;
  let purifier = purifiers.get(realm);
  if (!purifier) {
    purifier = createPurifier(realm);
    purifiers.set(realm, purifier);
  }
  return purifier;
}

export function sanitizeHTMLToDom(html: string): DocumentFragment {
  return getPurifier().sanitize(html, {
    RETURN_DOM_FRAGMENT: true,
    ADD_TAGS: ['iframe'],
    ADD_ATTR: ['target', 'allow', 'allowfullscreen', 'frameborder', 'scrolling'],
    FORBID_TAGS: ['style'],
    ALLOW_UNKNOWN_PROTOCOLS: true,
  });
}
