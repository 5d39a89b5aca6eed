import type { Store } from '../../../src/stores/store.ts';
import { testShared } from './shared-contract.ts';
import { testAccounts } from './accounts-contract.ts';
import { testBatches } from './batches-contract.ts';
import { testBlobs } from './blobs-contract.ts';
import { testBaselines } from './baselines-contract.ts';
import { testCases } from './cases-contract.ts';
import { testCertificates } from './certificates-contract.ts';
import { testFeedback } from './feedback-contract.ts';
import { testJudgements } from './judgements-contract.ts';
import { testReopening, testVersion } from './kept-contract.ts';
import { testLabels } from './labels-contract.ts';
import { testMatrix } from './matrix-contract.ts';
import { testProposals } from './proposals-contract.ts';
import { testResults } from './results-contract.ts';
import { testRetention } from './retention-contract.ts';
import { testReviewWork } from './review-work-contract.ts';
import { testClaims, testRuns } from './runs-contract.ts';
import { testSharedTrials } from './shared-trials-contract.ts';
import type { StoreTest } from './store-records.ts';
import { testTexts } from './texts-contract.ts';
import { testTraces } from './traces-contract.ts';
import { testTraits } from './traits-contract.ts';
import { testTrialLists } from './trials-contract.ts';
import { testStoredCounts } from './counts-contract.ts';
import type { TestRunner } from '../../../src/library/testing/test-runner.ts';

/**
 * Registers the tests that every store must pass with the given runner.
 * @param openStore - Opens an empty store; each test closes the store it opened.
 * @param reopen - Closes a store and opens another one on the same records; absent for a store that ends with the process.
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
  testStoredCounts(storeTest, expect);
  testMatrix(storeTest, expect);
  testSharedTrials(storeTest, expect);
  testJudgements(storeTest, expect);
  testBlobs(storeTest, expect);
  testBaselines(storeTest, expect);
  testLabels(storeTest, expect);
  testCertificates(storeTest, expect);
  testFeedback(storeTest, expect);
  testProposals(storeTest, expect);
  testTraces(storeTest, expect);
  testTexts(storeTest, expect);
  testTraits(storeTest, expect);
  testRetention(storeTest, expect);
  testBatches(storeTest, expect);
  testShared(storeTest, expect);
  testAccounts(storeTest, expect);
  testReviewWork(storeTest, expect);
  testVersion(storeTest, expect);
  if (reopen !== undefined) testReopening(storeTest, expect, reopen);
}
