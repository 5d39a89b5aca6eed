import { TouchstoneError } from '../../../core/errors.ts';
import { hashContent } from '../../../core/lib/content-hash.ts';
import { setMember, stepInto } from '../../../core/lib/objects.ts';
import { formatPlural } from '../../../look/report/format.ts';
import { toJson } from '../../../evaluate/targets/reply/to-json.ts';
import type { FoundScore, FoundTrial } from '../collect-trials.ts';
import type { ImportContent } from '../content/content.ts';
import type { Importer } from '../importer.ts';
import type { Ledger } from '../ledger.ts';
import { findExpectedAnswer, findQuestion } from '../questions.ts';
import { readAnswer, sumOf } from '../records/payload.ts';
import { mergeRows, numberOf, rowsIn } from '../content/rows.ts';
import {
  nameScores,
  translateAnswer,
  translateCase,
  translateRecords,
} from '../records/translate-records.ts';
import { asObject, asText, type Fields, jsonObject, restOf } from '../values.ts';

/**
 * Calls of Weave as JSON Lines, JSON or a table: each `predict_and_score` of an evaluation is a trial. A table has the
 * columns that are shown, each for the innermost members of a call, so that ids and errors may be missing.
 * @see https://docs.wandb.ai/weave/guides/tracking/querying-calls
 */
export const weave: Importer = {
  name: 'weave',
  title: 'Weave',
  reads: [
    'op_name',
    'inputs.model',
    'output.output',
    'output.scores.*.score',
    'usage.*.completion_tokens',
    'usage.*.prompt_tokens',
  ],
  detect(content) {
    const calls = callsIn(content);
    return calls.length === 0 ? undefined : `an export of Weave with ${count(calls)}`;
  },
  async read(content, ledger) {
    const calls = callsIn(content);
    const trials = calls.filter(isTrial);
    if (trials.length === 0) {
      const message = `${content.name}: ${count(calls)}, but none that evaluates an answer.`;
      throw new TouchstoneError('import-invalid', message, {
        remedy: 'Export the calls of an evaluation, `Evaluation.predict_and_score`.',
      });
    }
    for (const call of calls) if (!isTrial(call)) noteOther(call, ledger);
    const found = trials.map((call) => translateCall(call, ledger));
    return translateRecords(found, {
      title: 'Weave',
      found: count(calls),
      version: versionOf(calls),
      ledger,
    });
  },
};

function callsIn(content: ImportContent): Fields[] {
  const rows = (rowsIn(content) ?? []).map(unflatten);
  return mergeRows(
    rows.filter((row) => 'inputs' in row && ('trace_id' in row ? 'op_name' in row : isNamed(row))),
  );
}

/** An operation is named by an address, `weave:///team/project/op/NAME:hash`. */
function isNamed({ op_name: name }: Fields): boolean {
  return isReference(name) && String(name).includes('/op/');
}

function isReference(value: unknown): boolean {
  return asText(value)?.startsWith('weave:///') === true;
}

/** The members of a call that the table of calls has columns for, with a dot before each step. */
const flattened = /^(?:inputs|output|summary|attributes)\./;

/** Restores the members of a call whose columns are flattened with dots. */
function unflatten(row: Fields): Fields {
  if (!Object.keys(row).some((name) => flattened.test(name))) return row;
  const call: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) {
    const steps = flattened.test(name) ? name.split('.') : [name];
    const last = steps.pop() ?? name;
    let members = call;
    for (const step of steps) {
      const inner = { ...asObject(stepInto(members, step)) };
      setMember(members, step, inner);
      members = inner;
    }
    if (value !== null || steps.length === 0) setMember(members, last, numberOf(value) ?? value);
  }
  return call;
}

function count(calls: readonly Fields[]): string {
  return `${formatPlural(calls.length, 'call')}, ${calls.filter(isTrial).length} of them attempts`;
}

function isTrial({ op_name: name }: Fields): boolean {
  return /\bpredict_and_score(?::|$)/.test(String(name));
}

