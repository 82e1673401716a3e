/** The sections outside the template stay within the budget of every tier (K26), in full and with any switches. */
import { compositionBudgets } from '../../../../../src/core/request/fit';
import { permissionModes, tiers } from '../../../../../src/core/settings/mode';
import { composeAll, o200k } from './composed';

const windows = { 1: 4_096, 2: 8_192, 3: 16_384, 4: 32_768, 5: 200_000 } as const;
const cases = tiers.flatMap((tier) =>
  permissionModes.flatMap((permissionMode) =>
    [true, false].flatMap((modernModel) =>
      [true, false].map((interactive) => ({ tier, permissionMode, modernModel, interactive })),
    ),
  ),
);

it.each(cases)(
  'K26 holds with all tools: tier $tier, $permissionMode, modern $modernModel, interactive $interactive',
  async ({ tier, permissionMode, modernModel, interactive }) => {
    const composed = await composeAll({
      turn: { tier, permissionMode, modernModel, contextWindow: windows[tier] },
      settings: { interactive },
    });
    const counted = composed.filter(({ section }) => section.composition === true);
    const sum = o200k.count(counted.map(({ block }) => block.text).join('\n\n'));
    if (process.env['SHOW_BUDGETS'] === '1') {
      process.stdout.write(
        `${tier} ${permissionMode} modern=${modernModel} interactive=${interactive}: ${sum}  ` +
          `${counted.map(({ block }) => `${block.section}=${block.tokens}`).join(' ')}\n`,
      );
    }
    expect(sum).toBeLessThanOrEqual(compositionBudgets[tier]);
  },
);
