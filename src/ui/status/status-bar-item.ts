/** StatusBarItem: how full the window of the open chat is, in the app's own status bar; a click opens the list. */
import { type CompactionSettings, fullAt, levelOf } from '../../core/context/context-window';
import type { RequestPlan } from '../../core/ports/request-plan';
import { words } from '../../text';

const levels = ['is-ok', 'is-warning', 'is-critical'];

/** Shows the plan from now on; an empty element takes no room. */
export function drawStatusBarItem(element: HTMLElement, plan: RequestPlan | null, settings: CompactionSettings): void {
  element.toggle(plan !== null);
  if (plan === null) return;
  const { totals } = plan;
  const full = fullAt(totals, settings);
  const level = levelOf(totals.all, full);
  const percent = full <= 0 ? 100 : Math.floor((totals.all / full) * 100);
  element.removeClasses(levels);
  element.addClasses(['docent-status-bar', 'mod-clickable', `is-${level}`]);
  element.setText(words.status.statusBar(percent));
}
