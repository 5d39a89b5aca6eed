import { type ESTree, Visitor } from 'rolldown/utils';
import { findDeclaration, type Source } from './read-exports.ts';

/** What the reference says of an exported name. */
export interface Described {
  readonly type: 'function' | 'class' | 'value' | 'type';
  /** The declaration in TypeScript, without bodies. */
  readonly signature: string;
  readonly comment: Comment;
  /** Names of types in the signature. */
  readonly mentions: readonly string[];
}

/** A TSDoc comment in its parts. */
export interface Comment {
  readonly text: string;
  readonly parameters: readonly string[];
  readonly returns?: string;
  readonly throws?: string;
}

/** Describes a name that a source declares. Throws where it does not declare it, or in a way that is not known. */
export function describeExport(source: Source, name: string): Described {
  const statement = findDeclaration(source, name);
  const node = statement?.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
  if (statement === undefined || node === null || node === undefined)
    throw new Error(`${source.file} declares no ${name}.`);
  const schema = node.type === 'TSTypeAliasDeclaration' ? findSchema(node, source) : undefined;
  const written = readComment(source.text.slice(0, statement.start));
  const comment =
    schema !== undefined && written.text === ''
      ? readComment(source.text.slice(0, schema.statement.start))
      : written;
  const { type, shown } = describeNode(schema?.node ?? node, source);
  const [first = '', ...parts] = shown.map(([start, end]) => source.text.slice(start, end).trim());
  const inner = parts.map((part) => (part === '}' ? part : `  ${part}`));
  return {
    type: schema === undefined ? type : 'type',
    signature: [first, ...inner].join('\n'),
    comment,
    mentions: findMentions(node, shown),
  };
}

type Range = readonly [start: number, end: number];

function describeNode(
  node: ESTree.Node,
  { file }: Source,
): { type: Described['type']; shown: readonly Range[] } {
  const whole: Range = [node.start, node.end];
  switch (node.type) {
    case 'FunctionDeclaration':
      return { type: 'function', shown: [[node.start, node.body?.start ?? node.end]] };
    case 'TSInterfaceDeclaration':
      return { type: 'type', shown: [whole] };
    case 'TSTypeAliasDeclaration':
      return { type: 'type', shown: [whole] };
    case 'ClassDeclaration':
      return { type: 'class', shown: withoutBodies(node) };
    case 'VariableDeclaration':
      return describeVariable(node);
    default:
      throw new Error(`${file} exports a ${node.type}, which the reference cannot describe.`);
  }
}

function describeVariable(node: ESTree.VariableDeclaration): ReturnType<typeof describeNode> {
  const [{ id, init } = { id: null, init: null }] = node.declarations;
  if (init?.type === 'ArrowFunctionExpression' && init.returnType !== null)
    return { type: 'function', shown: [[node.start, init.body.start]] };
  const isTyped = id !== null && 'typeAnnotation' in id && id.typeAnnotation !== null;
  return { type: 'value', shown: [[node.start, isTyped ? id.end : node.end]] };
}

/** Finds the schema that a type is inferred from; it has the comments of the fields. */
function findSchema(alias: ESTree.TSTypeAliasDeclaration, source: Source) {
  const [, name = ''] = /\bz\.infer<(?:ReturnType<)?typeof (\w+)>/.exec(textOf(alias, source)) ?? [];
  const statement = findDeclaration(source, name);
  const node = statement?.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
  return statement === undefined || node === null || node === undefined ? undefined : { statement, node };
}

function textOf({ start, end }: ESTree.Node, { text }: Source): string {
  return text.slice(start, end);
}

function withoutBodies({ start, body }: ESTree.Class): Range[] {
  const members = body.body.flatMap((member): Range[] => {
    if ('accessibility' in member && member.accessibility === 'private') return [];
    if (member.type === 'MethodDefinition') return [[member.start, member.value.body?.start ?? member.end]];
    return [[member.start, member.end]];
  });
  return [[start, body.start + 1], ...members, [body.end - 1, body.end]];
}

function findMentions(node: ESTree.Node, shown: readonly Range[]): string[] {
  const names = new Set<string>();
  const add = (name: ESTree.TSTypeName | ESTree.Expression) => {
    const isShown = shown.some(([start, end]) => name.start >= start && name.end <= end);
    if (name.type === 'Identifier' && isShown) names.add(name.name);
  };
  new Visitor({
    TSTypeReference: ({ typeName }) => add(typeName),
    TSInterfaceHeritage: ({ expression }) => add(expression),
  }).visit({ type: 'Program', body: [node] } as unknown as ESTree.Program);
  return [...names];
}

/** Reads the TSDoc comment at the end of what stands before a declaration. */
function readComment(before: string): Comment {
  const [, inside = ''] = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(before) ?? [];
  const lines = inside.split('\n').map((line) => line.replace(/^\s*\* ?/, '').trim());
  const [text = '', ...tags] = lines.join('\n').split(/^@/m);
  const partsOf = (tag: string) =>
    tags.filter((part) => part.startsWith(`${tag} `)).map((part) => part.slice(tag.length + 1).trim());
  const [returns] = partsOf('returns');
  const throwing = partsOf('throws');
  return {
    text: text.trim(),
    parameters: partsOf('param'),
    ...(returns !== undefined && { returns }),
    ...(throwing.length > 0 && { throws: throwing.join(' ') }),
  };
}
