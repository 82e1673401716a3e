/** Question words: the words of a question that carry no subject, in the language or languages in which it is asked. */
import { lazy } from '../base/lazy';

interface Language {
  /** Function words. */
  readonly stop: ReadonlySet<string>;
  /** Words of questions and requests that say little about their subject; `-` takes the place of an ending. */
  readonly light: ReadonlySet<string>;
  /** The letters that the forms of `light` with an ending begin with, as many as the shortest of them has. */
  readonly starts: ReadonlySet<string>;
  readonly startLength: number;
  /** Words that nearly every longer text in the language has; none for the default language. */
  readonly marks: readonly string[];
}

const split = (words: string): string[] => words.split(/\s+/).filter((word) => word !== '');
const language = (stop: string, light: string, marks = ''): Language => {
  const stems = split(light).flatMap((form) => (form.endsWith('-') ? [form.slice(0, -1)] : []));
  const startLength = Math.min(...stems.map(({ length }) => length));
  return {
    stop: new Set(split(stop)),
    light: new Set(split(light)),
    starts: new Set(stems.map((stem) => stem.slice(0, startLength))),
    startLength,
    marks: split(marks),
  };
};

/** Folded as by `foldText`. English comes first, as the default for a text that matches no language. */
const languages = lazy((): readonly [Language, ...Language[]] => [
  // English.
  language(
    `a about after again all also am an and any are aren as at be because been before being between both but by
      can cannot could couldn d did didn do does doesn doing don done down during each either else ever every
      few for from further had hadn has hasn have haven having he her here hers herself him himself his how i if
      in into is isn it its itself just let ll m may me might mine more most must my myself neither no nor not
      now of off on once one ones only or other ought our ours out over own please re s said same say says shall
      she should shouldn so some such t tell than that the their theirs them then there these they this those
      through to too under until up upon us ve very was wasn we were weren what when where whether which while
      who whom whose why will with within without won would wouldn you your yours yourself`,
    `actually allow always anything available away back bad become best better bit call called
      certain come correct correctly cover covered covers current currently describe detail details different
      easily easy enough everything exactly example explain fast find first get gets getting give gives go goes
      going good got great happen happens help hint hints idea important info information instead keep kind know
      known last learn like little long look looking lot made main make makes making many mean means mention
      mentions method much my name need needs never new nice note notes number often part particular
      people place please point possible properly put quick quickly quite read reading reads
      really right safely see set shall show similar simple simply something sometimes sort
      still stuff sure take takes talk tell tells thing things think time tip tips
      today told try type use used useful user users uses using usually vault want wants way ways well work
      working works write written wrong`,
  ),
  // German.
  language(
    `aber alle alles als also am an auch auf aus bei beim bin bis bist bitte da damit dann darauf darf daruber
      darum das dass davon dazu dein dem den der des die dies diese diesem diesen dieser dieses dir doch dort
      du durch ein eine einem einen einer eines einfach er es etwas euch fur gegen gern gibt habe haben habt
      hast hat hatte hier ich ihn ihnen ihr ihrem ihren im in ins ist ja jede jeden jeder jetzt kann kannst
      kein keine konnen konnte konntest mal man mein meine meinem meinen meiner mich mir mit mochte muss
      mussen musst nach nicht nichts noch nun nur ob oder ohne sagt schon sehr sein seine seit sich sie sind
      so solche soll sollte uber um und uns unser unter viel vom von vor wann war waren wart warum was wegen
      weil weiter welche welchem welchen welcher welches wem wen wenn wer werden wie wieder wieso willst wir
      wird wo wofur woher wohin womit woran worin worum wozu wurde zu zum zur zwischen`,
    `anleitung- antwort- beacht- bedeut- beispiel- bekomm- benutz- beschreib- brauch- denk- eigentlich einfach-
      erklar- erwahn- erzahl- falls fass- find- frag- funktionier- geb- geh- genau- gesagt geschrieben gib gut
      handelt heiss- helf- hilf- hinweis- info- information- komm- lauf- les- mach- mein- moglich-
      moglichkeit- nenn- notizen nutz- richtig sag- schau- schnell schreib- schritt- seite steh- stell- thema
      tipp- tue tun tut uberblick versteh- verwend- weiss- wiss- zeig- zusammen- zusammenfass-`,
    'und nicht ist ein auf',
  ),
  // French.
  language(
    `a ai ainsi alors au autre autres aux avant avec avez avoir avons bien c ca ce ceci cela celle celui ces cet
      cette chez chose comme comment contre d dans de deja des dit dois doit donc donner dont du elle elles en
      entre est et etaient etait ete etes etre eu faire fait faut il ils j je jusqu l la le les leur leurs lui
      m ma mais me mes moi moins mon n ne non nos notre nous on ont ou oui par parce pas peu peut peux plait
      plus plutot pour pourquoi pouvez puis qu quand que quel quelle quelles quelque quelques quels qui quoi
      rien s sa sans se ses si son sont sous suis sur t ta te tes toi ton tous tout toute toutes tres tu un
      une va vas veut veux voici voila vos votre vous y`,
    `aid- appren- besoin but cherch- compren- connait- conseil- contient definition- detail- devrai- dire dis-
      dites exemple- explication- expliqu- fais- fonctionn- guid- indiqu- info- information- march- mentionn-
      mieux montr- moyen- note- parl- possible propos question- repond- reponse resum- sai- sav- sert serv-
      signifi- sujet trait- trouv- utilis- voir voudrai-`,
    'les dans une pour avec',
  ),
  // Spanish.
  language(
    `a ahora al algo alguna ante antes aquel aqui asi aunque bien cada como con contra cual cuales cuando de debe
      deben debo del dentro desde despues dice dime donde dos el ella ellas ellos en entre era es esa ese eso
      esta estaba estan este esto favor fue fuera ha haber hace hasta hay la las le les lo los mas me mi mis
      muy nada ni no nos o os otra otras otro otros para pero podemos por porque puede pueden puedes puedo
      pues que quien se ser sera si siempre sin sobre solo son soy su sus tal tambien tanto te tengo ti tiene
      toda todas todo todos tu tus un una uno voy y ya yo`,
    `aprend- ayud- busc- conoc- consej- contiene cuent- defin- detall- dice- dig- ejemplo- encontr- encuentr-
      escri- explic- expliqu- funcion- guia- gustaria habl- hac- hag- idea indic- info- informacion lista
      mencion- mostr- muestr- necesari- necesit- nota- permit- podri- posible pregunt- quier- respecto
      respond- respuesta resum- sab- signific- sirv- tema- trat- usa usar uso utiliz- ver`,
    'los las una del como',
  ),
  // Italian.
  language(
    `a ad agli ai al alla alle anche c che chi ci ciascuno come con cosa cui da dal dalla dei del della delle di
      dove e ed era erano essere gli ha hai hanno ho i il in io l la le lei lo loro lui ma mi mia mio ne nei
      nel nella noi non o per perche piu quale quali quando quanto quella quello questa questo se si sia sono
      su sua sul sulla suo ti tra tu un una uno vi voi`,
    ``,
    'della gli sono nel questo',
  ),
  // Portuguese.
  language(
    `a ao aos as com como da das de dela dele do dos e ela elas ele eles em entre era essa esse esta este eu foi ha
      isso isto ja lhe mais mas me meu minha muito na nao nas no nos nossa nosso num numa o onde os ou para
      pela pelo por porque quais qual quando que quem sao se sem ser seu so sua tem um uma voce`,
    ``,
    'uma nao dos pelo voce',
  ),
]);

