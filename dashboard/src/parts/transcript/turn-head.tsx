import type { ConversationTurn } from '../../../../src/look/report/conversation-turns.ts';
import { formatDuration } from '../../../../src/look/report/format.ts';
import { PlainText } from '../plain-text.tsx';
import { Fold } from './long-text.tsx';
import { Expectations } from './expectations.tsx';

/** The signs of the outcomes of checks. */
const signs: Readonly<Record<string, readonly [sign: string, colour: string]>> = {
  passed: ['✓', 'text-good'],
  failed: ['✗', 'text-bad'],
};

/** The head of a turn: whether it met what the script expects of it, what it lacks, and on demand what was expected. */
export function TurnHead({ turn }: { readonly turn: ConversationTurn }) {
  const { number, facts, expected, checks } = turn;
  const failed = checks.filter(({ outcome }) => outcome !== 'passed' && outcome !== 'not-applicable');
  const isFailed = failed.some(({ outcome }) => outcome === 'failed');
  const isPassed = failed.length === 0 && checks.some(({ outcome }) => outcome === 'passed');
  return (
    <div
      className={`mb-2 border-b pb-1 text-xs text-quiet ${isFailed ? 'border-l-4 border-bad pl-2' : 'border-line'}`}
    >
      <p>
        Turn {number}
        {isFailed && <span className="font-semibold text-bad"> ✗ failed</span>}
        {isPassed && <span className="text-good"> ✓ passed</span>}
        {facts.latencyMs !== undefined && ` · ${formatDuration(facts.latencyMs)}`}
      </p>
      {failed.map(({ metric, outcome, note }, index) => {
        const [sign, colour] = signs[outcome] ?? ['–', 'text-unsure'];
        return (
          <p key={index} className={`text-[13px] wrap-anywhere ${colour}`}>
            <span aria-hidden>{sign} </span>
            <span className="sr-only">{outcome.replace('-', ' ')} </span>
            <PlainText text={note === '' ? metric : `${metric}: ${note}`} />
          </p>
        );
      })}
      {expected !== undefined && Object.keys(expected).length > 0 && (
        <Fold title="What was expected of this turn">
          <Expectations expected={expected} />
        </Fold>
      )}
    </div>
  );
}
