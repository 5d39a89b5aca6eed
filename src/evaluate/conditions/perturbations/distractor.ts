import { drawOne } from './pieces.ts';
import { guessLanguage, type KnownLanguage } from './guess-language.ts';
import type { Perturbation } from './perturbation.ts';

/** Sentences unrelated to any question: without a number, a name or anything to answer. */
const sentences: Readonly<Record<KnownLanguage, readonly string[]>> = {
  en: [
    'By the way, the weather has been lovely here.',
    'I am writing this on the train, so please excuse my brevity.',
    'My neighbour has just painted his fence, and it looks good.',
    'Sorry for the background noise, somebody is mowing the lawn.',
  ],
  de: [
    'Übrigens ist das Wetter hier gerade sehr schön.',
    'Ich schreibe das im Zug, bitte entschuldigen Sie die Kürze.',
  ],
  fr: ['Au fait, il fait très beau ici.', 'J’écris cela dans le train, veuillez excuser ma brièveté.'],
  es: ['Por cierto, aquí hace muy buen tiempo.', 'Escribo esto en el tren, disculpe la brevedad.'],
  it: ['A proposito, qui il tempo è molto bello.', 'Scrivo dal treno, mi scusi la brevità.'],
  pt: ['A propósito, o tempo aqui está muito bom.', 'Escrevo isto no comboio, desculpe a brevidade.'],
  nl: ['Het weer is hier trouwens erg mooi.', 'Ik schrijf dit in de trein, excuses voor de beknoptheid.'],
};

/** A question with an unrelated sentence before or after it. */
export const distractor: Perturbation = {
  kind: 'distractor',
  version: 1,
  summary: 'A sentence before or after the question that has nothing to do with it.',
  perturb: (question, { random }) => {
    if (question.trim() === '') return question;
    const sentence = drawOne(sentences[guessLanguage(question) ?? 'en'], random);
    return random.integer(2) === 0 ? `${sentence} ${question}` : `${question} ${sentence}`;
  },
};
