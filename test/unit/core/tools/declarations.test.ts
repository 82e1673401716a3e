/** What each tool declares to models, and by what its arguments are checked. */
import * as z from 'zod/v4';
import { tiers } from '../../../../src/core/settings/mode';
import { tools } from '../../../../src/core/tools';
import { declare, fullTier, offeredIn, type Tool } from '../../../../src/core/tools/tool';
import { expectGolden } from '../../../goldens/golden';

const inLines = (value: unknown): string => JSON.stringify(value, null, 1);

/** A tool as the full set declares it, with all bounds of its arguments, and how small sets declare it otherwise. */
function describeTool(tool: Tool): string {
  const { name, agent, effect, needs, modes, fromTier, showsText } = tool;
  const usual = inLines(declare(tool));
  const small = tiers
    .filter((tier) => tier < fullTier)
    .flatMap((tier) => offeredIn(tools, tier, 'plan').filter((offered) => offered.name === name))
    .map((offered) => inLines(declare(offered)))
    .filter((declared) => declared !== usual);
  const checked = JSON.stringify(z.toJSONSchema(tool.parameters, { io: 'input' }).properties);
  const facts = JSON.stringify({ agent, effect, needs, modes, fromTier, showsText });
  return [`# ${name}`, facts, usual, ...new Set(small), checked].join('\n');
}

it('R079 declares its tools in these words', () => {
  expectGolden('tools.txt', tools.map(describeTool).join('\n\n'));
});
