const rooms = ['desk', 'floor', 'bedside', 'kitchen', 'hall', 'garden', 'bath', 'reading', 'ceiling', 'wall'];
const makes = ['oak', 'brass', 'paper'];

/** The list of the shop: thirty lamps. */
export const lamps = makes.flatMap((make, row) =>
  rooms.map((room, column) => ({
    name: `${make} ${room} lamp`,
    price: 19 + 40 * row + 7 * column,
    stock: (3 * row + column) % 9,
    days: 2 + ((row + column) % 12),
  })),
);

/** The kinds of questions: how people ask them, and what a right answer contains. */
const kinds = [
  {
    category: 'prices',
    forms: ['What does the LAMP cost?', 'How much is the LAMP?', 'How much do you want for the LAMP?'],
    expected: ({ price }) => `$${price}`,
  },
  {
    category: 'stock',
    forms: ['Is the LAMP in stock?', 'Do you have the LAMP?'],
    expected: ({ stock }) => `${stock} pieces`,
  },
  {
    category: 'delivery',
    forms: ['When can you deliver the LAMP?', 'How long does the LAMP take to arrive?'],
    expected: ({ days }) => `${days} days`,
  },
];

/**
 * Returns questions to the shop: the working set, which the agent may read, or those that are held out. No question is in both: of
 * seven forms, lamp by lamp, each set takes its own.
 * @param {'working' | 'held-out'} set
 */
export function questionsOf(set) {
  const all = kinds.flatMap(({ category, forms, expected }, kind) =>
    forms.flatMap((form, place) =>
      lamps.map((lamp, index) => ({
        isHeldOut: (index + place + kind) % 3 !== 0,
        row: { question: form.replace('LAMP', lamp.name), category, expected_keywords: [expected(lamp)] },
      })),
    ),
  );
  return all.flatMap(({ isHeldOut, row }) =>
    isHeldOut === (set === 'held-out') ? [JSON.stringify(row)] : [],
  );
}
