import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ESTree } from 'rolldown/utils';
import { parseSource } from '../read-imports.ts';

/** The place of a declaration: its file, and its name there. */
export interface Place {
  readonly file: string;
  readonly name: string;
}

/** A parsed source with what its statements declare. */
export interface Source {
  readonly file: string;
  readonly text: string;
  readonly statements: readonly ESTree.Node[];
  /** Names that the file imports, by their local names. */
  readonly imports: ReadonlyMap<string, Place>;
}

/** Sources by their paths, each read once. */
export type Sources = Map<string, Source>;

/** Reads a source file. */
export function readSource(file: string, sources: Sources): Source {
  const known = sources.get(file);
  if (known !== undefined) return known;
  const text = readFileSync(file, 'utf8');
  const statements = parseSource(file, text).body;
  const source = { file, text, statements, imports: readNamedImports(file, statements) };
  sources.set(file, source);
  return source;
}

/**
 * Finds what a module exports, through all files that pass it on.
 * @returns Where each name is declared, in the order of the module. What comes from a package has the package as its file.
 */
export function readExports(file: string, sources: Sources): Map<string, Place> {
  const found = new Map<string, Place>();
  for (const statement of readSource(file, sources).statements) {
    if (statement.type === 'ExportAllDeclaration') {
      const inner = readExports(resolveModule(file, statement.source.value), sources);
      for (const [name, place] of inner) found.set(name, place);
    } else if (statement.type === 'ExportNamedDeclaration') {
      for (const [name, place] of namesOf(statement, file)) found.set(name, findOrigin(place, sources));
    }
  }
  return found;
}

/** Follows a name through the files that only pass it on, to the one that declares it. */
export function findOrigin(place: Place, sources: Sources): Place {
  if (!place.file.endsWith('.ts')) return place;
  const source = readSource(place.file, sources);
  for (const statement of source.statements) {
    if (statement.type !== 'ExportNamedDeclaration' || statement.source === null) continue;
    const passedOn = namesOf(statement, place.file).get(place.name);
    if (passedOn !== undefined) return findOrigin(passedOn, sources);
  }
  const imported =
    findDeclaration(source, place.name) === undefined ? source.imports.get(place.name) : undefined;
  return imported === undefined ? place : findOrigin(imported, sources);
}

/** Returns the statement that declares a name at the top of a file; of an overloaded function, the first. */
export function findDeclaration(source: Source, name: string): ESTree.Node | undefined {
  return source.statements.find((statement) => declaredNames(statement).includes(name));
}

function namesOf(statement: ESTree.ExportNamedDeclaration, file: string): Map<string, Place> {
  const from = statement.source === null ? file : resolveModule(file, statement.source.value);
  const listed = statement.specifiers.map(
    ({ exported, local }) => [nameOf(exported), { file: from, name: nameOf(local) }] as const,
  );
  const declared = declaredNames(statement).map((name) => [name, { file, name }] as const);
  return new Map([...listed, ...declared]);
}

function readNamedImports(file: string, statements: readonly ESTree.Node[]): Map<string, Place> {
  return new Map(
    statements.flatMap((statement) => {
      if (statement.type !== 'ImportDeclaration') return [];
      const from = resolveModule(file, statement.source.value);
      return statement.specifiers.flatMap((specifier) =>
        specifier.type === 'ImportSpecifier'
          ? [[specifier.local.name, { file: from, name: nameOf(specifier.imported) }] as const]
          : [],
      );
    }),
  );
}

function declaredNames(statement: ESTree.Node): string[] {
  if (statement.type === 'ExportNamedDeclaration')
    return statement.declaration === null ? [] : declaredNames(statement.declaration);
  if (statement.type === 'VariableDeclaration')
    return statement.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []));
  return 'id' in statement && statement.id !== null && 'name' in statement.id ? [statement.id.name] : [];
}

function nameOf(node: ESTree.ModuleExportName): string {
  return node.type === 'Literal' ? node.value : node.name;
}

function resolveModule(file: string, specifier: string): string {
  return specifier.startsWith('.') ? path.join(path.dirname(file), specifier) : specifier;
}
