import type { Store } from '../../stores/store.ts';
import { testShared } from './limits/shared-contract.ts';
import { testAccounts } from './store/accounts-contract.ts';
import { testBaselines } from './store/baselines-contract.ts';
import { testCases } from './store/cases-contract.ts';
import { testCertificates } from './store/certificates-contract.ts';
import { testFeedback } from './store/feedback-contract.ts';
import { testJudgements } from './store/judgements-contract.ts';
import { testReopening, testVersion } from './store/kept-contract.ts';
import { testLabels } from './store/labels-contract.ts';
import { testProposals } from './store/proposals-contract.ts';
import { testResults } from './store/results-contract.ts';
import { testRetention } from './store/retention-contract.ts';
import { testReviewWork } from './store/review-work-contract.ts';
import { testClaims, testRuns } from './store/runs-contract.ts';
import { testSharedTrials } from './store/shared-trials-contract.ts';
import type { StoreTest } from './store/store-records.ts';
import { testTexts } from './store/texts-contract.ts';
import { testTraces } from './store/traces-contract.ts';
import { testTrialLists } from './store/trials-contract.ts';
import type { TestRunner } from './test-runner.ts';

/**
 * Registers the tests that every store must pass with the given runner.
 * @param openStore - Opens an empty store; each test closes the store it opened.
 * @param reopen - Closes a store and opens another one on the same records; left out for a store that ends with the process.
 */
export function testStoreContract(
  name: string,
  openStore: () => Promise<Store>,
  { test, expect }: TestRunner,
  reopen?: (store: Store) => Promise<Store>,
): void {
  const storeTest: StoreTest = (fact, check) =>
    test(`${name}: ${fact}`, async () => {
      const store = await openStore();
      try {
        await check(store);
      } finally {
        await store.close();
      }
    });

  testRuns(storeTest, expect);
  testClaims(storeTest, expect);
  testCases(storeTest, expect);
  testResults(storeTest, expect);
  testTrialLists(storeTest, expect);
  testSharedTrials(storeTest, expect);
  testJudgements(storeTest, expect);
  testBaselines(storeTest, expect);
  testLabels(storeTest, expect);
  testCertificates(storeTest, expect);
  testFeedback(storeTest, expect);
  testProposals(storeTest, expect);
  testTraces(storeTest, expect);
  testTexts(storeTest, expect);
  testRetention(storeTest, expect);
  testShared(storeTest, expect);
  testAccounts(storeTest, expect);
  testReviewWork(storeTest, expect);
  testVersion(storeTest, expect);
  if (reopen !== undefined) testReopening(storeTest, expect, reopen);
}
