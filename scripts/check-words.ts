// Checks that sources and pages say things in words that a reader who knows the field, and not us, understands at the first reading.
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
  'when left out': 'by default, without it',
  'when it is left out': 'by default, without it',
  'begun with': 'started with',
  'in whatever case': 'in upper or lower case',
  'what those': 'what they, what users',
};

/** Words that are not to be used in comments; texts of users and of models may have them. */
const bannedInComments: Readonly<Record<string, string>> = {
  told: 'informed, called with, passed, reported, recognized',
  tells: 'returns, describes, reports',
  nobody: 'no process, no user, nothing',
  anew: 'again',
  'held against': 'compared with',
  fared: 'did, the results of',
};

/** Words that are not to be used in pages, besides those above; code and names in a page may have them. */
const bannedInPages: Readonly<Record<string, string>> = {
  ...bannedInComments,
  tell: 'report, show, distinguish',
  'given back': 'returned',
  'gave back': 'returned',
  'give back': 'return',
  'goes on': 'continues',
  'go on with': 'continue, resume',
  'put up with': 'tolerated',
  'those who': 'people who, users who',
  'beside those': 'next to, in addition to',
};

/**
 * Words of our code and records that a reader of help, messages and the first pages does not meet: one thing has one word
 * (docs/words.md). Names in code are exempt, and so are idioms.
 */
const bannedForReaders: Readonly<Record<string, string>> = {
  case: 'question',
  cases: 'questions',
  trial: 'attempt',
  trials: 'attempts',
};

/** The texts in which a newcomer meets our words: help and messages of the command line, and the pages to begin with. */
const textsForReaders = 'src/cli/{commands,program,texts}/**/*.ts';
const firstPages: readonly string[] = [
  'README.md',
  'docs/README.md',
  'docs/your-own-bot.md',
  'templates/*/README.md',
];

/** Beginnings of doc comments that are no sentence: a function begins with a verb, a type with a noun. */
const headless = /^\s*(?:\/\*\*|\*)\s+(What|Whether|How|Who|Whose|Whom|Told)\b/;

/** Prompts of models: other words would be other prompts, whose verdicts cannot be compared with those of before. */
const prompts: readonly string[] = [
  'src/evaluate/conditions/perturbations/paraphrase.ts',
  'src/evaluate/judges/prompt/write-prompt.ts',
  'src/evaluate/metrics/judged/safety.ts',
  'src/evaluate/users/simulated.ts',
];

/** Pages that people write; docs/reference is written from the code. */
const pages: readonly string[] = [
  '*.md',
  'bench/*.md',
  'docs/*.md',
  'docs/{guides,decisions}/*.md',
  '{examples,templates,integrations}/*/README.md',
];

/** Finds banned words in a text, with the line of each. */
export function findBannedWords(file: string, text: string): string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    const isComment = /^\s*(?:\/\/|\/?\*)/.test(line);
    const words = isComment ? { ...banned, ...bannedInComments } : banned;
    const place = `${file}:${index + 1}`;
    return [...findWords(line, words, place), ...findHeadless(line, lines[index - 1], place)];
  });
}

/** Finds words that are banned in pages, with the line of each; code and the targets of links are left out. */
export function findBannedWordsInPage(file: string, text: string): string[] {
  let isCode = false;
  return text.split('\n').flatMap((line, index) => {
    if (line.trimStart().startsWith('```')) {
      isCode = !isCode;
      return [];
    }
    if (isCode) return [];
    const prose = line.replaceAll(/`[^`]*`|\]\([^)]*\)/g, '');
    return findWords(prose, { ...banned, ...bannedInPages }, `${file}:${index + 1}`);
  });
}

/** Finds words of our code in the texts of a source file: in strings with a space, which are sentences or parts of one. */
export function findCodeWordsInTexts(file: string, text: string): string[] {
  return text.split('\n').flatMap((line, index) => {
    if (/^\s*(?:\/\/|\/?\*|import\b|case ['"]|\} from\b)/.test(line)) return [];
    // A line of help, which is inside a template of many lines, has no quotes of its own.
    const isHelp = /^ {0,2}(?:\$ |[A-Z]|\S+ {2,})/.test(line) && !/[;{(]$/.test(line);
    const strings = Array.from(line.matchAll(/(['"`])(?:\\.|(?!\1).)*\1/g), ([all]) => all);
    const texts = isHelp ? [line] : strings.filter((each) => each.includes(' '));
    return texts.flatMap((each) => findWords(withoutNames(each), bannedForReaders, `${file}:${index + 1}`));
  });
}

/** Leaves out code, idioms, and the names of options and fields. */
function withoutNames(text: string): string {
  return text.replaceAll(
    /\$\{[^}]*\}|\\`[^`]*`|--[\w-]+|case-sensitive|case by case|(?:lower|in each) case|typos, ?case\b|case:\w+|\bcase-\d/gi,
    '',
  );
}

/** Finds words of our code in a page that is read first; code and the targets of links are left out. */
export function findCodeWordsInPage(file: string, text: string): string[] {
  const prose = text.replaceAll(/```[\s\S]*?```|`[^`\n]*(?:\n[^`\n]+)?`|\]\([^)\n]*\)/g, (code) =>
    code.replaceAll(/[^\n]/g, ''),
  );
  return prose
    .split('\n')
    .flatMap((line, index) => findWords(line, bannedForReaders, `${file}:${index + 1}`));
}

function findWords(line: string, words: Readonly<Record<string, string>>, place: string): string[] {
  const pattern = new RegExp(`\\b(?:${Object.keys(words).join('|')})\\b(?!-)`, 'gi');
  return Array.from(
    line.matchAll(pattern),
    ([word]) => `${place}: "${word}" is not plain; write: ${words[word.toLowerCase()]}`,
  );
}

/** Finds a doc comment without a head; only its first line can be one. */
function findHeadless(line: string, before: string | undefined, place: string): string[] {
  const isFirst = line.trimStart().startsWith('/**') || before?.trim() === '/**';
  const [, word] = (isFirst ? headless.exec(line) : null) ?? [];
  if (word === undefined) return [];
  return [`${place}: a doc comment begins with "${word}"; begin with a verb (a function) or a noun (a type)`];
}

if (import.meta.main) {
  const root = path.resolve(import.meta.dirname, '..');
  const files = globSync(['{src,test,dashboard}/**/*.{ts,tsx}'], { cwd: root }).map((file) =>
    file.replaceAll(path.sep, '/'),
  );
  const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
  const found = files
    .filter((file) => !prompts.includes(file))
    .flatMap((file) => findBannedWords(file, read(file)));
  const foundInPages = globSync(pages, { cwd: root }).flatMap((file) =>
    findBannedWordsInPage(file.replaceAll(path.sep, '/'), read(file)),
  );
  const inFolder = (pattern: string | readonly string[]) =>
    globSync(pattern, { cwd: root })
      .map((file) => file.replaceAll(path.sep, '/'))
      .filter((file) => !file.endsWith('.test.ts'));
  const foundForReaders = [
    ...inFolder(textsForReaders).flatMap((file) => findCodeWordsInTexts(file, read(file))),
    ...inFolder(firstPages).flatMap((file) => findCodeWordsInPage(file, read(file))),
  ];
  printFindings(
    [...found, ...foundInPages, ...foundForReaders],
    'no source and no page uses a word that is not plain',
  );
}
