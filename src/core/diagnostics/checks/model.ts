/** Checks whether the selected model has everything that a request needs. Sends nothing. */
import { words } from '../../../text';
import { describeFailure } from '../../ports/failure';
import { type Check, fine, openSettings } from '../check';

const say = words.diagnostics.model;

export const modelCheck: Check = {
  id: 'model',
  label: say.label,
  run: ({ access, next }) => {
    const reached = access(next.model);
    if (!reached.ok) {
      const message = describeFailure(reached.failure);
      return Promise.resolve([{ level: 'error', words: message, inUse: true, actions: [openSettings] }]);
    }
    const { provider, address, hasKey } = reached.value;
    if (provider === null) return Promise.resolve([fine(say.reader)]);
    const name = next.model.slice(next.model.indexOf('/') + 1);
    const describe = hasKey ? say.keyThere : say.keyNotNeeded;
    return Promise.resolve([{ ...fine(describe(name, provider, address)), actions: [openSettings] }]);
  },
};
