// Checks that every implementation of a kind is in the kind's registry once, and has a test beside it; and that nothing
// outside of its folder and of the config knows a metric by its name.
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type ESTree, Visitor } from 'rolldown/utils';
import * as metrics from '../src/evaluate/metrics/registry.ts';
import { findDefinitions, type Mark } from './find-definitions.ts';
import { printFindings } from './print-findings.ts';
import { parseSource } from './read-imports.ts';

/** The folder of each kind, and the mark of an export that implements it. */
const kinds: Readonly<Record<string, Mark>> = {
  'evaluate/datasets': { type: 'is-a', name: 'DatasetReader' },
  'evaluate/judges': { type: 'made-by', name: 'defineJudge' },
  'cases/lint': { type: 'is-a', name: 'LintRule' },
  'evaluate/metrics': { type: 'made-by', name: 'defineMetric' },
  'evaluate/models': { type: 'made-by', name: 'defineModel' },
  'evaluate/models/embedders': { type: 'made-by', name: 'defineEmbedder' },
  'look/reporters': { type: 'is-a', name: 'Reporter' },
  'decide/scorecards': { type: 'made-by', name: 'defineScorecard' },
  stores: { type: 'made-by', name: 'defineStore' },
  'evaluate/targets': { type: 'made-by', name: 'defineTarget' },
  'evaluate/conditions/faults': { type: 'is-a', name: 'Fault' },
  'evaluate/conditions/perturbations': { type: 'is-a', name: 'Perturbation' },
  'evaluate/users': { type: 'made-by', name: 'defineUser' },
};

/** A name and the file it comes from, relative to the kind's folder. */
interface Entry {
  readonly name: string;
  readonly file: string;
}

/** Returns everything that is wrong with the registries under `root`/src, one line each. */
export function checkRegistries(root: string): string[] {
  return Object.entries(kinds).flatMap(([folder, mark]) => checkKind(path.join(root, 'src'), folder, mark));
}

function checkKind(source: string, folder: string, mark: Mark): string[] {
  const implemented = findImplementations(path.join(source, folder), mark);
  const registryFile = path.join(source, folder, 'registry.ts');
  if (!existsSync(registryFile)) {
    return implemented.map(({ file }) => `src/${folder}/${file}: src/${folder}/registry.ts is missing`);
  }
  const { entries, findings } = readRegistry(registryFile, folder);
  const files = new Set([...entries, ...implemented].map(({ file }) => file));
  return [
    ...findings,
    ...implemented.flatMap((entry) => checkListed(entry, entries, folder)),
    ...entries.flatMap((entry) => checkImplemented(entry, implemented, folder)),
    ...[...files].flatMap((file) => checkTest(file, path.join(source, folder), folder)),
  ];
}

function findImplementations(folder: string, mark: Mark): Entry[] {
  const files = globSync('**/*.ts', { cwd: folder }).map((file) => file.replaceAll(path.sep, '/'));
  return files
    .filter((file) => !file.endsWith('.test.ts') && file !== 'registry.ts')
    .sort()
    .flatMap((file) => {
      const program = parseSource(file, readFileSync(path.join(folder, file), 'utf8'));
      return findDefinitions(program, mark).map((name) => ({ name, file }));
    });
}

function readRegistry(file: string, folder: string): { entries: Entry[]; findings: string[] } {
  const text = readFileSync(file, 'utf8');
  const entries: Entry[] = [];
  const findings: string[] = [];
  for (const statement of parseSource(file, text).body) {
    if (isExportList(statement)) entries.push(...readExports(statement));
    else {
      const line = text.slice(0, statement.start).split('\n').length;
      findings.push(
        `src/${folder}/registry.ts:${line}: a registry holds only export { name } from './file.ts'`,
      );
    }
  }
  return { entries, findings };
}

function isExportList(statement: ESTree.Node): statement is ESTree.ExportNamedDeclaration {
  return (
    statement.type === 'ExportNamedDeclaration' &&
    statement.source !== null &&
    statement.exportKind === 'value'
  );
}

function readExports({ source, specifiers }: ESTree.ExportNamedDeclaration): Entry[] {
  const file = path.posix.normalize(source?.value ?? '');
  return specifiers.flatMap(({ local }) => (local.type === 'Identifier' ? [{ name: local.name, file }] : []));
}

