import path from 'node:path';
import type { Config } from '../config/config.ts';
import { findConfig } from '../config/find-config.ts';
import { loadConfig } from '../config/load-config.ts';
import { type LoadedEvaluation, toEvaluation } from '../config/load-evaluation.ts';
import { parseFilter } from '../config/parse-filter.ts';
import { claimStdout } from './output.ts';
import { executeRun } from './execute-run.ts';
import { judgeCacheOf, openRunStore, type RunFlags, withGate } from './run.ts';
import { countAttempts, countOwnAttempts } from './scoring/count-attempts.ts';
import { openRecordedCases } from './scoring/recorded-cases.ts';
import { type OpenRecording, openRecording } from './scoring/open-recording.ts';
import { recordedScorecard } from './scoring/recorded-scorecard.ts';
import { checkOutputs } from './write-report.ts';

/** The options of `touchstone score`, as the command line gives them. */
export interface ScoreFlags
  extends Pick<
    RunFlags,
    'json' | 'verbose' | 'output' | 'filter' | 'limit' | 'failUnder' | 'store' | 'cache'
  > {
  readonly dataset?: string[];
  readonly config?: string;
}

/**
 * `touchstone score FILE`: scores recorded answers without calling anything. The file holds the expectations too, unless
 * `--dataset` names another that does.
 */
export async function scoreCommand(file: string, flags: ScoreFlags): Promise<number> {
  const output = claimStdout();
  checkOutputs(flags);
  const loaded = withGate(await loadScoring(path.resolve(file), flags), flags.failUnder);
  const store = openRunStore(loaded, flags.store);
  const sayHowToGoOn = () => 'Run the same command again: no target is called, and no judge is asked twice.';
  try {
    return await executeRun(loaded, { store, output, choices: flags, sayHowToGoOn });
  } finally {
    await store.close();
  }
}

async function loadScoring(file: string, flags: ScoreFlags): Promise<LoadedEvaluation> {
  const given = flags.config === undefined ? undefined : await loadConfig(await findConfig(flags.config));
  const { written = {}, folder = process.cwd(), locate } = given ?? {};
  const recording = await openRecording(file, written);
  const decides = flags.config === undefined ? recording.survey.verdict : undefined;
  const choices = {
    overrides: {
      ...judgeCacheOf(flags),
      ...(decides !== undefined && recordedScorecard(decides)),
      // What was answered before cannot be asked under other conditions.
      faults: [],
      perturb: [],
      dataset: flags.dataset?.map((each) => path.resolve(each)) ?? { path: file },
      targets: targetsOf(file, recording),
    },
    selects: flags.filter === undefined ? undefined : parseFilter(flags.filter),
    limit: flags.limit,
  };
  const loaded = await toEvaluation(written, folder, choices, locate);
  return await withAttempts(loaded, { file, recording, hasOwnCases: flags.dataset === undefined, decides });
}

/** A file of ours may hold the answers of several targets. */
function targetsOf(file: string, { survey, fields }: OpenRecording): Config['targets'] {
  const name = path.basename(file, path.extname(file));
  const targets = survey.indexes.size === 0 ? [''] : [...survey.indexes.keys()];
  return targets.map((target) => ({
    use: 'replay',
    name: target || name,
    path: file,
    fields: fields.answers,
    recorded: survey.recorded,
    ...(target !== '' && { target }),
  }));
}

interface Scoring {
  readonly file: string;
  readonly recording: OpenRecording;
  /** The cases stand in the same file as the answers. */
  readonly hasOwnCases: boolean;
  /** The recorded verdict that decides, where no config says otherwise. */
  readonly decides: string | undefined;
}

async function withAttempts(
  loaded: LoadedEvaluation,
  { file, recording, hasOwnCases, decides }: Scoring,
): Promise<LoadedEvaluation> {
  const { survey, fields, aliases, mapping } = recording;
  const options = { aliases, mapping, recorded: survey.recorded, fields: fields.cases };
  const evaluation = hasOwnCases
    ? { ...loaded.evaluation, dataset: await openRecordedCases(file, options) }
    : loaded.evaluation;
  const indexes = [...survey.indexes.values()];
  const { attempts, notice } = hasOwnCases
    ? countOwnAttempts(indexes)
    : await countAttempts(evaluation, indexes);
  const verdict =
    decides === undefined
      ? undefined
      : `The recorded \`${decides}\` decides what passed; \`--config\` names other rules.`;
  const notices = [...survey.notices, notice, verdict].filter((text) => text !== undefined);
  return {
    ...loaded,
    evaluation: { ...evaluation, attempts, notices: [...(evaluation.notices ?? []), ...notices] },
  };
}
