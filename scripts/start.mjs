// `npm start`: the main job on the embedded defaults.
import { pinnedNode, runInRoot, setUp } from './set-up.mjs';

setUp();
const given = process.argv.slice(2);
process.exitCode = runInRoot(pinnedNode(), [
  'bin/touchstone.js',
  'run',
  'examples/property-assistant',
  ...given,
]);
