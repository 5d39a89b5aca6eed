import { expect, test } from 'vitest';
import { testStoreContract } from '../library/testing/store-contract.ts';
import { createMemoryStore } from './memory.ts';

testStoreContract('memory', async () => createMemoryStore(), { test, expect });
