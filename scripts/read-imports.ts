import { type ESTree, parseSync, Visitor } from 'rolldown/utils';

/** One mention of another module: imported, re-exported, imported as a type or at run time. */
export interface Import {
  readonly specifier: string;
  /** The line, from 1. */
  readonly line: number;
  /** True when only types are imported: nothing is loaded for it. */
  readonly isType: boolean;
}

/** Parses a TypeScript file. Throws with the place of the first syntax error. */
export function parseSource(file: string, text: string): ESTree.Program {
  const { program, errors } = parseSync(file, text);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${file}: ${error.message}`);
  return program;
}

/**
 * Returns every module that a file names, in the order of the text. Dynamic imports of a computed name are not
 * included.
 */
export function readImports(file: string, text: string): Import[] {
  const imports: (Import & { start: number })[] = [];
  const add = (source: { type: string; start: number; value?: unknown } | null, isType = false): void => {
    if (source?.type !== 'Literal' || typeof source.value !== 'string') return;
    const line = text.slice(0, source.start).split('\n').length;
    imports.push({ specifier: source.value, line, isType, start: source.start });
  };
  new Visitor({
    ImportDeclaration: ({ source, importKind, specifiers }) =>
      add(source, importKind === 'type' || (specifiers.length > 0 && specifiers.every(isTypeSpecifier))),
    ExportNamedDeclaration: ({ source, exportKind }) => add(source, exportKind === 'type'),
    ExportAllDeclaration: ({ source, exportKind }) => add(source, exportKind === 'type'),
    ImportExpression: ({ source }) => add(source),
    TSImportType: ({ source }) => add(source, true),
  }).visit(parseSource(file, text));
  return imports.sort((a, b) => a.start - b.start).map(({ start: _, ...found }) => found);
}

function isTypeSpecifier(specifier: ESTree.ImportDeclarationSpecifier): boolean {
  return specifier.type === 'ImportSpecifier' && specifier.importKind === 'type';
}
