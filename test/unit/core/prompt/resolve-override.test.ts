import {
  type ComputerFolders,
  type OverridePlace,
  placeOverride,
  resolveOverride,
} from '../../../../src/core/prompt/override';

const unset = { value: null, isSwitch: false, isDisabled: false };
const on = { value: 'true', isSwitch: true, isDisabled: false };
const off = { value: 'false', isSwitch: false, isDisabled: true };
const path = (value: string) => ({ value, isSwitch: false, isDisabled: false });

describe('resolveOverride', () => {
  it.each([
    ['nothing', undefined, unset],
    ['null', null, unset],
    ['an empty text', '', unset],
    ['blanks', ' \t ', unset],
  ])('R027 R033 takes %s as not set', (_name, written, expected) => {
    expect(resolveOverride(written)).toEqual(expected);
  });

  it.each(['0', 'false', 'FALSE', 'False', ' false ', '\t0\n'])('R027 R033 takes %j as off', (written) => {
    expect(resolveOverride(written)).toEqual(off);
  });

  it.each(['1', 'true', 'TRUE', 'True', ' 1 '])('R028 R033 takes %j as the default file', (written) => {
    expect(resolveOverride(written)).toEqual(on);
  });

  it.each([
    ['Prompts/mine.md', 'Prompts/mine.md'],
    ['  ~/mine.md ', '~/mine.md'],
    ['falsehood.md', 'falsehood.md'],
    ['10', '10'],
    ['yes', 'yes'],
    ['Off', 'Off'],
  ])('R029 R033 takes %j as a path', (written, value) => {
    expect(resolveOverride(written)).toEqual(path(value));
  });
});

describe('placeOverride', () => {
  const computer: ComputerFolders = { home: '/home/ada', vaultRoot: '/home/ada/Notes' };
  const windows: ComputerFolders = { home: 'C:\\Users\\Ada', vaultRoot: 'C:\\Users\\Ada\\Notes' };
  const place = (written: string | undefined, where: ComputerFolders | null = computer): OverridePlace =>
    placeOverride(resolveOverride(written), 'Docent/system.md', where);
  const inVault = (inside: string): OverridePlace => ({ kind: 'vault', path: inside });
  const outside = (absolute: string): OverridePlace => ({ kind: 'outside', path: absolute });

  it('R027 R033 is off when nothing is set, and when it says so', () => {
    expect([place(undefined), place('0'), place('False')]).toEqual([{ kind: 'off' }, { kind: 'off' }, { kind: 'off' }]);
  });

  it('R033 takes the root for a home that is not set', () => {
    expect(place('~', { home: '', vaultRoot: null })).toEqual(outside('/'));
  });

  it('R028 K9 takes the switch for the default file, on a phone as well', () => {
    expect([place('true'), place('1', null)]).toEqual([inVault('Docent/system.md'), inVault('Docent/system.md')]);
  });

  it.each([
    ['mine.md', 'mine.md'],
    ['./Prompts/mine.md', 'Prompts/mine.md'],
    ['Prompts//./deep/../mine.md', 'Prompts/mine.md'],
    ['.\\Prompts\\mine.md', 'Prompts/mine.md'],
    ['Prompts\\deep\\mine.md', 'Prompts/deep/mine.md'],
    ['Prompts\\..\\mine.md', 'mine.md'],
    ['~notes/mine.md', '~notes/mine.md'],
  ])('R029 R031 counts %s from the root of the vault', (written, inside) => {
    expect([place(written), place(written, null)]).toEqual([inVault(inside), inVault(inside)]);
  });

  it.each([
    ['~/mine.md', '/home/ada/mine.md'],
    ['~', '/home/ada'],
    ['/etc/mine.md', '/etc/mine.md'],
    ['../mine.md', '/home/ada/mine.md'],
    ['a/../../mine.md', '/home/ada/mine.md'],
    ['/etc/x/../mine.md', '/etc/mine.md'],
    ['/home/ada/Notes2/mine.md', '/home/ada/Notes2/mine.md'],
  ])('R029 R030 R031 leads out of the vault by %s', (written, absolute) => {
    expect(place(written)).toEqual(outside(absolute));
  });

  it.each(['~/Notes/Prompts/mine.md', '/home/ada/Notes/Prompts/mine.md', '../Notes/Prompts/mine.md'])(
    'R029 finds the way back into the vault by %s',
    (written) => {
      expect(place(written)).toEqual(inVault('Prompts/mine.md'));
    },
  );

  it('R029 R030 knows the paths of Windows', () => {
    expect(place('~\\mine.md', windows)).toEqual(outside('C:/Users/Ada/mine.md'));
    expect(place('D:\\prompts\\mine.md', windows)).toEqual(outside('D:/prompts/mine.md'));
    expect(place('C:/Users/Ada/Notes/mine.md', windows)).toEqual(inVault('mine.md'));
    expect(place('c:\\users\\ada\\NOTES\\Prompts\\mine.md', windows)).toEqual(inVault('Prompts/mine.md'));
    expect(place('c:\\users\\ada\\Notes2\\mine.md', windows)).toEqual(outside('c:/users/ada/Notes2/mine.md'));
    expect(place('/HOME/ada/Notes/mine.md')).toEqual(outside('/HOME/ada/Notes/mine.md'));
    expect(place('..\\mine.md', windows)).toEqual(outside('C:/Users/Ada/mine.md'));
    expect(place('Prompts\\..\\..\\mine.md', windows)).toEqual(outside('C:/Users/Ada/mine.md'));
    expect(place('\\\\server\\prompts\\mine.md', windows)).toEqual(outside('//server/prompts/mine.md'));
  });

  it('R029 keeps a backslash in an absolute path of another system, where it is part of a name', () => {
    expect(place('/etc/a\\b.md')).toEqual(outside('/etc/a\\b.md'));
    expect(place('~/a\\b.md')).toEqual(outside('/home/ada/a\\b.md'));
  });

  it('R030 goes without an override when the home folder is not known, and says so', () => {
    expect(place('~/mine.md', { ...computer, home: null })).toEqual({
      kind: 'off',
      warning: 'no-home',
      written: '~/mine.md',
    });
  });

  it.each(['~/mine.md', '/etc/mine.md', '../mine.md', 'C:\\mine.md'])(
    'R029 R030 cannot follow %s on a phone, and says so',
    (written) => {
      expect(place(written, null)).toEqual({ kind: 'off', warning: 'only-on-desktop', written });
    },
  );
});
