export { hostileUser } from './hostile.ts';
export { scriptedUser } from './scripted.ts';
export { simulatedUser } from './simulated.ts';
