const englishWords = wordsOf([
  "i i'm i've i'll i'd a about after again all also although always an and any are as at be because been before both but by",
  'can cannot could dear did do does each either every few first for from good had has have he hello here hers hi his how',
  'however if in instead is it its just last let many may maybe me might more most must my next never no none nor not now of',
  'ok okay on once one only or other our out over per please s she should since so some sorry still such than thank thanks',
  'that the their them then there these they this those though thus to too two under unfortunately until up upon us was we',
  'were what when where whether which while who whom whose why will with within without would yes yet you your yours',
]);
const otherWords = wordsOf([
  'mr mrs ms dr prof sir herr herrn frau monsieur madame mme señor señora sr sra signor signora meneer mevrouw',
  'aber als am an auch auf aus bei bis da das dein dem den der des die dies diese dieser dieses doch du durch ein eine einem',
  'einen einer eines er es für gegen ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ist ja kein keine mit nach nein nicht nur ob oder sehr',
  'sein seine sich sie sind so über um und unser unter vom von vor war was wenn wer wie wir wird zu zum zur',
  'alors après au aussi aux avec ce cela ces cet cette dans de des du elle elles en est et il ils je la le les leur leurs mais',
  'merci ne non nos notre nous on ou où oui par pas pour qu que qui sa se ses si son sont sous sur ta tu un une vos votre vous',
  'al antes aquí he como con cual cuando del desde después donde el ella ellos entre es esta este esto estos la las lo los mi más',
  'muy nuestra nuestro o para pero por porque que quién se según ser si sin sobre son su sus también tiene un una usted y ya',
  'ao aos as com da das do dos e em essa esse esta este eu há isso já mais mas não nas no nos o os ou para pela pelo por quando',
  'são se sem seu seus sim sua suas também um uma você ai agli alla alle che chi ci con dal dalla dei del della delle di è gli',
  'ha il io le lei lo loro ma nel nella non noi per più se si sono su sul sulla tra un una uno voi de een en er geen het hij ik',
  'in is met naar niet of om ook op te tot uit van voor wat we wij ze zij zijn',
]);

/**
 * Words that are not names although they begin sentences or are capitalised for emphasis: pronouns, articles,
 * conjunctions, prepositions, greetings and forms of address of seven languages, in lower case.
 */
export const functionWords: ReadonlySet<string> = new Set([...englishWords, ...otherWords]);

/**
 * Returns whether a text may be in English, as far as its letters and its function words show. A few words without
 * any evidence count as English.
 */
export function mayBeEnglish(text: string): boolean {
  const start = text.slice(0, mostRead);
  const letters = start.match(/\p{L}/gu) ?? [];
  const latin = start.match(/\p{Script=Latin}/gu) ?? [];
  if (2 * latin.length < letters.length) return false;
  // Names say nothing about the language, so only words in lower case are counted.
  const words = start.match(/(?<![\p{L}\p{N}_])\p{Ll}[\p{L}\p{M}'’]+/gu) ?? [];
  const english = words.filter((word) => englishWords.has(word) || contraction.test(word));
  const others = words.filter((word) => otherWords.has(word));
  if (others.length > english.length) return false;
  return words.length < fewestWords || english.length / words.length >= leastShare;
}

const contraction = /n['’]t$|['’](?:m|re|ve|ll)$/u;
const mostRead = 2_000;
const fewestWords = 3;
const leastShare = 0.2;

function wordsOf(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.join(' ').split(' '));
}
