import { TouchstoneError } from '../../core/errors.ts';
import { didYouMean } from '../../core/lib/text/nearest-name.ts';
import { type Expectation, expectations } from '../../core/schema/expectation.ts';
import type { ExtensionKind } from '../../library/config/definitions.ts';
import { findDefinitions, type Found } from '../../library/find/find-definitions.ts';
import type { Output } from '../output.ts';
import { formatFound } from './print-definitions.ts';

/** A search for extensions. */
interface Search {
  readonly words: readonly string[];
  readonly json?: boolean;
  /** Only metrics that read this expectation. */
  readonly reads?: string;
  /** False for only what works without a judge. */
  readonly judge?: boolean;
}

/** The kinds that a command lists. */
const kindsOf: Readonly<Record<string, readonly ExtensionKind[]>> = {
  metrics: ['metric'],
  targets: ['target'],
  models: ['model', 'embedder'],
  judges: ['judge'],
  scorecards: ['scorecard'],
  users: ['user'],
};

/**
 * Runs `touchstone metrics [word…]`, `targets`, `models`, `judges`, `scorecards` and `users`: lists what there is, finds it by
 * words, or describes the one that is named. Returns the exit code. Throws `usage-invalid` when nothing is found.
 */
export async function listDefinitions(
  command: string,
  { words, ...flags }: Search,
  output: Output,
): Promise<number> {
  const wanted = words.join(' ');
  const found = findDefinitions(kindsOf[command] ?? [], {
    words: wanted,
    reads: flags.reads === undefined ? undefined : readExpectation(flags.reads),
    noJudge: flags.judge === false,
  });
  if (found.hits.length === 0) throw nothingFound(command, wanted, found);
  await output.print(flags.json, found.hits, () =>
    formatFound({ command, found, isWhole: wanted === '' }, output.view()),
  );
  return 0;
}

function readExpectation(written: string): Expectation {
  const found = expectations.find((name) => name === written);
  if (found !== undefined) return found;
  const hint = didYouMean(written, expectations);
  throw new TouchstoneError('usage-invalid', `There is no expectation "${written}".${hint}`, {
    remedy: `Choose from ${expectations.join(', ')}.`,
  });
}

function nothingFound(command: string, wanted: string, { near }: Found): TouchstoneError {
  const others = near?.hits.slice(0, 3).map(({ name }) => name);
  const hint = others === undefined ? '' : ` Near: ${near?.word} → ${others.join(', ')}.`;
  const own =
    command === 'metrics' ? '; a metric of your own is one function: `touchstone docs own metric`' : '';
  const what = wanted === '' ? 'that these options leave' : `for "${wanted}"`;
  return new TouchstoneError('usage-invalid', `There are no ${command} ${what}.${hint}`, {
    remedy: `List them all with \`touchstone ${command}\`${own}.`,
  });
}
