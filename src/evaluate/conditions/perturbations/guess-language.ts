/** Common short words by which the supported languages are recognised. */
const words = {
  en: 'the is are what how of in to our does did do we and much many who when where which was for my can i on a',
  de: 'der die das ist sind was wie wir und welche wann wo wer ein eine für unsere hat haben nicht ich zu von im',
  fr: 'le la les est sont que quel quelle quels combien nous et de des du un une pour notre où qui quand est-ce je',
  es: 'el la los las es son qué cuál cuánto cuántos cuándo dónde nosotros y de del un una para nuestra quién cómo',
  it: 'il lo la gli è sono che qual quale quanto quanti quando dove noi e di del della un una per nostra chi come',
  pt: 'o a os as é são que qual quanto quantos quando onde nós e de do da um uma para nossa quem como',
  nl: 'de het een is zijn wat hoe wij we en van welke wanneer waar wie voor onze heeft hebben niet ik te',
} as const;

/** A language in which there are templates and distracting sentences. */
export type KnownLanguage = keyof typeof words;

const known = Object.entries(words).map(([language, list]) => ({
  language: language as KnownLanguage,
  words: new Set(list.split(' ')),
}));

/**
 * Returns the language that most of a question's common words belong to; undefined when there are none, or as many of
 * another language.
 */
export function guessLanguage(question: string): KnownLanguage | undefined {
  const found = question.toLowerCase().match(/[\p{L}'’-]+/gu) ?? [];
  const counts = known
    .map(({ language, words: list }) => ({ language, count: found.filter((word) => list.has(word)).length }))
    .sort((a, b) => b.count - a.count);
  const [first, second] = counts;
  return first === undefined || first.count === (second?.count ?? 0) ? undefined : first.language;
}
