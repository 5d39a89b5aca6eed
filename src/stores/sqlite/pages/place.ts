import { pageSize } from '../../store.ts';

/** How many places in the plan of a run are one page. */
export const placesPerPage = pageSize;

/** The rows of a run stand from its number times this on, in the order of the plan. */
const placesPerRun = 2 ** 24 * placesPerPage;

/** Where a row stands, by the number of its run and its place in the plan. */
export function placeOf(number: number, ordinal: number): number {
  return number * placesPerRun + ordinal;
}

/** The opposite of `placeOf`, as to the place in the plan. */
export function ordinalAt(place: number): number {
  return place % placesPerRun;
}

/** The first and the last place that rows of a run can have. */
export function placesOf(number: number): [first: number, last: number] {
  return [placeOf(number, 0), placeOf(number + 1, 0) - 1];
}

/** The first place of the page that a place is on. */
export function pageOf(place: number): number {
  return place - (place % placesPerPage);
}
