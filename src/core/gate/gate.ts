/**
 * Gate: decides what may leave for which address, and with which key. Settings sync with the vault, so an address or a
 * key that they name counts only once the user of this device entered, chose, or allowed it here.
 */
import { subscribeTo } from '../base/async';
import { words } from '../../text';
import type { DeviceStorage } from '../ports/device';
import { type Failure, fail, type Outcome, succeed } from '../ports/failure';
import type { McpServerChoice } from '../ports/network';
import { originOf, readWebAddress, type WebAddress } from './address';

/** Where requests to a provider would go, and with which key, as the settings say. */
export interface Destination {
  /** The provider's id. */
  readonly id: string;
  /** The provider's name, for the user. */
  readonly label: string;
  readonly address: string;
  /** The address that Docent knows of the provider; empty if it knows none. */
  readonly ownAddress: string;
  /** Name of the secret; empty for none. */
  readonly keyName: string;
  /** The name that Docent itself gives to the provider's secret; empty if it gives none. */
  readonly ownKeyName: string;
}

/** What a request may carry, and where to. */
export interface Admission {
  readonly origin: string;
  /** The key for this origin, never shown; null for none. */
  readonly secret: string | null;
}

/** What this device allows a provider, for the settings. */
export interface Allowance {
  /** Null if no request can go to the address. */
  readonly origin: string | null;
  readonly isAddressAllowed: boolean;
  readonly key: 'none' | 'bound' | 'unbound' | 'elsewhere';
  /** The origin that the key was chosen for, if that is another one. */
  readonly keyOrigin: string | null;
  /** Whether the user allowed requests that follow redirects. */
  readonly isBuffered: boolean;
}

export interface GatePorts {
  readonly device: DeviceStorage;
  /** Reads a secret of the app, which holds those of all plugins. */
  readonly secret: (keyName: string) => string | null;
}

/** The names that the app gives to secrets. */
const secretName = /^[a-z0-9-]{1,128}$/;

const keyRecord = (keyName: string): string => `key-origin-${keyName}`;
const addressRecord = (id: string): string => `provider-address-${id}`;
const bufferedRecord = (origin: string): string => `buffered-origin-${origin}`;
const signInRecord = (server: string): string => `sign-in-origins-${server}`;

/** The MCP server that is signed in to. */
type SignInPlace = Pick<McpServerChoice, 'name' | 'url'>;

export class Gate {
  /** By origin, the keys that requests were admitted with since the start. */
  private readonly admitted = new Map<string, Set<string>>();

  private readonly listeners = new Set<() => void>();

  constructor(private readonly ports: GatePorts) {}

  /** Calls the listener when the user allows or revokes something. */
  subscribe(listener: () => void): () => void {
    return subscribeTo(this.listeners, listener);
  }

  /** Returns what a request to a provider may carry, or why nothing may be sent yet. */
  admit(destination: Destination): Outcome<Admission> {
    const { label } = destination;
    const address = readWebAddress(destination.address);
    if (typeof address === 'string') return fail(addressFailure(address, label, destination.address));
    const question = this.questionOf(destination, address);
    if (question !== null) return fail(question);
    const { origin } = address;
    const secret = this.keyState(destination, origin) === 'bound' ? this.secret(destination.keyName) : null;
    return succeed(this.record(origin, secret));
  }

  /**
   * Returns what a request to an MCP server may carry; its address was checked and allowed by its own grant. A key is
   * sent only where the user of this device chose it for.
   */
  admitServer(keyName: string, url: string): Admission | null {
    const origin = originOf(url);
    if (origin === null) return null;
    return this.record(origin, this.boundOrigin(keyName) === origin ? this.secret(keyName) : null);
  }

  /**
   * Returns an address that a server names for signing in to it, or why nothing may be sent there yet. Each origin other
   * than the server's own is asked about once; a server on the internet can name no place on this device.
   */
  admitSignIn({ name, url }: SignInPlace, address: string): Outcome<URL> {
    const [server, read] = [readWebAddress(url), readWebAddress(address)];
    const { signInRefused, signInRefusedRemedy, asksSignIn, asksSignInRemedy } = words.gate;
    const isNear = typeof read === 'string' || read.reach === 'network';
    if (isNear || typeof server === 'string' || (read.reach === 'device' && server.reach !== 'device')) {
      return fail({ kind: 'refused', words: signInRefused(name, address.slice(0, 200)), remedy: signInRefusedRemedy });
    }
    const { origin } = read;
    if (origin !== server.origin && !this.signInOrigins(server.origin).includes(origin)) {
      return fail({ ...question(asksSignIn(name, origin)), remedy: asksSignInRemedy });
    }
    this.record(origin, null);
    return succeed(read.url);
  }

  /** Admits a token, or how a client is known, to the origin that it was given for. */
  admitCredential(address: string, credential: string): void {
    const origin = originOf(address);
    if (origin !== null) this.record(origin, credential);
  }

