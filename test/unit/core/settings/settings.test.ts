import { decodeSettings, defaultSettings, encodeSettings } from '../../../../src/core/settings/settings';

const good = { ...defaultSettings, agentName: 'Ada', agentFolder: 'Agent' };

describe('decoding settings', () => {
  it.each([[null], [undefined]])('takes %s for a first start', (stored) => {
    expect(decodeSettings(stored)).toEqual({ settings: defaultSettings, unknown: {}, refused: {}, problems: [] });
  });

  it.each<[unknown]>([[7], ['text'], [[]], [true]])(
    'S9 keeps the last good copy when there is %j instead',
    (stored) => {
      expect(decodeSettings(stored, good)).toEqual({
        settings: good,
        unknown: {},
        refused: {},
        problems: [{ key: '', problem: 'not-an-object' }],
      });
    },
  );

  it.each<[string, unknown]>([
    ['model', ''],
    ['mode', 'wizard'],
    ['tier', 6],
    ['tier', '3'],
    ['agentFolder', ''],
    ['agentFolder', '..'],
    ['agentFolder', '../Other/Docent'],
    ['agentFolder', 'Docent/../../Other'],
    ['agentFolder', '/Docent'],
    ['agentFolder', 'Docent/'],
    ['agentFolder', 'Meta//Docent'],
    ['agentFolder', '.obsidian/plugins'],
    ['agentFolder', 'C:/Docent'],
    ['agentFolder', 'Meta\\Docent'],
    ['contextNotes', 'A.md'],
    ['contextNotes', [1]],
    ['providers', { openai: { baseUrl: 1 } }],
    ['contextStatus', 'sometimes'],
    ['contextWindow', 12.5],
    ['contextWindow', 10],
    ['agentName', null],
  ])('S9 refuses %s = %j, keeps the last good value and reports it', (key, value) => {
    const decoded = decodeSettings({ ...defaultSettings, agentName: 'Bo', [key]: value }, good);
    expect(decoded.settings[key as keyof typeof good]).toEqual(good[key as keyof typeof good]);
    expect(decoded.problems).toEqual([{ key, problem: 'invalid' }]);
    if (key !== 'agentName') expect(decoded.settings.agentName).toBe('Bo');
  });

  it.each(['plan', 'read-only', 'review'])('H11 lets a new chat begin with the permission “%s”', (permission) => {
    const { settings, problems } = decodeSettings({ permission });
    expect([settings.permission, problems]).toEqual([permission, []]);
  });

  it.each(['', 'auto', 'all', 'Review', null])('H11 lets no new chat begin with the permission %j', (permission) => {
    const { settings, problems } = decodeSettings({ permission });
    expect(settings.permission).toBe('review');
    expect(problems).toEqual([{ key: 'permission', problem: 'invalid-default' }]);
  });

  it('S9 keeps keys of other versions, at the top and within a provider', () => {
    const stored = JSON.parse(
      '{"later":{"a":1},"__proto__":{"evil":true},"constructor":1,' +
        '"providers":{"openai":{"baseUrl":"u","keyName":"k","models":[],"later":2}}}',
    ) as unknown;
    const { settings, unknown, problems } = decodeSettings(stored);
    expect(problems).toEqual([]);
    expect(({} as Record<string, unknown>)['evil']).toBeUndefined();
    expect((settings as unknown as Record<string, unknown>)['evil']).toBeUndefined();
    const written = JSON.stringify(encodeSettings(settings, unknown));
    expect(written).toContain('"later":{"a":1}');
    expect(written).toContain('"__proto__":{"evil":true}');
    expect(written).toContain('"constructor":1');
    expect(written).toContain('"later":2');
  });

  it('reports a newer version and reads what it can', () => {
    const { settings, problems } = decodeSettings({ version: 99, agentName: 'Ada' });
    expect(problems).toEqual([{ key: 'version', problem: 'newer-version' }]);
    expect(settings.agentName).toBe('Ada');
  });

  it('gives back what it wrote', () => {
    const { settings, unknown } = decodeSettings(JSON.parse(JSON.stringify(encodeSettings(good, { x: [1] }))));
    expect(settings).toEqual(good);
    expect(unknown).toEqual({ x: [1] });
  });
});
