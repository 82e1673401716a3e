/** HomeSkills: the skills in the user's home folder, read on a computer whose user allows it (R134). */
import { subscribeTo } from '../base/async';
import { propertiesBlock } from '../markdown/properties';
import type { Clock, Computer, DeviceStorage } from '../ports/device';
import type { Yaml } from '../ports/vault';
import type { GivenSkill } from './skills';

/** Where agents of all kinds look for the user's skills. */
const folder = '.agents/skills';
/** The folder as the user knows it. */
export const homeSkillsFolder = `~/${folder}`;

/** Folders beyond this number are not read. */
const maxSkills = 100;

/** Milliseconds in which the folder is read at most once. */
const readEvery = 10_000;

/** Key on the device: another device has another home folder. */
const allowedKey = 'home-skills';

export interface HomeSkillsPorts {
  /** Null on mobile. */
  readonly computer: Pick<Computer, 'home' | 'folders' | 'read'> | null;
  readonly device: DeviceStorage;
  readonly clock: Clock;
  readonly parse: Yaml['parse'];
}

const none: readonly GivenSkill[] = [];

export class HomeSkills {
  private list: readonly GivenSkill[] = none;
  private readAt = -Infinity;
  private reading: Promise<void> = Promise.resolve();
  private readonly listeners = new Set<() => void>();

  constructor(private readonly ports: HomeSkillsPorts) {}

  /** The skills as they were last read; the same array until they differ. */
  get skills(): readonly GivenSkill[] {
    return this.list;
  }

  /** Whether there is a home folder to read. */
  get isOffered(): boolean {
    return (this.ports.computer?.home ?? null) !== null;
  }

  get isAllowed(): boolean {
    return this.isOffered && this.ports.device.get(allowedKey) !== null;
  }

  /** Allows reading on this device, or ends it; resolves once the list is as it should be. */
  allow(isAllowed: boolean): Promise<void> {
    this.ports.device.set(allowedKey, isAllowed ? 'allowed' : null);
    this.readAt = -Infinity;
    return this.refresh();
  }

  /** Reads the skills again, unless they were read a moment ago. */
  refresh(): Promise<void> {
    const now = this.ports.clock.now();
    if (now - this.readAt < readEvery) return this.reading;
    this.readAt = now;
    this.reading = this.reading.then(() => this.read());
    return this.reading;
  }

  /** Calls the listener when the skills differ, until the returned function is called. */
  subscribe(listener: () => void): () => void {
    return subscribeTo(this.listeners, listener);
  }

  private async read(): Promise<void> {
    const { computer, parse } = this.ports;
    const isWanted = computer !== null && this.isAllowed;
    const skills = isWanted ? await readFolder(computer, parse) : none;
    if (JSON.stringify(skills) === JSON.stringify(this.list)) return;
    this.list = skills;
    for (const listener of this.listeners) listener();
  }
}

async function readFolder(
  computer: NonNullable<HomeSkillsPorts['computer']>,
  parse: Yaml['parse'],
): Promise<readonly GivenSkill[]> {
  const root = `${computer.home ?? ''}/${folder}`;
  const names = (await computer.folders(root)).slice(0, maxSkills);
  const read = await Promise.all(
    names.map(async (name) => {
      const text = await computer.read(`${root}/${name}/SKILL.md`);
      return text.ok ? skillFrom(text.value, `${homeSkillsFolder}/${name}`, parse) : null;
    }),
  );
  return read.filter((skill) => skill !== null);
}

/** Returns a skill as its properties say, valid or not; the list of skills reports what is wrong with it. */
function skillFrom(text: string, location: string, parse: Yaml['parse']): GivenSkill {
  const block = propertiesBlock.exec(text);
  const properties = propertiesOf(block?.[1] ?? '', parse);
  const { name, description, 'allowed-tools': allowedTools } = properties;
  const body = (block === null ? text : text.slice(block[0].length)).trim();
  const tools = typeof allowedTools === 'string' ? allowedTools.split(/[\s,]+/) : allowedTools;
  const limit = Array.isArray(tools) ? { allowedTools: tools.map(String).filter((each) => each !== '') } : {};
  return { name, description, ...limit, body, source: 'user', location } as GivenSkill;
}

function propertiesOf(block: string, parse: Yaml['parse']): Readonly<Record<string, unknown>> {
  try {
    const value = parse(block);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Joins lists of skills; returns the same array while each list is the same. */
export function joinSkills(...lists: readonly (() => readonly GivenSkill[])[]): () => readonly GivenSkill[] {
  let held: readonly (readonly GivenSkill[])[] = [];
  let joined: readonly GivenSkill[] = none;
  return () => {
    const now = lists.map((list) => list());
    if (now.some((list, index) => list !== held[index])) [held, joined] = [now, now.flat()];
    return joined;
  };
}
