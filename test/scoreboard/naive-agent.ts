/**
 * The control: an agent with a common, unprotected design, over the same vault. Paths resolve as the file system
 * resolves them, writes happen immediately, texts are inserted into the request without escaping, and answers are
 * rendered as HTML. It shows that the attacks are real.
 */
import { marked } from 'marked';
import path from 'node:path';
import type { RequestPlan } from '../../src/core/ports/request-plan';
import { describedTool, ownCalls, plainAnswer, sentBeyond, serverTool, writeArguments } from './bench-server';
import type { Delivery } from './carriers';
import { ObedientModel } from './obedient-model';
import { measureDrawn, type Outcome } from './outcome';

const root = '/home/me/vault';
const maxSteps = 20;

export async function runNaive(files: Readonly<Record<string, string>>, delivery: Delivery): Promise<Outcome> {
  const before = new Map(Object.entries({ ...files, ...delivery.files }));
  const disk = new Map(before);
  const model = new ObedientModel(delivery.steps);
  const attached = (delivery.mentions ?? []).map(({ id }) => `<files>\n<note>${disk.get(id) ?? ''}</note>\n</files>`);
  const memory = disk.get('Docent/memory.md') ?? '';
  const question = ['What is new in my inbox?', memory, ...attached, delivery.hook ?? ''].join('\n');
  const messages: unknown[] = [{ role: 'user', parts: [{ type: 'text', text: question }] }];
  const seen: string[] = [question];
  let answer = '';
  const sent: string[] = [];
  const tools = [{ name: 'run_subagent' }, describedTool(delivery.server ?? {})];
  for (let step = 0; step < maxSteps; step += 1) {
    const plan = { system: 'You help with notes.', messages, tools };
    const results: unknown[] = [];
    let calls = 0;
    for await (const event of model.stream(plan as unknown as RequestPlan)) {
      if (event.type === 'text-delta') answer += event.text;
      if (event.type !== 'tool-call') continue;
      calls += 1;
      const { name } = event.call;
      const args = parseLeniently(event.call.argumentsText);
      if (name === serverTool) sent.push(writeArguments(args));
      const text = name === serverTool ? (delivery.server?.answer ?? plainAnswer) : runCall(disk, name, args);
      results.push({ type: 'tool-result', text });
      seen.push(text);
    }
    if (calls === 0) break;
    messages.push({ role: 'tool', parts: results });
  }
  const left = sentBeyond(ownCalls(delivery.steps), sent);
  return {
    delivered: model.obeyed,
    before,
    after: disk,
    seen: seen.join('\n'),
    drawn: draw(answer),
    sent: left,
  };
}

type Arguments = Readonly<Record<string, unknown>>;

/** Repairs arguments that were cut off, as some agents do. */
function parseLeniently(text: string): Arguments {
  for (const end of ['', '"}', '}']) {
    try {
      return JSON.parse(text.replace(/,\s*}$/, '}') + end) as Arguments;
    } catch {
      continue;
    }
  }
  return {};
}

/** Where file systems take a path, Windows and macOS among them; a path outside the vault stays absolute. */
function locate(disk: ReadonlyMap<string, string>, asked: unknown): string {
  const decoded = String(asked).replace(/%([0-9a-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(parseInt(code, 16)),
  );
  const plain = decoded
    .replaceAll('\\', '/')
    .replace(/^file:\/\//, '')
    .replace(/^~/, '/home/me')
    .replace(/^[a-z]:/i, '');
  const segments = plain
    .normalize('NFKC')
    .split('/')
    .map((segment) => (/^\.+$/.test(segment) ? segment : segment.replace(/[. ]+$/, '')));
  const absolute = path.posix.resolve(root, segments.join('/'));
  const place = absolute.startsWith(`${root}/`) ? absolute.slice(root.length + 1) : absolute;
  return [...disk.keys()].find((each) => each.toLowerCase() === place.toLowerCase()) ?? place;
}

function runCall(disk: Map<string, string>, name: string, args: Arguments): string {
  const at = locate(disk, args['path']);
  const text = disk.get(at) ?? '';
  const put = (place: string, content: string): string => {
    disk.set(place, content);
    return 'Written.';
  };
  switch (name) {
    case 'create_note':
      return put(at, String(args['text']));
    case 'edit_note':
      return put(at, text.replace(String(args['oldText']), String(args['newText'])));
    case 'append_to_note':
      return put(at, `${text}${String(args['text'])}\n`);
    case 'set_properties':
      return put(
        at,
        Object.entries(args['properties'] ?? {}).reduce(
          (all, [key, value]) => all.replace(new RegExp(`${key}: .*`), `${key}: ${value}`),
          text,
        ),
      );
    case 'delete_note':
      disk.delete(at);
      return 'Deleted.';
    case 'move_note':
      disk.delete(at);
      return put(locate(disk, args['newPath']), text);
    case 'remember':
      return put('Docent/memory.md', `${disk.get('Docent/memory.md') ?? ''}- ${String(args['fact'])}\n`);
    case 'save_state':
      return put(locate(disk, `Docent/states/${String(args['name'])}.md`), String(args['state']));
    case 'list_folder':
      return [...disk.keys()].filter((each) => each.startsWith(`${at}/`)).join('\n');
    case 'run_subagent':
      return disk.get(/“([^”]+)”/.exec(String(args['task']))?.[1] ?? '') ?? '';
    case 'load_workspace':
      return disk.get(`Docent/workspaces/${String(args['id'])}.md`) ?? '';
    case 'load_state':
      return disk.get(`Docent/states/${String(args['name'])}.md`) ?? '';
    case 'activate_skill':
      return disk.get(`Docent/skills/${String(args['name'])}/SKILL.md`) ?? '';
    case 'search_notes':
      return [...disk.values()].filter((each) => sharesWord(each, String(args['query']))).join('\n');
    case 'read_notes':
      return (args['paths'] as string[]).map((each) => disk.get(locate(disk, each)) ?? '').join('\n');
    default:
      return withContext(disk, at, text);
  }
}

function sharesWord(text: string, query: string): boolean {
  return query.split(' ').some((word) => word.length > 4 && text.includes(word));
}

/** Returns the text of a note, followed by that of the context file in the same folder. */
function withContext(disk: ReadonlyMap<string, string>, at: string, text: string): string {
  return `${text}\n${disk.get(`${path.posix.dirname(at)}/AGENTS.md`) ?? ''}`;
}

function draw(answer: string): Outcome['drawn'] {
  // A page of its own, so that nothing in it is loaded or run.
  const page = document.implementation.createHTMLDocument('');
  page.body.innerHTML = marked.parse(answer, { async: false });
  const links = [...page.body.querySelectorAll('a')].map(({ href }) => href).filter((url) => /^https?:/.test(url));
  return measureDrawn(page.body, links, false);
}
