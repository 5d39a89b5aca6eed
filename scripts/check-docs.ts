// Checks that everything that the documentation names exists: files, headings, commands and their flags.
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { checkCommandLine, type KnownCommands, readHelp } from './check-commands.ts';
import { printFindings } from './print-findings.ts';
import { anchorOf } from '../src/core/lib/text/anchor-of.ts';

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'docs/**/*.md',
  '{examples,templates}/*/README.md',
  'templates/agents/*.md',
  'bench/README.md',
];

/** Pages written from the code: what stands as code in them are names of options, some of which look like files. */
const written = 'docs/reference/';

/** Files named in pages that belong to the reader, not to the repository. */
const filesOfTheReader = new Set(
  `.agents .claude .codex .cursor .mcp.json .vscode AGENTS.md answers.jsonl bot.js bot.py bot.ts cases.jsonl checks.mjs CLAUDE.md golden.csv golden.jsonl import.json modes.csv Node.js my-eval new.csv notes.csv
  openai-evals.json questions.csv questions.json questions.jsonl references report.html report.json report.md report.txt report.xml run.jsonl touchstone.config.js
  referee.db held-out-1.jsonl todo.md touchstone.config.json touchstone.config.ts touchstone.config.yaml touchstone.db touchstone.looks.jsonl`.split(
    /\s+/,
  ),
);

/** Folders that are generated. */
const generated = ['.touchstone', '.touchstone-server', 'coverage', 'dist', 'node_modules'];

const fileExtensions = new Set(
  'cjs css csv db html js json jsonl jsx md mjs mts py sh sql toml ts tsv tsx txt xml yaml yml'
    .split(' ')
    .map((extension) => `.${extension}`),
);

/** Finds the decisions that their index leaves out, and those that it calls replaced: of these only the line is left. */
export function checkDecisions(root: string): string[] {
  const folder = path.join(root, 'docs', 'decisions');
  const index = readFileSync(path.join(folder, 'README.md'), 'utf8').split('\n');
  const decisions = globSync('[0-9]*.md', { cwd: folder }).sort();
  return decisions.flatMap((file) => {
    const line = index.find((candidate) => candidate.includes(`](${file})`));
    if (line === undefined) return [`docs/decisions/README.md: leaves out ${file}`];
    return line.includes('| replaced by ')
      ? [`docs/decisions/README.md: ${file} is replaced, and still there`]
      : [];
  });
}

/** Returns everything that the pages under `root` name and that does not exist, one line each. */
export function checkDocs(root: string, commands: KnownCommands): string[] {
  const names = new Set(
    globSync('**/*', { cwd: root, exclude: isGenerated }).map((file) => path.basename(file)),
  );
  const files = pages.flatMap((pattern) => globSync(pattern, { cwd: root })).sort();
  return files.flatMap((page) => {
    const surroundings = { root, page: page.replaceAll(path.sep, '/'), names };
    return readMarkdown(readFileSync(path.join(root, page), 'utf8'))
      .filter(({ type }) => type === 'link' || !surroundings.page.startsWith(written))
      .flatMap((piece) =>
        [...checkPiece(piece, surroundings, commands), ...checkHeading(piece, surroundings)].map(
          (finding) => `${page}:${piece.line}: ${finding}`,
        ),
      );
  });
}

function checkPiece({ type, text }: Piece, surroundings: Surroundings, commands: KnownCommands): string[] {
  if (type === 'command-line') return checkCommandLine(text, commands);
  if (type === 'code' && text.startsWith('touchstone ')) return checkCommandLine(text, commands);
  const name = (type === 'link' ? decodeURI(text) : text).replace(/#.*$/, '').replace(/(?::\d+){1,2}$/, '');
  const isPath = type === 'link' ? !/^[a-z][\w+.-]*:|^$/i.test(name) : looksLikePath(name);
  return isPath && !isInRepository(name, surroundings) ? [`there is no ${name}`] : [];
}

/** Finds a link to a heading that the page it names does not have. */
function checkHeading({ type, text }: Piece, { root, page }: Surroundings): string[] {
  const [, name = '', fragment = ''] = (type === 'link' ? /^([^:#]*)#(.+)$/.exec(text) : null) ?? [];
  const file = name === '' ? page : path.posix.join(path.posix.dirname(page), decodeURI(name));
  const whole = path.join(root, file);
  if (fragment === '' || !file.endsWith('.md') || !existsSync(whole)) return [];
  const anchors = readHeadings(readFileSync(whole, 'utf8')).map(anchorOf);
  return anchors.includes(decodeURI(fragment)) ? [] : [`${file} has no heading #${fragment}`];
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
  const known = new Map([['', new Set(flags)]]);
  for (const name of commands) {
    const own = help(name);
    known.set(name, new Set(own.flags));
    for (const nested of own.commands) known.set(`${name} ${nested}`, new Set(help(name, nested).flags));
  }
  return known;
}

/** A piece of a Markdown page and its line, from 1. */
interface Piece {
  readonly type: 'code' | 'link' | 'command-line';
  readonly text: string;
  readonly line: number;
}

const shellLanguages = ['', 'sh', 'bash', 'shell', 'console', 'text', 'yaml', 'yml'];

/**
 * Returns the inline code, the link targets and the lines of shell blocks of a page. Blocks in other languages are left
 * out.
 */
function readMarkdown(text: string): Piece[] {
  const pieces: Piece[] = [];
  let fence: { marker: string; isShell: boolean } | undefined;
  let continued = '';
  for (const [index, content] of text.split(/\r?\n/).entries()) {
    const line = index + 1;
    const [, marker, language = ''] = /^\s*(```+|~~~+)\s*([\w-]*)/.exec(content) ?? [];
    if (fence === undefined && marker !== undefined) {
      fence = { marker, isShell: shellLanguages.includes(language) };
    } else if (fence === undefined) pieces.push(...readProse(content, line));
    else if (content.trim() === fence.marker) fence = undefined;
    else if (fence.isShell && content.endsWith('\\')) continued += content.slice(0, -1);
    else if (fence.isShell) {
      pieces.push({ type: 'command-line', text: continued + content, line });
      continued = '';
    }
  }
  return pieces;
}

function readProse(content: string, line: number): Piece[] {
  const codes = Array.from(content.matchAll(/(`+)(.+?)\1/g), ([, , text = '']) => text.trim());
  const withoutCode = content.replaceAll(/(`+)(.+?)\1/g, '``');
  const links = Array.from(withoutCode.matchAll(/\]\(\s*<?([^)\s>]+)/g), ([, target = '']) => target);
  const definitions = Array.from(
    withoutCode.matchAll(/^\s*\[[^\]]+\]:\s*(\S+)/g),
    ([, target = '']) => target,
  );
  return [
    ...codes.map((text) => ({ type: 'code', text, line }) as const),
    ...[...links, ...definitions].map((text) => ({ type: 'link', text, line }) as const),
  ];
}

/** Returns the headings of a page, without the lines of its blocks of code. */
function readHeadings(text: string): string[] {
  const prose = text.replaceAll(/^ *(```+|~~~+)[\s\S]*?^ *\1 *$/gm, '');
  return Array.from(prose.matchAll(/^#{1,6} +(.*?) *$/gm), ([, heading = '']) => heading);
}

if (import.meta.main) {
  const root = path.resolve(import.meta.dirname, '..');
  printFindings(
    [...checkDocs(root, readCommands(root)), ...checkDecisions(root)],
    'every file and command that the pages name is there',
    'A file that belongs to the reader is listed in `filesOfTheReader` of scripts/check-docs.ts.',
  );
}
