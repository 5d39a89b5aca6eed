import type { CaseNames } from '../../schema/result.ts';
import type { KeptRun } from './compared-run.ts';

/** What tells a case of a plan from the others, and which others it depends on. */
interface CaseKey extends Pick<CaseNames, 'id' | 'cluster'> {
  /** Of its content; the same content a second time has another one (see `planRun`). */
  readonly hash: string;
}

/** The keys of a plan, in its order. */
export async function* readCaseKeys({ run, store }: KeptRun): AsyncGenerator<CaseKey> {
  for await (const { hash, case: testCase } of store.readCases(run.id)) {
    yield { hash, id: testCase.id, cluster: testCase.cluster };
  }
}
