import { headOfDecision } from '../../../../src/schema/api/run-head.ts';
import type { Decision } from '../../../../src/schema/decision.ts';
import type { Gate } from '../../../../src/schema/gate.ts';
import { OutcomeMark } from '../../parts/outcome-mark.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Section } from '../../parts/section.tsx';

/** The options of {@link DecisionSection}. */
interface DecisionSectionOptions {
  readonly gate: Gate;
  readonly decision: Decision;
}

/** The decision of the gate, with its reasons; nothing for a run without a gate. */
export function DecisionSection({ gate, decision }: DecisionSectionOptions) {
  if (!headOfDecision({ gate }, { decision }).isGated) return null;
  return (
    <Section title="Does the gate let it pass?">
      <p className="text-lg font-semibold">
        <OutcomeMark outcome={decision.outcome} />
      </p>
      <ul className="mt-1 max-w-prose space-y-1">
        {decision.reasons.map((reason) => (
          <li key={reason}>
            <PlainText text={reason} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
