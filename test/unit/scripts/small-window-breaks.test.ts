/** What a break in a small window leaves, over a scripted session of the bench. */
import { recordSession } from '../../bench/cache/cache-recorder';
import { makeSessions } from '../../bench/cache/cache-sessions';
import { folderVault } from '../../support/fake-vault';

const folder = 'test/support/demo-vault';
const model = {
  id: 'local/m',
  label: 'm',
  contextWindow: 8_192,
  outputLimit: 4_096,
  nativeTools: true,
  cachesPrompts: false,
  summarises: false,
} as const;

it('clears and summarizes in one break, so that several turns fit after it', async () => {
  const vault = folderVault(folder);
  const sessions = makeSessions(vault).filter(({ name }) => name === 'editing' || name === 'mixed');
  const starts: number[] = [];
  for (const session of sessions) {
    const recorded = await recordSession(session, vault, { model, tier: 'auto', mayFail: true });
    const broken = recorded.slice(1).filter(({ rebuilt }) => rebuilt.length > 0);
    expect(new Set(recorded.map(({ turn }) => turn)).size).toBe(session.turns.length);
    expect(new Set(broken.map(({ turn }) => turn)).size).toBeLessThanOrEqual(session.turns.length / 8);
    // A break within a turn leaves what the turn has read so far.
    const begin = broken.filter((each) => recorded.find(({ turn }) => turn === each.turn) === each);
    starts.push(...begin.map(({ plan }) => plan.totals.history));
  }
  expect(starts.length).toBeGreaterThan(2);
  for (const history of starts) expect(history).toBeLessThanOrEqual(model.contextWindow / 10);
});

// Of the sessions of the bench, those with the fewest turns to spare.
it.each([
  ['agent', 4_096, 4],
  ['agent', 8_192, 8],
  ['mixed', 8_192, 8],
  ['agent', 32_768, 8],
])(
  'breaks what was sent in %s at %i in at most one of %i turns, and refuses none',
  async (kind, contextWindow, turns) => {
    const vault = folderVault(folder);
    const session = makeSessions(vault).find(({ name }) => name === kind);
    if (session === undefined) throw new Error('There is no such session.');
    const recorded = await recordSession(session, vault, {
      model: { ...model, contextWindow, outputLimit: 16_384 },
      tier: 'auto',
      mayFail: true,
    });
    const broken = recorded.slice(1).filter(({ rebuilt }) => rebuilt.length > 0);
    expect(new Set(recorded.map(({ turn }) => turn)).size).toBe(session.turns.length);
    expect(new Set(broken.map(({ turn }) => turn)).size).toBeLessThanOrEqual(Math.floor(session.turns.length / turns));
  },
);

it('breaks what was sent in editing at 4096 once more than in one of four turns', async () => {
  const vault = folderVault(folder);
  const session = makeSessions(vault).find(({ name }) => name === 'editing');
  if (session === undefined) throw new Error('There is no such session.');
  const small = { ...model, contextWindow: 4_096 };
  const recorded = await recordSession(session, vault, { model: small, tier: 'auto', mayFail: true });
  const broken = recorded.slice(1).filter(({ rebuilt }) => rebuilt.length > 0);
  expect(new Set(broken.map(({ turn }) => turn)).size).toBeLessThanOrEqual(11);
});

it('leaves the note of the newest message whole where the request fits without it being shortened', async () => {
  const vault = folderVault(folder);
  const session = makeSessions(vault).find(({ name }) => name === 'editing');
  if (session === undefined) throw new Error('There is no such session.');
  const small = { ...model, contextWindow: 6_144 };
  const recorded = await recordSession(session, vault, { model: small, tier: 'auto', mayFail: true });
  const within = recorded.filter(
    ({ turn, rebuilt }, index) => rebuilt.length > 0 && recorded[index - 1]?.turn === turn,
  );
  const attached = within.filter(({ turn }) => (session.turns[turn]?.mentions.length ?? 0) > 0);
  expect(attached.length).toBeGreaterThan(0);
  for (const { plan, turn } of attached) {
    const path = session.turns[turn]?.mentions[0]?.id ?? '';
    const texts = plan.messages.flatMap(({ parts }) => parts.map((part) => ('text' in part ? part.text : '')));
    const sent = texts.filter((text) => text.includes(`<note path="${path}"`)).at(-1) ?? '';
    expect(sent).toContain(`\n## Turn ${turn + 1}\n`);
    expect(sent).toContain('Words that stood here before. Words that stood here before.');
  }
});
