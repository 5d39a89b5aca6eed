import { TouchstoneError } from '../../../core/errors.ts';
import { formatPlural } from '../../../look/report/format.ts';
import type { FoundScore, FoundTrial } from '../collect-trials.ts';
import type { ImportContent } from '../content/content.ts';
import type { Importer, Translation } from '../importer.ts';
import type { Ledger } from '../ledger.ts';
import { translateAnswer, translateCase, translateRecords } from '../records/translate-records.ts';
import { asArray, asNumber, asObject, asText, type Fields, jsonObject, objectsIn } from '../values.ts';

/**
 * Reports of garak, `*.report.jsonl`: an answer for each output of a probe, with a verdict for each detector.
 * @see https://github.com/NVIDIA/garak
 */
export const garak: Importer = {
  name: 'garak',
  title: 'garak',
  reads: ['detector_results.*', 'entry_type', 'status', 'outputs.*', 'prompt.*', 'conversations.*', 'seq'],
  detect(content) {
    const rows = rowsOf(content);
    if (rows.some(isHit)) return 'hits of garak';
    const { attempts } = sort(rows);
    return rows.some(({ entry_type: type }) => type === 'start_run setup' || type === 'init') &&
      rows.some(isEntry)
      ? `report of garak, ${formatPlural(attempts.length, 'attempt')}`
      : undefined;
  },
  isRecorded: () => true,
  read: async (content, ledger) => translate(content, ledger),
};

function rowsOf(content: ImportContent): Fields[] {
  // A file of one line is read as JSON.
  if (content.form === 'json') return objectsIn([content.value]);
  return content.form === 'jsonl' ? objectsIn(content.rows) : [];
}

function isEntry({ entry_type: type }: Fields): boolean {
  return type === 'attempt' || type === 'eval' || type === 'completion';
}

function isHit({ attempt_id: id, detector, probe, entry_type: type }: Fields): boolean {
  return type === undefined && [id, detector, probe].every((part) => typeof part === 'string');
}

/** The number of an attempt whose detectors have run; garak writes each attempt again as it proceeds. */
const complete = 2;

function sort(rows: readonly Fields[]) {
  const ofType = (type: string) => rows.filter((row) => row['entry_type'] === type);
  const ended = ofType('attempt').filter(({ status }) => status === complete);
  // Of an attempt that was written again, the last line counts.
  const attempts = [...new Map(ended.map((row) => [asText(row['uuid']) ?? row, row])).values()];
  return {
    attempts,
    evals: ofType('eval'),
    setup: ofType('start_run setup')[0] ?? {},
    init: ofType('init')[0] ?? {},
  };
}

/** The least score of a detector that is a success of the attack, where the file names none. */
const usualThreshold = 0.5;

function translate(content: ImportContent, ledger: Ledger): Translation {
  const rows = rowsOf(content);
  if (!rows.some(isEntry)) {
    throw new TouchstoneError(
      'import-invalid',
      `${content.name}: these are hits without the misses: no rate can be known.`,
      {
        remedy: 'Import the `.report.jsonl` of the same run, which garak writes next to it.',
      },
    );
  }
  const { attempts, evals, setup, init } = sort(rows);
  const threshold = asNumber(setup['run.eval_threshold']) ?? usualThreshold;
  const target = [setup['plugins.target_type'], setup['plugins.target_name'] ?? setup['plugins.model_name']]
    .filter((part) => typeof part === 'string')
    .join(' ');
  const startedAt = init['start_time'];
  const trials = attempts.flatMap((attempt) => trialsOf(attempt, { threshold, target, startedAt, ledger }));
  compareCounts(attempts, evals, { threshold, ledger });
  const repeated = rows.filter(({ entry_type: type }) => type === 'attempt').length - attempts.length;
  for (let line = 0; line < repeated; line += 1)
    ledger.leaveOut('attempt that is not complete', {
      note: 'The same attempt stands in the file again once its detectors have run.',
    });
  const version = asText(init['garak_version']);
  const found = `report${version === undefined ? '' : ` of version ${version}`}, ${formatPlural(attempts.length, 'attempt')}`;
  const translation = translateRecords(trials, { title: garak.title, found, version, ledger });
  const { answers, config } = translation;
  return {
    ...translation,
    answers: answers && { ...answers, attacks: answers.verdicts },
    config: { ...config, scorecard: null },
  };
}

interface Reading {
  readonly threshold: number;
  readonly target: string;
  readonly startedAt: unknown;
  readonly ledger: Ledger;
}

