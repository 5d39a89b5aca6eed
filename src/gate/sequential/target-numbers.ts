import type { Outcome } from '../../schema/result.ts';
import type { Run } from '../../schema/run.ts';
import { type CaseNumbers, createCaseNumbers } from '../rules/case-numbers.ts';
import type { Reading } from '../reading.ts';

/** The numbers of a target as its answers come, each read once for all rules that ask for them. */
export interface TargetNumbers {
  /** The numbers under a key, which another rule may have asked for already. */
  read(key: string, reading: Reading): CaseNumbers;
  add(position: number, outcome: Outcome): void;
}

/** Numbers of a run that are read as they come. */
export function createTargetNumbers({ dataset, attempts }: Run): TargetNumbers {
  const all = new Map<string, ReturnType<typeof createCaseNumbers>>();
  return {
    read: (key, reading) => {
      const numbers = all.get(key) ?? createCaseNumbers(reading, dataset.cases, attempts);
      all.set(key, numbers);
      return numbers;
    },
    add: (position, outcome) => {
      for (const numbers of all.values()) numbers.add(position, outcome);
    },
  };
}

/** Whether a trial took at most so many milliseconds. */
export function readIsWithin(atMostMs: number): Reading {
  return {
    unit: () => undefined,
    read: ({ trial }) => {
      const time = trial.status === 'completed' ? trial.latency?.totalMs : undefined;
      if (time === undefined) return { status: 'missing', low: 0, high: 1 };
      return { status: 'measured', value: Number(time <= atMostMs) };
    },
  };
}
