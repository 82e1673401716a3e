/** Grows a box with its text; the style sheet bounds it. */
export function fitHeight(element: HTMLTextAreaElement | null): void {
  if (element === null) return;
  element.setCssProps({ '--docent-text-height': 'auto' });
  const borders = element.offsetHeight - element.clientHeight;
  element.setCssProps({ '--docent-text-height': `${element.scrollHeight + borders}px` });
}
