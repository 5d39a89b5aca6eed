import type { FailedQuestion } from '../../report/rows/failed-questions.ts';
import { formatPlural, outcomeSigns } from '../../report/format.ts';
import { joinPhrases, type Phrase } from '../../report/phrase.ts';
import type { QuestionRow } from '../../report/rows/question-row.ts';
import type { Item } from '../blocks/block.ts';
import { joined, markTones, quoted, span, type Text, whole } from '../blocks/text.ts';

const longestQuestion = 150;
/** The columns of what the bot said, and of what was missing. */
const longestText = 140;
const mostMissing = 2;
/** The columns of why there is no answer: the message of a program ends with what matters. */
const longestError = 200;

/** Lays out a question that the only target did not pass: what was asked, what the bot said, and what was missing. */
export function failedItem({ row, attempts, alike, outcomes, place }: FailedQuestion, asked: number): Item {
  const outcome = outcomes[place] ?? row.outcome;
  const tone = markTones[outcome];
  const most = row.outcome === 'error' ? longestError : longestText;
  const repeats = asked < 2 ? [] : [[whole(`${attempts} of ${asked} times`, 'quiet')]];
  return {
    mark: [span(outcomeSigns[outcome], tone), span(' ')],
    text: [
      quoted(onOneLine(row.question), undefined, longestQuestion),
      ...(alike === 0 ? [] : [span(andMore(alike), 'quiet')]),
    ],
    mostLines: 2,
    details: [saidText(row), joined([missingText(row, most), ...repeats])].map((text) => ({ text })),
  };
}

function andMore(alike: number): string {
  return ` and ${formatPlural(alike, 'other question')}`;
}

/** Puts a text on one line. */
export function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

/** Sets what the bot said; empty where it gave no answer. */
export function saidText({ outcome, said }: QuestionRow, most = longestText): Text {
  if (outcome === 'error') return [];
  if (said === '') return [span('said nothing', 'quiet')];
  return [span('said ', 'quiet'), { ...quoted(said, undefined, most), isWords: true }];
}

/** Sets the most telling of what was missing. */
export function missingText({ missing }: QuestionRow, most = longestText): Text {
  return sentence(joinPhrases(missing.slice(0, mostMissing), '; '), most);
}

/** Sets a sentence in which texts from outside may be long, unlike names. */
export function sentence(parts: Phrase, most = longestText): Text {
  return parts.map((part) =>
    typeof part === 'string' ? span(part) : { ...quoted(part.quoted, undefined, most), isWords: part.isText },
  );
}
