/** A chat keeps its reference texts through turns, reloads and changes of the vault. */
import { referenceOf } from '../../../../src/core/context/prepare-chat-turn';
import { sections } from '../../../../src/core/prompt/sections';
import { chatBench, until } from '../../../support/chat-bench';
import { answer, entry } from '../../../support/entries';
import { fakeClock } from '../../../support/memory-ports';
import { type Step, scriptedModel } from '../../../support/scripted-model';

const yes: Step[] = [
  { type: 'text-delta', text: 'Yes.' },
  { type: 'finish', reason: 'complete' },
];

async function ask(bench: ReturnType<typeof chatBench>, text: string, mentions: string[] = []) {
  const chat = await bench.open();
  await chat.send(
    text,
    mentions.map((id) => ({ kind: 'note', id, label: id })),
  );
  await until(chat, ({ running }) => !running);
  return chat;
}

const textsOf = (plan: ReturnType<typeof scriptedModel>['plans'][number] | undefined): string[] =>
  plan?.messages.flatMap(({ parts }) => parts.map((part) => ('text' in part ? part.text : ''))) ?? [];

describe('the reference texts of a chat', () => {
  it('R221 R264 each request begins with the one before, reopened or not, whatever changes in the vault', async () => {
    const model = scriptedModel([yes, yes, yes, yes], { contextWindow: 200_000, cachesPrompts: true });
    const bench = chatBench({ model });
    await ask(bench, 'One?', ['A.md']);
    bench.vault.put('A.md', '# Changed');
    bench.vault.put('New.md', '# New');
    await ask(bench, 'Two?');
    await ask(bench, 'Three?', ['A.md']);
    await ask(bench, 'Four?', ['A.md']);
    const [first, ...rest] = model.plans;
    let before = first;
    for (const plan of rest) {
      expect(plan.system).toBe(before?.system);
      expect(plan.messages.slice(0, before?.messages.length)).toEqual(before?.messages);
      before = plan;
    }
    expect(textsOf(rest[0]).join('\n')).toContain('created: New.md');
    const kinds = bench.store.linesOf('c1').filter((line) => line.includes('"k":"reference-sent"'));
    expect(kinds).toHaveLength(1);
  });

  it('R252 a part that the settings switch off is taken out of what was sent, once, and comes back with a turn', async () => {
    const model = scriptedModel([yes, yes, yes, yes], { contextWindow: 16_384 });
    const bench = chatBench({ model });
    await ask(bench, 'One?');
    Object.assign(bench.ports, { sections: sections.filter(({ id }) => id !== 'vault-listing') });
    await ask(bench, 'Two?');
    await ask(bench, 'Three?');
    Object.assign(bench.ports, { sections });
    await ask(bench, 'Four?');
    const hasMap = ({ system }: { readonly system: string }): boolean => system.includes('# Vault map');
    expect(model.plans.map(hasMap)).toEqual([true, false, false, false]);
    expect(model.plans[2]?.system).toBe(model.plans[1]?.system);
    expect(textsOf(model.plans[1]).join('\n')).not.toMatch(/missing: |Removed: /);
    expect(textsOf(model.plans[3]).join('\n')).toContain('created: A.md');
  });

  it('R227 K19 a note that is mentioned again is sent again only when it changed', async () => {
    const model = scriptedModel([yes, yes, yes], { contextWindow: 200_000, cachesPrompts: true });
    const bench = chatBench({ model });
    await ask(bench, 'One?', ['A.md']);
    await ask(bench, 'Two?', ['A.md']);
    bench.vault.put('A.md', 'alpha two');
    await ask(bench, 'Three?', ['A.md']);
    const all = textsOf(model.plans[2]).join('\n');
    expect(all.split('\nalpha\n')).toHaveLength(2);
    expect(all.split('[Unchanged. An earlier message has its text.]')).toHaveLength(2);
    expect(all.split('\nalpha two\n')).toHaveLength(2);
  });

  it('is written anew after an hour of rest, and behind a summary', () => {
    const clock = fakeClock(10_000_000);
    const sent = entry({ kind: 'reference-sent', head: 'h', reason: 'start', items: [] });
    const rested = [sent, entry(answer('Yes.'), { time: 10_000_000 - 3_600_001 })];
    expect(referenceOf(rested, clock).free).toBe('cold');
    expect(referenceOf([sent, entry(answer('Yes.'), { time: 10_000_000 - 3_600_000 })], clock).free).toBeNull();
    expect(referenceOf(rested, undefined).free).toBeNull();
    expect(referenceOf([], clock)).toEqual({ kept: null, free: null });
  });

  it('is written anew once a note of it is left out of the chat, and not for one that is added', () => {
    const item = { tier: 'L0', text: 't', hash: 'h', stood: 3 } as const;
    const items = [
      { ...item, key: 'file:A.md', section: 'files' },
      { ...item, key: 'section:map', section: 'map' },
    ];
    const sent = entry({ kind: 'reference-sent', head: 'h', reason: 'start', items });
    const freeAfter = (choices: object) => referenceOf([sent, entry({ kind: 'choices', choices })], undefined).free;
    expect(freeAfter({ contextNotes: ['B.md'] })).toBe('list');
    expect(freeAfter({ contextNotes: ['A.md', 'B.md'] })).toBeNull();
    expect(freeAfter({ mode: 'assistant' })).toBeNull();
    expect(freeAfter({ sectionsOff: ['map'] })).toBe('list');
    expect(referenceOf([sent], undefined, (section) => section !== 'map').free).toBe('list');
  });
});
