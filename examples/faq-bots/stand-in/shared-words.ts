const commonWords = new Set(
  `a about after all also am an and any are as at be been but by can could did do does for from get had has have how i if
  in is it its me my no not of on or our so some than that the their them then there they this to up us was we were what
  when where which who why will with would you your`.split(/\s+/),
);

/** The words of a text that say what it is about, without their endings. */
export function contentWords(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(
    words
      .filter((word) => !commonWords.has(word))
      .map((word) => word.replace(/(?<=.{3})(?:ing|ed|es|s|e)$/, '')),
  );
}

/** A text in a list, and the share of the query's words that it holds, each word weighed by how rare it is. */
export interface Ranked {
  readonly index: number;
  readonly score: number;
}

/** Ranks texts by the words that they share with a query: 1 when a text holds them all, 0 when it holds none. */
export function rankBySharedWords(query: string, texts: readonly string[]): Ranked[] {
  const words = [...contentWords(query)];
  const contents = texts.map(contentWords);
  const weights = new Map(
    words.map((word) => [
      word,
      Math.log(1 + texts.length / (1 + contents.filter((each) => each.has(word)).length)),
    ]),
  );
  const whole = words.reduce((sum, word) => sum + (weights.get(word) ?? 0), 0);
  return contents
    .map((content, index) => {
      const held = words
        .filter((word) => content.has(word))
        .reduce((sum, word) => sum + (weights.get(word) ?? 0), 0);
      return { index, score: whole === 0 ? 0 : held / whole };
    })
    .toSorted((a, b) => b.score - a.score);
}
