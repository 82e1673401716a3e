/** Writes a formula through the app's own typesetting, or its source as code. */
import { appendCharacters, appendElement } from './allow-list';
import type { MathToken } from './obsidian-syntax';
import type { RenderContext } from './render-context';

/** Commands that load, link, style or build other commands; a formula that names one is shown as its source. */
const REFUSED_COMMAND =
  /\\(?:href|url|require|includegraphics|style|class|cssid|data|html[a-z]*|mmltoken|bbox|unicode|special|input|include|csname|def|gdef|edef|let|newcommand|renewcommand|newenvironment|renewenvironment|loadmacros?|texttip|mathtip|toggle|action)(?![a-z])|\^\^/i;

export function writeMath(parent: HTMLElement, { source, display }: MathToken, context: RenderContext): void {
  const drawn = REFUSED_COMMAND.test(source) ? null : (context.renderMath?.(source, display) ?? null);
  const holder = appendElement(parent, 'span', { class: `docent-math${display ? ' is-display' : ''}` });
  if (drawn) holder.appendChild(drawn);
  else appendCharacters(appendElement(holder, 'code'), source);
}
