/** Applies what was just approved, once its turn in the queue has come; an approval does not wait for long. */
import { fail, type Outcome, succeed } from '../ports/failure';
import { type ApplyReport, applyChangeset } from './apply-changeset';
import { approvalExpired, approvalLife } from './change-refusals';
import type { ApprovalTokens, Changeset } from './changeset';
import type { WritingPorts } from './writing-ports';

export function applyApproved(
  ports: WritingPorts,
  accepted: Changeset,
  approved: ApprovalTokens,
): Promise<Outcome<ApplyReport>> {
  const { clock } = ports.staging;
  const approvedAt = clock.now();
  return ports.queue.run(async () => {
    if (accepted.changes.length === 0) return succeed({ applied: [], failed: [] });
    const opened = await ports.writer();
    if (clock.now() - approvedAt > approvalLife) return fail(approvalExpired());
    return opened.ok ? succeed(await applyChangeset(opened.value, accepted, approved)) : opened;
  });
}
