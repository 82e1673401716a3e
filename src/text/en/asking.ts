/** Words of what an answer asks the user: a question with choices, a plan that waits; and of the steps of a task. */

export const asking = () => ({
  todos: 'Steps',
  todoStates: { open: 'open', doing: 'under way', done: 'done' },
  answer: 'Answer',
  ownAnswer: 'Or write an answer of your own below.',
  planWaits: 'The plan waits for your word.',
  planInAnswer: 'It stands in the answer above.',
  approvePlan: 'Approve',
  rejectPlan: 'Ask for changes',
  planReason: 'What should be other?',
  sendReason: 'Send',
  planApproved: 'The plan is approved. Carry it out.',
  planRejected: (reason: string) => `The plan is not approved yet. Revise it: ${reason}`,
  permission: 'Permissions',
  permissions: { plan: 'Plan', 'read-only': 'Read only', review: 'Review', 'auto-edit': 'Auto-edit' },
  permissionDesc:
    'What Docent may do by itself in a new chat. Auto-edit is chosen in the chat that needs it, so that settings that are synced never allow more.',
  permissionGuidance: {
    plan: 'Reads, asks, and writes plans alone.',
    'read-only': 'Reads and answers; writes nothing.',
    review: 'Proposes changes; you accept or reject each one.',
    'auto-edit': 'Applies edits by itself; asks before it moves or deletes. All can be undone.',
  },
});
