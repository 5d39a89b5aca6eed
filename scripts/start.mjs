// `npm start`: the main job on the embedded defaults.
import { pinnedNode, runInRoot, setUp } from './set-up.mjs';

setUp();
const given = process.argv.slice(2);
const target = given.includes('--target') ? [] : ['--target', 'v1'];
process.exitCode = runInRoot(pinnedNode(), [
  'bin/touchstone.js',
  'run',
  'examples/property-assistant',
  ...target,
  ...given,
]);

if (process.exitCode < 4) {
  console.log(`
What to try next:
  npm run touchstone -- view latest --store examples/property-assistant/.touchstone      the same in the browser
  npm run touchstone -- show --verbose --store examples/property-assistant/.touchstone   every answer of this run
  npm start -- --target v1 v2                                                            two versions side by side
  npm run touchstone -- init my-eval                                                     an evaluation of your own
  npm link                                                                               the command touchstone, as above, everywhere`);
}
