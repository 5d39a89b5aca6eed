export { scriptedUser } from './scripted.ts';
export { simulatedUser } from './simulated.ts';