/** The words next to a subject by which a question asks what it is. */
export const definingWords = lazy(
  () =>
    new Set(
      split(
        `what is are was were does mean means meaning exactly a an the about tell me explain define definition of describe
          ist sind war ein eine einen der die das des den genau bedeutet heisst erklar erklare beschreibe
          qu que quoi c ce est sont un une le la les l signifie definis explique decris
          es son una el los las significa define explica cosa cos e il lo gli i sono o sao um uma os as`,
      ),
    ),
);

/** Words in names of notes that introduce what the rest of the name says. */
export const introducingWords = lazy(
  () =>
    new Set(
      split(
        `introduction intro overview basics primer einfuhrung uberblick grundlagen apercu introduccion introduzione
          introducao`,
      ),
    ),
);

const unspacedLight = new Set(
  split('如何 什么 怎么 怎样 为什 哪里 请问 可以 是否 我的 什麼 怎麼 為什 哪裡 하는 어떻 무엇 방법 은요 나요 ですか'),
);

const hiragana = lazy(() => /^\p{Script=Hiragana}+$/u);

/** Function words of the default language that are no words of the others. */
const unmistakable = new Set(split('and of with from your how'));

/** The words of a text that carry no subject. */
export interface QuestionWords {
  /** Whether a word is a function word. */
  readonly isStop: (word: string) => boolean;
  /** Whether a word says little about the subject: it may improve a rank, and its absence means nothing. */
  readonly isLight: (word: string) => boolean;
  /** Common words of each language other than the default that the question uses. */
  readonly marks: readonly (readonly string[])[];
}

