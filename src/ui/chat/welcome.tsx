/** Welcome: what an empty chat shows. */
import { useEffect, useState } from 'preact/hooks';
import { describeFailure } from '../../core/ports/failure';
import { words } from '../../text';
import { factsOf, titleOf } from '../chats/chat-list';
import type { ChatListState } from '../chats/chat-list-state';
import { Icon } from '../components/controls';
import type { OpenChatState } from '../state/chat-state';
import { usesBuiltInReader } from '../state/model-choices';
import type { FoundServer, ModelsPorts } from '../state/ports';

interface WelcomeProps {
  readonly model: OpenChatState;
  /** Absent where no chats are listed. */
  readonly chats: ChatListState | undefined;
}

export function Welcome({ model, chats }: WelcomeProps) {
  return (
    <div class="docent-welcome">
      <Icon icon="message-circle" class="docent-welcome-icon" />
      <div class="docent-welcome-title">{words.chatView.welcome}</div>
      <p>{words.chatView.welcomeText}</p>
      {usesBuiltInReader(model.ports.settings()) && (
        <FirstRun models={model.ports.models} onOpenSettings={() => model.ports.openSettings()} />
      )}
      {chats !== undefined && <RecentChats list={chats} />}
    </div>
  );
}

/** Chats that an empty chat offers to go on with. */
const maxRecent = 5;

function RecentChats({ list }: { readonly list: ChatListState }) {
  useEffect(() => list.show(), [list]);
  const recent = list.chats.value.filter(({ isDeleted }) => !isDeleted).slice(0, maxRecent);
  if (recent.length === 0) return null;
  return (
    <section class="docent-recent" aria-label={words.chats.recent}>
      <div class="docent-recent-title">{words.chats.recent}</div>
      {recent.map((chat) => (
        <button type="button" key={chat.id} class="docent-chats-open" onClick={() => list.host.open(chat.id, null)}>
          <span class="docent-chats-title" dir="auto">
            {titleOf(chat)}
          </span>
          <span class="docent-chats-facts">{factsOf(chat)}</span>
        </button>
      ))}
    </section>
  );
}

interface FirstRunProps {
  readonly models: ModelsPorts;
  readonly onOpenSettings: () => void;
}

/** Maximum models that are shown; the settings list the rest. */
const maxShown = 5;

/** FirstRun: three ways to a first answer for a user without a model: an API key, a local server, or neither. */
function FirstRun({ models, onOpenSettings }: FirstRunProps) {
  const [found, setFound] = useState<readonly FoundServer[] | 'looking' | null>(null);
  const say = words.models.firstRun;
  const findServers = async (): Promise<void> => {
    setFound('looking');
    setFound(await models.findLocalServers());
  };
  const allow = ({ failure }: FoundServer): Promise<void> => {
    if (failure !== undefined) models.allowAsked(failure);
    return findServers();
  };
  return (
    <div class="docent-first-run">
      <p class="docent-welcome-hint">{words.chatView.readerHint}</p>
      <div class="docent-first-run-ways">
        <button type="button" onClick={onOpenSettings}>
          {words.chatView.setUpModel}
        </button>
        <button type="button" disabled={found === 'looking'} onClick={() => void findServers()}>
          {found === 'looking' ? say.looking : say.look}
        </button>
      </div>
      <div role="status">
        {Array.isArray(found) && found.length === 0 && <p class="docent-first-run-none">{say.none}</p>}
        {Array.isArray(found) &&
          found.map((server: FoundServer) => (
            <div key={server.provider} class="docent-first-run-server">
              <div>{say.server(server.label, server.models.length)}</div>
              {server.failure !== undefined && (
                <div class="docent-failure-remedy">{describeFailure(server.failure)}</div>
              )}
              {server.failure?.action === 'allow-sending' && (
                <button type="button" onClick={() => void allow(server)}>
                  {words.gate.allow}
                </button>
              )}
              {server.models.slice(0, maxShown).map(({ name }) => (
                <button
                  type="button"
                  key={name}
                  aria-label={say.use(name, server.label)}
                  onClick={() => void models.use(server, name)}
                >
                  {name}
                </button>
              ))}
            </div>
          ))}
      </div>
    </div>
  );
}
