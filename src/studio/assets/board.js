// The table as it lies there. A card is taken by a click, a key or a finger, and put where it may go.

import { cardPicture, emptyPicture, inWords, suitInWords } from './cards.js';
import { plural } from './moves.js';

const board = document.getElementById('board');
let state = null;
let chosen = null;
let make = () => {};

export function onMove(play) {
  make = play;
}

function element(name, className) {
  const made = document.createElement(name);
  made.className = className;
  return made;
}

/** All moves that take the card `above` cards below the top of a place. */
const movesFrom = (from, count) => state.moves.filter((m) => m.from === from && (m.count === count || (count === 1 && m.count <= 1)));

function place(name, label, cards, layout) {
  const spot = element('div', `place ${layout}`);
  spot.dataset.place = name;
  spot.setAttribute('role', 'group');
  spot.setAttribute('aria-label', label);
  const slots = cards.length ? cards : [undefined];
  slots.forEach((card, i) => {
    const count = cards.length - i;
    const movable = cards.length > 0 && movesFrom(name, count).length > 0;
    const one = element('button', `at${movable ? ' movable' : ''}`);
    one.type = 'button';
    one.dataset.count = cards.length ? count : 0;
    one.style.setProperty('--i', i);
    const top = i === slots.length - 1;
    one.setAttribute('aria-label', card === undefined ? `${label}, empty` : `${inWords(card)}, ${label}${top ? '' : `, ${count - 1} above it`}${movable ? ', can move' : ''}`);
    // What can be done has its place in the order of the keyboard: sources, and the tops where cards may go.
    one.tabIndex = movable || top ? 0 : -1;
    one.append(card === undefined ? emptyPicture(name.startsWith('F') ? name[1] : null) : cardPicture(card));
    spot.append(one);
  });
  return spot;
}

/** What a place is called in moves, above it; its label says the same. */
function named(name) {
  const made = element('span', 'named');
  made.textContent = name;
  made.setAttribute('aria-hidden', 'true');
  return made;
}

/** Draws the table again, the focus staying where it was. */
export function draw(next) {
  const focus = document.activeElement?.closest?.('[data-place]')?.dataset.place;
  state = next;
  chosen = null;
  const { seen } = state;
  const several = seen.reserves.length > 1;
  const upper = element('div', 'row upper');
  const stock = element('div', 'place stock');
  stock.dataset.place = 'S';
  const turn = element('button', 'at');
  turn.type = 'button';
  const draws = state.moves.find((m) => m.word === 'draw');
  const redeals = state.moves.find((m) => m.word === 'redeal');
  turn.classList.toggle('movable', Boolean(draws || redeals));
  turn.setAttribute('aria-label', draws ? `Draw: ${plural(seen.stock_left, 'card')} in the stock` : redeals ? 'Redeal' : `Stock, ${plural(seen.stock_left, 'card')}`);
  turn.append(seen.stock_left ? cardPicture(null) : emptyPicture());
  const left = element('span', 'count');
  left.textContent = seen.stock_left || (redeals ? '↻' : '');
  stock.append(turn, left);
  // Of a fanned waste the last packet is seen at a glance.
  const waste = place('W', `waste, ${plural(seen.waste.length, 'card')}`, seen.waste.slice(-3), 'fan-right');
  upper.append(stock, waste, ...seen.foundations.map((it, i) => {
    const nth = seen.foundations.length > 4 && seen.foundations.findIndex((other) => other.suit === it.suit) !== i ? '2' : '';
    return place(`F${it.suit}${nth}`, `foundation of ${suitInWords(it.suit)}, ${plural(it.height, 'card')}`, it.top ? [it.top] : [], 'foundation');
  }));
  const lower = element('div', 'row lower');
  lower.append(
    ...seen.offered.map((card, i) => place(`C${i + 1}`, `offered card ${i + 1}`, [card], 'single')),
    ...seen.reserves.map((cards, i) => {
      const open = cards.filter(Boolean).length > 1;
      const spot = place(several ? `R${i + 1}` : 'R', `reserve, ${plural(cards.length, 'card')}`, open ? cards : cards.slice(-1), open ? 'fan-down tight' : 'single');
      spot.classList.add('reserve');
      spot.append(named(several ? `reserve ${i + 1}` : 'reserve'));
      const count = element('span', 'count');
      count.textContent = cards.length;
      spot.append(count);
      return spot;
    }),
    ...seen.piles.map((cards, i) => {
      const spot = place(`T${i + 1}`, `pile ${i + 1}`, cards, 'fan-down');
      spot.append(named(`T${i + 1}`));
      return spot;
    }),
  );
  const columns = Math.max(2 + Math.min(seen.foundations.length, 4), seen.reserves.length + seen.piles.length);
  board.style.setProperty('--columns', Math.min(Math.max(columns + 1, 6), 10));
  board.replaceChildren(upper, lower);
  if (focus) board.querySelector(`[data-place="${CSS.escape(focus)}"] .at:last-of-type`)?.focus();
}

