/** Words about what chats cost. */

/** Cents where they say enough, and never less than something for what was not free. */
export function dollars(amount: number): string {
  if (amount === 0) return '$0.00';
  if (amount < 0.001) return 'less than $0.001';
  return `$${amount.toFixed(amount < 0.1 ? 3 : 2)}`;
}

export const spending = () => ({
  dollars,
  settings: {
    notice: {
      name: 'Tell me when a chat has cost',
      desc: 'In dollars, by list prices; answers of unknown or no price count nothing.',
    },
    limit: {
      name: 'Stop when a chat would cost more than',
      desc: 'In dollars. Nothing more is sent in that chat until you raise it.',
    },
    none: 'No limit',
    bad: 'Enter an amount in dollars, such as 0.50, or leave it empty.',
  },
  limitReached: (spent: number, next: number, limit: number) =>
    `This chat has cost ${dollars(spent)}, and sending this would cost about ${dollars(next)} more; your limit is ${dollars(limit)}.`,
  limitRemedy: 'Raise the limit in the settings, start a new chat, or choose a cheaper model.',
  noticeReached: (spent: number, notice: number) =>
    `This chat has cost about ${dollars(spent)}; you wanted to be told at ${dollars(notice)}.`,
  next: (amount: number) => `Sending this costs about ${dollars(amount)}, before the answer.`,
  chat: (amount: number) => `This chat has cost about ${dollars(amount)}.`,
  listPrices: (date: string) => `By the list prices of ${date}.`,
  ownPrices: 'By the prices from your settings or from the provider’s list.',
});