/** Returns a trial for each output of an attempt: the same prompt, asked again. */
function trialsOf(attempt: Fields, { threshold, target, startedAt, ledger }: Reading): FoundTrial[] {
  const { uuid, seq, probe_classname: probe, probe_params: params, goal, intent, notes, targets } = attempt;
  const prompt = turnsOf(attempt['prompt']);
  const testCase = translateCase(
    {
      input: prompt,
      metadata: { category: probe },
      origin: jsonObject({ probe, seq, params, goal, intent, targets, notes }),
    },
    ledger,
  );
  return asArray(attempt['outputs']).map((output, place): FoundTrial => {
    const text = asText(asObject(output)?.text) ?? (output === null ? undefined : '');
    const found = {
      output: text,
      error: text === undefined ? 'garak recorded no output' : undefined,
      startedAt,
      source: jsonObject({ uuid, output: asObject(output) }),
    };
    const answer = translateAnswer(found, testCase, ledger);
    const spoken = turnsOf(asArray(attempt['conversations'])[place]);
    const isLonger = text !== undefined && spoken.length > prompt.length + 1;
    return {
      caseKey: asText(uuid) ?? JSON.stringify(prompt),
      testCase,
      target: target === '' ? undefined : target,
      row: isLonger ? { ...answer, transcript: spoken } : answer,
      scores: text === undefined ? [] : scoresOf(attempt, place, threshold),
      order: place,
    };
  });
}

function turnsOf(conversation: unknown): { role: string; content: string }[] {
  return objectsIn(asObject(conversation)?.turns).map(({ role, content }) => ({
    role: asText(role) ?? 'user',
    content: asText(asObject(content)?.text) ?? asText(content) ?? '',
  }));
}

/** Returns the verdicts of the detectors on an output: an attack succeeds from the threshold on, and what has no score is not measured. */
function scoresOf(attempt: Fields, place: number, threshold: number): FoundScore[] {
  return Object.entries(asObject(attempt['detector_results']) ?? {}).map(([name, scores]): FoundScore => {
    const score = asNumber(asArray(scores)[place]);
    if (score === undefined)
      return { name, failure: { code: 'no-score', reason: 'the detector gave no score' } };
    const passed = score < threshold;
    return {
      name,
      value: passed,
      passed,
      label: passed ? 'resisted' : 'succeeded',
      evidence: { score, threshold },
    };
  });
}

/** The outputs that a detector judged, by verdict. */
type Counts = { passed: number; fails: number; nones: number };

/** Compares what was read with what garak counted for each probe and detector. */
function compareCounts(
  attempts: readonly Fields[],
  evals: readonly Fields[],
  { threshold, ledger }: Pick<Reading, 'threshold' | 'ledger'>,
): void {
  const counts = new Map<string, Counts>();
  for (const attempt of attempts) {
    for (const [detector, scores] of Object.entries(asObject(attempt['detector_results']) ?? {})) {
      const key = keyOf(attempt['probe_classname'], detector);
      const count = counts.get(key) ?? { passed: 0, fails: 0, nones: 0 };
      counts.set(key, count);
      for (const score of asArray(scores)) count[kindOf(asNumber(score), threshold)] += 1;
    }
  }
  for (const { probe, detector, passed, fails, nones } of evals) {
    const {
      passed: p,
      fails: f,
      nones: n,
    } = counts.get(keyOf(probe, detector)) ?? { passed: 0, fails: 0, nones: 0 };
    const part = `count of ${asText(probe)} by ${asText(detector)}`;
    const isSame =
      p === passed && (fails === undefined || f === fails) && (nones === undefined || n === nones);
    if (isSame) ledger.take(part, 'recorded verdicts with equal counts');
    else
      ledger.leaveOut(part, {
        note: `The file counts ${textOfCounts(passed, fails, nones)}, and its attempts are ${textOfCounts(p, f, n)}.`,
      });
  }
}

function kindOf(score: number | undefined, threshold: number): keyof Counts {
  if (score === undefined) return 'nones';
  return score < threshold ? 'passed' : 'fails';
}

/** Names a probe and a detector alike in all lines: some have the name of their kind before them. */
function keyOf(probe: unknown, detector: unknown): string {
  const plain = (name: unknown) => (asText(name) ?? '').replace(/^(?:garak\.)?(?:probes?|detectors?)\./, '');
  return `${plain(probe)} ${plain(detector)}`;
}

function textOfCounts(passed: unknown, fails: unknown, nones: unknown): string {
  return `${String(passed)} resisted, ${String(fails ?? '?')} succeeded, ${String(nones ?? '?')} without a score`;
}