const spotOf = (target) => target?.closest?.('.place');
const goal = (name) => (name.startsWith('F') ? 'F' : name);

/** The move from what is chosen to a place, if it is legal. */
function moveTo(spot, from) {
  if (!spot || !from) return null;
  const to = goal(spot.dataset.place);
  const back = spot.dataset.place;
  return from.moves.find((m) => m.to === to || m.to === back) ?? null;
}

/** Whether a move goes to this place: of the foundations, to that of the card's suit. A card may be dropped on any of them. */
function ownPlace(spot, move) {
  if (!move) return false;
  const name = spot.dataset.place;
  return goal(name) === move.to || name === move.to ? move.to !== 'F' || !move.card || name[1] === move.card[1] : false;
}

function choose(source) {
  chosen = source;
  for (const one of board.querySelectorAll('.chosen,.target')) one.classList.remove('chosen', 'target');
  if (!source) return;
  source.spot.querySelectorAll('.at').forEach((one) => {
    if (Number(one.dataset.count) <= source.count && Number(one.dataset.count) > 0) one.classList.add('chosen');
  });
  for (const spot of board.querySelectorAll('.place')) spot.classList.toggle('target', ownPlace(spot, moveTo(spot, source)));
}

function sourceAt(target) {
  const one = target?.closest?.('.at');
  const spot = spotOf(target);
  if (!one || !spot) return null;
  const count = Number(one.dataset.count);
  const moves = movesFrom(spot.dataset.place, count);
  return moves.length ? { spot, count, moves } : null;
}

/** Marks the move that a player would make. */
export function mark(move) {
  for (const one of board.querySelectorAll('.hinted')) one.classList.remove('hinted');
  if (!move) return;
  const from = board.querySelector(`[data-place="${CSS.escape(move.word === 'redeal' ? 'S' : move.from)}"]`);
  const to = [...board.querySelectorAll('.place')].find((spot) => ownPlace(spot, move));
  from?.classList.add('hinted');
  to?.classList.add('hinted');
}

let dragged = null;

board.addEventListener('pointerdown', (event) => {
  if (event.button !== 0) return;
  const source = sourceAt(event.target);
  if (source) dragged = { source, x: event.clientX, y: event.clientY, id: event.pointerId, moving: false };
});

board.addEventListener('pointermove', (event) => {
  if (!dragged || dragged.id !== event.pointerId) return;
  const [dx, dy] = [event.clientX - dragged.x, event.clientY - dragged.y];
  if (!dragged.moving && Math.hypot(dx, dy) < 6) return;
  if (!dragged.moving) {
    dragged.moving = true;
    board.setPointerCapture(event.pointerId);
    choose(dragged.source);
    dragged.cards = [...board.querySelectorAll('.chosen')];
    dragged.cards.forEach((card) => card.classList.add('dragging'));
  }
  dragged.cards.forEach((card) => { card.style.translate = `${dx}px ${dy}px`; });
});

function drop(event, takes) {
  if (!dragged || dragged.id !== event.pointerId) return;
  const { source, moving, cards } = dragged;
  dragged = null;
  if (!moving) return;
  cards.forEach((card) => { card.classList.remove('dragging'); card.style.translate = ''; });
  // What lies under the finger, the dragged cards aside.
  const under = document.elementsFromPoint(event.clientX, event.clientY).map(spotOf).find((spot) => spot && spot !== source.spot);
  const move = takes && moveTo(under, source);
  choose(null);
  suppress = true;
  setTimeout(() => { suppress = false; }, 0);
  if (move) make(move);
}

let suppress = false;
board.addEventListener('pointerup', (event) => drop(event, true));
board.addEventListener('pointercancel', (event) => drop(event, false));

// A click is also what Enter and the space bar are.
board.addEventListener('click', (event) => {
  const spot = spotOf(event.target);
  if (!spot || suppress) return;
  if (spot.dataset.place === 'S' && !chosen) {
    const move = state.moves.find((m) => m.word === 'draw' || m.word === 'redeal');
    if (move) make(move);
    return;
  }
  const move = moveTo(spot, chosen);
  if (move) {
    choose(null);
    make(move);
    return;
  }
  const source = sourceAt(event.target);
  choose(source && !(chosen && chosen.spot === source.spot && chosen.count === source.count) ? source : null);
});

board.addEventListener('dblclick', (event) => {
  const name = spotOf(event.target)?.dataset.place;
  const move = state.moves.find((m) => m.from === name && m.to === 'F');
  if (move) make(move);
});
