/** Welcome: what an empty chat shows. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { describeFailure } from '../../core/ports/failure';
import { words } from '../../text';
import { factsOf, titleOf } from '../chats/chat-list';
import type { ChatListState } from '../chats/chat-list-state';
import { Icon, Named, useOneAtATime } from '../components/controls';
import type { OpenChatState } from '../state/chat-state';
import { usesBuiltInReader } from '../state/model-choices';
import type { FoundServer, ProviderChoice } from '../state/ports';

interface WelcomeProps {
  readonly model: OpenChatState;
  /** Absent where no chats are listed. */
  readonly chats: ChatListState | undefined;
}

export function Welcome({ model, chats }: WelcomeProps) {
  const [, setChanges] = useState(0);
  // A model that is chosen here changes the settings alone.
  useEffect(() => model.ports.onChange(() => setChanges((count) => count + 1)), [model]);
  const isReader = usesBuiltInReader(model.ports.settings());
  return (
    <div class="docent-welcome">
      <Icon icon="message-circle" class="docent-welcome-icon" />
      <div class="docent-welcome-title">{words.chatView.welcome}</div>
      <p>{words.chatView.welcomeText}</p>
      {isReader && <FirstRun model={model} />}
      {!isReader && <FirstQuestions model={model} chats={chats} />}
      {chats !== undefined && <RecentChats list={chats} open={model.chatId} />}
    </div>
  );
}

/** Chats that an empty chat offers to go on with. */
const maxRecent = 5;

/** @param open the id of the chat in view, which is stored before its first message if it has a goal */
function RecentChats({ list, open }: { readonly list: ChatListState; readonly open: string | null }) {
  useEffect(() => list.show(), [list]);
  const recent = list.chats.value
    .filter(({ id, isDeleted }) => !isDeleted && id !== open)
    .sort((a, b) => b.changed - a.changed)
    .slice(0, maxRecent);
  if (recent.length === 0) return null;
  return (
    <Named tag="section" class="docent-recent" name={words.chats.recent}>
      <div class="docent-recent-title">{words.chats.recent}</div>
      {recent.map((chat) => (
        <button type="button" key={chat.id} class="docent-chats-open" onClick={() => list.host.open(chat.id, null)}>
          <span class="docent-chats-title" dir="auto">
            {titleOf(chat)}
          </span>
          <span class="docent-chats-facts">{factsOf(chat)}</span>
        </button>
      ))}
    </Named>
  );
}

const say = words.models.firstRun;

/** Questions that any vault can answer, until there is a chat. */
function FirstQuestions({ model, chats }: WelcomeProps) {
  useEffect(() => chats?.show(), [chats]);
  // What is in the box stays there.
  const ask = useOneAtATime((question: string) => model.sendWithoutDraft(question, []));
  if (chats === undefined || chats.chats.value.length > 0) return null;
  const note = model.ports.noteInFront?.current() ?? null;
  const asked = note === null ? say.questions : [say.questionOnNote, ...say.questions];
  return (
    <Named class="docent-first-questions" role="group" name={say.firstQuestion}>
      {asked.map((question) => (
        <button type="button" key={question} onClick={() => ask(question)}>
          {question}
        </button>
      ))}
    </Named>
  );
}

/** Maximum models that are shown; a search has the rest. */
const maxShown = 5;

type Way = 'reader' | 'local' | 'hosted';

const ways: readonly { readonly id: Way; readonly icon: string }[] = [
  { id: 'reader', icon: 'book-open' },
  { id: 'local', icon: 'hard-drive' },
  { id: 'hosted', icon: 'cloud' },
];

/** FirstRun: three ways to a first answer for a user without a model, each with what it needs. */
function FirstRun({ model }: { readonly model: OpenChatState }) {
  const [way, setWay] = useState<Way | null>(null);
  return (
    <div class="docent-first-run">
      <Named class="docent-first-run-ways" role="group" name={say.ways}>
        {ways.map(({ id, icon }) => (
          <button
            type="button"
            key={id}
            class={`docent-first-run-way ${way === id ? 'is-selected' : ''}`}
            aria-pressed={way === id}
            onClick={() => setWay(id)}
          >
            <Icon icon={icon} />
            <span class="docent-first-run-words">
              <span class="docent-first-run-name">{say[id].name}</span>
              <span class="docent-first-run-about">{say[id].about}</span>
            </span>
          </button>
        ))}
      </Named>
      {way === 'reader' && <p role="status">{say.readerReady}</p>}
      {way === 'local' && <LocalServers model={model} />}
      {way === 'hosted' && <HostedModel model={model} />}
    </div>
  );
}