/**
 * Returns the question words of the language that most of the words belong to, and of any other in which a part of the
 * text is written, as in “Wie geht das: How to be on time”.
 * @param words folded, in order
 */
export function questionWordsOf(words: readonly string[]): QuestionWords {
  const [usual] = languages();
  let best: Language = usual;
  let maxHits = 0;
  for (const each of languages()) {
    const hits = words.reduce((sum, word) => sum + (each.stop.has(word) || isAskedIn(each, word) ? 1 : 0), 0);
    if (hits > maxHits) [best, maxHits] = [each, hits];
  }
  const isSpoken = (each: Language): boolean =>
    each === best || hasRunIn(each, best, words) || (each === usual && words.some((word) => unmistakable.has(word)));
  const spoken = languages().filter(isSpoken);
  return {
    isStop: (word) => spoken.some(({ stop }) => stop.has(word)),
    isLight: (word) =>
      usual.light.has(word) ||
      spoken.some((each) => hasForm(each, word)) ||
      unspacedLight.has(word) ||
      hiragana().test(word),
    marks: maxHits === 0 ? [] : spoken.flatMap(({ marks }) => (marks.length === 0 ? [] : [marks])),
  };
}

/** Letters that an ending has at most. */
const maxEnding = 4;

function hasForm({ light, starts, startLength }: Language, word: string): boolean {
  if (light.has(word)) return true;
  // Nearly every word ends here, before its forms are made.
  if (!starts.has(word.slice(0, startLength))) return false;
  for (let cut = 0; cut <= maxEnding; cut += 1) if (light.has(`${word.slice(0, word.length - cut)}-`)) return true;
  return false;
}

/** Words that the default language has too, by which no other is known. */
const shared = new Set(
  split(
    `consult definition detail details guide idea important info infos information informations list note notes page
    possible question questions sage simple tema tipp tipps usage use`,
  ),
);

/** Whether a word asks in a language other than the default, whose own words are also subjects of notes. */
function isAskedIn(language: Language, word: string): boolean {
  return language.marks.length > 0 && hasForm(language, word) && !shared.has(word);
}

/**
 * Whether words of a language are next to each other in the text, two of which the best language does not have, or one
 * that asks.
 */
function hasRunIn(own: Language, best: Language, words: readonly string[]): boolean {
  let length = 0;
  let weight = 0;
  for (const word of words) {
    const asks = isAskedIn(own, word);
    const isOwn = asks || own.stop.has(word);
    length = isOwn ? length + 1 : 0;
    if (!isOwn) weight = 0;
    else if (!best.stop.has(word) && !best.light.has(word)) weight += asks ? 2 : 1;
    if (length > 1 && weight > 1) return true;
  }
  return false;
}
