import type { ProposalView } from '../../../../src/core/schema/api/proposals.ts';
import { MessageText } from '../../parts/message-text.tsx';
import { PlainText } from '../../parts/plain-text.tsx';

const signs = { true: '✓ passed', false: '✗ failed', null: '? open' } as const;

/** The findings of the checks and of lint about a proposal, before anyone approves it. */
export function Findings({ view: { proposal, findings, unchecked } }: { readonly view: ProposalView }) {
  return (
    <section aria-label="Checks" className="rounded-lg border border-line px-4 py-3">
      <h2 className="font-semibold">Checks</h2>
      <ul className="mt-2 space-y-1 wrap-anywhere">
        {proposal.checks.map(({ name, passed, reason }) => (
          <li key={name}>
            <span className={passed === false ? 'text-bad' : passed === null ? 'text-unsure' : 'text-good'}>
              {signs[`${passed}`]}
            </span>{' '}
            {name}: <PlainText text={reason} />
          </li>
        ))}
      </ul>
      <h2 className="mt-3 font-semibold">Lint</h2>
      {findings === null ? (
        <p className="text-unsure wrap-anywhere">
          ? not checked: <PlainText text={unchecked ?? ''} />
        </p>
      ) : findings.length === 0 ? (
        <p className="text-quiet">Nothing is found about this question.</p>
      ) : (
        <ul className="mt-1 space-y-2 wrap-anywhere">
          {findings.map(({ rule, severity, message, remedy }, index) => (
            <li key={index}>
              <span className={severity === 'error' ? 'text-bad' : 'text-unsure'}>
                {severity} {rule}
              </span>
              : <MessageText text={message} />
              <span className="block text-quiet">
                <MessageText text={remedy} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
