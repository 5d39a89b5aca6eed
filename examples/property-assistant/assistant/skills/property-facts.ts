import { answerFacts, type Fact, type FactSheet } from '../answer-facts.ts';
import { formatDate, formatDollars } from '../format-value.ts';
import type { Signal, Skill } from '../skill.ts';

const address: Fact = {
  terms: ['address', 'located', 'location', 'where', 'own', 'properties'],
  columns: ['address', 'city', 'state', 'zip'],
  say: (row) => `Your property is located at ${row.address}, ${row.city}, ${row.state} ${row.zip}.`,
};

const facts: Fact[] = [
  address,
  {
    terms: ['basis', 'land', 'book value'],
    columns: ['total_basis', 'land_basis', 'building_basis'],
    say: (row) =>
      `The total basis is ${formatDollars(row.total_basis)}: ${formatDollars(row.land_basis)} for the land ` +
      `and ${formatDollars(row.building_basis)} for the building.`,
  },
  {
    terms: ['depreciation', 'depreciable', 'depreciated', 'placed in service'],
    columns: ['depreciation_method', 'placed_in_service'],
    say: (row) =>
      `Depreciation is ${row.depreciation_method}, which was placed in service on ` +
      `${formatDate(row.placed_in_service)}.`,
  },
  {
    terms: ['purchase price', 'price', 'buy', 'bought', 'pay for the property', 'paid for the property'],
    columns: ['purchase_price', 'purchase_date'],
    say: (row) =>
      `The purchase price was ${formatDollars(row.purchase_price)}, on ${formatDate(row.purchase_date)}.`,
  },
  { terms: ['units', 'apartments'], columns: ['units'], say: (row) => `It has ${row.units} units.` },
  { terms: ['bedrooms', 'rooms'], columns: ['bedrooms'], say: (row) => `It has ${row.bedrooms} bedrooms.` },
  {
    terms: ['parcel', 'county'],
    columns: ['parcel_number', 'county'],
    say: (row) => `Its parcel number in ${row.county} is ${row.parcel_number}.`,
  },
  {
    terms: ['lot', 'acre', 'acres'],
    columns: ['lot_acres'],
    say: (row) => `The lot has ${row.lot_acres} acres.`,
  },
  {
    terms: ['square feet', 'square footage', 'floor area'],
    columns: ['square_feet'],
    say: (row) => `It has ${row.square_feet} square feet.`,
  },
  {
    terms: ['built', 'year built', 'old'],
    columns: ['year_built'],
    say: (row) => `It was built in ${row.year_built}.`,
  },
  {
    terms: ['type', 'kind', 'triplex', 'duplex', 'condo'],
    columns: ['property_type'],
    say: (row) => `It is a ${row.property_type}.`,
  },
];

const summary: Fact = {
  terms: [],
  columns: [...address.columns, 'property_type', 'units'],
  say: (row) => `${address.say(row)} It is a ${row.property_type} with ${row.units} units.`,
};

const sheet: FactSheet = { table: 'properties', facts, summary };

const topics: Signal[] = [
  ['property', 1],
  ['properties', 1],
  ['building', 1],
  ['house', 1],
  ['home', 1],
  ['real estate', 1],
];

/** Tells what the property record says: address, basis, purchase, size, kind. */
export const propertyFacts: Skill = {
  name: 'property-facts',
  signals: [...topics, ...facts.flatMap((fact) => fact.terms.map((term): Signal => [term, 2]))],
  answer: (question, toolbox) => answerFacts(question, toolbox, sheet),
};
