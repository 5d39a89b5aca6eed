/** A lamp, with what the shop's list says of it. */
export interface Lamp {
  readonly name: string;
  readonly price: number;
  readonly stock: number;
  readonly days: number;
}

const rooms = ['desk', 'floor', 'bedside', 'kitchen', 'hall', 'garden', 'bath', 'reading', 'ceiling', 'wall'];
const makes = ['oak', 'brass', 'paper'];

/** The list of the shop: thirty lamps. */
export const lamps: readonly Lamp[] = makes.flatMap((make, row) =>
  rooms.map((room, column) => ({
    name: `${make} ${room} lamp`,
    price: 19 + 40 * row + 7 * column,
    stock: (3 * row + column) % 9,
    days: 2 + ((row + column) % 12),
  })),
);

/** A kind of question: how people ask it, and what a right answer contains. */
interface Kind {
  readonly category: string;
  readonly forms: readonly string[];
  readonly expected: (lamp: Lamp) => string;
}

const kinds: readonly Kind[] = [
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
 */
export function questionsOf(set: 'working' | 'held-out'): string[] {
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