function checkListed({ name, file }: Entry, entries: readonly Entry[], folder: string): string[] {
  const times = entries.filter((entry) => entry.name === name && entry.file === file).length;
  if (times === 1) return [];
  const how = times === 0 ? 'is not in' : `stands ${times} times in`;
  return [`src/${folder}/${file}: ${name} ${how} src/${folder}/registry.ts`];
}

function checkImplemented({ name, file }: Entry, implemented: readonly Entry[], folder: string): string[] {
  if (implemented.some((entry) => entry.name === name && entry.file === file)) return [];
  return [`src/${folder}/registry.ts: ${name} is no implementation exported by src/${folder}/${file}`];
}

function checkTest(file: string, folderPath: string, folder: string): string[] {
  const test = file.replace(/\.ts$/, '.test.ts');
  const tests = [test, file.replace(/\.ts$/, '.system.test.ts')];
  if (tests.some((name) => existsSync(path.join(folderPath, name)))) return [];
  return [`src/${folder}/${file}: has no test beside it (src/${folder}/${test})`];
}

/** The folders that know of a metric only what it declares: its family, its aspect, what it reads. */
const withoutNames = 'src/{core/schema,decide/analysis,decide/gate,evaluate/run,look}/**/*.ts';

/** The file that knows the declarations of metrics whose runs recorded none. */
const ofOldRuns = 'src/core/schema/metric.ts';

/** Names of metrics that are ordinary words as well, with what they mean in these folders. */
const ordinaryWords: Readonly<Record<string, string>> = {
  cost: 'the measure of a trial, and the rule of a gate',
  entities: 'the expectation',
  function: 'the type of a value',
  keywords: 'the expectation',
  not: 'the opposite, as in the checks of a case',
  language: 'the language of a user',
  latency: 'the measure of a trial, and the rule of a gate',
  question: 'the text of a case',
  robustness: 'the results of a target under conditions',
  tokens: 'the measure of a trial',
};

/** Returns every place under `root`/src that knows a metric by its name, one line each. */
export function checkNames(root: string, names: readonly string[]): string[] {
  const refused = new Set(names.filter((name) => !(name in ordinaryWords)));
  return globSync(withoutNames, { cwd: root })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => !file.endsWith('.test.ts') && file !== ofOldRuns)
    .sort()
    .flatMap((file) => findNames(file, readFileSync(path.join(root, file), 'utf8'), refused));
}

/**
 * Finds the names of metrics in a source: as a text, and wherever the name after `use:` is read, except to compare it
 * with that of another run.
 */
function findNames(file: string, text: string, names: ReadonlySet<string>): string[] {
  const findings: string[] = [];
  const compared = new Set<number>();
  const add = ({ start }: ESTree.Node, what: string): void => {
    const line = text.slice(0, start).split('\n').length;
    findings.push(`${file}:${line}: ${what}; ask for what a metric declares, such as its aspect`);
  };
  new Visitor({
    BinaryExpression: ({ left, right }) => {
      if (isName(left) && isName(right)) compared.add(left.start).add(right.start);
    },
    MemberExpression: (node) => {
      if (isName(node) && !compared.has(node.start)) add(node, 'reads the name of an extension');
    },
    Literal: (node) => {
      if (typeof node.value === 'string' && names.has(node.value))
        add(node, `names the metric ${node.value}`);
    },
    TemplateElement: (node) => {
      if (names.has(node.value.raw)) add(node, `names the metric ${node.value.raw}`);
    },
  }).visit(parseSource(file, text));
  return findings;
}

/** Returns whether an expression reads the name of an extension: `use.use`, `metric.use.use`. */
function isName(node: ESTree.Node): boolean {
  if (!readsUse(node)) return false;
  const { object } = node;
  return (object.type === 'Identifier' && object.name === 'use') || readsUse(object);
}

function readsUse(node: ESTree.Node): node is ESTree.StaticMemberExpression {
  return node.type === 'MemberExpression' && !node.computed && node.property.name === 'use';
}

if (import.meta.main) {
  const root = path.resolve(import.meta.dirname, '..');
  const names = Object.values(metrics).map(({ definition }) => definition.name);
  printFindings(
    [...checkRegistries(root), ...checkNames(root, names)],
    'every implementation is registered and has a test, and no metric is known by its name',
  );
}