/** LocalServers: the servers on this device that respond, each with its models. */
function LocalServers({ model }: { readonly model: OpenChatState }) {
  const [found, setFound] = useState<readonly FoundServer[] | null>(null);
  const { models } = model.ports;
  const findServers = (): void => {
    setFound(null);
    void models.findLocalServers().then(setFound);
  };
  useEffect(findServers, [models]);
  const result = useRef<HTMLDivElement>(null);
  // A low view has no room for what is found, or for what helps when nothing is.
  useEffect(() => result.current?.scrollIntoView({ block: 'nearest' }), [found]);
  return (
    <div role="status" ref={result}>
      {found === null && <p>{say.looking}</p>}
      {found?.length === 0 && <p class="docent-first-run-none">{say.none}</p>}
      {found?.map((server) => (
        <FoundModels key={server.provider} found={server} model={model} onAllow={findServers} />
      ))}
      {found?.length === 0 && (
        <button type="button" onClick={findServers}>
          {say.look}
        </button>
      )}
    </div>
  );
}

/** HostedModel: a provider and the user's key for it, then the models that the key may use. */
function HostedModel({ model }: { readonly model: OpenChatState }) {
  const { models } = model.ports;
  const result = useRef<HTMLDivElement>(null);
  const hosted = models.choices.filter(({ keyNeeded }) => keyNeeded);
  const [chosen, setChosen] = useState(hosted[0]?.id ?? '');
  const [found, setFound] = useState<FoundServer | 'connecting' | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const key = useRef<HTMLInputElement>(null);
  /** The provider that is chosen now, which may be another one by the time that the first has responded. */
  const current = useRef(chosen);
  // In a low view, the form opens below what is seen, and so does what the provider responds.
  useEffect(() => form.current?.scrollIntoView({ block: 'nearest' }), []);
  useEffect(() => {
    if (found !== null) result.current?.scrollIntoView({ block: 'nearest' });
  }, [found]);
  const provider = hosted.find(({ id }) => id === chosen);
  const connect = async (event: Event): Promise<void> => {
    event.preventDefault();
    const entered = key.current?.value ?? '';
    if (entered.trim() === '') return key.current?.focus();
    setFound('connecting');
    const connected = await models.connect(chosen, entered);
    if (current.current !== chosen) return;
    if (key.current !== null && connected.failure === undefined) key.current.value = '';
    setFound(connected);
  };
  return (
    <form ref={form} class="docent-first-run-form" onSubmit={(event) => void connect(event)}>
      <select
        class="dropdown"
        aria-label={words.settings.chooseProvider}
        value={chosen}
        onChange={({ currentTarget }) => {
          current.current = currentTarget.value;
          setChosen(currentTarget.value);
          setFound(null);
          key.current?.focus();
        }}
      >
        {hosted.map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </select>
      <input
        ref={key}
        type="password"
        autocomplete="off"
        maxLength={4_096}
        placeholder={words.settings.pasteKey}
        aria-label={words.settings.key}
      />
      <button type="submit" class="mod-cta" disabled={found === 'connecting'}>
        {found === 'connecting' ? words.settings.testing : say.connect}
      </button>
      <p class="docent-first-run-about">
        {say.keyStored}{' '}
        {provider?.keyPage !== undefined && (
          <a class="external-link" href={provider.keyPage} target="_blank" rel="noopener">
            {say.getKeyOf(provider.label)}
          </a>
        )}
      </p>
      <div role="status" ref={result}>
        {found !== null && found !== 'connecting' && (
          <FoundModels found={found} model={model} onAllow={() => setFound(null)} />
        )}
      </div>
    </form>
  );
}

interface FoundModelsProps {
  readonly found: FoundServer;
  readonly model: OpenChatState;
  /** Called once the user allowed on this device what the provider's address asks. */
  readonly onAllow: () => void;
}

/** FoundModels: what a provider lists, to be chosen, or why it cannot be used. */
function FoundModels({ found, model, onAllow }: FoundModelsProps) {
  const { models, prompts, device } = model.ports;
  const { failure, label } = found;
  const listed = bestFirst(found, models.choices);
  const search = async (): Promise<void> => {
    // The search lists the models of all providers, and may be left without a choice.
    await models.use(found, null);
    const id = await prompts.searchModels(model.ports.settings().model, { device, models });
    if (id !== null) await models.use(found, id);
  };
  return (
    <div class="docent-first-run-server">
      {failure === undefined && <div>{say.server(label, listed.length)}</div>}
      {failure !== undefined && <div class="docent-failure-remedy">{describeFailure(failure)}</div>}
      {failure?.action === 'allow-sending' && (
        <button
          type="button"
          onClick={() => {
            models.allowAsked(failure);
            onAllow();
          }}
        >
          {words.gate.allow}
        </button>
      )}
      {listed.slice(0, maxShown).map((name) => (
        <button
          type="button"
          key={name}
          aria-label={say.use(name, label)}
          onClick={() => void models.use(found, `${found.provider}/${name}`)}
        >
          {name}
        </button>
      ))}
      {listed.length > maxShown && (
        <button type="button" onClick={() => void search()}>
          {say.all(listed.length)}
        </button>
      )}
    </div>
  );
}

/** Returns the names of the models, those that Docent knows of the provider first. */
function bestFirst({ provider, models }: FoundServer, choices: readonly ProviderChoice[]): readonly string[] {
  const names = models.map(({ name }) => name);
  const known = choices.find(({ id }) => id === provider)?.models ?? [];
  return [...known.filter((name) => names.includes(name)), ...names.filter((name) => !known.includes(name))];
}
