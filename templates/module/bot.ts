// A bot to start from: replace the body of `answer` with a call of your own. It gets the question and gives back text,
// or an object with the answer and the tools that were used: an empty list says that none was.

const hours: Record<string, string> = { saturday: 'from 10 to 16', sunday: 'closed all day' };
const prices: Record<string, number> = { 'desk lamp': 49, chair: 120, bookshelf: 199 };

export default async function answer(question: string) {
  const text = question.toLowerCase();

  if (/open|hours|until when/.test(text)) {
    const day = Object.keys(hours).find((name) => text.includes(name));
    const result = day === undefined ? 'from 9 to 18' : hours[day];
    const shown = day === undefined ? 'On weekdays' : `On ${day}`;
    return {
      answer: `${shown} we are ${result}.`,
      toolCalls: [{ name: 'opening_hours', arguments: { day }, result }],
    };
  }

  if (/cost|how much|price/.test(text)) {
    const product = Object.keys(prices).find((name) => text.includes(name));
    const price = product === undefined ? undefined : prices[product];
    return {
      answer: price === undefined ? 'Sorry, we do not have that.' : `The ${product} costs $${price}.`,
      toolCalls: [{ name: 'price_list', arguments: { product }, result: price ?? null }],
    };
  }

  if (/back|return|refund/.test(text)) {
    return { answer: 'You can return anything within 30 days.', toolCalls: [] };
  }
  return { answer: "I can't help with that, but I am glad to talk about our shop.", toolCalls: [] };
}
