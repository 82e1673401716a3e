/** @jest-environment jsdom */
import { execFileSync } from 'node:child_process';
import path from 'node:path';

interface Walked {
  name: string;
  kind: 'class' | 'function' | 'value';
  members?: number;
  missing: string[];
}

/** Members of emulated classes that are known to be missing, as `Class.member`. */
const notEmulatedMembers: string[] = [];

let walked: Walked[];
let emulator: Record<string, unknown> & { notEmulated: readonly string[] };

beforeAll(async () => {
  const script = path.join(__dirname, 'walk-declarations.mjs');
  walked = JSON.parse(execFileSync(process.execPath, [script], { encoding: 'utf8' })) as Walked[];
  emulator = (await import('../../src/obsidian/obsidian')) as unknown as typeof emulator;
}, 60_000);

it('finds what obsidian.d.ts declares', () => {
  const count = (kind: Walked['kind']): number => walked.filter((one) => one.kind === kind).length;
  expect([count('class'), count('function'), count('value')]).toEqual([102, 47, expect.any(Number)]);
  expect(walked.find(({ name }) => name === 'Vault')?.members).toBeGreaterThan(30);
});

it('emulates each run-time export or refuses it by name', () => {
  const absent = walked.filter(({ name }) => emulator[name] === undefined).map(({ name }) => name);
  expect(absent).toEqual([]);
  const ofWrongKind = walked.filter(({ name, kind }) => kind !== 'value' && typeof emulator[name] !== 'function');
  expect(ofWrongKind).toEqual([]);
});

it('lists as refused only what exists, is not a class of its own, and throws with its name', () => {
  const names = walked.map(({ name }) => name);
  for (const name of emulator.notEmulated) {
    expect(names).toContain(name);
    const { kind } = walked.find((one) => one.name === name)!;
    const refused = emulator[name] as (new () => unknown) & (() => unknown);
    expect(() => (kind === 'class' ? new refused() : refused())).toThrow(name);
  }
});

it('has every required member of each emulated class', () => {
  const missing = walked
    .filter(({ name }) => !emulator.notEmulated.includes(name))
    .flatMap(({ name, missing: members }) => members.map((member) => `${name}.${member}`));
  expect(missing.filter((member) => !notEmulatedMembers.includes(member))).toEqual([]);
  expect(notEmulatedMembers.filter((member) => !missing.includes(member))).toEqual([]);
});

it('has each emulated class as a class of the module, so that its members were compared', () => {
  const compared = walked
    .filter(({ kind, members }) => kind === 'class' && members !== undefined)
    .map(({ name }) => name);
  const expected = walked
    .filter(({ name, kind }) => kind === 'class' && !emulator.notEmulated.includes(name))
    .map(({ name }) => name);
  expect(compared.sort()).toEqual(expected.sort());
});
