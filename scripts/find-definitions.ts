import type { ESTree } from 'rolldown/utils';

type Node = ESTree.Node;
type Declared = ESTree.VariableDeclarator | ESTree.Function;

/** The mark of an export that implements a kind: it is the result of a function (`defineMetric`) or a value of a type (`Reporter`). */
export interface Mark {
  readonly type: 'made-by' | 'is-a';
  readonly name: string;
}

/** Returns the names of the implementations that a module exports. */
export function findDefinitions(program: ESTree.Program, mark: Mark): string[] {
  const declared = new Map<string, Declared>();
  const exported = new Set<string>();
  for (const statement of program.body) {
    if (statement.type === 'ExportNamedDeclaration') {
      for (const name of declare(statement.declaration, declared)) exported.add(name);
      for (const { local } of statement.source === null ? statement.specifiers : []) {
        if (local.type === 'Identifier') exported.add(local.name);
      }
    } else declare(statement, declared);
  }
  const seen = new Set<string>();
  const isOfKind = (name: string): boolean => {
    const node = declared.get(name);
    if (node === undefined || seen.has(name)) return false;
    seen.add(name);
    const found = hasType(node, mark) || (node.type === 'VariableDeclarator' && mentions(node, isMade));
    seen.delete(name);
    return found;
  };
  const isMade = (node: Node): boolean =>
    mark.type === 'made-by' &&
    (isCallOf(node, mark.name) || (node.type === 'Identifier' && isOfKind(node.name)));
  return [...exported].filter(isOfKind);
}

/** Adds the declarations of a statement, and returns the names. */
function declare(statement: Node | null, declared: Map<string, Declared>): string[] {
  if (statement?.type === 'FunctionDeclaration' && statement.id !== null) {
    declared.set(statement.id.name, statement);
    return [statement.id.name];
  }
  if (statement?.type !== 'VariableDeclaration') return [];
  return statement.declarations.flatMap((declarator) => {
    if (declarator.id.type !== 'Identifier') return [];
    declared.set(declarator.id.name, declarator);
    return [declarator.id.name];
  });
}

/** Returns whether a declaration has a type: `const a: Kind` and `const a = … satisfies Kind`. */
function hasType(node: Declared, { type, name }: Mark): boolean {
  if (type !== 'is-a' || node.type !== 'VariableDeclarator') return false;
  const { id, init } = node;
  if (init?.type === 'TSSatisfiesExpression') return isType({ typeAnnotation: init.typeAnnotation }, name);
  return id.type === 'Identifier' && isType(id.typeAnnotation, name);
}

function isCallOf(node: Node, name: string): boolean {
  return node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === name;
}

function isType(annotation: { typeAnnotation: ESTree.TSType } | null | undefined, kind: string): boolean {
  const type = annotation?.typeAnnotation;
  return (
    type?.type === 'TSTypeReference' && type.typeName.type === 'Identifier' && type.typeName.name === kind
  );
}

/** Returns whether a node, or something in it that is not inside a function, passes a test. */
function mentions(node: Node, test: (node: Node) => boolean): boolean {
  if (isFunction(node)) return false;
  return Object.entries(node).some(([key, value]) => {
    const children = key === 'id' ? [(value as { typeAnnotation?: unknown }).typeAnnotation] : [value].flat();
    return children.some((child) => isNode(child) && (test(child) || mentions(child, test)));
  });
}

function isFunction({ type }: Node): boolean {
  return (
    type === 'ArrowFunctionExpression' || type === 'FunctionExpression' || type === 'FunctionDeclaration'
  );
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}
