/** Stop words: words that carry a question's grammar, by language, and words that carry little of its subject. */
import { lazy } from '../base/lazy';

const list = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

/** Folded as in `foldText`. English comes first: it wins when a text shows no language. */
const byLanguage: readonly ReadonlySet<string>[] = [
  list(`a about after again all also am an and any are aren as at be because been before being between both but by can
    cannot could couldn d did didn do does doesn doing don done down during each either else ever every few for from
    further had hadn has hasn have haven having he her here hers herself him himself his how i if in into is isn it its
    itself just let ll m may me might mine more most must my myself neither no nor not now of off on once one ones only
    or other ought our ours out over own please re s same say says said shall she should shouldn so some such t tell
    than that the their theirs them then there these they this those through to too under until up upon us ve very was
    wasn we were weren what when where whether which while who whom whose why will with within without won would
    wouldn you your yours yourself`),
  list(`aber alle als also am an auch auf aus bei beim bin bis bist da dann das dass dein dem den der des die dies diese
    diesem diesen dieser dieses doch dort du durch ein eine einem einen einer eines er es etwas euch fur gibt habe haben
    hast hat hatte ich ihr im in ins ist ja kann kannst kein keine konnen man mein meine meinem meinen meiner mich mir
    mit muss nach nicht noch nun nur ob oder ohne sagt sehr sein seine sich sie sind so soll uber um und uns unser unter
    vom von vor wann war waren warum was wegen weil welche welcher welches wem wen wenn wer werden wie wieder wir wird
    wo woher wohin wurde zu zum zur zwischen`),
  list(`a ai ainsi au aux avec avons avez c ce ces cet cette comme comment d dans de des dit donc du elle elles en est et
    etait etaient ete etes etre eu fait il ils j je jusqu l la le les leur leurs lui m ma mais me mes moi mon n ne nos
    notre nous on ont ou par pas plus pour pourquoi qu quand que quel quelle quelles quels qui quoi s sa sans se ses si
    son sont sous suis sur t ta te tes toi ton tu un une vos votre vous y`),
  list(`a al algo ante antes asi aunque como con contra cual cuales cuando de del desde dice donde dos el ella ellas ellos
    en entre era es esa ese eso esta estaba estan este esto fue ha hace han hasta hay la las le les lo los mas me mi mis
    muy nada ni no nos o os para pero por porque que quien se ser si sin sobre son su sus tambien te tiene tu tus un una
    uno y ya yo`),
  list(`a ad agli ai al alla alle anche c che chi ci ciascuno come con cosa cui da dal dalla dei del della delle di dove e
    ed era erano essere gli ha hai hanno ho i il in io l la le lei lo loro lui ma mi mia mio ne nei nel nella noi non o
    per perche piu quale quali quando quanto quella quello questa questo se si sia sono su sua sul sulla suo ti tra tu un
    una uno vi voi`),
  list(`a ao aos as com como da das de dela dele do dos e ela elas ele eles em entre era essa esse esta este eu foi ha isso
    isto ja lhe mais mas me meu minha muito na nao nas no nos nossa nosso num numa o onde os ou para pela pelo por porque
    qual quais quando que quem sao se sem ser seu sua so tem um uma voce`),
];

const light =
  list(`actually allow always anything available away back bad become best better bit call called certain come
  correct correctly current currently describe different easily easy enough everything exactly example explain fast find
  first get gets getting give gives go goes going good got great happen happens help hint hints idea important info
  information instead keep kind know known last learn like little long look looking lot made main make makes making many
  mean means mention mentions method much my name need needs never new nice note notes number often part particular
  people place point possible properly put question quick quickly quite read reads reading really right safely see set shall show similar
  simple simply something sometimes sort still stuff sure take takes talk thing things think time tip tips today try
  type use used useful user users uses using usually vault want wants way ways well work working works write written
  wrong`);

const unspacedLight = list(
  `如何 什么 怎么 怎样 为什 哪里 请问 可以 是否 我的 什麼 怎麼 為什 哪裡 하는 어떻 무엇 방법 은요 나요 ですか`,
);

/** The stop words of the language that a text's words show most. */
export function stopWordsFor(words: readonly string[]): ReadonlySet<string> {
  let best = byLanguage[0] ?? new Set<string>();
  let most = 0;
  for (const language of byLanguage) {
    const hits = words.reduce((sum, word) => sum + (language.has(word) ? 1 : 0), 0);
    if (hits > most) [best, most] = [language, hits];
  }
  return best;
}

const hiragana = lazy(() => /^\p{Script=Hiragana}+$/u);

/** Whether a word says little of what is asked: it may help to rank, and its absence means nothing. */
export function isLight(word: string): boolean {
  return light.has(word) || unspacedLight.has(word) || hiragana().test(word);
}
