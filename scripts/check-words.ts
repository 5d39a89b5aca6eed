// Checks that sources say things in words that a reader who knows the field, and not us, understands at the first reading.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { printFindings } from './print-findings.ts';

/** Words that are not to be used, each with what to write instead. */
const banned: Readonly<Record<string, string>> = {
  whoever: 'name who it is: the caller, the process, the user',
  stead: 'in place of',
  'gives back': 'returns, releases',
  'comes to bear': 'takes effect',
  'of late': 'recently',
  'takes note': 'records',
  'takes notice': 'reacts',
  'for good': 'permanently, finally',
};

/** Prompts of models: other words would be other prompts, whose verdicts cannot be compared with those of before. */
const prompts: readonly string[] = [
  'src/conditions/perturbations/paraphrase.ts',
  'src/judges/prompt/write-prompt.ts',
  'src/metrics/judged/safety.ts',
  'src/users/simulated.ts',
];

/** Finds banned words in a text, with the line of each. */
export function findBannedWords(file: string, text: string): string[] {
  const pattern = new RegExp(`\\b(?:${Object.keys(banned).join('|')})\\b`, 'gi');
  return text.split('\n').flatMap((line, index) =>
    Array.from(line.matchAll(pattern), ([word]) => {
      const instead = banned[word.toLowerCase()];
      return `${file}:${index + 1}: "${word}" is not plain; write: ${instead}`;
    }),
  );
}

if (import.meta.main) {
  const root = path.resolve(import.meta.dirname, '..');
  const files = globSync('src/**/*.ts', { cwd: root }).map((file) => file.replaceAll(path.sep, '/'));
  const found = files
    .filter((file) => !prompts.includes(file))
    .flatMap((file) => findBannedWords(file, readFileSync(path.join(root, file), 'utf8')));
  printFindings(found, 'no source uses a word that is not plain');
}
