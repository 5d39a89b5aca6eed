import { expect, test } from 'vitest';
import { testStoreContract } from '../../test/support/store-contract/store-contract.ts';
import { createMemoryStore } from './memory.ts';

testStoreContract('memory', async () => createMemoryStore(), { test, expect });
