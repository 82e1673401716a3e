// What the servers made with the official SDKs offer alike.
export const text = (value) => ({ type: 'text', text: value });
export const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** What a prompt with an argument becomes. */
export const greeting = ({ who }) => ({
  messages: [
    { role: 'user', content: text(`Hello ${who}.`) },
    { role: 'assistant', content: text('At your service.') },
  ],
});

/** What they ask their user: a field of each kind that the protocol has. */
export const boatForm = {
  message: 'Which berth do you want?',
  requestedSchema: {
    type: 'object',
    properties: {
      boat: { type: 'string', title: 'Boat', minLength: 2, maxLength: 20 },
      mail: { type: 'string', title: 'Mail', description: 'For the bill.', format: 'email' },
      length: { type: 'number', title: 'Length', minimum: 1, maximum: 40 },
      crew: { type: 'integer', title: 'Crew' },
      insured: { type: 'boolean', title: 'Insured', default: true },
      coast: {
        type: 'string',
        title: 'Coast',
        oneOf: [
          { const: 'n', title: 'North' },
          { const: 's', title: 'South' },
        ],
      },
      days: {
        type: 'array',
        title: 'Days',
        minItems: 1,
        items: {
          anyOf: [
            { const: 'sat', title: 'Saturday' },
            { const: 'sun', title: 'Sunday' },
          ],
        },
      },
    },
    required: ['boat', 'mail', 'length', 'crew', 'coast', 'days'],
  },
};
