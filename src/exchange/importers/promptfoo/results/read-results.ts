import { hashContent } from '../../../../core/lib/content-hash.ts';
import type { Json } from '../../../../core/schema/json.ts';
import { toJson } from '../../../../evaluate/targets/reply/to-json.ts';
import { toolsOf } from '../config/providers.ts';
import type { CellTable } from '../../content/content.ts';
import { fillVars, render } from '../../render.ts';
import { asArray, asNumber, asObject, asText, type Fields, objectsIn, restOf } from '../../values.ts';

import { resultsOfTable } from './read-table.ts';

/** One result of promptfoo: an answer of one provider to one prompt of one test. */
export interface FoundResult {
  readonly result: Fields;
  readonly testCase: Fields;
  /** The name of the target: the provider, with the prompt where there are several. */
  readonly target: string;
  /** The identity of the test: repeats of a test share it, though promptfoo gives each an index of its own. */
  readonly testKey: string;
  /** Counts from 1 among the results of the same test and target. */
  readonly attempt: number;
  /** The spans that the provider reported about this result. */
  readonly spans: readonly Fields[];
}

/** The results in a file, in its order. */
export interface FoundResults {
  /** The version of the form; `table` for a table, which has no single assertions. */
  readonly version: number | 'table';
  readonly promptfooVersion: string | undefined;
  readonly description: string | undefined;
  /** The time of the evaluation, as the file has it. */
  readonly recordedAt: unknown;
  /** The facts of the evaluation as a whole. */
  readonly facts: Fields;
  /** The tools that the providers describe; a text is the reason why they are not known. */
  readonly tools: readonly Json[] | string;
  /** The prompts as they were written, with placeholders, without doubles. */
  readonly prompts: readonly string[];
  readonly results: readonly FoundResult[];
  /** The metrics that are computed of others, by their names, with their formulas. */
  readonly derived: readonly Fields[];
}

/** Returns the results in a table; undefined for one that is none of promptfoo's. */
export function findResultsInTable({ header, rows }: Omit<CellTable, 'form'>): FoundResults | undefined {
  const results = resultsOfTable(header, rows);
  return results === undefined ? undefined : { ...collect({}, results), version: 'table' };
}

/** Returns the results in a parsed file; undefined when it contains none of promptfoo. */
export function findResults(value: unknown, rows?: readonly unknown[]): FoundResults | undefined {
  if (rows !== undefined)
    return rows.every(isResult) && rows.length > 0 ? collect({}, rows as Fields[]) : undefined;
  const file = asObject(value);
  const inner = asObject(file?.results);
  if (file === undefined || inner === undefined) return undefined;
  const results = asArray(inner.results);
  const isKnown = (inner.version ?? 2) === 2 || inner.version === 3;
  return isKnown && results.every(isResult) && (results.length > 0 || file.evalId !== undefined)
    ? collect(file, results as Fields[])
    : undefined;
}

function isResult(value: unknown): boolean {
  const result = asObject(value);
  const prompt = asObject(result?.prompt);
  return typeof result?.success === 'boolean' && prompt?.raw !== undefined && result.provider !== undefined;
}

