import { toTerminalText } from '../../core/lib/text/terminal-text.ts';
import type { DoctorReport, FoundPackage } from '../../library/doctor.ts';

/** Formats what is installed in a folder, a line for each fact, and the problems last. */
export function doctorText(report: DoctorReport & { readonly colours: boolean }): string {
  const { version, installed, node, system, locale, colours, config, store, packages, proxies, problems } =
    report;
  const facts: readonly (readonly [name: string, fact: string])[] = [
    ['Touchstone', `${version}, ${installed === 'elsewhere' ? 'outside this project' : installed}`],
    ['Node.js', node],
    ['System', system],
    ['Language', `${locale}, ${colours ? 'colours' : 'no colours'}`],
    [
      'Config',
      config.file === null
        ? 'none in this folder'
        : `${config.file}${config.fault === null ? '' : ', cannot be used'}`,
    ],
    ['Store', describeStore(store)],
    ['Proxy', proxies.length === 0 ? 'none set' : `${proxies.join(', ')} set`],
    ['Packages', packages.map(describePackage).join('\n')],
  ];
  const lines = facts.flatMap(([name, fact]) =>
    fact.split('\n').map((line, index) => `${(index === 0 ? name : '').padEnd(12)}${toTerminalText(line)}`),
  );
  const end =
    problems.length === 0
      ? ['Nothing is in the way of a run.']
      : problems.map((problem) => `✗ ${toTerminalText(problem)}`);
  return [...lines, '', ...end, ''].join('\n');
}

function describeStore({ kind, folder, layout }: DoctorReport['store']): string {
  if (kind === 'none yet') return 'none yet: the first run makes one';
  const where = folder ?? 'outside this folder';
  return kind === 'other' ? 'a database' : `${where}, layout ${layout ?? 'unknown'}`;
}

function describePackage({ name, needed, version, isFit }: FoundPackage): string {
  if (version === null) return `${name} not installed (optional, ${needed})`;
  return `${name} ${version}${isFit ? '' : `, and ${needed} is needed`}`;
}
