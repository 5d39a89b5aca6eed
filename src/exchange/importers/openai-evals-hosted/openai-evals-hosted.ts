import { TouchstoneError } from '../../../core/errors.ts';
import { formatPlural } from '../../../look/report/format.ts';
import { modelsFor } from '../asked-models.ts';
import { contentOf } from '../chat-messages.ts';
import { collectTrials, type FoundTrial } from '../collect-trials.ts';
import type { Importer, ImportNeeds, JsonObject, Translation } from '../importer.ts';
import type { Ledger } from '../ledger.ts';
import { findExpectedAnswer, findQuestion } from '../questions.ts';
import {
  asArray,
  asNumber,
  asObject,
  asText,
  asTime,
  type Fields,
  jsonObject,
  objectsIn,
  textOf,
  filled,
} from '../values.ts';
import { type HostedExport, readExport } from './read-export.ts';
import { answerOf, totalName, translateItem } from './translate-items.ts';
import { nameOf, referencesFor, translateGraders } from './translate-graders.ts';

const title = 'OpenAI Evals';

/**
 * Evals that OpenAI hosted: what its API returned (an eval, its runs, their output items, in one file or in several of a
 * folder), the results that the dashboard exported, and the files that were uploaded as data sources.
 * @see https://platform.openai.com/docs/api-reference/evals
 */
export const openaiEvals: Importer = {
  name: 'openai-evals',
  title,
  reads: [
    'object',
    'has_more',
    'data.status',
    'data_source_idx',
    'datasource_item_id',
    'grades.*',
    'passes.*',
    'results.score',
    'output_items.status',
    'sample.error.code',
    'sample.error.message',
    'sample.usage.completion_tokens',
    'sample.usage.prompt_tokens',
    'sample.token_usage.completion_tokens',
    'sample.token_usage.prompt_tokens',
  ],
  detect(content) {
    const found = readExport(content);
    return found === undefined ? undefined : `an export of OpenAI Evals, ${describe(found)}`;
  },
  isRecorded(content) {
    const { evals, runs, items } = readExport(content) ?? { evals: [], runs: [], items: [] };
    return evals.length + runs.length + items.length > 0;
  },
  async read(content, ledger, needs) {
    const found = readExport(content);
    if (found !== undefined) return translateExport(found, ledger, needs);
    const message = `${content.name}: it is no eval, no run and no results of OpenAI Evals.`;
    throw new TouchstoneError('import-invalid', message);
  },
};

function describe({ evals, runs, items, rows }: HostedExport): string {
  const runIds = new Set([...runs.map(({ id }) => asText(id)), ...items.map(({ runId }) => runId)]);
  const parts = [
    ...(evals.length === 0 ? [] : [formatPlural(evals.length, 'eval')]),
    ...(runIds.size === 0 ? [] : [formatPlural(runIds.size, 'run')]),
    ...(items.length === 0 ? [] : [formatPlural(items.length, 'output item')]),
    ...(rows.length === 0 ? [] : [formatPlural(rows.length, 'row')]),
  ];
  return parts.join(', ');
}

