import { DeviceGrants, readCatalogText } from '../../../../src/core/mcp/device-grants';
import type { McpServerChoice } from '../../../../src/core/ports/network';
import { words } from '../../../../src/text';
import { memoryDevice } from '../../../support/memory-ports';

const choice: McpServerChoice = { name: 'library', url: 'https://a.example/mcp', keyName: 'a-key', isOn: true };
const moved: McpServerChoice = { ...choice, url: 'https://b.example/mcp' };

function open() {
  const device = memoryDevice();
  return { device, grants: new DeviceGrants(device) };
}

describe('the permission of this device for a server', () => {
  it('covers its name, address and key together, whether it is on or off', () => {
    const { grants } = open();
    expect(grants.isGiven(choice)).toBe(false);
    expect(grants.give(choice).ok).toBe(true);
    expect(grants.isGiven({ ...choice, isOn: false })).toBe(true);
    for (const other of [moved, { ...choice, keyName: '' }, { ...choice, name: 'diary' }]) {
      expect([other, grants.isGiven(other)]).toEqual([other, false]);
    }
  });

  it('is not one of another device, whose settings are the same', () => {
    const { grants } = open();
    grants.give(choice);
    expect(open().grants.isGiven(choice)).toBe(false);
  });

  it('keeps what was approved at the same address, and drops it with another one', () => {
    const { grants } = open();
    expect(grants.approvedText(choice)).toBeNull();
    grants.approve(choice, '{"tools":[]}');
    expect([grants.isGiven(choice), grants.approvedText(choice)]).toEqual([true, '{"tools":[]}']);
    grants.give({ ...choice, keyName: 'other-key' });
    expect(grants.approvedText(choice)).toBe('{"tools":[]}');
    expect(grants.isGiven(choice)).toBe(false);
    expect(grants.approvedText(moved)).toBeNull();
    grants.give(moved);
    expect([grants.approvedText(moved), grants.isGiven(choice)]).toEqual([null, false]);
    grants.give(choice);
    expect(grants.approvedText(choice)).toBeNull();
  });

  it('ends when it is taken back, and is none in damaged storage', () => {
    const { device, grants } = open();
    grants.approve(choice, '{}');
    grants.takeBack(choice.name);
    expect([grants.isGiven(choice), grants.approvedText(choice), device.values.size]).toEqual([false, null, 0]);
    for (const damaged of ['{', '7', '{"url":"https://a.example/mcp"}', '']) {
      device.set('mcp-server-library', damaged);
      expect([damaged, grants.isGiven(choice)]).toEqual([damaged, false]);
    }
  });

  it('that cannot be stored is a failure in words', () => {
    const full = {
      get: () => null,
      set: () => {
        throw new Error('No space left.');
      },
    };
    const given = new DeviceGrants(full).give(choice);
    expect(given).toMatchObject({
      ok: false,
      failure: { kind: 'storage', words: words.servers.notStored('No space left.') },
    });
  });
});

describe('a stored catalog', () => {
  const catalog = {
    tools: [
      {
        name: 'look',
        title: 'Look',
        description: '',
        inputSchema: { type: 'object' },
        annotations: { readOnlyHint: true },
      },
    ],
    prompts: [
      { name: 'plan', description: '', text: '', arguments: [{ name: 'at', description: '', required: true }] },
    ],
    resources: [{ name: 'one', uri: 'note://1' }],
    templates: [{ name: 'any', uriTemplate: 'note://{id}' }],
    instructions: 'Look first.',
  };

  it('is read as it was stored, with and without what a server need not have', () => {
    expect(readCatalogText(JSON.stringify(catalog))).toEqual(catalog);
    const bare = { tools: [{ name: 'look', description: '', inputSchema: {} }], prompts: [], resources: [] };
    expect(readCatalogText(JSON.stringify(bare))).toEqual(bare);
  });

  it.each([
    null,
    '{',
    '[]',
    JSON.stringify({ ...catalog, tools: [{ name: 'look' }] }),
    JSON.stringify({ ...catalog, tools: [{ ...catalog.tools[0], annotations: { readOnlyHint: 'yes' } }] }),
    JSON.stringify({ ...catalog, resources: [{ name: 'one' }] }),
    JSON.stringify({ ...catalog, instructions: 7 }),
  ])('F34 that is damaged is none: %s', (text) => {
    expect(readCatalogText(text)).toBeNull();
  });
});
