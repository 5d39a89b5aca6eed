// Checks that everything that the documentation names exists: files, commands and their flags.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { checkCommandLine, type KnownCommands, readHelp } from './check-commands.ts';
import { printFindings } from './print-findings.ts';
import { type Piece, readMarkdown } from './read-markdown.ts';

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'docs/**/*.md',
  '{examples,templates}/*/README.md',
  'bench/README.md',
];

/**
 * The page that is generated from the definitions: the code in it is names of settings, some of which look like files.
 */
const written = path.normalize('docs/reference.md');

/** Files named in pages that belong to the reader, not to the repository. */
const filesOfTheReader = new Set(
  `answers.jsonl bot.js bot.py bot.ts cases.jsonl golden.csv golden.jsonl my-eval new.csv
  questions.csv questions.json questions.jsonl report.html report.json report.md report.xml run.jsonl touchstone.config.js
  touchstone.config.json touchstone.config.ts touchstone.config.yaml touchstone.db`.split(/\s+/),
);

/** Folders that are generated. */
const generated = ['.touchstone', 'coverage', 'dist', 'node_modules'];

const fileExtensions = new Set(
  'cjs css csv db html js json jsonl jsx md mjs mts py sh sql toml ts tsv tsx txt xml yaml yml'
    .split(' ')
    .map((extension) => `.${extension}`),
);

/** Returns everything that the pages under `root` name and that does not exist, one line each. */
export function checkDocs(root: string, commands: KnownCommands): string[] {
  const names = new Set(
    globSync('**/*', { cwd: root, exclude: isGenerated }).map((file) => path.basename(file)),
  );
  const files = pages
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .filter((page) => page !== written)
    .sort();
  return files.flatMap((page) => {
    const isThere = (name: string): boolean => isInRepository(name, { root, page, names });
    return readMarkdown(readFileSync(path.join(root, page), 'utf8')).flatMap((piece) =>
      checkPiece(piece, isThere, commands).map((finding) => `${page}:${piece.line}: ${finding}`),
    );
  });
}

function checkPiece(
  { type, text }: Piece,
  isThere: (name: string) => boolean,
  commands: KnownCommands,
): string[] {
  if (type === 'command-line') return checkCommandLine(text, commands);
  if (type === 'code' && text.startsWith('touchstone ')) return checkCommandLine(text, commands);
  const name = (type === 'link' ? decodeURI(text) : text).replace(/#.*$/, '').replace(/(?::\d+){1,2}$/, '');
  const isPath = type === 'link' ? !/^[a-z][\w+.-]*:|^$/i.test(name) : looksLikePath(name);
  return isPath && !isThere(name) ? [`there is no ${name}`] : [];
}

/**
 * Returns whether a text is a name with a known ending, or ends with a slash. `pass/fail` and `application/json` are
 * not paths.
 */
function looksLikePath(text: string): boolean {
  const isPlain = /^\.{0,2}\/?[\w.@*-]+(?:\/[\w.@*-]+)*\/?$/.test(text);
  return isPlain && (text.endsWith('/') || fileExtensions.has(path.extname(text)) || /^\.{1,2}\//.test(text));
}

interface Surroundings {
  readonly root: string;
  readonly page: string;
  /** Names of all files and folders of the repository, without their paths. */
  readonly names: ReadonlySet<string>;
}

/** Returns whether a name exists, relative to the page or to the root; a name without a slash may be anywhere. */
function isInRepository(name: string, { root, page, names }: Surroundings): boolean {
  const parts = path.posix
    .normalize(name)
    .split('/')
    .filter((part) => part !== '');
  const [first = ''] = parts;
  if (generated.includes(first) || filesOfTheReader.has(first)) return true;
  if (parts.length === 1 && !name.startsWith('.') && (names.has(first) || first.includes('*'))) return true;
  const places = [path.join(root, path.dirname(page)), root];
  return places.some((place) =>
    name.includes('*') ? globSync(name, { cwd: place }).length > 0 : existsSync(path.join(place, name)),
  );
}

function isGenerated(file: string): boolean {
  return [...generated, '.git'].includes(path.basename(file));
}

/** Asks the built command line for its commands and flags. */
function readCommands(root: string): KnownCommands {
  const help = (...command: string[]) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['bin/touchstone.js', ...command, '--help'],
      {
        cwd: root,
        encoding: 'utf8',
      },
    );
    if (status !== 0) throw new Error(`touchstone --help failed; run \`npm run build\` first.\n${stderr}`);
    return readHelp(stdout);
  };
  const { commands, flags } = help();
  return new Map([
    ['', new Set(flags)],
    ...commands.map((name) => [name, new Set(help(name).flags)] as const),
  ]);
}

if (import.meta.main) {
  const root = path.resolve(import.meta.dirname, '..');
  printFindings(checkDocs(root, readCommands(root)), 'every file and command that the pages name is there');
}