function translateExport(found: HostedExport, ledger: Ledger, needs: ImportNeeds): Translation {
  const graders = found.evals.flatMap((each) => objectsIn(each.testing_criteria));
  const trialsOfItems = found.items;
  const asked = new Set<string>();
  const items = [...trialsOfItems, ...found.rows.map(({ item }) => ({ item: asObject(item) ?? {} }))].map(
    ({ item }) => item,
  );
  const isJudged = trialsOfItems.length > 0;
  const { findFault, codeFolder } = needs;
  const hasStubs = codeFolder !== undefined;
  const checksOf = translateGraders(graders, { ledger, findFault, isJudged, hasStubs, asked, items });
  const prompts = promptsOf(found.runs);
  const caseOf = (item: Fields, sample: Fields) =>
    translateRow(item, sample, { prompts, graders, checks: checksOf(item), ledger });
  const context = {
    caseOf,
    targets: nameTargets([...found.runs, ...runsOfItems(found)]),
    times: new Map(found.runs.map(({ id, created_at: time }) => [String(id), asTime(time)])),
    graders: indexGraders(graders),
    ledger,
  };
  const answered = trialsOfItems.map((each) => translateItem(each, context));
  const { cases, answers } = collectTrials([...answered, ...rowsBeside(answered, found.rows, caseOf)], {
    title,
    total: totalName,
    ledger,
  });
  noteRest(found, ledger);
  const [described] = found.evals;
  const hasChecks = cases.some(({ expected }) => asObject(expected)?.checks !== undefined);
  const targets = answers?.targets.length ?? 0;
  return {
    found: `${title} export, ${describe(found)}${targets > 0 ? ` of ${formatPlural(cases.length, 'question')} × ${formatPlural(targets, 'target')}` : ''}`,
    description: asText(described?.name) ?? 'From OpenAI Evals',
    cases,
    answers,
    ...(asked.size > 0 && { callsNothing: false }),
    files: definitionFile(found),
    config: jsonObject({
      ...modelsFor(asked, { judge: judgeOf(graders) }, ledger),
      metrics: hasChecks ? ['case-checks'] : [],
      // Graders that are not taken over read the expected answers.
      unread: ['answer'],
    }),
  };
}

/** Returns the model that the first grader with one asks. */
function judgeOf(graders: readonly Fields[]): JsonObject | undefined {
  const model = graders.map((grader) => asText(grader.model)).find((each) => each !== undefined);
  return model === undefined ? undefined : { use: 'openai-chat', model };
}

