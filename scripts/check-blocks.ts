// Checks the blocks of code in pages: what a reader copies is a config whose settings and extensions there are, rows of JSON,
// a program that parses. The commands of shell blocks are checked with the names in pages (check-docs.ts).
import { attackSetSchema } from '../src/library/config/attacks/attacks-setting.ts';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'rolldown/utils';
import { parseDocument } from 'yaml';
import { configSchema } from '../src/library/config/config.ts';
import { definitionsOf, type ExtensionKind, registries } from '../src/library/config/definitions.ts';
import { printFindings } from './print-findings.ts';

const pages = ['README.md', 'CONTRIBUTING.md', 'docs/*.md', '{examples,templates}/*/README.md'];

/** A block that is not checked is marked: a sketch, or a file of another tool. */
const unchecked = 'no-run';

/** Returns what is wrong with the blocks of the pages under `root`, one line each. */
export function checkBlocks(root: string, files = globSync(pages, { cwd: root }).sort()): string[] {
  const extensions = extensionNames();
  return files.flatMap((file) =>
    readBlocks(readFileSync(path.join(root, file), 'utf8')).flatMap(({ language, note, text, line }) => {
      if (note.split(' ').includes(unchecked)) return [];
      return findFaults(language, text, extensions).map((fault) => `${file}:${line}: ${fault}`);
    }),
  );
}

interface Block {
  readonly language: string;
  /** The rest of the line that begins the block. */
  readonly note: string;
  readonly text: string;
  readonly line: number;
}

function readBlocks(page: string): Block[] {
  return Array.from(page.matchAll(/^( *)```(\w+)([^\n]*)\n([^]*?)^\1```$/gm), (match) => {
    const [, indent = '', language = '', note = '', text = ''] = match;
    return {
      language,
      note: note.trim(),
      text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      line: page.slice(0, match.index).split('\n').length,
    };
  });
}

function findFaults(language: string, text: string, extensions: ReadonlySet<string>): string[] {
  if (language === 'yaml') return checkYaml(text, extensions);
  if (language === 'jsonl')
    return text
      .trim()
      .split('\n')
      .flatMap((row) => checkJson(row));
  if (language === 'json')
    return isJson(text)
      ? []
      : text
          .trim()
          .split('\n')
          .flatMap((row) => checkJson(row));
  if (language === 'ts' || language === 'js') return checkProgram(text, language);
  return [];
}

function isJson(text: string): boolean {
  return checkJson(text).length === 0;
}

function checkJson(text: string): string[] {
  try {
    JSON.parse(text);
    return [];
  } catch (error) {
    return [`no JSON: ${(error as Error).message}`];
  }
}

function checkProgram(text: string, language: 'ts' | 'js'): string[] {
  return parseSync(`block.${language}`, text).errors.map(({ message }) => message);
}

/**
 * Checks that a config, or a part of one, has only settings that there are, and uses extensions that there are. Other YAML, which has
 * other names at its top, only has to be YAML.
 */
function checkYaml(text: string, extensions: ReadonlySet<string>): string[] {
  const document = parseDocument(text);
  if (document.errors.length > 0) return document.errors.map(({ message }) => message.split('\n')[0] ?? '');
  const value: unknown = document.toJS();
  const settings = Object.keys(typeof value === 'object' && value !== null ? value : {});
  const unknown = settings.filter((name) => !Object.hasOwn(configSchema.shape, name));
  const isConfig = Array.isArray(value) || unknown.length < settings.length;
  if (!isConfig) return [];
  return [
    ...(Array.isArray(value) ? [] : unknown.map((name) => `a config has no setting ${name}`)),
    ...usedIn(value)
      .filter((name) => !extensions.has(name) && !/[./]/.test(name))
      .map((name) => `there is no extension ${name}`),
  ];
}

/** Returns the names of all extensions, by which a config uses them. */
function extensionNames(): ReadonlySet<string> {
  const kinds = Object.keys(registries) as ExtensionKind[];
  const names = kinds.flatMap((kind) => definitionsOf(kind).map(({ name }) => name));
  return new Set([...names, ...attackSetSchema.shape.use.values]);
}

/** Returns the extensions that a value uses by name, at any depth. */
function usedIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { use } = value as { readonly use?: unknown };
  return [...(typeof use === 'string' ? [use] : []), ...Object.values(value).flatMap(usedIn)];
}

if (import.meta.main) {
  printFindings(
    checkBlocks(path.resolve(import.meta.dirname, '..')),
    'every block of code in the pages can be used as it is written',
    'A block that is a sketch, or a file of another tool, is marked: ```yaml no-run',
  );
}
