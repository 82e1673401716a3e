// Patches for what is known of models, and for what chats may cost.
export const models = [
  {
    name: 'list-of-the-provider-unheeded',
    rows: ['R105'],
    file: 'src/models/providers/provider.ts',
    find: '...limitsIn(reported), ',
    replace: '',
  },
  {
    name: 'spending-limit-ignored',
    rows: ['R231'],
    file: 'src/core/ports/model.ts',
    find: 'spendingLimit !== null && spent + next > spendingLimit',
    replace: 'spendingLimit !== null && spent + next > Infinity',
  },
  {
    name: 'cached-input-at-full-price',
    rows: ['R231'],
    file: 'src/core/ports/model.ts',
    find: 'cacheReadTokens * cacheRead +',
    replace: 'cacheReadTokens * input +',
  },
];
