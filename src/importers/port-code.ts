import path from 'node:path';
import { TouchstoneError } from '../errors.ts';
import type { JsonObject, Translation } from './importer.ts';

/** A check that is code in the file of another tool. */
export interface CheckInCode {
  /** The name of its kind, such as `assertion javascript`. */
  readonly part: string;
  readonly code: string;
  /** The case that it checks; undefined for one that checks all cases. */
  readonly caseId: string | undefined;
}

/**
 * Adds a stub for each check in code to a translated project: a function that throws until it is written, above it the code as
 * a comment, and the metric `function` that calls it. The code itself is never run. Throws `usage-invalid` for a folder outside
 * of the project.
 * @param folder - The folder of the stubs in the project.
 */
export function withStubs(
  translation: Translation,
  checks: readonly CheckInCode[],
  folder: string,
): Translation {
  const place = path.posix.join(folder.replaceAll('\\', '/'), 'checks.mjs');
  if (path.isAbsolute(folder) || place.startsWith('..')) {
    const remedy = 'Name a folder in it, such as `--port-code code`.';
    const message = `\`--port-code ${folder}\`: the folder is not in the project.`;
    throw new TouchstoneError('usage-invalid', message, { remedy });
  }
  const groups = [...Map.groupBy(checks, ({ part, code }) => JSON.stringify([part, code])).values()];
  if (groups.length === 0) return translation;
  const { config = {}, files } = translation;
  const stubs = groups.map((group, index) => stubOf(group, `check${index + 1}`));
  const metrics = [
    ...((config['metrics'] as JsonObject[] | undefined) ?? []),
    ...stubs.map(({ name, part }) => ({
      use: 'function',
      name: `${part} (${name})`,
      path: place,
      export: name,
    })),
  ];
  return {
    ...translation,
    config: { ...config, metrics },
    files: { ...files, [place]: [opening, ...stubs.map(({ text }) => text)].join('\n') },
  };
}

const opening = `// Checks that were code, as comments: nothing of it runs. Write each one into the function below it.
// A function gets { answer, case, transcript, state } and returns true or false, or a value from 0 to 1.
// Until then its metric is not measured. See docs/reference/targets.md.
`;

function stubOf(group: readonly CheckInCode[], name: string): { name: string; part: string; text: string } {
  const [{ part = '', code = '' } = {}] = group;
  const ids = group.map(({ caseId }) => caseId);
  const cases = ids.includes(undefined) ? undefined : [...new Set(ids)];
  const others = `if (!${JSON.stringify(cases)}.includes(testCase.id)) return { notApplicable: 'another case' };`;
  const text = [
    asComment(`${part}:\n\n${code}`),
    `/** @type {import('touchstone/metrics').CriterionFunction} */`,
    `export function ${name}({ answer, case: testCase }) {`,
    ...(cases === undefined ? [] : [`  ${others}`]),
    `  throw new Error('${name} is not written yet');`,
    '}',
    '',
  ];
  return { name, part: part.replace(/^\w+ /, ''), text: text.join('\n') };
}

/** Returns a text as comments; every character at which JavaScript ends a line begins a new one. */
function asComment(text: string): string {
  return text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => `// ${line}`.trimEnd())
    .join('\n');
}
