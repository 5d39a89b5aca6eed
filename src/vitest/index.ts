export { defineGoldenTests, type GoldenTestOptions } from './define-golden-tests.ts';