  /** No request carries the credential any more. */
  dropCredential(credential: string): void {
    for (const secrets of this.admitted.values()) secrets.delete(credential);
  }

  /**
   * Whether a request may be sent by Obsidian's `requestUrl`, which follows redirects unseen. Without asking, only to
   * this device and without a key.
   */
  mayGoBuffered(origin: string, carriesKey: boolean): boolean {
    if (this.ports.device.get(bufferedRecord(origin)) !== null) return true;
    const read = readWebAddress(origin);
    return typeof read !== 'string' && read.reach === 'device' && !carriesKey;
  }

  /** Whether a request was admitted to this origin, with this key if it carries one. */
  isAdmitted(origin: string, secret: string | null): boolean {
    const secrets = this.admitted.get(origin);
    return secrets !== undefined && (secret === null || secrets.has(secret));
  }

  // What the user of this device enters, chooses, allows, and revokes.

  /** Records the address that the user entered for a provider; empty for the provider's own. */
  enterAddress(id: string, address: string): void {
    this.store(addressRecord(id), originOf(address));
  }

  /** Binds a key to the origin of the address that it was chosen for. */
  bindKey(keyName: string, address: string): void {
    const origin = originOf(address);
    if (keyName !== '' && origin !== null) this.store(keyRecord(keyName), origin);
  }

  /** Binds the key that the user chose for a provider, unless the provider's address itself must be allowed first. */
  chooseKey(destination: Destination): void {
    const address = readWebAddress(destination.address);
    if (typeof address === 'string' || !this.isAddressAllowed(destination, address)) return;
    this.bindKey(destination.keyName, address.origin);
  }

  /**
   * Allows what a failure asks, if one of the destinations still asks exactly that; otherwise nothing.
   * @returns whether something was allowed
   */
  allow(asked: Pick<Failure, 'words'>, destinations: readonly Destination[]): boolean {
    for (const destination of destinations) {
      const address = readWebAddress(destination.address);
      if (typeof address === 'string') continue;
      const { origin } = address;
      if (this.questionOf(destination, address)?.words === asked.words) {
        this.allowDestination(destination);
        return true;
      }
      if ([true, false].some((hasKey) => bufferedQuestion(destination.label, origin, hasKey).words === asked.words)) {
        this.allowBuffered(origin);
        return true;
      }
    }
    return false;
  }

  /** Allows the address and the key of a destination as they are now. */
  allowDestination(destination: Destination): void {
    const { id, address, keyName } = destination;
    const origin = originOf(address);
    if (origin === null) return;
    this.enterAddress(id, address);
    if (this.keyState(destination, origin) === 'unbound') this.bindKey(keyName, address);
  }

  /** Allows requests that follow redirects to the origin of this address. */
  allowBuffered(address: string): void {
    const origin = originOf(address);
    if (origin !== null) this.store(bufferedRecord(origin), 'yes');
  }

  /** Revokes all that this device allows a destination; the next request asks again. */
  revoke(destination: Destination): void {
    const { origin, key } = this.allowanceOf(destination);
    this.store(addressRecord(destination.id), null);
    if (origin === null) return;
    this.store(bufferedRecord(origin), null);
    if (key !== 'bound') return;
    // Stays as an empty record, so that a key under Docent's own name is asked about as well.
    this.store(keyRecord(destination.keyName), '');
    this.admitted.get(origin)?.delete(this.secret(destination.keyName) ?? '');
  }

  /** Allows that a server is signed in to at the origin of this address. */
  allowSignIn({ url }: SignInPlace, address: string): void {
    const [server, origin] = [originOf(url), originOf(address)];
    if (server === null || origin === null) return;
    this.store(signInRecord(server), [...new Set([...this.signInOrigins(server), origin])].join('\n'));
  }

  /** Revokes what was allowed for signing in to a server. */
  revokeSignIn(url: string): void {
    const server = originOf(url);
    if (server === null) return;
    this.signInOrigins(server).forEach((origin) => this.store(bufferedRecord(origin), null));
    this.store(signInRecord(server), null);
  }

  /** Revokes that requests to the origin of this address may follow redirects. */
  revokeBuffered(address: string): void {
    const origin = originOf(address);
    if (origin !== null) this.store(bufferedRecord(origin), null);
  }

  allowanceOf(destination: Destination): Allowance {
    const address = readWebAddress(destination.address);
    if (typeof address === 'string') {
      return { origin: null, isAddressAllowed: false, key: 'none', keyOrigin: null, isBuffered: false };
    }
    const { origin } = address;
    return {
      origin,
      isAddressAllowed: this.isAddressAllowed(destination, address),
      key: this.keyState(destination, origin),
      keyOrigin: this.boundOrigin(destination.keyName) || null,
      isBuffered: this.ports.device.get(bufferedRecord(origin)) !== null,
    };
  }

