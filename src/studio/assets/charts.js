// Pictures of figures, drawn again in a frame of fixed size, so that nothing moves but what they show.

import { plural } from './moves.js';

const SPACE = 'http://www.w3.org/2000/svg';

function add(to, name, attributes, text) {
  const element = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  to.append(element);
  return element;
}

// How each picture was drawn last, to be drawn so again where its width has changed.
const drawn = new WeakMap();
const widths = new ResizeObserver((all) => {
  for (const { target } of all) {
    const last = drawn.get(target);
    if (last && last.width !== target.clientWidth) last.again();
  }
});

/** Empties a picture, and gives its width: a unit is a pixel, so that words are as large on a phone. */
function frame(svg, height, again) {
  if (!drawn.has(svg)) widths.observe(svg);
  drawn.set(svg, { width: svg.clientWidth, again });
  const width = Math.max(Math.round(svg.clientWidth), 240);
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
  svg.style.height = `${height}px`;
  svg.replaceChildren();
  return width;
}

/** Steps that read well, between two numbers. */
function ticks(low, high, most) {
  const raw = (high - low) / most || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((k) => k * power).find((it) => it >= raw);
  const all = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step * 1e-9; at += step) all.push(Number(at.toPrecision(12)));
  return all;
}

export const side = (low, high) => (low > 0 ? 'house' : high < 0 ? 'player' : 'open');
export const percent = (x) => `${x.toFixed(Math.abs(x) < 10 && x % 1 ? 1 : 0).replace('-', '−')}%`;

/** The house edge of each strategy, with its interval and the edge that is wanted. */
export function edges(svg, rows, target) {
  const row = 34;
  const height = rows.length * row + 34;
  const width = frame(svg, height, () => edges(svg, rows, target));
  const shown = rows.filter((it) => it.edge);
  const all = shown.flatMap((it) => it.edge).concat([0, target]).filter(Number.isFinite);
  let low = Math.max(Math.min(...all), -400);
  let high = Math.min(Math.max(...all), 100);
  const room = Math.max((high - low) * 0.08, 1);
  [low, high] = [low - room, high + room];
  const left = width < 420 ? 92 : 130;
  const letters = width < 420 ? 12 : 17;
  const x = (value) => left + ((Math.min(Math.max(value, low), high) - low) / (high - low)) * (width - left - 16);
  for (const at of ticks(low, high, width < 420 ? 4 : 6)) {
    add(svg, 'line', { x1: x(at), x2: x(at), y1: 4, y2: height - 26, class: at === 0 ? 'zero' : 'grid' });
    add(svg, 'text', { x: x(at), y: height - 8, class: 'tick', 'text-anchor': 'middle' }, percent(at));
  }
  add(svg, 'line', { x1: x(target), x2: x(target), y1: 2, y2: height - 24, class: 'target' });
  rows.forEach((it, i) => {
    const y = i * row + 20;
    const name = it.name.length > letters ? `${it.name.slice(0, letters - 1)}…` : it.name;
    add(svg, 'text', { x: left - 10, y: y + 5, class: 'row', 'text-anchor': 'end' }, name);
    if (!it.edge) return;
    const [value, least, most] = it.edge;
    const kind = side(least, most);
    add(svg, 'rect', { x: x(least), y: y - 8, width: Math.max(x(most) - x(least), 2), height: 16, class: `box ${kind}` });
    add(svg, 'line', { x1: x(value), x2: x(value), y1: y - 11, y2: y + 11, class: `line ${kind}` });
  });
  svg.setAttribute('aria-label', `House edge. ${rows.map((it) => `${it.name}: ${it.edge ? percent(it.edge[0]) : 'none'}`).join(', ')}. Wanted: ${percent(target)}.`);
}

/** Games by cards on the foundations. */
export function histogram(svg, figures) {
  const { histogram: games, break_even_cards: even } = figures.summary;
  const [height, left, bottom] = [190, 36, 26];
  const width = frame(svg, height, () => histogram(svg, figures));
  const all = games.reduce((sum, n) => sum + n, 0) || 1;
  const most = Math.max(...games) / all;
  const step = (width - left - 8) / games.length;
  const y = (part) => height - bottom - (part / (most || 1)) * (height - bottom - 18);
  for (const at of ticks(0, most * 100, 4)) {
    add(svg, 'line', { x1: left, x2: width - 8, y1: y(at / 100), y2: y(at / 100), class: 'grid' });
    add(svg, 'text', { x: left - 6, y: y(at / 100) + 4, class: 'tick', 'text-anchor': 'end' }, percent(at));
  }
  games.forEach((n, cards) => {
    const part = n / all;
    const top = n > 0 ? Math.min(y(part), height - bottom - 1) : y(0);
    const kind = !figures.sided ? 'plain' : even !== null && cards >= even ? 'player' : 'house';
    const bar = add(svg, 'rect', { x: left + cards * step + step * 0.12, y: top, width: step * 0.76, height: height - bottom - top, class: `bar ${kind}` });
    add(bar, 'title', {}, `${plural(cards, 'card')}: ${(part * 100).toFixed(2)}% of games`);
  });
  for (const cards of ticks(0, games.length - 1, 8)) {
    add(svg, 'text', { x: left + (cards + 0.5) * step, y: height - 8, class: 'tick', 'text-anchor': 'middle' }, cards);
  }
  if (figures.sided && even !== null && even < games.length) {
    const at = left + even * step;
    add(svg, 'line', { x1: at, x2: at, y1: 14, y2: height - bottom, class: 'even' });
    const late = even > games.length * 0.6;
    add(svg, 'text', { x: at + (late ? -4 : 4), y: 12, class: 'tick', 'text-anchor': late ? 'end' : 'start' }, `break-even: ${plural(even, 'card')}`);
  }
  svg.setAttribute('aria-label', `Games by cards on the foundations. Mean ${figures.summary.cards.value.toFixed(1)}${even === null ? '' : `, break-even ${even}`}.`);
}

