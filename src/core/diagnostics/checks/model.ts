/** Checks whether the selected model has everything that a request needs. Sends nothing. */
import { words } from '../../../text';
import { describeFailure, type Outcome } from '../../ports/failure';
import type { Model } from '../../ports/model';
import { type Check, type CheckResult, fine, openSettings } from '../check';

const say = words.diagnostics.model;

export const modelCheck: Check = {
  id: 'model',
  label: say.label,
  run: ({ access, next, model, settings }) => {
    const reached = access(next.model);
    if (!reached.ok) {
      const message = describeFailure(reached.failure);
      return Promise.resolve([{ level: 'error', words: message, inUse: true, actions: [openSettings] }]);
    }
    const { provider, address, hasKey } = reached.value;
    if (provider === null) return Promise.resolve([fine(say.reader)]);
    const name = next.model.slice(next.model.indexOf('/') + 1);
    const describe = hasKey ? say.keyThere : say.keyNotNeeded;
    const { modelFacts, contextWindow } = settings();
    const own = modelFacts[next.model]?.contextWindow ?? contextWindow;
    const smaller = smallerWindow(name, model(next.model), own);
    return Promise.resolve([{ ...fine(describe(name, provider, address)), actions: [openSettings] }, ...smaller]);
  },
};

/** Returns a result if the model turned out to hold less: a warning if the user has set the larger window. */
function smallerWindow(name: string, model: Outcome<Model>, own: number | null): CheckResult[] {
  if (!model.ok || model.value.description.assumedWindow === undefined) return [];
  const { contextWindow, assumedWindow } = model.value.description;
  const isOwn = own !== null;
  const text = isOwn
    ? say.windowBelowSet(name, contextWindow, own)
    : say.windowSmaller(name, contextWindow, assumedWindow);
  return [{ level: isOwn ? 'warning' : 'note', words: text, inUse: true, actions: [openSettings] }];
}
