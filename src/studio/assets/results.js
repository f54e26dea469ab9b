// Figures as they stream: a block for each strategy, made once, so that only digits and bars move.

import { edges, histogram } from './charts.js';
import { put } from './text.js';

const place = document.getElementById('players');
const edgeFigure = document.getElementById('edge-figure');
const edgeChart = document.getElementById('edge');
let blocks = [];
let rows = [];

function make(name, className, text) {
  const element = document.createElement(name);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

/** Gets ready for figures of these strategies. What was shown stays, faint, until its place is taken. */
export function expect(names, target) {
  if (names.join() !== rows.map((it) => it.name).join()) {
    blocks = names.map(block);
    place.replaceChildren(...blocks.map((it) => it.root));
    rows = names.map((name) => ({ name, edge: null }));
    edges(edgeChart, rows, target);
  }
  for (const it of blocks) it.root.classList.add('stale');
  edgeFigure.hidden = false;
}

function block(name) {
  const root = make('article', 'player');
  const head = make('header');
  const games = make('span', 'games muted', 'waiting');
  const bar = make('progress');
  bar.max = 1;
  bar.value = 0;
  bar.setAttribute('aria-label', `Games of ${name}`);
  head.append(make('h3', '', name), games, bar);
  const cards = make('div', 'cards');
  const difference = make('p', 'difference');
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('class', 'histogram');
  svg.setAttribute('role', 'img');
  const remarks = make('p', 'muted');
  const failed = make('p', 'failed');
  failed.setAttribute('role', 'alert');
  root.append(head, cards, difference, remarks, failed, svg);
  return { root, games, bar, cards, difference, remarks, svg, failed, shown: new Map() };
}

const count = (n) => n.toLocaleString('en-US');

/** Shows figures, or why there are none. */
export function show(figures, target) {
  const it = blocks[figures.strategy];
  if (!it) return;
  it.root.classList.remove('stale');
  if (figures.failed) {
    it.failed.textContent = figures.failed;
    return;
  }
  it.failed.textContent = '';
  const few = figures.slow && figures.wanted > 0 ? ' (it searches, so it plays fewer games)' : '';
  it.games.textContent = figures.done
    ? `${count(figures.games)} games${few}`
    : `${count(figures.games)} of ${count(figures.wanted)} games${few}`;
  it.bar.value = figures.games / figures.wanted;
  it.bar.classList.toggle('done', figures.done);
  cards(it, figures);
  it.remarks.hidden = figures.remarks.length === 0;
  it.remarks.textContent = figures.remarks.map((said) => `${said}.`).join(' ');
  it.difference.replaceChildren();
  if (figures.difference) {
    it.difference.append(make('b', '', 'Against the pinned rules, deal by deal: '));
    figures.difference.forEach((said, i) => {
      it.difference.append(`${i ? '; ' : ''}${said.what} `, make('span', said.side, said.value), ` (${said.interval})`);
    });
  }
  histogram(it.svg, figures);
  const said = figures.said.find((one) => one.id === 'edge') ?? figures.said[0];
  rows[figures.strategy] = { name: figures.name, edge: figures.edge, said };
  brief();
  edges(edgeChart, rows, target);
}

/** The figures in a line that stays in sight where the rest does not. */
function brief() {
  document.getElementById('brief').replaceChildren(...rows.filter((it) => it.said).map((it) => {
    const one = make('span');
    one.append(`${it.name} `, make('b', it.said.side, it.said.value));
    return one;
  }));
}

function cards(it, figures) {
  const ids = figures.said.map((said) => said.id);
  // The night comes at the end; its place is kept from the beginning.
  if (ids.includes('hold') && !ids.includes('night')) ids.push('night');
  for (const [id, card] of it.shown) {
    if (!ids.includes(id)) {
      card.root.remove();
      it.shown.delete(id);
    }
  }
  for (const id of ids) {
    const said = figures.said.find((one) => one.id === id) ?? { what: 'median profit of a night of 200 decks', value: '…', interval: 'when all games are played', side: '' };
    let card = it.shown.get(id);
    if (!card) {
      card = { root: make('div', 'card'), what: make('span'), value: make('b'), interval: make('span', 'interval') };
      card.root.append(card.what, card.value, card.interval);
      card.root.dataset.id = id;
      it.shown.set(id, card);
      it.cards.append(card.root);
    }
    card.root.className = `card ${said.side}`;
    card.what.textContent = said.what;
    put(card.value, said.value);
    put(card.interval, said.interval);
  }
}

/** The ruleset cannot be played: what is shown is of an earlier one. */
export function stale() {
  for (const it of blocks) it.root.classList.add('stale');
}
