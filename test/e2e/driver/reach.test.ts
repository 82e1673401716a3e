/** The guard of the claims: what counts as a look at a request, the page, the disk and the built plugin. */
import { findNeglected, readBuilt, readFile } from './reach';
import { openChatView, until } from './chat-view';
import { lastSent } from './sent-request';
import { openWorkbench } from './workbench';

jest.setTimeout(60_000);

it('takes a claim for neglected until the test has looked where it says', async () => {
  const kinds = (title: string): string[] =>
    findNeglected(title).map((words) => /claims @(\w+), but /.exec(words)?.[1] ?? '');
  const claim = 'R001@request R002@disk R003@dom R004@build R005 shows';
  const workbench = await openWorkbench({ vault: { 'Now.md': 'Now.\n' }, scripted: [{ text: 'Yes.' }] });
  expect(kinds(claim)).toEqual(['request', 'disk', 'dom', 'build']);
  expect(kinds('R005 shows')).toEqual([]);
  expect(workbench.model?.requests).toHaveLength(0);
  await readFile('package.json', 'utf8');
  await workbench.page.evaluate(() => window.app.vault.getName());
  expect(kinds(claim)).toEqual(['request', 'disk', 'dom', 'build']);

  const chatView = await openChatView(workbench);
  expect(kinds(claim)).toEqual(['request', 'disk', 'build']);
  await chatView.ask('Well?');
  expect(kinds(claim)).toEqual(['request', 'disk', 'build']);
  expect(lastSent(workbench.model).messages.at(-1)?.text).toContain('Well?');
  expect(kinds(claim)).toEqual(['disk', 'build']);
  expect(await workbench.readNote('Now.md')).toBe('Now.\n');
  expect(kinds(claim)).toEqual(['build']);
  expect(await readBuilt('manifest.json')).toContain('"docent"');
  expect(kinds(claim)).toEqual([]);
  await workbench.close();
});

it('hears and refuses all that a page asks of another machine, by name and by number', async () => {
  const workbench = await openWorkbench({ expectedErrors: /socket\.example/ });
  const { page, outsideRequests } = workbench;
  expect(outsideRequests).toEqual([]);
  await page.evaluate(async () => {
    await fetch('https://secure.example/a').catch(() => undefined);
    await fetch('http://plain.example/b', { mode: 'no-cors' }).catch(() => undefined);
    await fetch('http://192.0.2.7/c', { mode: 'no-cors' }).catch(() => undefined);
    navigator.sendBeacon('http://beacon.example/d', 'word');
    const sockets = new WebSocket('wss://socket.example/e');
    const image = new Image();
    image.src = 'https://image.example/f.png';
    await Promise.all([sockets, image].map((each) => new Promise((resolve) => (each.onerror = resolve))));
  });
  const hosts = ['secure', 'plain', 'beacon', 'socket', 'image'].map((name) => `${name}.example`);
  await until(
    () => Promise.resolve([...hosts, '192.0.2.7'].every((host) => outsideRequests.some((url) => url.includes(host)))),
    'each of them is heard',
  );
  // What goes to this machine does not pass there, and requests are reported once somebody asks.
  const asked: string[] = [];
  page.context().on('request', (request) => void asked.push(request.url()));
  await page.evaluate(() => fetch('/none').catch(() => undefined));
  expect(asked.some((url) => url.endsWith('/none'))).toBe(true);
  expect(outsideRequests.some((url) => url.includes('127.0.0.1'))).toBe(false);
  await workbench.close();
});

it('forgets what another test looked at', () => {
  expect(findNeglected('R001@request R003@dom shows')).toHaveLength(2);
});
