// Checks that sources and pages say things in words that a reader who knows the field, and not us, understands at the first reading.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { findCodeWordsInPage, findCodeWordsInTexts } from './find-code-words.ts';
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

/** Words that are used in neither comments nor pages; texts of users and of models may have them. */
const bannedInProse: Readonly<Record<string, string>> = {
  told: 'informed, called with, passed, reported, recognized',
  tells: 'returns, describes, reports',
  nobody: 'no process, no user, nothing',
  anew: 'again',
  'held against': 'compared with',
  fared: 'did, the results of',
};

/** Words that are not to be used in comments, besides those above. */
const bannedInComments: Readonly<Record<string, string>> = {
  ...bannedInProse,
  'left out': 'omitted, skipped, missing, absent',
  'that of': 'the noun again, or a genitive: "the limit of the account", "the account\'s"',
  'those of': 'the noun again, or a genitive: "the labels of the task", "the task\'s"',
};

/** Words that are not to be used in pages, besides those above; code and names in a page may have them. */
const bannedInPages: Readonly<Record<string, string>> = {
  ...bannedInProse,
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

/** The sources whose texts people meet, but for those below. */
const shownSources = '{src,dashboard/src}/**/*.{ts,tsx}';

/** Sources whose texts are code, statements in SQL, addresses, or messages that name arguments of functions. */
const notShown =
  /^src\/(?:stores\/(?:sql|sqlite|postgres)\/|cli\/completion|server\/team\/create-project-app|core\/stats\/|exchange\/importers\/make-project)|\.test\.tsx?$/;

/** Pages of the past and of measurements, which keep the words of their time. */
const otherPages = /^(?:CHANGELOG\.md|bench\/)/;

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
  const slashed = (pattern: string | readonly string[]) =>
    globSync(pattern, { cwd: root }).map((file) => file.replaceAll(path.sep, '/'));
  const foundForReaders = [
    ...slashed(shownSources)
      .filter((file) => !notShown.test(file) && !prompts.includes(file))
      .flatMap((file) => findCodeWordsInTexts(file, read(file))),
    ...slashed(pages)
      .filter((file) => !otherPages.test(file))
      .flatMap((file) => findCodeWordsInPage(file, read(file))),
  ];
  printFindings(
    [...found, ...foundInPages, ...foundForReaders],
    'no source and no page uses a word that is not plain',
  );
}
