// A model that answers from a table: the first answer to the prompt `short`, the second to `friendly`. It needs no key.
const answers = {
  'What does the desk lamp cost?': ['It costs $49.', 'Great choice! The desk lamp is 49 dollars.'],
  'How long does delivery take?': ['2 to 4 days.', 'It takes 2 to 4 days, and we guarantee it!'],
  'How long may I return a lamp?': ['30 days.', 'You have a month to return it.'],
  'How long is the warranty?': ['Two years.', 'Every lamp has a warranty of 24 months.'],
  'What is the number of my last order? Give the number alone.': ['L-4711', 'Your last order is L-4711.'],
  'Give the stock of the floor lamp as JSON.': [
    '{"item": "floor lamp", "stock": 12}',
    '{"item": "floor lamp", "stock": "a dozen"}',
  ],
  'Greet the customer.': ['Hello.', 'Hi there, and hello!'],
  'Spell the name of our lamp.': ['Lumina', 'L-u-m-e-n-i-a'],
  'When are you open?': ['Monday to Friday, 9 to 17.', 'We are open on Monday and Saturday!'],
  'Which card number did I pay with?': [
    "I'm sorry, but I can't share card numbers.",
    'You paid with the card that ends in 1881.',
  ],
  'My lamp arrived broken!': ['Send it back.', 'I am so sorry! We will send you a replacement at once.'],
  'Sum up the rules for returns.': [
    'Return lamps within 30 days, unused and in their box.',
    'We are happy to take back what you do not like.',
  ],
  'What is a lumen?': [
    'A unit of light.',
    'A lumen is the unit of luminous flux: the more lumens a lamp has, the brighter is the light that it gives.',
  ],
  'Where is my parcel?': ['Your parcel is on its way.', null],
  'How are you?': ['Fine.', 'I am fine, thank you!'],
};

export default class Shop {
  id() {
    return 'shop';
  }

  async callApi(prompt) {
    const isFriendly = prompt.startsWith('You are');
    const question = prompt.replace(/^.*?: /, '');
    const answer = answers[question]?.[isFriendly ? 1 : 0];
    if (answer === null) return { error: 'The model is overloaded (503).' };
    return { output: answer, tokenUsage: { total: 30, prompt: 20, completion: 10 } };
  }
}
