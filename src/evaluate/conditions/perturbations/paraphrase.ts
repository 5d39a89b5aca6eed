import { guessLanguage, type KnownLanguage } from './guess-language.ts';
import type { Perturbation, QuestionContext } from './perturbation.ts';
import { changePieces, drawOne } from './pieces.ts';

/** Templates that ask the same; the question replaces the dots. */
const frames: Readonly<Record<KnownLanguage, readonly string[]>> = {
  en: [
    'Could you tell me: …',
    'I would like to know: …',
    'Quick question: …',
    'Please help me with this: …',
    '… Please let me know.',
    '… I would be glad of an answer.',
  ],
  de: ['Können Sie mir sagen: …', 'Ich wüsste gern: …', 'Kurze Frage: …', '… Bitte geben Sie mir Bescheid.'],
  fr: [
    'Pouvez-vous me dire : …',
    'J’aimerais savoir : …',
    'Petite question : …',
    '… Merci de me le faire savoir.',
  ],
  es: [
    '¿Me puede decir esto? …',
    'Me gustaría saber: …',
    'Una pregunta rápida: …',
    '… Le agradezco la respuesta.',
  ],
  it: [
    'Mi può dire questo? …',
    'Vorrei sapere: …',
    'Una domanda veloce: …',
    '… Mi faccia sapere, per favore.',
  ],
  pt: ['Pode dizer-me isto? …', 'Gostaria de saber: …', 'Uma pergunta rápida: …', '… Agradeço a resposta.'],
  nl: [
    'Kunt u mij vertellen: …',
    'Ik wil graag weten: …',
    'Korte vraag: …',
    '… Laat het me alstublieft weten.',
  ],
};

/** Long and short forms of English with the same meaning. */
const forms: readonly (readonly [long: string, short: string])[] = [
  ['What is', "What's"],
  ['Who is', "Who's"],
  ['Where is', "Where's"],
  ['When is', "When's"],
  ['I am', "I'm"],
  ['do not', "don't"],
  ['does not', "doesn't"],
  ['did not', "didn't"],
  ['is not', "isn't"],
  ['cannot', "can't"],
];

const task =
  'Rewrite the question in other words, so that whoever answers it would answer the same. Keep its language, and keep every ' +
  'name, number, date, id, address and quotation exactly as it stands.';

/** A question in other words: by a model if the config names one, else in a template of polite words. */
export const paraphrase: Perturbation = {
  kind: 'paraphrase',
  version: 1,
  summary: 'Other words: by `perturbModel` where there is one, else short forms and polite templates.',
  variants: ['template', 'model'],
  model: 'used',
  perturb: async (question, context) => {
    const { variant, rewrite } = context;
    if (variant !== 'template' && rewrite !== undefined) return await rewrite(task, question);
    return fromTemplates(question, context);
  },
};

function fromTemplates(question: string, { random }: QuestionContext): string {
  const language = guessLanguage(question);
  if (language === undefined) return question;
  const frame = drawOne(frames[language], random);
  const asked = language === 'en' ? changePieces(question, swapForms) : question;
  return frame.replace('…', () => asked.trim());
}

function swapForms(part: string): string {
  const swap = forms.find(([long, short]) => part.includes(long) || part.includes(short));
  if (swap === undefined) return part;
  const [long, short] = swap;
  return part.includes(long) ? part.replace(long, short) : part.replace(short, long);
}
