/**
 * Preloaded into a process that is to die as in a crash at one of the moments at which it makes something lasting: before and after each
 * commit to a database, and before and after each file that takes its place. `TOUCHSTONE_TEST_DIE_AT` is the number of the moment.
 */
import fs from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync } from 'node:sqlite';

const dieAt = Number(process.env.TOUCHSTONE_TEST_DIE_AT);
let moments = 0;

function reach() {
  moments += 1;
  if (moments === dieAt) process.kill(process.pid, 'SIGKILL');
}

const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (sql) {
  if (sql !== 'COMMIT') return exec.call(this, sql);
  reach();
  exec.call(this, sql);
  reach();
};

const { rename } = promises;
promises.rename = async (...names) => {
  reach();
  await rename(...names);
  reach();
};
const { renameSync } = fs;
fs.renameSync = (...names) => {
  reach();
  renameSync(...names);
  reach();
};
syncBuiltinESMExports();
