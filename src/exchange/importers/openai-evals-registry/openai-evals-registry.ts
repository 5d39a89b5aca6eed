import { TouchstoneError } from '../../../core/errors.ts';
import { formatPlural } from '../../../look/report/format.ts';
import { collectTrials } from '../collect-trials.ts';
import type { ImportContent } from '../content/content.ts';
import { rowsOf } from '../content/rows.ts';
import type { Importer, Translation } from '../importer.ts';
import type { Ledger } from '../ledger.ts';
import { asObject, asText, type Fields, jsonObject } from '../values.ts';
import { findEvals, type RegisteredEval, translateEvals } from './translate-registry.ts';
import { readRecords, type RecordedSample, translateSample } from './translate-records.ts';

const title = 'OpenAI Evals';

/**
 * The open-source OpenAI Evals: files that `oaieval` records, files of samples, and a registry (a folder with `evals/*.yaml` and
 * `data/`).
 * @see https://github.com/openai/evals
 */
export const openaiEvalsRegistry: Importer = {
  name: 'openai-evals-registry',
  title,
  reads: [
    'choice_scores',

    'class',
    'args.*',
    'choice_scores.*',
    'choice_strings',
    'prompt',
    'eval_type',
    'metrics',
    'input.role',
    'type',
    'ideal',
    'completion',
    'data.correct',
    'data.options',
    'data.usage.completion_tokens',
    'data.usage.prompt_tokens',
  ],
  readsNearby: true,
  detect(content) {
    const found = find(content);
    return found === undefined ? undefined : describe(found);
  },
  isRecorded(content) {
    return 'records' in (find(content) ?? {});
  },
  async read(content, ledger) {
    const found = find(content);
    if (found === undefined) {
      const message = `${content.name}: it contains neither records of \`oaieval\`, nor samples, nor a registry of OpenAI Evals.`;
      throw new TouchstoneError('import-invalid', message);
    }
    if ('records' in found) return translateLog(found, ledger);
    return translateEvals(found, { found: describe(found), ledger });
  },
};

interface Log {
  readonly spec: Fields;
  readonly report: Fields | undefined;
  readonly records: readonly RecordedSample[];
}

function find(content: ImportContent): Log | readonly RegisteredEval[] | undefined {
  if (content.form === 'folder') return findEvals(content);
  const rows = rowsOf(content);
  if (rows === undefined || rows.length === 0) return undefined;
  const spec = asObject(rows.find((row) => asObject(row.spec)?.eval_name !== undefined)?.spec);
  if (spec !== undefined) {
    const report = asObject(rows.find((row) => row.final_report !== undefined)?.final_report);
    return { spec, report, records: readRecords(rows) };
  }
  const isSample = ({ input, ideal }: Fields) => input !== undefined && ideal !== undefined;
  return content.form === 'jsonl' && rows.every(isSample)
    ? [{ name: content.name.replace(/\.\w+$/, ''), kind: undefined, args: {}, samples: rows }]
    : undefined;
}

function describe(found: Log | readonly RegisteredEval[]): string {
  if ('records' in found) {
    const name = asText(found.spec.eval_name) ?? 'an eval';
    return `records of OpenAI Evals, ${name}, ${formatPlural(found.records.length, 'sample')}`;
  }
  const samples = found.reduce((sum, each) => sum + each.samples.length, 0);
  return `${formatPlural(found.length, 'eval')} of OpenAI Evals, ${formatPlural(samples, 'sample')}`;
}

function translateLog(log: Log, ledger: Ledger): Translation {
  const { spec, report, records } = log;
  const target = asText([spec.completion_fns].flat()[0]) ?? 'recorded';
  const kind = asText(asObject(asObject(spec.run_config)?.eval_spec)?.cls);
  const trials = records.map((sample) => translateSample(sample, { target, kind, ledger }));
  const { cases, answers } = collectTrials(trials, { title, total: 'match', ledger });
  if (report === undefined) {
    ledger.approximate('run without a final report', {
      became: formatPlural(records.length, 'recorded sample'),
      note: 'It did not end: what was recorded until then is taken over.',
    });
  } else ledger.keep('final report (openai-evals.json)', report);
  const isExpecting = cases.some(({ expected }) => asObject(expected)?.answer !== undefined);
  return {
    found: describe(log),
    description: `OpenAI Evals: ${asText(spec.eval_name) ?? 'an eval'}`,
    cases,
    ...(answers !== undefined && { answers: { ...answers, recordedAt: spec.created_at } }),
    files: { 'openai-evals.json': `${JSON.stringify(jsonObject({ spec, report }), null, 2)}\n` },
    config: jsonObject({ ...(isExpecting && { unread: ['answer'] }) }),
  };
}
