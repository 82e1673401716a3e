/** A request plan as text: what the inspector copies and the prompt command prints. */
import type { Message } from '../message';
import type { RequestPlan } from './request-plan';

export function printPlan(plan: RequestPlan): string {
  const { totals } = plan;
  const mark = totals.exact ? '' : '~';
  const parts = [
    `model: ${plan.modelId}`,
    `tokens: ${mark}${totals.all} of ${totals.window - totals.reserve} (window ${totals.window}, kept for the answer ${totals.reserve})`,
    `  instructions ${mark}${totals.instructions}, tools ${mark}${totals.tools}, reference ${mark}${totals.reference}, history ${mark}${totals.history}, turn ${mark}${totals.turn}`,
    '',
    'sections:',
    ...plan.blocks.map(
      ({ section, zone, tokens, outcome, reason }) =>
        `  ${section} (${zone}): ${mark}${tokens}, ${outcome}${reason === undefined ? '' : `, ${reason}`}`,
    ),
    '',
    '=== system ===',
    plan.system,
    ...plan.messages.flatMap((message) => ['', `=== ${message.role} ===`, textOf(message)]),
    '',
    '=== tools ===',
    ...plan.tools.map(
      ({ name, description, parameters }) => `${name}: ${description}\n  ${JSON.stringify(parameters)}`,
    ),
  ];
  return `${parts.join('\n')}\n`;
}

function textOf({ parts }: Message): string {
  return parts
    .map((part) => {
      if (part.type === 'tool-call') return `[call ${part.id}] ${part.name} ${part.argumentsText}`;
      if (part.type === 'tool-result')
        return `[result ${part.callId}] ${part.name}${part.isError ? ' (error)' : ''}\n${part.text}`;
      return part.type === 'reasoning' ? `[reasoning] ${part.text}` : part.text;
    })
    .join('\n\n');
}
