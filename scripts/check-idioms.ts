// Checks the sources for idioms that say nothing (a spread that only leaves out what is undefined, `?: T | undefined`) and for
// modifiers within regular expressions, which V8 misreads.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type ESTree, Visitor } from 'rolldown/utils';
import { printFindings } from './print-findings.ts';
import { parseSource } from './read-imports.ts';

/**
 * Places that make records of other programs, or JSON whose type has no undefined: what reads them next looks at which keys are
 * there.
 */
const makersOfRecords: readonly string[] = [
  'src/evaluate/datasets/',
  'src/evaluate/metrics/checks/verdict-of-checks.ts',
  'src/evaluate/targets/',
  'src/exchange/',
  'src/library/testing/model-server/write-replies.ts',
];

/** `(?i:a|b)`: in a process with so much compiled code that V8 stops optimizing expressions, it is read as case-sensitive. */
const modifier = /\(\?(?:[ims]+|[ims]*-[ims]+):/;

const noModifier = 'V8 may misread a modifier such as `(?i:…)`: use a flag, or spell out both cases';

/** Returns every place under `root` that should be spelled in another way, one line each. */
export function checkIdioms(root: string): string[] {
  return globSync('{src,dashboard/src}/**/*.{ts,tsx}', { cwd: root })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .sort()
    .flatMap((file) => findIdioms(file, readFileSync(path.join(root, file), 'utf8')));
}

function findIdioms(file: string, text: string): string[] {
  const findings: string[] = [];
  const add = ({ start }: { start: number }, what: string): void => {
    findings.push(`${file}:${text.slice(0, start).split('\n').length}: ${what}`);
  };
  const textOf = ({ start, end }: { start: number; end: number }): string => text.slice(start, end);
  const findOptional = (node: { optional?: boolean; start: number; typeAnnotation?: unknown }): void => {
    const type = (node.typeAnnotation as ESTree.TSTypeAnnotation | null | undefined)?.typeAnnotation;
    if (node.optional !== true || type?.type !== 'TSUnionType') return;
    if (type.types.some((one) => one.type === 'TSUndefinedKeyword'))
      add(node, 'an optional property may be undefined anyway: leave out `| undefined`');
  };
  new Visitor({
    ObjectExpression: ({ properties }) => {
      for (const property of properties) {
        // After a plain spread, `{ x }` would replace what was spread by undefined.
        if (property.type === 'SpreadElement' && !isConditional(property.argument)) return;
        const name = property.type === 'SpreadElement' && undefinedLeftOut(property.argument, textOf);
        if (typeof name === 'string' && !makersOfRecords.some((place) => file.startsWith(place)))
          add(property, `write \`${name}\`: a property that is undefined is left out anyway`);
      }
    },
    Literal: (node) => {
      if (modifier.test(textOf(node))) add(node, noModifier);
    },
    TemplateElement: (node) => {
      if (modifier.test(textOf(node))) add(node, noModifier);
    },
    TSPropertySignature: findOptional,
    PropertyDefinition: findOptional,
  }).visit(parseSource(file, text));
  return findings;
}

function isConditional(argument: ESTree.Expression): boolean {
  const { type } = inside(argument);
  return type === 'LogicalExpression' || type === 'ConditionalExpression';
}

/** Returns the property of `x !== undefined && { x }`; undefined for anything else. */
function undefinedLeftOut(
  argument: ESTree.Expression,
  textOf: (node: { start: number; end: number }) => string,
): string | undefined {
  const spread = inside(argument);
  if (spread.type !== 'LogicalExpression' || spread.operator !== '&&') return undefined;
  const { left, right } = spread;
  if (left.type !== 'BinaryExpression' || left.operator !== '!==' || textOf(left.right) !== 'undefined')
    return undefined;
  const [only, ...others] = right.type === 'ObjectExpression' ? right.properties : [];
  if (only?.type !== 'Property' || others.length > 0) return undefined;
  return textOf(only.value) === textOf(left.left) ? textOf(only) : undefined;
}

function inside(expression: ESTree.Expression): ESTree.Expression {
  return expression.type === 'ParenthesizedExpression' ? inside(expression.expression) : expression;
}

if (import.meta.main) {
  printFindings(
    checkIdioms(path.resolve(import.meta.dirname, '..')),
    'nothing is spread only to leave out what is undefined, and no expression has a modifier',
  );
}
