import { failsForAll, failsForAllWords } from '../../../../src/look/report/rows/failed-questions.ts';
import { cellName } from '../../../../src/look/report/grid/cell-name.ts';
import { formatPlural } from '../../../../src/look/report/format.ts';
import { withoutConditions } from '../../../../src/core/schema/condition.ts';
import type { RunView } from '../../../../src/core/schema/api/run-view.ts';
import { CasesLink } from '../../parts/links/cases-link.tsx';
import { TrialLink } from '../../parts/filtered-cases.tsx';
import { OutcomeMark, OutcomeSign } from '../../parts/outcome-mark.tsx';
import { PhraseText } from '../../parts/phrase-text.tsx';
import { PlainText } from '../../parts/plain-text.tsx';

type Failing = RunView['failing'][number];

/** The questions that are read at once. */
const mostAtOnce = 5;

/** The questions that did not pass, with what was said and what that lacks; a column for each of several targets. */
export function FailingQuestions({ view: { run, failing } }: { readonly view: RunView }) {
  const targets = withoutConditions(run.targets).map(({ name }) => name);
  const [first, further] = [failing.slice(0, mostAtOnce), failing.slice(mostAtOnce)];
  return (
    <div className="min-w-0">
      <List run={run} targets={targets} failing={first} />
      {further.length > 0 && (
        <details className="mt-3">
          <summary className="link w-fit">{further.length} more of them</summary>
          <div className="mt-3">
            <List run={run} targets={targets} failing={further} />
          </div>
        </details>
      )}
      {run.scorecard !== null && (
        <p className="mt-3">
          <CasesLink run={run.id} where={{ result: ['failed', 'error', 'not-measured'] }}>
            All that did not pass
          </CasesLink>
        </p>
      )}
    </div>
  );
}

interface ListOptions {
  readonly run: RunView['run'];
  readonly targets: readonly string[];
  readonly failing: readonly Failing[];
}

function List({ run, targets, failing }: ListOptions) {
  if (targets.length > 1) return <Columns run={run} targets={targets} failing={failing} />;
  return (
    <ul className="space-y-3">
      {failing.map((one) => (
        <li key={one.ordinal} className="grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-2">
          <OutcomeMark outcome={one.outcomes[0] ?? 'not-measured'} />
          <Question run={run.id} failing={one} />
        </li>
      ))}
    </ul>
  );
}

/** The most columns of signs that stand before the questions. */
const mostBefore = 4;

/** The same questions with a column of signs for each target. */
function Columns({ run, targets, failing }: ListOptions) {
  // Beside many columns, the questions would be off the screen.
  const isFirst = targets.length > mostBefore;
  const title = (
    <th scope="col" className="pr-2 pb-1 pl-2 text-left align-bottom font-medium">
      Question
    </th>
  );
  const question = (one: Failing) => (
    <th scope="row" className="min-w-44 py-1.5 pr-2 pl-2 text-left font-normal">
      <Question run={run.id} failing={one} by={cellName(run, one.target)} />
    </th>
  );
  return (
    // A region that scrolls has to be reached by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div role="region" aria-label="Questions that did not pass" tabIndex={0} className="scroll-sign">
      <table className="w-full border-collapse">
        <thead>
          <tr className="text-xs text-quiet">
            {isFirst && title}
            {targets.map((target) => (
              <th key={target} scope="col" title={target} className="pr-2 pb-1 align-bottom font-medium">
                <span className="block max-w-12 truncate sm:max-w-20">
                  <PlainText text={cellName(run, target)} />
                </span>
              </th>
            ))}
            {!isFirst && title}
          </tr>
        </thead>
        <tbody>
          {failing.map((one) => (
            <tr key={one.ordinal} className="border-t border-line align-top">
              {isFirst && question(one)}
              {one.outcomes.map((outcome, index) => (
                <td key={index} className="py-1.5 pr-2 text-center">
                  {outcome !== null && <OutcomeSign outcome={outcome} />}
                </td>
              ))}
              {!isFirst && question(one)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface QuestionOptions {
  readonly run: string;
  readonly failing: Failing;
  /** The name of the target that said it, where there are several. */
  readonly by?: string;
}

function Question({ run, failing, by = '' }: QuestionOptions) {
  const { question, id, ordinal, said, lacks, alike } = failing;
  return (
    <div className="min-w-0 max-w-prose wrap-anywhere">
      <TrialLink run={run} ordinal={ordinal}>
        <PlainText text={question === '' ? id : question} />
      </TrialLink>
      {said !== null && (
        <p>
          <span className="text-quiet">
            <PlainText text={by} /> said{' '}
          </span>
          <q>
            <PlainText text={said} />
          </q>
        </p>
      )}
      {lacks.length > 0 && (
        <p className="text-quiet">
          <PhraseText phrase={lacks} />
        </p>
      )}
      {alike !== undefined && (
        <p className="text-quiet">{formatPlural(alike, 'other question')} ended alike</p>
      )}
      {failsForAll(failing) && <p className="text-unsure">{failsForAllWords}</p>}
    </div>
  );
}
