/** Question words: the words of a question that carry no subject, in the language or languages in which it is asked. */
import { lazy } from '../base/lazy';

interface Language {
  /** Function words. */
  readonly stop: ReadonlySet<string>;
  /** Words of questions and requests that say little about their subject. */
  readonly light: ReadonlySet<string>;
  /** Words that nearly every longer text in the language has; none for the default language. */
  readonly marks: readonly string[];
}

const split = (words: string): string[] => words.split(/\s+/).filter((word) => word !== '');
const language = (stop: string, light: string, marks = ''): Language => ({
  stop: new Set(split(stop)),
  light: new Set(split(light)),
  marks: split(marks),
});

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
    `ab aber alle alles als also am an auch auf aus bei beim bin bis bist bitte bzw da dabei damit dann daran
      darauf darf darin daruber darum das dass davon dazu dein dem den der des dich die dies diese diesem diesen
      dieser dieses dir doch dort du durch ein eine einem einen einer eines er es etwa etwas euch euer eure fur
      gab gegen genau gern gibt habe haben habt hast hat hatte hatten hier ich ihm ihn ihnen ihr ihre ihrem
      ihren ihrer im in ins irgendetwas irgendwo ist ja jede jeden jeder jedes jemand jetzt kann kannst kein
      keine konnen konnte konntest lasst mal man mein meine meinem meinen meiner mich mir mit mochte mochten
      muss mussen musst nach nicht nichts noch nun nur ob oder ohne sagt schon sehr sein seine seit sich sie
      sind so solche soll sollen sollte solltest statt trotz uber um und uns unser unsere unter viel viele
      vielleicht vom von vor wahrend wann war ware waren wart warum was wegen weil weiter welche welchem welchen
      welcher welches wem wen weniger wenn wer werde werden wie wieder wieso will willst wir wird wirst wo wofur
      woher wohin wohl wollen womit worauf woraus worden worin worum wovon wozu wurde zu zum zur zwar zwischen`,
    `achten alternativ angeht anleitung anleitungen antwort antworten auskunft beachten beantworte bedeuten
      bedeutet bedeutung behandelt beispiel beispiele bekomme bekommen benutze benutzen benutzt bescheid
      beschreib beschreibe beschreiben beschreibt beschreibung besser besten brauche brauchen braucht denke denn
      eigentlich einfach einfachsten einrichten erfahre erfahren erklar erklare erklaren erklarst erklart
      erklarung erledige erledigen erwahnen erwahnt erzahl erzahle erzahlen falls fass fasse finde finden
      findest findet frage fragen funktioniere funktionieren funktioniert gebe geben gehe gehen gehort geht
      gelingt genannt genauer genutzt gerade gesagt geschrieben gib gut handelt heissen heisst helfe helfen hilf
      hilfe hilft hinweis hinweise info information informationen infos kenne kennst klappt komme kommen kommt
      konkret kurz laufen lauft lerne lernen lese lesen liste mach mache machen machst macht meinst meint
      moglich moglichkeit moglichkeiten nachlesen nachschlagen nenne nennen notizen nutze nutzen nutzt
      passiert richtig sag sage sagen schau schauen schnell schreibe schreiben schritt schritte sehe sehen seite
      sinn stehen steht stelle stellen such suche suchen sucht thema tipp tipps tue tun tut uberblick verstehe
      verstehen versteht verwende verwenden verwendet vorgehen weiss weisst wichtig wichtigste wissen
      wissenswertes worte zeig zeige zeigen zeigt zusammen zusammenfassen zusammenfassung`,
    'und nicht ist ein auf',
  ),
  // French.
  language(
    `a afin ai ainsi alors apres au aucun aucune aussi autre autres aux avait avant avec avez avoir avons bien
      c ca car ce ceci cela celle celles celui ces cet cette ceux chaque chez chose combien comme comment contre
      d dans de deja depuis des dessus dit dois doit doivent donc donne donner dont du durant elle elles en
      encore entre est et etaient etait ete etes etre eu eux faire fait faut font hors ici il ils j je jusqu
      juste l la laquelle le lequel les lesquelles lesquels leur leurs lors lorsque lui m ma mais malgre me meme
      mes moi moins mon n ne non nos notre nous on ont ou oui par parce pas peu peut peux plait plus plutot pour
      pourquoi pourrais pourrait pouvez pouvoir puis puisje qu quand que quel quelle quelles quelque quelques
      quels qui quoi rien s sa sans sauf se selon sera serait seront ses si soit son sont sous suis sur t ta te
      tes toi ton tous tout toute toutes tres trop tu un une va vais vas vers veut veux voici voila vos votre
      vous vraiment y`,
    `aide aidemoi aider aidez aimerai aimerais apercu apprendre apprends astuce astuces besoin but cherche
      chercher choses comprendre comprends concernant concerne connaitre conseil conseils consiste contient
      correctement decrire decris decrit definition demande demander detail details devrais devrait dire dis
      disent dites ecrire ecrit etapes exactement exemple exemples explication explications explique expliquer
      expliques expliquez facilement fais faisons faites fonctionne fonctionnement fonctionnent fonctionner
      guide indique indiquer info information informations infos jeter lire liste marche marchent marcher
      meilleur meilleure mentionne mentionnent mieux montre montrer montrez moyen moyens necessaire note notes
      obtenir page parle parlent parler parlez permet possible presente presenter procede proceder propos
      quelquepart question questions raconte raconter rapidement renseigne renseignement renseignements
      renseigner repondre reponds reponse resume resumer resumez sais sait savent savez savoir sens sert servent
      servir signification signifie signifient simplement sujet traite traitent trouve trouver trouverai trouves
      trouvez utile utilise utilisent utiliser utilises veuillez voir voudrais vouloir`,
    'les dans une pour avec',
  ),
  // Spanish.
  language(
    `a acerca ademas ahi ahora al algo alguien alguna algunas alguno algunos alli ante antes aquel aquella aqui
      asi aun aunque bajo bien cada casi como con contra cual cuales cuando cuanta cuanto cuantos cuya cuyo de
      debe deben deber debo del dentro desde despues dice dime donde dos durante el ella ellas ellos en entre
      era eres es esa esas ese eso esos esta estaba estan estas este esto estos estoy favor fue fuera fueron
      gran ha haber habia hace hacia han has hasta hay he hemos incluso junto la las le les lo los luego mas me
      mediante menos mi mientras mio mis misma mismo mucha mucho muchos muy nada ni no nos nosotros nuestra
      nuestro nunca o os otra otras otro otros para pero podemos podria por porfavor porque puede pueden puedes
      puedo pues que quien quienes quiza se sea segun ser sera si sido siempre siendo sin sino sobre solo somos
      son soy su sus suyo tal tambien tan tanto te tenemos tener tengo ti tiene tienen toda todas todo todos tu
      tus tuyo un una unas uno unos usted ustedes va vez via vosotros voy y ya yo`,
    `acceder aprender aprendo apunte apuntes asunto averiguar ayuda ayudame ayudar ayudarme ayudas busca buscar
      busco conocer conozco conseguir consejo consejos consigo contar contiene correctamente cuenta cuentame
      cuentas deberia decir decirme define definicion describe describeme describir detalle detalles dicen dices
      diga digame ejemplo ejemplos encontrar encuentra encuentras encuentro ensename entender entiendo escribe
      escribir escrito exactamente existe existen explica explicacion explicame explicar explicarme explicas
      explique expliqueme facil facilmente forma funcion funciona funcionamiento funcionan funcionar guia guias
      gustaria habla hablame hablan hablar hacer haga hago haz idea indica indicame info informacion informe
      leer lista manera mejor mencion menciona mencionan mostrar mostrarme muestra muestrame necesario necesita
      necesitas necesito nota notas obtener pagina pasa paso pasos permite podrias posible pregunta preguntas
      quieres quiero quisiera rapido referencia respecto responde respuesta resume resumeme resumen resumir sabe
      saber sabes sencillo sepa significa significado significan sirve sirven solucion tema temas trata tratan
      ultima usa usar uso util utilidad utiliza utilizar veo ver`,
    'los las una del como',
  ),
  // Italian.
  language(
    `a ad agli ai al alla alle allora altra altre altri altro anch anche ancora avere aveva ben bene c che chi
      ci ciascuno cioe circa come con cos cosa cosi cui da dagli dai dal dalla degli dei del della delle dentro
      deve devo di dopo dove dovrebbe e ecco ed era erano ero essere fa fare fino forse fra gia gli ha hai hanno
      ho i il in invece io l la le lei li lo loro lui ma mentre mi mia mio molti molto ne nei nel nella nessuno
      niente noi non nulla o ogni oppure per perche piu poi posso proprio puo puoi qualche qualcosa qualcuno
      quale quali quando quanto quella quello questa questo qui quindi se sei sempre senza si sia solo sono
      sotto sta stato sto su sua sul sulla suo suoi te ti tra tu tutta tutte tutti tutto un una uno vi voglio
      voi vorrei vuoi`,
    `aiuta aiutami aiuto appunti appunto bisogno capire cerca cercare cerco chiedere consigli consiglio
      descrivere descrivi dice dici dicono dimmi dire domanda esempi esempio faccio fai fanno funziona
      funzionano funzionare guida informazioni leggere modo mostra mostrami mostrare nota note pagina parla
      parlami parlano possibile riassumi riassunto risposta sai sapere scritto serve significa significato
      spiega spiegami spiegare spiegazione tema tratta trova trovare trovo usa usare usi uso utilizzare vedere`,
    'della gli sono nel questo',
  ),
  // Portuguese.
  language(
    `a agora ai ainda alem algo alguem algum alguma alguns ali antes ao aos apenas apos aquela aquele aqui as
      assim ate bem cada cade com como contra da das de dela dele deles demais depois desde deve devo do dois
      dos e ela elas ele eles em enquanto entao entre era essa esse esta estao estar estas este estou eu fazer
      foi foram fosse ha havia isso isto ja la lhe ligado logo mais mas me mesmo meu meus minha minhas muito
      muitos na nada nao nas nem nenhum no nos nossa nossas nosso num numa nunca o onde os ou outra outras outro
      outros para pela pelo pode podem pois por porem porque posso pouco pra quais qual quando quanto que quem
      quer quero sao se sem sempre ser seria seu sim so sob sobre sua tambem tanto tem tenho ter teu toda todas
      todo todos tua tudo um uma voce voces vou`,
    `ajuda ajudar ajude aprender conselho descreva dica dicas diga diz dizem dizer encontrar encontro entender
      escrito exemplo exemplos explica explicacao explicar explique faco fala falam falar fale faz fazem
      funciona funcionam funcionar gostaria guia informacao informacoes ler lista maneira mostra mostrar mostre
      necessario nota notas pagina pergunta poderia possivel preciso procurar procuro queria resposta resuma
      resumo sabe saber sei serve significa significado tema trata usa usado usar uso utilizar ver`,
    'uma nao dos pelo voce',
  ),
]);

const unspacedLight = new Set([
  '如何',
  '什么',
  '怎么',
  '怎样',
  '为什',
  '哪里',
  '请问',
  '可以',
  '是否',
  '我的',
  '什麼',
  '怎麼',
  '為什',
  '哪裡',
  '하는',
  '어떻',
  '무엇',
  '방법',
  '은요',
  '나요',
  'ですか',
]);

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
      spoken.some(({ light }) => light.has(word)) ||
      unspacedLight.has(word) ||
      hiragana().test(word),
    marks: maxHits === 0 ? [] : spoken.flatMap(({ marks }) => (marks.length === 0 ? [] : [marks])),
  };
}

/** Words that the default language has too, by which no other is known. */
const shared = new Set(
  split(
    `consult definition detail details guide idea important info infos information informations list note notes page
    possible question questions sage simple tema tipp tipps usage use`,
  ),
);

/** Whether a word asks in a language other than the default, whose own words are also subjects of notes. */
function isAskedIn({ light, marks }: Language, word: string): boolean {
  return marks.length > 0 && light.has(word) && !shared.has(word);
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
