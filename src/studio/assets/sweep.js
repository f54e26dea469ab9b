// One key at several values as a line, or two keys at all pairs of theirs as a map. Points fill in as they are played.

import { stream } from './api.js';
import * as charts from './charts.js';
import { state } from './state.js';
import { put } from './text.js';

const by = (id) => document.getElementById(id);
// Most games of a point.
const GAMES = 20000;

let running = null;
let key = null;
// What the points that are shown were asked with, the points, and whether they are all.
let shown = '';
let points = [];
let whole = false;
let handlers = { take: () => {}, failed: () => {} };

const count = (n) => n.toLocaleString('en-US');
const asked = () => ({
  name: state.file, text: state.text, strategy: state.strategies[0] ?? 'greedy', seed: state.seed,
  games: Math.min(state.games, GAMES), key, by: secondKey(),
});

/** Calls `take(changes)` with the keys and values, as TOML, of a point that is chosen. */
export function bind(all) {
  handlers = all;
  by('sweep-by').addEventListener('change', () => { if (key) sweep(key); });
  by('sweep-again').addEventListener('click', () => { if (key) sweep(key); });
  by('sweep-close').addEventListener('click', () => { halt(); key = null; by('sweep').hidden = true; });
}

function halt() {
  running?.abort();
  running = null;
}

/** Ends what is being played. */
export function stop() {
  const was = running;
  halt();
  if (was) stale('Stopped: not all points are played.');
}

function stale(words) {
  by('sweep').classList.toggle('stale', Boolean(words));
  by('sweep-again').hidden = !words;
  if (words) by('sweep-note').textContent = words;
}

/** The state has changed: points of another one are grey until they are played again. */
export function changed() {
  if (!key) return;
  if (JSON.stringify(asked()) !== shown) {
    halt();
    stale('Of other rules, players or games. It is played again once the figures above are.');
    return;
  }
  // The edge that is wanted may have changed.
  points.forEach(draw);
  if (whole) {
    stale('');
    say();
  }
}

/** Plays again what has become stale, now that there is time. */
export function follow() {
  if (key && !running && by('sweep').classList.contains('stale')) sweep(key, true);
}

function say() {
  const games = Math.max(...points.map((it) => it?.games ?? 0));
  const few = games < Math.min(state.games, GAMES) ? '; a player that searches plays fewer' : '';
  by('sweep-note').textContent = `Each point plays ${count(games)} games (at most ${count(GAMES)}${few}).`;
}

/** Plays a key at its values, and the second key at all of its if one is chosen. If this follows a change, what was shown
 *  stays until there is something new. */
export async function sweep(chosen, follows) {
  halt();
  const mine = new AbortController();
  running = mine;
  key = chosen;
  const body = asked();
  const second = body.by;
  shown = JSON.stringify(body);
  whole = false;
  by('sweep').hidden = false;
  by('sweep-title').textContent = `${key}${second ? ` and ${second}` : ''}, played by ${body.strategy}`;
  let begun = !follows;
  if (begun) {
    handlers.failed('');
    clear(second);
    by('sweep').scrollIntoView({ block: 'nearest' });
  }
  try {
    await stream('/api/sweep', body, mine.signal, (point) => {
      if (running !== mine) return;
      if (!begun) clear(second);
      begun = true;
      points[point.point] = point;
      draw(point);
      if (!point.failed) say();
    });
    whole = running === mine;
  } catch (error) {
    if (running === mine) {
      handlers.failed(error.message);
      stale('Not played.');
    }
  }
  if (running === mine) running = null;
}

function clear(second) {
  points = [];
  stale('');
  by('sweep-note').textContent = '';
  by('sweep-points').replaceChildren();
  by('sweep-map').replaceChildren();
  by('sweep-map').hidden = !second;
  by('sweep-chart').toggleAttribute('hidden', Boolean(second));
  if (!second) charts.sweep(by('sweep-chart'), [], 1, state.target);
}

function draw(point) {
  if (point.by) return cell(point);
  charts.sweep(by('sweep-chart'), points, point.of, state.target);
  return by('sweep-points').replaceChildren(...points.filter(Boolean).map(item));
}

/** The second key, if there is one that differs from the first. */
function secondKey() {
  const select = by('sweep-by');
  for (const option of select.options) option.disabled = option.value === key;
  if (select.value === key) select.value = '';
  return select.value || null;
}

/** Writes a value as TOML. */
export const literal = (value) => (/^(-?\d+(\.\d+)?|true|false)$/.test(value) ? value : JSON.stringify(value));

function changesOf(point) {
  const all = [{ key: point.key, value: literal(point.value) }];
  if (point.by) all.push({ key: point.by[0], value: literal(point.by[1]) });
  return all;
}

function item(point) {
  const one = document.createElement('li');
  const take = document.createElement('button');
  take.type = 'button';
  take.textContent = point.value;
  take.title = `Set ${point.key} to this value`;
  take.disabled = Boolean(point.failed);
  take.addEventListener('click', () => handlers.take(changesOf(point)));
  const said = document.createElement('span');
  said.className = point.side;
  one.classList.toggle('own', point.own);
  put(said, point.failed ?? point.said);
  one.append(take, ' ', said);
  return one;
}

// ---- The map ------------------------------------------------------------------------------------------------------

/** Puts one cell in its place; the first one that comes makes the table. */
function cell(point) {
  const table = by('sweep-map');
  if (!table.rows.length) frame(table, point);
  const [column, row] = [point.point % point.across, Math.floor(point.point / point.across)];
  table.rows[1].cells[column + 1].textContent = point.value;
  table.rows[row + 2].cells[0].textContent = point.by[1];
  const place = table.rows[row + 2].cells[column + 1];
  const button = document.createElement('button');
  button.type = 'button';
  const figure = point.edge ?? point.win_rate;
  button.textContent = point.failed ? '–' : charts.percent(figure[0]);
  const which = `${point.key} ${point.value}, ${point.by[0]} ${point.by[1]}`;
  button.title = `${which}: ${point.failed ?? point.said}`;
  button.disabled = Boolean(point.failed);
  button.addEventListener('click', () => handlers.take(changesOf(point)));
  place.className = point.failed ? 'failed' : point.edge ? charts.side(figure[1], figure[2]) : 'plain';
  place.classList.toggle('own', point.own);
  const near = point.edge && figure[1] <= state.target && figure[2] >= state.target;
  place.classList.toggle('wanted', Boolean(near));
  if (!point.failed) place.style.setProperty('--much', `${10 + Math.min(Math.abs(figure[0]), 100) / 2}%`);
  place.replaceChildren(button);
}

function frame(table, point) {
  const caption = table.createCaption();
  caption.textContent = 'House edge; framed cells may have the edge you want. Click one to take its values.';
  const above = table.insertRow();
  above.append(th(''), Object.assign(th(point.key), { colSpan: point.across }));
  const values = table.insertRow();
  values.append(Object.assign(th(point.by[0]), { className: 'down' }));
  for (let column = 0; column < point.across; column += 1) values.append(th('', 'col'));
  for (let row = 0; row < point.of / point.across; row += 1) {
    const line = table.insertRow();
    line.append(th('', 'row'));
    for (let column = 0; column < point.across; column += 1) line.insertCell();
  }
}

function th(text, scope) {
  const one = document.createElement('th');
  one.textContent = text;
  if (scope) one.scope = scope;
  return one;
}
