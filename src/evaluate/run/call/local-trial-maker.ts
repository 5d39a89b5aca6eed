import type { TrialMaker } from '../../executors/executor.ts';
import type { TrialSpec } from '../../../core/schema/trial.ts';
import { callPendingCode, type Target } from '../../targets/target.ts';
import { createOutageGate } from '../limits/outage-gate.ts';
import { findUser, withoutSecrets } from '../participants.ts';
import type { TrialMakerNeeds } from '../run-needs.ts';
import { createAttacker } from './arm-attack.ts';
import { callTarget } from './call-target.ts';
import { converse } from './converse.ts';
import { FirstTurn } from './first-turn.ts';
import { withinTrial } from './within-limits.ts';

/** Creates a trial maker that asks the targets from this process. */
export function createLocalTrialMaker({
  targets,
  users,
  secrets,
  limits,
  calls,
}: TrialMakerNeeds): TrialMaker {
  const byName = new Map(targets.map((live) => [live.name, withoutSecrets(live.target, secrets)]));
  const outages = new Map(targets.map(({ name }) => [name, createOutageGate(limits.stop)]));
  const { attack } = createAttacker();
  return {
    make: async (spec) => {
      const target = byName.get(spec.target) as Target;
      const firstTurn = new FirstTurn(limits.stop);
      const { user } = spec.case;
      const isConversation = user !== undefined && target.holdsConversation !== true;
      const isBatched = target.batch !== undefined;
      const own = {
        firstTurn,
        outage: outages.get(spec.target),
        ...(isBatched && { askInBatch: calls?.askFor(spec) }),
      };
      const makeOf = async (asked: TrialSpec) =>
        await withinTrial({ ...limits, ...own }, (within) =>
          isConversation
            ? converse(asked, { target, user: findUser(asked.case.user ?? user, users) }, within)
            : callTarget(asked, target, within),
        );
      const trial = spec.case.attack === undefined ? await makeOf(spec) : await attack(spec, target, makeOf);
      // What waits for a batch is made once that has answered.
      const isPending = isBatched && trial.trial.error?.code === callPendingCode;
      return firstTurn.isGivenUp || isPending ? undefined : trial;
    },
  };
}
