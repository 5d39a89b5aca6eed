// `npm test`: all tests, through the pinned Node.js. Arguments go to vitest.
import { pinnedNode, runInRoot, setUp } from './set-up.mjs';

setUp();
process.exitCode = runInRoot(pinnedNode(), [
  'node_modules/vitest/vitest.mjs',
  'run',
  ...process.argv.slice(2),
]);
