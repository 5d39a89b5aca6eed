export { empty } from './empty.ts';
export { error } from './error.ts';
export { malformed } from './malformed.ts';
export { rateLimit } from './rate-limit.ts';
export { slow } from './slow.ts';
export { stale } from './stale.ts';
export { timeout } from './timeout.ts';
export { truncated } from './truncated.ts';
