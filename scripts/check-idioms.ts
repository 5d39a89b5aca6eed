// Checks the sources for idioms that say nothing (a spread that only leaves out what is undefined, `?: T | undefined`), for
// values that come at once or as a promise, for imports of paths, and for modifiers within regular expressions, which V8 misreads.
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
  'src/library/testing/model-server/write-replies.ts',
];

/** `(?i:a|b)`: in a process with so much compiled code that V8 stops optimizing expressions, it is read as case-sensitive. */
const modifier = /\(\?(?:[ims]+|[ims]*-[ims]+):/;

const noModifier = 'V8 may misread a modifier such as `(?i:…)`: use a flag, or spell out both cases';

/**
 * The places where a value may come at once or as a promise, with the number of them in the file: what users write, who need no
 * `async` for a function that only computes. Everywhere else a promise is cheap enough.
 */
const atOnceOrLater: Readonly<Record<string, number>> = {
  // A function of the user: a metric, a criterion, a tool, what a scripted model server replies.
  'src/evaluate/metrics/metric.ts': 1,
  'src/evaluate/metrics/criteria/criterion-function.ts': 1,
  'src/evaluate/targets/module-function.ts': 1,
  'src/library/testing/model-server/script.ts': 1,
  // What a test of the user creates, and how it looks at what is left over.
  'src/library/testing/judge-contract.ts': 1,
  'src/library/testing/model-contract.ts': 1,
  'src/library/testing/target-contract.ts': 2,
  'src/library/testing/user-contract.ts': 1,
  // Most perturbations are pure functions of a text; two ask a model.
  'src/evaluate/conditions/perturbations/perturbation.ts': 1,
};

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
  let unions = 0;
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
    ImportExpression: ({ start, source }) => {
      const isLiteral =
        source.type === 'Literal' || (source.type === 'TemplateLiteral' && source.expressions.length === 0);
      // On Windows the path of a file is no address: `C:\\bot.ts`.
      if (!isLiteral && !/^pathToFileURL\([^]*\)\.href$/.test(textOf(source)))
        add(
          { start },
          'import a literal name, or `pathToFileURL(file).href`: a path of Windows is no address',
        );
    },
    Literal: (node) => {
      if (modifier.test(textOf(node))) add(node, noModifier);
    },
    TemplateElement: (node) => {
      if (modifier.test(textOf(node))) add(node, noModifier);
    },
    TSUnionType: (node) => {
      if (!node.types.some(isPromise) || node.types.every((one) => isPromise(one) || isNothing(one))) return;
      unions += 1;
      if (unions > (atOnceOrLater[file] ?? 0))
        add(node, 'a promise alone: waiting for one costs next to nothing');
    },
    TSPropertySignature: findOptional,
    PropertyDefinition: findOptional,
  }).visit(parseSource(file, text));
  return findings;
}

function isPromise(type: ESTree.TSType): boolean {
  return (
    type.type === 'TSTypeReference' && type.typeName.type === 'Identifier' && type.typeName.name === 'Promise'
  );
}

function isNothing({ type }: ESTree.TSType): boolean {
  return type === 'TSUndefinedKeyword' || type === 'TSNullKeyword';
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
    'nothing is spread only to leave out what is undefined, no expression has a modifier, and what waits is a promise',
  );
}
