import type { Trial } from '../../../../core/schema/trial.ts';
import { failureOf } from '../circuit-breaker.ts';
import type { OnOpen, TargetBreaker } from '../run-limits.ts';
import type { RunGrant, RunRules } from './run-state.ts';

type BreakerSettings = RunRules['breakers'][string];

/** The breakers of a run as one of several processes has them: whether one is open is decided by the trials of all. */
export interface SharedBreakers {
  /** Creates the breaker of a target, which is open at once if one was in an earlier part of the run. */
  create(target: string, settings: BreakerSettings, onOpen: OnOpen): TargetBreaker;
  /** Returns the settings of all breakers, by target. */
  rules(): RunRules['breakers'];
  /** Takes over what all processes know. */
  adopt(grant: RunGrant): void;
  /** Returns true for a target that failed too often. */
  isOpen(target: string): boolean;
  /**
   * Returns true for a target that must answer first: while none of the processes had an answer, each makes one trial after the other, and
   * reports how it went before the next, so that a refused key, or a target that is down, is noticed after a few.
   * @param calling - The number of trials of this process that are under way.
   */
  mustWait(target: string, calling: number): boolean;
  /** Resolves when a trial that had to wait may begin, perhaps. */
  changed(): Promise<void>;
  /** Lets those look again that had to wait. */
  goOn(): void;
}

/** The surroundings of the breakers of a process. */
interface BreakerNeeds {
  readonly addOutcome: (trial: Trial) => void;
  /** Reports the outcome before long, or soon if it is the first answer of a target. */
  readonly report: (isSoon: boolean) => void;
  /** Reports all outcomes so far. Resolves once they are known, or nothing may begin any more. */
  readonly tell: () => Promise<void>;
}

/** The breaker of a target as the part of the run that was last begun has it. */
interface Breaker {
  readonly settings: BreakerSettings;
  readonly onOpen: OnOpen;
  hasOpened: boolean;
}

/** Creates the breakers of a process. */
export function createSharedBreakers({ addOutcome, report, tell }: BreakerNeeds): SharedBreakers {
  const breakers = new Map<string, Breaker>();
  /** The targets that have answered this process. */
  const answering = new Set<string>();
  /** The failures that the other processes do not know of yet, by target. */
  const telling = new Map<string, number>();
  let known: RunGrant | undefined;
  let changed = Promise.withResolvers<void>();

  const goOn = () => {
    changed.resolve();
    changed = Promise.withResolvers();
  };
  const open = (target: string, breaker: Breaker) => {
    const found = known?.open[target];
    if (found === undefined || breaker.hasOpened) return;
    breaker.hasOpened = true;
    breaker.onOpen(found.failures, found.inARow);
  };
  const tellFailure = async (target: string) => {
    telling.set(target, (telling.get(target) ?? 0) + 1);
    await tell();
    telling.set(target, (telling.get(target) ?? 0) - 1);
    goOn();
  };

  return {
    create: (target, settings, onOpen) => {
      const breaker = { settings, onOpen, hasOpened: false };
      breakers.set(target, breaker);
      open(target, breaker);
      return {
        add: async (trial) => {
          addOutcome(trial);
          if (failureOf(trial) !== undefined) return await tellFailure(target);
          report(!answering.has(target));
          answering.add(target);
          goOn();
        },
      };
    },
    rules: () => Object.fromEntries(Array.from(breakers, ([target, { settings }]) => [target, settings])),
    adopt: (grant) => {
      known = grant;
      for (const [target, breaker] of breakers) open(target, breaker);
      goOn();
    },
    isOpen: (target) => known?.open[target] !== undefined,
    mustWait: (target, calling) => {
      if (known === undefined) return true;
      const settings = breakers.get(target)?.settings;
      const isWatched = settings !== undefined && settings.stopAfterFailures !== null;
      if (!isWatched || answering.has(target) || known.answering.includes(target)) return false;
      return calling > 0 || (telling.get(target) ?? 0) > 0;
    },
    changed: async () => await changed.promise,
    goOn,
  };
}