/** Returns the templates of the prompts of runs, without the `item.` before each field. */
function promptsOf(runs: readonly Fields[]): string[] {
  return runs.flatMap(({ data_source: source }) => {
    const messages = objectsIn(asObject(asObject(source)?.input_messages)?.template);
    return messages
      .filter(({ role }) => role === 'user')
      .map(({ content }) => contentOf(content).replaceAll(/\{\{\s*item\./g, '{{'));
  });
}

interface RowContext {
  readonly prompts: readonly string[];
  readonly graders: readonly Fields[];
  readonly checks: JsonObject[];
  readonly ledger: Ledger;
}

/** Translates a row of a data source to a case: the field that is the question, the others as metadata. */
function translateRow(item: Fields, sample: Fields, context: RowContext): JsonObject {
  const { prompts, graders, checks, ledger } = context;
  const question = findQuestion(item, prompts);
  if (question === undefined) {
    ledger.approximate('question of an item', {
      became: 'the last message of the user',
      note: 'No field of the item is the question by itself.',
    });
  }
  const { [question ?? '']: asked, ...others } = item;
  const answer = findExpectedAnswer(others);
  const references = referencesFor(graders, item);
  return jsonObject({
    input: questionOf(asked, sample),
    category: asText(item.category),
    expected: {
      ...(answer !== undefined && asText(others[answer]) !== undefined && { answer: others[answer] }),
      checks: filled(checks),
    },
    metadata: { ...others, ...(Object.keys(references).length > 0 && { references }) },
  });
}

function questionOf(asked: unknown, sample: Fields): string {
  if (Array.isArray(asked)) return lastUserText(asked) ?? textOf(asked);
  const text = asked === undefined || asked === null ? lastUserText(asArray(sample.input)) : textOf(asked);
  return text === undefined || text === '' ? '(empty)' : text;
}

function lastUserText(messages: readonly unknown[]): string | undefined {
  const last = objectsIn(messages).findLast(({ role }) => role === 'user');
  return last === undefined ? undefined : asText(contentOf(last.content));
}

/** Returns the runs that only their items name, each with the model that answered. */
function runsOfItems({ runs, items }: HostedExport): Fields[] {
  const known = new Set(runs.map(({ id }) => asText(id)));
  const others = new Map<string, unknown>();
  for (const { runId, sample } of items) {
    if (!known.has(runId)) others.set(runId, others.get(runId) ?? sample.model);
  }
  return [...others].map(([id, model]) => ({ id, model: asText(model) ?? id }));
}

/** Names the target of each run: its model, with the name of the run where several have the same. */
function nameTargets(runs: readonly Fields[]): Map<string, string> {
  const named = runs.map((run) => ({
    id: asText(run.id) ?? 'run',
    model: asText(run.model) ?? asText(asObject(run.data_source)?.model) ?? 'model',
    name: asText(run.name) ?? asText(run.id) ?? 'run',
  }));
  const counts = Map.groupBy(named, ({ model }) => model);
  const labels = named.map(({ id, model, name }) => {
    if (counts.get(model)?.length === 1) return [id, model] as const;
    const hasName = named.filter((other) => other.model === model && other.name === name).length === 1;
    return [id, `${model} · ${hasName ? name : id}`] as const;
  });
  return new Map(labels);
}

/** Returns the graders by their ids and by their names: results use either. */
function indexGraders(graders: readonly Fields[]): Map<string, Fields> {
  return new Map(
    graders.flatMap((grader) =>
      [nameOf(grader), asText(grader.id)].flatMap((key) =>
        key === undefined ? [] : [[key, grader] as const],
      ),
    ),
  );
}

/** Returns the rows of a data source that no run asked; those with an answer of their own are recorded answers. */
function rowsBeside(
  answered: readonly FoundTrial[],
  rows: readonly Fields[],
  caseOf: (item: Fields, sample: Fields) => JsonObject,
): FoundTrial[] {
  const known = new Set(answered.map(({ testCase }) => JSON.stringify(testCase)));
  return rows.flatMap((row, index) => {
    const item = asObject(row.item) ?? {};
    const sample = asObject(row.sample);
    const testCase = caseOf(item, {});
    if (known.has(JSON.stringify(testCase))) return [];
    const trial = {
      caseKey: JSON.stringify(['row', index, item]),
      name: asText(item.id) ?? `item-${index}`,
      testCase,
    };
    if (sample === undefined) return [trial];
    const output = sample.output_text;
    return [
      {
        ...trial,
        target: 'recorded',
        row: answerOf({ ...sample, output_text: textOf(output ?? '') }, undefined),
      },
    ];
  });
}

/** Keeps the eval and its runs as they were, without their items: their prompts, settings and counts. */
function definitionFile({ evals, runs }: HostedExport): Record<string, string> {
  if (evals.length + runs.length === 0) return {};
  return { 'openai-evals.json': `${JSON.stringify({ evals, runs }, null, 2)}\n` };
}

function noteRest({ evals, runs, items, cutLists }: HostedExport, ledger: Ledger): void {
  for (const each of evals) ledger.keep('eval (openai-evals.json)', each, asText(each.id));
  for (const run of runs) {
    ledger.keep('prompt, settings and counts of a run (openai-evals.json)', run, asText(run.id));
    const { total } = asObject(run.result_counts) ?? {};
    const there = items.filter(({ runId }) => runId === run.id).length;
    const missing = (asNumber(total) ?? there) - there;
    if (missing > 0) {
      ledger.leaveOut('output items that the export lacks', {
        note: `The run counted ${textOf(total)}, the export contains ${there}.`,
        place: asText(run.id) ?? 'run',
      });
    }
    const message = asText(asObject(run.error)?.message);
    if (message !== undefined)
      ledger.leaveOut('error of a run', { note: message.slice(0, 300), place: asText(run.id) ?? 'run' });
  }
  for (let list = 0; list < cutLists; list += 1) {
    ledger.leaveOut('further pages of a list', {
      note: 'The API had more than the file contains (`has_more`): ask for the next pages.',
    });
  }
}