function collect(file: Fields, rows: readonly Fields[]): FoundResults {
  const inner = asObject(file.results) ?? {};
  const config = asObject(file.config) ?? {};
  const heads = objectsIn(inner.prompts ?? asObject(asObject(inner.table)?.head)?.prompts);
  const spans = spansByResult(objectsIn(file.traces));
  const ordered = rows.toSorted((a, b) => (asNumber(a.testIdx) ?? 0) - (asNumber(b.testIdx) ?? 0));
  const namePrompt = promptNamer(rows);
  const testOf = testFinder(objectsIn(asObject(inner.table)?.body));
  const labels = new Map<string, Set<string>>();
  for (const result of ordered) {
    const provider = providerOf(result);
    labels.set(provider, (labels.get(provider) ?? new Set()).add(namePrompt(result)));
  }
  const attempts = new Map<string, number>();
  return {
    version: asNumber(inner.version) ?? 3,
    promptfooVersion: asText(asObject(file.metadata)?.promptfooVersion),
    description: asText(config.description),
    facts: restOf(
      {
        evalId: file.evalId,
        metadata: file.metadata,
        stats: inner.stats,
        runtimeOptions: file.runtimeOptions,
        prompts: heads.map((head) => restOf(head, ['raw'])),
      },
      [],
    ),
    recordedAt: inner.timestamp ?? asObject(file.metadata)?.evaluationCreatedAt ?? file.createdAt,
    tools: toolsOf(
      objectsIn([config.providers].flat()).map((provider) => asObject(provider.config) ?? {}),
      () => 'results do not contain it',
    ),
    derived: objectsIn(config.derivedMetrics),
    prompts: [...new Set(heads.flatMap(({ raw }) => asText(raw) ?? []))],
    results: ordered.map((result) => {
      const provider = providerOf(result);
      const hasSeveral = (labels.get(provider)?.size ?? 0) > 1;
      const target = hasSeveral ? `${provider} · ${namePrompt(result)}` : provider;
      const testCase = asObject(result.testCase) ?? testOf(result);
      const testKey = hashContent({
        description: testCase.description,
        vars: testCase.vars ?? result.vars,
        assert: testCase.assert,
      });
      const key = `${testKey} ${target}`;
      const filled = fillTest(testCase, asObject(result.vars) ?? {});
      const attempt = (attempts.get(key) ?? 0) + 1;
      attempts.set(key, attempt);
      const place = `${String(result.testIdx)}-${String(result.promptIdx)}`;
      return { result, testCase: filled, target, testKey, attempt, spans: spans.get(place) ?? [] };
    }),
  };
}

/** Returns a test with its variables filled in: results contain them as they were written. */
function fillTest(test: Fields, given: Fields): Fields {
  const vars = fillVars(asObject(test.vars) ?? given);
  const description = asText(test.description);
  return {
    ...test,
    vars,
    ...(description !== undefined && { description: render(description, vars) ?? description }),
  };
}

function providerOf({ provider }: Fields): string {
  const { label, id } = asObject(provider) ?? { label: undefined, id: provider };
  return asText(label) ?? asText(id) ?? 'provider';
}

/**
 * Returns a function that names prompts: by their labels, where they have some that are short and differ. promptfoo takes
 * the whole text for the label of a prompt without one; such a prompt is named by its place.
 */
function promptNamer(results: readonly Fields[]): (result: Fields) => string {
  const texts = new Map<string, string>();
  for (const result of results) texts.set(promptText(result), '');
  const used = new Set<string>();
  for (const [index, text] of [...texts.keys()].entries()) {
    const line = (text.split(/:\s/, 1)[0] ?? '').replaceAll(/\s+/g, ' ').trim();
    const isShort = line !== '' && line.length <= 40 && !/[{}]/.test(line);
    const name = isShort && !used.has(line) ? line : `prompt ${index + 1}`;
    used.add(name);
    texts.set(text, name);
  }
  return (result) => texts.get(promptText(result)) ?? 'prompt';
}

/** Returns the text by which prompts are distinguished: the label, in version 2 the template, else the prompt as it was sent. */
function promptText({ prompt, promptIdx }: Fields): string {
  const { label, display, raw } = asObject(prompt) ?? {};
  return asText(label) ?? asText(display) ?? asText(raw) ?? String(promptIdx);
}

/** Returns a function that finds the test of a result of version 2: its table has the tests, which are known by their variables. */
function testFinder(rows: readonly Fields[]): (result: Fields) => Fields {
  const tests = Map.groupBy(objectsIn(rows.map(({ test }) => test)), ({ vars }) =>
    hashContent(toJson(vars ?? {})),
  );
  const typesOf = (assertions: unknown) => JSON.stringify(objectsIn(assertions).map(({ type }) => type));
  return ({ vars, gradingResult }) => {
    const found = tests.get(hashContent(toJson(vars ?? {}))) ?? [];
    const made = objectsIn(asObject(gradingResult)?.componentResults).map(({ assertion }) => assertion);
    return found.find(({ assert }) => typesOf(assert) === typesOf(made)) ?? found[0] ?? { vars };
  };
}

function spansByResult(traces: readonly Fields[]): Map<string, Fields[]> {
  const isOfTarget = ({ attributes }: Fields) => asObject(attributes)?.['promptfoo.span.role'] !== 'grader';
  return new Map(
    traces.map(({ testCaseId, spans }) => [String(testCaseId), objectsIn(spans).filter(isOfTarget)]),
  );
}
