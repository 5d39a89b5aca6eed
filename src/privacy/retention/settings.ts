import { mainProject, readRecord } from '../accounts/accounts.ts';
import { TouchstoneError } from '../../core/errors.ts';
import type { Account, MachineToken } from '../../core/schema/account/account.ts';
import type { AccountStore } from '../../stores/accounts/account-store.ts';

/** The kinds of records that a server keeps for a time. */
export const retainedKinds = ['traces', 'feedback', 'runs', 'audit'] as const;
export type RetainedKind = (typeof retainedKinds)[number];

/** The days for which records of each kind are stored; null for ever. */
export type RetentionDays = Readonly<Record<RetainedKind, number | null>>;

/** The days where none are set. */
const usualDays: RetentionDays = { traces: 30, feedback: 400, runs: null, audit: 400 };

/** The fewest days of the audit log: what was done must still be found when it is asked for. */
const fewestAuditDays = 30;

const settingAt = (project: string) => `retention/${project}`;

/** Returns the days of a project. The days of the audit log, which all projects share, belong to the project `main`. */
export async function readRetention({ records }: AccountStore, project: string): Promise<RetentionDays> {
  const set = await readRecord<Partial<RetentionDays>>(records, settingAt(project));
  return { ...usualDays, ...set };
}

/** Changes the days of a project. Throws `usage-invalid` for settings such as `traces=soon`. */
export async function setRetention(
  { records }: AccountStore,
  project: string,
  settings: readonly string[],
): Promise<Partial<RetentionDays>> {
  const changed: Partial<Record<RetainedKind, number | null>> = {};
  for (const setting of settings) {
    const { kind, days } = parseSetting(setting, project);
    changed[kind] = days;
  }
  await records.change<Partial<RetentionDays>, undefined>(settingAt(project), (before) => ({
    value: { ...before, ...changed },
    result: undefined,
  }));
  return changed;
}

function parseSetting(setting: string, project: string): { kind: RetainedKind; days: number | null } {
  const [name = '', value = ''] = setting.split('=');
  const kind = retainedKinds.find((each) => each === name);
  const isNumber = /^[1-9]\d{0,4}$/.test(value);
  const refuse = (message: string) =>
    new TouchstoneError('usage-invalid', message, {
      remedy: `Write a kind (${retainedKinds.join(', ')}) and days, or \`never\`: \`--set runs=365\`.`,
    });
  if (kind === undefined || !(isNumber || value === 'never'))
    throw refuse(`${JSON.stringify(setting)} is not a retention time.`);
  if (kind === 'audit' && project !== mainProject)
    throw refuse('All projects share one audit log: its time is set for the project main.');
  if (kind === 'audit' && isNumber && Number(value) < fewestAuditDays)
    throw refuse(`The audit log is stored for at least ${fewestAuditDays} days.`);
  return { kind, days: isNumber ? Number(value) : null };
}

/** Lists the projects of a server: those with people, tokens or times of their own, and `main`. */
export async function listProjects({ records }: AccountStore): Promise<string[]> {
  const people = await records.list<Account>('people/');
  const tokens = await records.list<MachineToken>('tokens/');
  const set = await records.list('retention/');
  const names = [
    mainProject,
    ...people.flatMap(({ value }) => Object.keys(value.roles)),
    ...tokens.map(({ value }) => value.project),
    ...set.map(({ name }) => name.slice(settingAt('').length)),
  ];
  return [...new Set(names)].toSorted();
}