function noteOther({ op_name: name }: Fields, ledger: Ledger): void {
  const operation = /([^/:]+)(?::[^/:]*)?$/.exec(String(name))?.[1] ?? 'unknown';
  ledger.leaveOut(`call ${operation}`, {
    note: 'Answers and scores are taken from the calls of `predict_and_score`, which contain both.',
  });
}

function versionOf(calls: readonly Fields[]): string | undefined {
  const [version] = calls.flatMap(
    ({ attributes }) => asText(asObject(asObject(attributes)?.weave)?.client_version) ?? [],
  );
  return version;
}

function translateCall(call: Fields, ledger: Ledger): FoundTrial {
  const inputs = asObject(call.inputs) ?? {};
  const testCase = caseOf(inputs.example, ledger);
  const output = asObject(call.output) ?? {};
  const error = asText(call.exception);
  const scores = nameScores(scoresOf(output.scores), ledger);
  return {
    caseKey: hashContent(toJson(inputs.example ?? {})),
    testCase,
    target: nameOfModel(inputs.model),
    row: translateAnswer(answerOf(call, output, error), testCase, ledger),
    ...(error === undefined && scores.length > 0 && { scores }),
  };
}

/** An example is one object with the question, the expected answer and more. */
function caseOf(example: unknown, ledger: Ledger) {
  if (isReference(example)) {
    ledger.leaveOut('example that is only named', {
      note: 'The file has the address of the example, not the example: expand the column inputs.example before the export.',
      place: String(example).slice(-60),
    });
    return translateCase({ input: undefined, origin: { example } }, ledger);
  }
  const fields = asObject(example);
  if (fields === undefined) return translateCase({ input: example }, ledger);
  const question = findQuestion(fields);
  const answer = findExpectedAnswer(fields);
  if (question === undefined) return translateCase({ input: fields }, ledger);
  const others = Object.entries(fields).filter(([name]) => name !== question && name !== answer);
  return translateCase(
    {
      input: fields[question],
      expected: answer === undefined || answer === question ? undefined : fields[answer],
      metadata: Object.fromEntries(others),
    },
    ledger,
  );
}

/** Models are addresses of objects: `weave:///team/project/object/Model:hash`. */
function nameOfModel(model: unknown): string {
  const [, name] = /\/object\/([^/:]+)/.exec(String(model)) ?? [];
  return name ?? 'weave';
}

function answerOf(call: Fields, output: Fields, error: string | undefined) {
  const usage = Object.values(asObject(asObject(call.summary)?.usage) ?? {}).map(
    (each) => asObject(each) ?? {},
  );
  const total = (...names: readonly string[]) =>
    sumOf(
      usage.map((each) => names.map((name) => numberOf(each[name])).find((number) => number !== undefined)),
    );
  const seconds = numberOf(output.model_latency);
  return {
    output: output.output,
    error,
    usage: jsonObject({
      inputTokens: total('prompt_tokens', 'input_tokens'),
      outputTokens: total('completion_tokens', 'output_tokens'),
    }),
    ...(seconds !== undefined && { latencyMs: seconds * 1000 }),
    startedAt: call.started_at,
    source: jsonObject({
      traceId: call.trace_id,
      startedAt: asText(call.started_at),
      ...restOf(call, ['inputs', 'output', 'exception', 'trace_id', 'started_at']),
    }),
  };
}

/** Returns the scores of a trial. A scorer may return a number, a truth value, or an object with several; null is no score. */
function scoresOf(scores: unknown): FoundScore[] {
  return Object.entries(asObject(scores) ?? {}).flatMap(([name, score]): FoundScore[] => {
    const members = asObject(score);
    if (members === undefined) return [{ name, value: score }];
    const measured = Object.entries(members).filter(
      ([, value]) => value === null || typeof value === 'number' || typeof value === 'boolean',
    );
    const explanation = ['reason', 'explanation', 'rationale'].flatMap(
      (key) => asText(members[key]) ?? [],
    )[0];
    if (measured.length === 0) return [{ name, value: readAnswer(score).value }];
    return measured.map(([key, value]) => ({
      name: measured.length === 1 ? name : `${name}.${key}`,
      value,
      explanation,
    }));
  });
}
