import { anchorOf } from '../../src/core/lib/text/anchor-of.ts';
import { code } from './markdown.ts';

/** An option as a table shows it. */
export interface OptionRows {
  readonly name: string;
  readonly rows: readonly (readonly string[])[];
}

/** Something with options, on a page: a metric, a target, a command. */
export interface Owner<Option extends OptionRows> {
  readonly name: string;
  readonly page: string;
  readonly options: readonly Option[];
}

/** A table of options that several owners have, printed once. */
export interface SharedTable<Option extends OptionRows> {
  readonly title: string;
  readonly page: string;
  readonly options: readonly Option[];
}

/** A shared table by its title, and which options of which owner are in it. */
export interface TablePlan {
  readonly title: string;
  readonly owner: string;
  readonly options: readonly string[];
}

/**
 * Finds the options that several owners have, word for word: those of the plans, each a table on the page of its owner, and
 * on every page one more table for what else is repeated there. Where options of one name differ, that table has the
 * most frequent.
 * @param titleOfRest - Titles of those other tables, by page.
 * @throws Error for a plan whose options no owner has.
 */
export function findSharedTables<Option extends OptionRows>(
  owners: readonly Owner<Option>[],
  plans: readonly TablePlan[],
  titleOfRest: Readonly<Record<string, string>>,
): SharedTable<Option>[] {
  const planned = plans.map((plan) => readPlan(plan, owners));
  const isPlanned = (option: Option) => planned.some(({ options }) => options.some(isSame(option)));
  const rest = Object.entries(titleOfRest).map(([page, title]) => {
    const onPage = owners.filter((owner) => owner.page === page).flatMap(({ options }) => options);
    const options = findRepeated(onPage.filter((option) => !isPlanned(option)));
    return { title, page, options };
  });
  return [...planned, ...rest].filter(({ options }) => options.length > 0);
}

function readPlan<Option extends OptionRows>(
  plan: TablePlan,
  owners: readonly Owner<Option>[],
): SharedTable<Option> {
  const owner = owners.find(({ name }) => name === plan.owner);
  const options = plan.options.map((name) => owner?.options.find((option) => option.name === name));
  const isShared = (option: Option) =>
    owners.filter((other) => other.options.some(isSame(option))).length > 1;
  if (owner === undefined || !options.every((option) => option !== undefined && isShared(option)))
    throw new Error(
      `The shared table "${plan.title}" has an option of ${plan.owner} that it shares with no other.`,
    );
  return { title: plan.title, page: owner.page, options: options as Option[] };
}

/** Returns the options that occur more than once: of several with one name, the most frequent. */
function findRepeated<Option extends OptionRows>(options: readonly Option[]): Option[] {
  const countOf = (option: Option) => options.filter(isSame(option)).length;
  const names = [...new Set(options.map(({ name }) => name))];
  return names.flatMap((name) => {
    const [first] = options.filter((option) => option.name === name).sort((a, b) => countOf(b) - countOf(a));
    return first !== undefined && countOf(first) > 1 ? [first] : [];
  });
}

/**
 * Splits the options of an owner.
 * @returns Those that it has alone, and a sentence with a link for those in shared tables.
 */
export function splitOptions<Option extends OptionRows>(
  { page, options }: Owner<Option>,
  tables: readonly SharedTable<Option>[],
): { own: Option[]; shared: string[] } {
  const isIn =
    ({ options: those }: SharedTable<Option>) =>
    (option: Option) =>
      those.some(isSame(option));
  const parts = tables.flatMap((one) => {
    const names = options.filter(isIn(one)).map(({ name }) => code(name));
    const file = one.page === page ? '' : one.page;
    const link = `[${one.title.toLowerCase()}](${file}#${anchorOf(one.title)})`;
    return names.length === 0 ? [] : [`${names.join(', ')} (${link})`];
  });
  const own = options.filter((option) => !tables.some((one) => isIn(one)(option)));
  if (parts.length === 0) return { own, shared: [] };
  return { own, shared: [`${own.length === 0 ? 'Options' : 'More options'}: ${parts.join('; ')}.`] };
}

function isSame(option: OptionRows) {
  const text = JSON.stringify(option.rows);
  return (other: OptionRows) => other.name === option.name && JSON.stringify(other.rows) === text;
}
