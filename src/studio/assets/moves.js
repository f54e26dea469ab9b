// Moves and places in words.

import { inWords } from './cards.js';

const PLACES = { F: 'the foundations', W: 'the waste', S: 'the stock', R: 'the reserve' };
const KINDS = { T: 'pile', R: 'reserve', C: 'offered card' };
const placeName = (name) => PLACES[name] ?? (KINDS[name[0]] ? `${KINDS[name[0]]} ${name.slice(1)}` : 'a foundation');

/** `1 card`, `2 cards` */
export const plural = (n, word) => `${n} ${word}${n === 1 ? '' : 's'}`;

/** A move in words. */
export function said(move) {
  if (move.word === 'draw' || move.word === 'redeal') return move.word === 'draw' ? 'Draw' : 'Redeal';
  const what = move.count > 1 ? `${inWords(move.card)} and ${move.count - 1} above it` : inWords(move.card);
  return `${what} from ${placeName(move.from)} to ${placeName(move.to)}`;
}

/** What a player thinks of a move: its score, and the cards it leads to. */
function worth(weight) {
  const parts = [];
  if (weight.score !== null) parts.push(`score ${String(weight.score).replace('-', '−')}`);
  if (weight.expected) parts.push(`${(weight.expected.cards / Math.max(weight.expected.deals, 1)).toFixed(1)} cards`);
  return parts.join(', ');
}

/** The legal moves as items of a list, with what a player thinks of each. */
export function items(moves, weights, play) {
  return moves.map((move) => {
    const item = document.createElement('li');
    const go = document.createElement('button');
    go.type = 'button';
    go.textContent = said(move);
    go.dataset.word = move.word;
    go.addEventListener('click', () => play(move));
    if (move.ends) { go.classList.add('ends'); go.title = move.why; }
    item.append(go);
    const weight = weights?.moves.find((it) => it.word === move.word);
    if (weight) {
      const told = document.createElement('span');
      told.className = 'worth';
      told.textContent = worth(weight);
      item.append(told);
    }
    if (weights?.choice === move.word) item.className = 'choice';
    return item;
  });
}