/** The house edge, or the rate of wins, along the values of a key. */
export function sweep(svg, points, of, target) {
  const [height, left, bottom] = [240, 46, 30];
  const width = frame(svg, height, () => sweep(svg, points, of, target));
  const played = points.filter((it) => it && !it.failed);
  const money = played.every((it) => it.edge);
  const figure = (it) => (money ? it.edge : it.win_rate);
  const all = played.flatMap(figure).concat(money ? [0, target] : [0]).filter(Number.isFinite);
  let low = Math.min(...all);
  let high = Math.max(...all);
  const room = Math.max((high - low) * 0.08, 0.5);
  [low, high] = [money ? low - room : Math.max(low, 0), high + room];
  const y = (value) => height - bottom - ((value - low) / (high - low)) * (height - bottom - 12);
  const x = (point) => left + ((point + 0.5) / of) * (width - left - 8);
  for (const at of ticks(low, high, 5)) {
    add(svg, 'line', { x1: left, x2: width - 8, y1: y(at), y2: y(at), class: at === 0 ? 'zero' : 'grid' });
    add(svg, 'text', { x: left - 6, y: y(at) + 4, class: 'tick', 'text-anchor': 'end' }, percent(at));
  }
  if (money) add(svg, 'line', { x1: left, x2: width - 8, y1: y(target), y2: y(target), class: 'target' });
  const line = played.map((it) => `${x(it.point)},${y(figure(it)[0])}`).join(' ');
  add(svg, 'polyline', { points: line, class: 'course' });
  for (const it of points) {
    if (!it) continue;
    const letters = Math.max(Math.floor((width - left) / of / 7), 3);
    const word = it.value.length > letters ? `${it.value.slice(0, letters - 1)}…` : it.value;
    add(svg, 'text', { x: x(it.point), y: height - 10, class: it.own ? 'row own' : 'tick', 'text-anchor': 'middle' }, word);
    if (it.failed) continue;
    const [value, least, most] = figure(it);
    const kind = money ? side(least, most) : 'plain';
    add(svg, 'line', { x1: x(it.point), x2: x(it.point), y1: y(least), y2: y(most), class: `bar-line ${kind}` });
    const dot = add(svg, 'circle', { cx: x(it.point), cy: y(value), r: it.own ? 6 : 4, class: `dot ${kind}` });
    add(dot, 'title', {}, `${it.value}: ${it.said}`);
  }
}

/** How a sequential test stands, deal after deal: both of its ratios, and the bounds at which it answers. */
export function course(svg, points, [lower, upper], names) {
  const [height, left, bottom] = [220, 40, 30];
  const width = frame(svg, height, () => course(svg, points, [lower, upper], names));
  const most = Math.max(points.at(-1)?.games ?? 1, 1);
  const low = Math.max(Math.min(lower, ...points.flatMap((it) => it.llr)), 3 * lower) - 0.5;
  const high = upper + 1;
  const x = (games) => left + (games / most) * (width - left - 12);
  const y = (llr) => height - bottom - ((Math.min(Math.max(llr, low), high) - low) / (high - low)) * (height - bottom - 12);
  for (const at of ticks(low, high, 5)) {
    add(svg, 'line', { x1: left, x2: width - 12, y1: y(at), y2: y(at), class: at === 0 ? 'zero' : 'grid' });
    add(svg, 'text', { x: left - 6, y: y(at) + 4, class: 'tick', 'text-anchor': 'end' }, String(at).replace('-', '−'));
  }
  // Words come last, so that no line goes through them.
  const words = [[left + 6, y(upper) - 4, 'start', 'found'], [left + 6, y(lower) - 4, 'start', 'ruled out, once both are below']];
  for (const at of [upper, lower]) add(svg, 'line', { x1: left, x2: width - 12, y1: y(at), y2: y(at), class: 'target' });
  const all = [{ games: 0, llr: [0, 0] }, ...points];
  const last = points.at(-1);
  // Where both lines end close together, the upper name goes above its line and the other below.
  const lowest = last && last.llr[0] < last.llr[1] ? 0 : 1;
  ['house', 'player'].forEach((kind, i) => {
    const line = all.map((it) => `${x(it.games)},${y(it.llr[i])}`).join(' ');
    add(svg, 'polyline', { points: line, class: `llr ${kind}` });
    if (!last) return;
    const room = i === lowest ? Math.min(y(last.llr[i]) + 14, height - bottom - 4) : Math.max(y(last.llr[i]) - 5, 22);
    words.push([width - 14, room, 'end', `${names[i]} is better`]);
  });
  for (const [at, height, anchor, said] of words) add(svg, 'text', { x: at, y: height, class: 'tick clear', 'text-anchor': anchor }, said);
  add(svg, 'text', { x: width - 12, y: height - 8, class: 'tick', 'text-anchor': 'end' }, `${most.toLocaleString('en-US')} deals`);
  const now = points.at(-1)?.llr.map((it) => it.toFixed(2)) ?? ['0', '0'];
  svg.setAttribute('aria-label', `The test. ${names[0]} is better: ${now[0]}. ${names[1]} is better: ${now[1]}. Found from ${upper.toFixed(2)} on.`);
}