  private questionOf(destination: Destination, address: WebAddress): Failure | null {
    const { label, keyName } = destination;
    const { origin, reach } = address;
    const asksKey = this.keyState(destination, origin) === 'unbound';
    const { asksAddress, asksBoth, asksKey: asksForKey } = words.gate;
    if (this.isAddressAllowed(destination, address)) {
      return asksKey ? question(asksForKey(label, origin, keyName)) : null;
    }
    const isNear = reach === 'network';
    return question(asksKey ? asksBoth(label, origin, isNear, keyName) : asksAddress(label, origin, isNear));
  }

  /** The provider's own address needs no question, nor one that was entered or allowed on this device. */
  private isAddressAllowed({ id, ownAddress }: Destination, address: WebAddress): boolean {
    return isSamePlace(ownAddress, address) || this.ports.device.get(addressRecord(id)) === address.origin;
  }

  private keyState(destination: Destination, origin: string): Allowance['key'] {
    const { keyName, ownKeyName, ownAddress } = destination;
    if (this.secret(keyName) === null) return 'none';
    const bound = this.boundOrigin(keyName);
    if (bound === origin) return 'bound';
    if (bound !== null && bound !== '') return 'elsewhere';
    // Only Docent uses this name, and only for this provider.
    const isOwn = bound === null && keyName === ownKeyName && origin === originOf(ownAddress);
    return isOwn ? 'bound' : 'unbound';
  }

  /** Returns null for a key that was never bound on this device, and an empty text for one whose binding was revoked. */
  private boundOrigin(keyName: string): string | null {
    return keyName === '' ? null : this.ports.device.get(keyRecord(keyName));
  }

  private signInOrigins(server: string): readonly string[] {
    return (this.ports.device.get(signInRecord(server)) ?? '').split('\n').filter((origin) => origin !== '');
  }

  private store(record: string, value: string | null): void {
    this.ports.device.set(record, value);
    for (const listener of [...this.listeners]) listener();
  }

  private secret(keyName: string): string | null {
    return secretName.test(keyName) ? this.ports.secret(keyName)?.trim() || null : null;
  }

  private record(origin: string, secret: string | null): Admission {
    const secrets = this.admitted.get(origin) ?? new Set();
    if (secret !== null) secrets.add(secret);
    this.admitted.set(origin, secrets);
    return { origin, secret };
  }
}

/** On this device, one port is one server under each of the device's names. */
export function isSamePlace(ownAddress: string, { origin, reach, url }: WebAddress): boolean {
  const own = readWebAddress(ownAddress);
  if (typeof own === 'string') return false;
  const isDevice = own.reach === 'device' && reach === 'device';
  return own.origin === origin || (isDevice && own.url.protocol === url.protocol && own.url.port === url.port);
}

/** Returns the question whether a request may be sent in a way that follows redirects. */
export function bufferedQuestion(label: string, origin: string, hasKey: boolean): Failure {
  return { ...question(words.gate.asksBuffered(label, origin, hasKey)), remedy: words.gate.asksBufferedRemedy };
}

function question(said: string): Failure {
  const { asksRemedy: remedy } = words.gate;
  return { kind: 'refused', words: said, remedy, action: 'allow-sending', actions: ['open-settings'] };
}

function addressFailure(problem: 'invalid' | 'login' | 'plain', label: string, address: string): Failure {
  const { models, gate } = words;
  const said: Readonly<Record<typeof problem, readonly [string, string]>> = {
    invalid: [models.addressInvalid(label), models.addressRemedy],
    login: [gate.login(label), gate.loginRemedy],
    plain: [gate.plain(label, problem === 'plain' ? new URL(address.trim()).host : ''), gate.plainRemedy],
  };
  const [sentence, remedy] = said[problem];
  return { kind: 'configuration', words: sentence, remedy, action: 'open-settings' };
}

/** What this device allows each provider, by its id, for the settings. */
export interface ProviderSending {
  /** The name of the key is empty if none is chosen. */
  allowanceOf(provider: string): Allowance & { readonly keyName: string };
  /** Allows the address and the key of a provider as they are now. */
  allow(provider: string): void;
  revoke(provider: string): void;
  /** Records the address that the user entered on this device. */
  enterAddress(provider: string, address: string): void;
  /** Records the key that the user chose on this device, by its name. */
  chooseKey(provider: string, keyName: string): void;
}

type SendingGate = Pick<Gate, 'allowanceOf' | 'allowDestination' | 'chooseKey' | 'enterAddress' | 'revoke'>;

/** @param destinationOf reads the settings at each call */
export function openSending(gate: SendingGate, destinationOf: (provider: string) => Destination): ProviderSending {
  return {
    allowanceOf: (provider) => {
      const destination = destinationOf(provider);
      return { ...gate.allowanceOf(destination), keyName: destination.keyName };
    },
    allow: (provider) => gate.allowDestination(destinationOf(provider)),
    revoke: (provider) => gate.revoke(destinationOf(provider)),
    enterAddress: (provider, address) => gate.enterAddress(provider, address),
    chooseKey: (provider, keyName) => gate.chooseKey({ ...destinationOf(provider), keyName }),
  };
}
