import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface Sentence {
  readonly document: string;
  readonly text: string;
  readonly words: ReadonlySet<string>;
}

/** A document that was found, as Touchstone reads it: its id is what the golden set names, its text what answers are compared with. */
interface Found {
  readonly id: string;
  readonly text: string;
  readonly score: number;
}

const smallWords = new Set(
  'a about an and any are as at be by can do does for from has have how i in is it its many may much my of on or that the there this to was what when where which who will with you your'.split(
    ' ',
  ),
);

const folder = path.join(import.meta.dirname, 'documents');
const texts = new Map(
  readdirSync(folder)
    .sort()
    .map((file) => [path.parse(file).name, readFileSync(path.join(folder, file), 'utf8')] as const),
);
const sentences = [...texts].flatMap(([document, text]) => splitSentences(document, text));

const documentsToFind = 3;
/** How much of a question, by weight of its words, a sentence has to hold for the bot to answer with it. */
const leastShare = 0.4;

/** Answers with the sentence that holds most of the question, and says which documents were found. */
export default function answer(question: string): { answer: string; documents: Found[] } {
  const words = readWords(question);
  const documents = [...texts]
    .map(([id, text]) => ({ id, text, score: weigh(words, readWords(text)) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, documentsToFind);
  const ids = new Set(documents.map(({ id }) => id));
  const ranked = sentences
    .filter(({ document }) => ids.has(document))
    .map((sentence) => ({ ...sentence, share: weigh(words, sentence.words) / weigh(words, words) }))
    .sort((a, b) => b.share - a.share);
  const [first, ...others] = ranked;
  if (first === undefined || first.share < leastShare) {
    return { answer: 'I cannot answer that: I could not find it in the documents.', documents };
  }
  // A second sentence is quoted when it holds words of the question that the first one does not.
  const open = new Set([...words].filter((word) => !first.words.has(word)));
  const second = others.find((sentence) => weigh(open, sentence.words) >= leastShare * weigh(words, words));
  return {
    answer: [first, ...(second === undefined ? [] : [second])].map(({ text }) => text).join(' '),
    documents,
  };
}

/** Adds up the weights of the words that two sets share; a word is worth more the fewer sentences hold it. */
function weigh(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let sum = 0;
  for (const word of words) {
    if (!others.has(word)) continue;
    const holders = sentences.filter((sentence) => sentence.words.has(word)).length;
    sum += Math.log(1 + sentences.length / (holders + 0.5));
  }
  return sum;
}

function splitSentences(document: string, text: string): Sentence[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => ({ document, text: line, words: readWords(line) }));
}

/** Returns the words that say something, without their endings for more than one. */
function readWords(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\d]+(?:[.:-]\d+)*/gu) ?? [];
  return new Set(
    words.filter((word) => !smallWords.has(word)).map((word) => word.replace(/(?<=[a-z]{3})s$/, '')),
  );
}
