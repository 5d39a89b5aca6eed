export { diacritics } from './diacritics.ts';
export { distractor } from './distractor.ts';
export { language } from './language.ts';
export { letterCase } from './case.ts';
export { paraphrase } from './paraphrase.ts';
export { promptInjection } from './prompt-injection.ts';
export { typos } from './typos.ts';
export { whiteSpace } from './white-space.ts';
