import { segmentWords } from '../text/words.ts';

/** A suffix, its replacement, and the condition on the stem before it. The first suffix that matches decides. */
type Rule = readonly [suffix: string, replacement: string, condition?: (stem: string) => boolean];

const irregularForms = new Map([
  ['sky', 'sky'],
  ['skies', 'sky'],
  ['dying', 'die'],
  ['lying', 'lie'],
  ['tying', 'tie'],
  ['news', 'news'],
  ['innings', 'inning'],
  ['inning', 'inning'],
  ['outings', 'outing'],
  ['outing', 'outing'],
  ['cannings', 'canning'],
  ['canning', 'canning'],
  ['howe', 'howe'],
  ['proceed', 'proceed'],
  ['exceed', 'exceed'],
  ['succeed', 'succeed'],
]);

/**
 * Returns the stem of a lower-case English word by Porter's algorithm (1980) with the extensions of the Python package
 * NLTK, which rouge_score uses. For words of other languages the result has no meaning.
 */
export function stemEnglish(word: string): string {
  const irregular = irregularForms.get(word);
  if (irregular !== undefined) return irregular;
  if (word.length <= 2) return word;
  return [cutPlural, cutPastTense, turnFinalY, cutDouble, cutThird, cutFourth, cutFinalE, cutFinalL].reduce(
    (stem, step) => step(stem),
    word,
  );
}

/** Returns `c` for each consonant and `v` for each vowel; y is a vowel after a consonant. */
function shapeOf(word: string): string {
  let shape = '';
  for (const letter of word) {
    const isVowel = 'aeiou'.includes(letter) || (letter === 'y' && shape.endsWith('c'));
    shape += isVowel ? 'v' : 'c';
  }
  return shape;
}

/** Returns Porter's measure m: how often a vowel is followed by a consonant. */
function measureOf(stem: string): number {
  return shapeOf(stem).split('vc').length - 1;
}

const isMeasured = (stem: string) => measureOf(stem) > 0;
const isLong = (stem: string) => measureOf(stem) > 1;

function endsDouble(word: string): boolean {
  return word.length >= 2 && word.at(-1) === word.at(-2) && shapeOf(word).endsWith('c');
}

/**
 * Returns Porter's condition *o: consonant, vowel, consonant other than w, x, y. NLTK adds the two-letter word of vowel
 * and consonant.
 */
function endsShort(word: string): boolean {
  const shape = shapeOf(word);
  return shape === 'vc' || (shape.endsWith('cvc') && !/[wxy]$/.test(word));
}

function applyFirst(word: string, rules: readonly Rule[]): string {
  for (const [suffix, replacement, condition] of rules) {
    if (!word.endsWith(suffix)) continue;
    const stem = word.slice(0, word.length - suffix.length);
    return condition === undefined || condition(stem) ? stem + replacement : word;
  }
  return word;
}

function cutPlural(word: string): string {
  if (word.length === 4 && word.endsWith('ies')) return word.slice(0, -1);
  return applyFirst(word, [
    ['sses', 'ss'],
    ['ies', 'i'],
    ['ss', 'ss'],
    ['s', ''],
  ]);
}

function cutPastTense(word: string): string {
  if (word.endsWith('ied')) return word.length === 4 ? word.slice(0, -1) : word.slice(0, -2);
  if (word.endsWith('eed')) return applyFirst(word, [['eed', 'ee', isMeasured]]);
  const suffix = ['ed', 'ing'].find(
    (ending) => word.endsWith(ending) && shapeOf(word.slice(0, -ending.length)).includes('v'),
  );
  if (suffix === undefined) return word;
  const stem = word.slice(0, -suffix.length);
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (endsDouble(stem)) return /[lsz]$/.test(stem) ? stem : stem.slice(0, -1);
  return measureOf(stem) === 1 && endsShort(stem) ? `${stem}e` : stem;
}

function turnFinalY(word: string): string {
  return applyFirst(word, [['y', 'i', (stem) => stem.length > 1 && shapeOf(stem).endsWith('c')]]);
}

const secondRules: readonly Rule[] = [
  ['ational', 'ate', isMeasured],
  ['tional', 'tion', isMeasured],
  ['enci', 'ence', isMeasured],
  ['anci', 'ance', isMeasured],
  ['izer', 'ize', isMeasured],
  ['bli', 'ble', isMeasured],
  ['alli', 'al', isMeasured],
  ['entli', 'ent', isMeasured],
  ['eli', 'e', isMeasured],
  ['ousli', 'ous', isMeasured],
  ['ization', 'ize', isMeasured],
  ['ation', 'ate', isMeasured],
  ['ator', 'ate', isMeasured],
  ['alism', 'al', isMeasured],
  ['iveness', 'ive', isMeasured],
  ['fulness', 'ful', isMeasured],
  ['ousness', 'ous', isMeasured],
  ['aliti', 'al', isMeasured],
  ['iviti', 'ive', isMeasured],
  ['biliti', 'ble', isMeasured],
  ['fulli', 'ful', isMeasured],
  ['logi', 'log', (stem) => isMeasured(`${stem}l`)],
];

function cutDouble(word: string): string {
  const stem = word.slice(0, -'alli'.length);
  if (word.endsWith('alli') && isMeasured(stem)) return cutDouble(`${stem}al`);
  return applyFirst(word, secondRules);
}

const thirdRules: readonly Rule[] = [
  ['icate', 'ic', isMeasured],
  ['ative', '', isMeasured],
  ['alize', 'al', isMeasured],
  ['iciti', 'ic', isMeasured],
  ['ical', 'ic', isMeasured],
  ['ful', '', isMeasured],
  ['ness', '', isMeasured],
];

function cutThird(word: string): string {
  return applyFirst(word, thirdRules);
}

const fourthSuffixes = 'al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize'.split(
  ' ',
);
const fourthRules = fourthSuffixes.map((suffix): Rule => {
  const endsRight = (stem: string) => suffix !== 'ion' || /[st]$/.test(stem);
  return [suffix, '', (stem) => isLong(stem) && endsRight(stem)];
});

function cutFourth(word: string): string {
  return applyFirst(word, fourthRules);
}

function cutFinalE(word: string): string {
  const stem = word.slice(0, -1);
  const isCut = word.endsWith('e') && (isLong(stem) || (measureOf(stem) === 1 && !endsShort(stem)));
  return isCut ? stem : word;
}

function cutFinalL(word: string): string {
  return word.endsWith('ll') && isLong(word.slice(0, -1)) ? word.slice(0, -1) : word;
}

/** The character behind each stem. */
export const separator = '\0';

/** Returns the stems of the words of a text, each between separators. */
export function joinStems(text: string): string {
  const stems = segmentWords(text).map((word) => {
    const bare = word.replace(/'s$/u, '');
    return `${/^[a-z]+$/.test(bare) ? stemEnglish(bare) : bare}${separator}`;
  });
  return `${separator}${stems.join('')}`;
}
