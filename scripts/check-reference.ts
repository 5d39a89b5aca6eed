// Checks that what the build writes depends on the sources alone: written twice, with other time zones, languages and working folders, the
// reference and the JSON Schemas are the same bytes.
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { printFindings } from './print-findings.ts';

/** The surroundings of the two builds. */
const surroundings = [
  { TZ: 'UTC', LANG: 'C', LC_ALL: 'C' },
  { TZ: 'Pacific/Auckland', LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.UTF-8' },
];

const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-reference-'));
try {
  const [first = new Map(), second = new Map()] = surroundings.map((environment, index) =>
    write(path.join(folder, String(index)), environment),
  );
  const files = Array.from(new Set([...first.keys(), ...second.keys()]));
  const findings = files.filter((file) => first.get(file) !== second.get(file));
  printFindings(
    findings.map((file) => `${file}: two builds write different bytes`),
    `${files.length} files of the reference and the schemas are the same in two builds`,
  );
} finally {
  rmSync(folder, { recursive: true });
}

/** Writes the reference and the schemas into a folder, and returns them by their places. */
function write(to: string, environment: NodeJS.ProcessEnv): Map<string, string> {
  for (const script of ['write-reference.ts', 'write-schemas.ts']) {
    const program = path.join(import.meta.dirname, script);
    const { status } = spawnSync(process.execPath, [program, path.join(to, script)], {
      cwd: environment['TZ'] === 'UTC' ? tmpdir() : import.meta.dirname,
      env: { ...process.env, ...environment },
      stdio: 'inherit',
    });
    if (status !== 0) throw new Error(`${script} ended with ${status}`);
  }
  const files = globSync('**/*.{md,json}', { cwd: to });
  return new Map(files.map((file) => [file, readFileSync(path.join(to, file), 'utf8')]));
}
