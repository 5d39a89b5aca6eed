// Runs before each test file.
import { afterAll } from 'vitest';
import { endFile } from './support/file-end.ts';

afterAll(endFile);
