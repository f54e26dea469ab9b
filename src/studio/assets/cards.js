// Cards as pictures of our own: large ranks and suits, to be read at 40 pixels.

const SPACE = 'http://www.w3.org/2000/svg';
const SUITS = {
  C: 'M50 8c-14 0-25 11-25 24 0 6 2 11 6 15-3-1-6-2-9-2C9 45 0 55 0 68s10 23 22 23c9 0 17-5 21-12 0 8-3 14-10 21h34c-7-7-10-13-10-21 4 7 12 12 21 12 12 0 22-10 22-23S91 45 78 45c-3 0-6 1-9 2 4-4 6-9 6-15C75 19 64 8 50 8z',
  D: 'M50 0l38 50-38 50-38-50z',
  H: 'M50 96C20 70 2 54 2 31 2 16 13 5 27 5c10 0 18 5 23 14C55 10 63 5 73 5c14 0 25 11 25 26 0 23-18 39-48 65z',
  S: 'M50 2C26 30 4 42 4 64c0 13 10 22 21 22 8 0 15-4 19-10 0 9-3 16-10 24h32c-7-8-10-15-10-24 4 6 11 10 19 10 11 0 21-9 21-22C96 42 74 30 50 2z',
};
const NAMES = { C: 'clubs', D: 'diamonds', H: 'hearts', S: 'spades' };
const RANKS = { A: 'ace', T: '10', J: 'jack', Q: 'queen', K: 'king' };

/** A card in words. */
export const inWords = (card) => (card ? `${RANKS[card[0]] ?? card[0]} of ${NAMES[card[1]]}` : 'face-down card');
export const suitInWords = (suit) => NAMES[suit];

function node(name, attributes, text) {
  const element = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

function picture(className) {
  return node('svg', { viewBox: '0 0 200 280', class: `pc ${className}`, 'aria-hidden': 'true' });
}

/** The face of a card such as `TH`, or the back of one that is not seen. */
export function cardPicture(card) {
  if (!card) {
    const back = picture('back');
    back.append(
      node('rect', { x: 3, y: 3, width: 194, height: 274, rx: 18, class: 'paper' }),
      node('rect', { x: 18, y: 18, width: 164, height: 244, rx: 10, class: 'pattern' }),
    );
    return back;
  }
  const [rank, suit] = card;
  const face = picture(`suit-${suit}`);
  face.append(
    node('rect', { x: 3, y: 3, width: 194, height: 274, rx: 18, class: 'paper' }),
    // Two digits are as wide as the room before the suit.
    rank === 'T' ? node('text', { x: 8, y: 82, class: 'rank', textLength: 84, lengthAdjust: 'spacingAndGlyphs' }, '10') : node('text', { x: 18, y: 82, class: 'rank' }, rank),
    node('path', { d: SUITS[suit], transform: 'translate(118 18) scale(.66)' }),
    node('path', { d: SUITS[suit], transform: 'translate(42 122) scale(1.16)' }),
  );
  return face;
}

/** Where no card lies. */
export function emptyPicture(suit) {
  const empty = picture('empty');
  empty.append(node('rect', { x: 4, y: 4, width: 192, height: 272, rx: 18, class: 'outline' }));
  if (suit) empty.append(node('path', { d: SUITS[suit], transform: 'translate(55 95) scale(.9)', class: 'ghost' }));
  return empty;
}
