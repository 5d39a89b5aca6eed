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

console.log(`
What to try next:
  npm run touchstone -- show --verbose --store examples/property-assistant/.touchstone   every answer of this run
  npm start -- --target v2                                                               the other version
  npm run touchstone -- init my-eval                                                     an evaluation of your own`);
