/// <reference types="node" preserve="true" />
export { defineGoldenTests, type GoldenTestOptions } from './define-golden-tests.ts';
