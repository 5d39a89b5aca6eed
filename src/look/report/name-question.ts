import { firstUnits } from '../../core/lib/text/terminal-text.ts';

/** The length of a question that is named within a sentence. */
const longest = 80;

/** Names a question by its first words, where a sentence leads to it; by its id where its text is not known. */
export function nameQuestion(questions: Readonly<Record<string, string>>, id: string): string {
  const question = Object.hasOwn(questions, id) ? (questions[id] ?? '') : '';
  const words = question.replaceAll(/\s+/g, ' ').trim();
  if (words === '') return id;
  const shown = firstUnits(words, longest);
  return shown.length < words.length ? `${shown.trimEnd()} …` : shown;
}
