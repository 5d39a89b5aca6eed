/** Words that end a list of names: "with Ben and Chloe | tomorrow". */
const endsList = new Set(
  `a about after again afternoon all an any anybody anyone anything anytime around as asap at before between but can cancel day days does earliest evening
  first for friday from half his hour hours how in instead into is it last lunch march april may june meeting min
  minutes monday morning my next no noon of ok okay on or our please saturday should so some someone something somewhere sunday
  than thanks that the their them then there this thursday time to today tomorrow tuesday up us utc want wednesday week what
  when where whether which will works would yes you`.split(/\s+/),
);

/** "Me" is there anyway. */
const speaker = new Set(['me', 'myself', 'i']);

/** What comes before names, the surest first: "invite ben", then "an hour for ben", then "book ben". */
const openers = [
  /\b(?:with|invite|inviting|include|including|add|adding|plus|between)\b/,
  /\bfor\b/,
  /\b(?:book|meet|see)\b/,
];

/** The people whom a folded text wants in a meeting, as they are called there: "with ben, sam lee and chloe". */
export function readNames(text: string): string[] {
  const lists = openers.map((opener) => text.split(opener).slice(1).flatMap(readNameList));
  return [...new Set(lists.find((names) => names.length > 0))];
}

/** The names at the beginning of a folded text, which go on until a word that cannot be one. */
export function readNameList(text: string): string[] {
  const names: string[][] = [[]];
  for (const word of text.match(/[\p{L}'-]+|\d+|[,&.;:!?]/gu) ?? []) {
    if (/^(?:,|&|and|plus|with|or)$/.test(word)) names.push([]);
    else if (!/^[\p{L}'-]+$/u.test(word) || endsList.has(word)) break;
    else names.at(-1)?.push(word);
  }
  return names.map((words) => words.join(' ')).filter((name) => name !== '' && !speaker.has(name));
}
